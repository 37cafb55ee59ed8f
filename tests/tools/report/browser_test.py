#!/usr/bin/env python3
"""Opens reports in a headless Chromium: they load nothing, show their charts, and can be read on
wide and narrow pages, in light and dark. On A4 and Letter the first sheet is complete, the appendix
begins on the next one, and no heading is cut from its content. Arguments: the program, the source folder. Exit code 77
where the browser is not installed. $VGSIM_SCREENSHOTS names a folder for pictures of the pages."""

import base64
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unicodedata
from collections import Counter

sys.path[:0] = [str(folder) for folder in pathlib.Path(__file__).resolve().parents[:2]]
import webdriver  # noqa: E402
from failures import Failures  # noqa: E402

SKIPPED = 77
HERE = pathlib.Path(__file__).resolve().parent
CHECKS = (HERE / "page_checks.js").read_text()
PAPER = {"A4": (8.27, 11.69), "Letter": (8.5, 11)}  # inches
PRINTED = ["imported-dgx-a100.json", "questions/q12-power-on-order.json",
           "questions/q16-training-on-fractions.json"]  # in addition to pages()
LEAST_LETTERS = 4.0  # points: height of the lines of the smallest letters in a picture
TRAINING = ["breakdown-chart", "machines-chart-1", "iteration-chart-1", "bandwidth-chart",
            "roofline-chart-1", "sensitivity-chart", "scaling-chart", "memory-chart"]


def hostile(scenario):
    """Names that mean something in HTML, twelve layouts, and one that is refused."""
    scenario["name"] = "</title><script>alert(1)</script> & \"quoted\" 'name' <b>bold"
    layouts = {"<img src=x onerror=alert(1)> & co": {}}
    for n in range(10):
        layouts[f"batch of {8 + 4 * n}, a name that goes on and on & on without an end"] = {
            "job": {"batch_per_gpu": 8 + 4 * n}}
    layouts["does not fit </script>"] = {"job": {"batch_per_gpu": 4096}}
    scenario["layouts"] = layouts
    return scenario


def with_more_hosts(scenario):
    """Eight hosts with eight GPUs each."""
    return json.loads(json.dumps(scenario).replace("[01-04]", "[01-08]"))


def pages(source):
    """Name, scenario, what is changed of it, figures that must be there, most bytes."""
    def read(name):
        return json.loads((source / "configs/scenarios" / name).read_text())
    plain = lambda scenario: scenario  # noqa: E731
    return [
        ("three-layouts", read("bert-large-4xr750xa.json"), plain, TRAINING, 400_000),
        ("collective", read("xe9680-8xh100.json"), plain,
         ["machines-chart-1", "bandwidth-chart", "sensitivity-chart"], 400_000),
        ("64-gpus", read("xe9680-4x8xh100.json"), with_more_hosts, TRAINING, 400_000),
        ("64-hosts", read("ring-25gbe.json"), plain, ["breakdown-chart", "scaling-chart"], 400_000),
        ("parallel", read("training/llama-3-8b-fsdp.json"), plain,
         ["breakdown-chart", "memory-chart"], 400_000),
        ("hostile", read("xe8545-4xa100.json"), hostile, ["breakdown-chart", "memory-chart"],
         700_000),
    ]


def write_report(program, folder, name, scenario):
    file = folder / f"{name}.json"
    file.write_text(json.dumps(scenario))
    return report_of(program, folder, name, file)


def report_of(program, folder, name, file):
    page = folder / f"{name}.html"
    done = subprocess.run([program, "report", str(file), "-o", str(page)])
    if done.returncode not in (0, 1):  # 1: a layout is refused
        sys.exit(f"report of {name} ended with {done.returncode}")
    return page


def check_look(browser, page, width, scheme, opened, media, failures):
    what = f"{page.stem} at {width}, {scheme}{', ' + media if media else ''}" + \
        (", all opened" if opened else "")
    browser.look(width, 900, scheme, media)
    browser.open(page.as_uri())
    if opened:
        browser.run("document.querySelectorAll('details').forEach((d) => { d.open = true; });")
    if media == "print":  # the first sheet is as high as the paper, which here is the whole page
        browser.run("document.querySelector('.sheet').style.height = 'auto';")
    height = browser.run("return document.documentElement.scrollHeight;")
    browser.look(width, height, scheme, media)
    found = browser.run(CHECKS, 9 if media == "print" else 11)
    failures.expect(not found["problems"], what + ": " + "\n     ".join(found["problems"]))
    shots = os.environ.get("VGSIM_SCREENSHOTS")
    if shots and not opened:
        picture = pathlib.Path(shots) / f"{page.stem}-{width}-{scheme}{media}.png"
        picture.write_bytes(base64.b64decode(browser.screenshot()))
    return found["figures"]


def check_page(browser, page, figures, most_bytes, failures):
    size = page.stat().st_size
    failures.expect(size <= most_bytes, f"{page.stem} has {size} bytes")
    browser.requests()
    for width in (1280, 400):
        for scheme in ("light", "dark"):
            for opened in (False, True):
                shown = check_look(browser, page, width, scheme, opened, "", failures)
                missing = [figure for figure in figures if figure not in shown]
                failures.expect(not missing, f"{page.stem} has no {', '.join(missing)}")
    check_look(browser, page, 700, "dark", False, "print", failures)
    asked = [url for url in browser.requests()
             if url != page.as_uri() and not url.startswith("data:")]
    failures.expect(not asked, f"{page.stem} requests {asked}")
    failures.expect(not browser.console(), f"{page.stem}: {browser.console()}")
    scripts = browser.run("return [...document.scripts].map((s) => s.type);")
    failures.expect(scripts == ["application/json"], f"{page.stem} has scripts {scripts}")
    check_paper(browser, page, failures)


def words_of(text):
    """Ligatures and non-breaking blanks count as letters and blanks; words break at hyphens."""
    return Counter(re.findall(r"[\w.%]+", unicodedata.normalize("NFKC", text)))


def printed(paper, page, folder, browser):
    """The text of each sheet, and the lowest word of the first one."""
    file = folder / f"{page.stem}-{paper}.pdf"
    file.write_bytes(base64.b64decode(browser.pdf(*PAPER[paper])))
    text = subprocess.run(["pdftotext", "-raw", str(file), "-"], capture_output=True, text=True,
                          check=True).stdout
    boxes = subprocess.run(["pdftotext", "-bbox", "-l", "1", str(file), "-"], capture_output=True,
                           text=True, check=True).stdout
    heights = [float(low) - float(high)
               for high, low in re.findall(r'yMin="([\d.]+)"[^>]*yMax="([\d.]+)"', boxes)]
    return text.split("\f")[:-1], min(heights)


def check_paper(browser, page, failures):
    browser.look(1280, 900, "light")
    browser.open(page.as_uri())
    sheet = browser.run("""
        const shown = '.sheet h1, .sheet .subject, .sheet .lead p, .sheet h2, .sheet td, ' +
            '.sheet th, .sheet li:not(nav li), .sheet .aside, .sheet svg.wide text';
        return [...document.querySelectorAll(shown)].filter(
            (e) => e.checkVisibility() && !e.closest('details')).map(
            (e) => [...e.childNodes].filter((n) => n.nodeName !== 'title')
                       .map((n) => n.textContent).join('')).join('\\n');""")
    headings = browser.run("return [...document.querySelectorAll('h2, h3, .topic, .appendix')]"
                           ".map((e) => e.textContent);")
    headings = {" ".join(heading.split()) for heading in headings}
    for paper in PAPER:
        what = f"{page.stem} on {paper}"
        sheets, smallest = printed(paper, page, page.parent, browser)
        missing = words_of(sheet) - words_of(sheets[0])
        failures.expect(not missing, f"{what}: the first sheet lacks {dict(missing)}")
        failures.expect(smallest >= LEAST_LETTERS, f"{what}: letters of {smallest:.1f} pt")
        failures.expect(sheets[1].startswith("Appendix"), f"{what}: {sheets[1][:60]} on sheet 2")
        for number, text in enumerate(sheets, 1):
            last = " ".join(text.strip().splitlines()[-1].split())
            failures.expect(last not in headings, f'{what}: "{last}" ends sheet {number}')


def check_scenario_block(browser, page, scenario, failures):
    """A program finds the scenario in the page, names that look like markup included."""
    browser.open(page.as_uri())
    text = browser.run("return document.getElementById('scenario').textContent;")
    failures.expect(json.loads(text) == scenario, f"{page.stem}: the scenario is another")
    title = browser.run("return document.querySelector('h1').textContent;")
    failures.expect(title == scenario["name"], f"{page.stem}: the title is {title}")


def main(program, source):
    missing = webdriver.missing_programs()
    missing += [] if shutil.which("pdftotext") else ["pdftotext"]
    if missing:
        print(f"SKIPPED: {' and '.join(missing)} not installed; reports were opened in no browser")
        return SKIPPED
    failures = Failures()
    with tempfile.TemporaryDirectory() as folder, webdriver.Browser() as browser:
        for name, scenario, change, figures, most_bytes in pages(pathlib.Path(source)):
            scenario = change(scenario)
            page = write_report(program, pathlib.Path(folder), name, scenario)
            check_page(browser, page, figures, most_bytes, failures)
            check_scenario_block(browser, page, scenario, failures)
            print(f"{name}: {page.stat().st_size} bytes", flush=True)
        for name in PRINTED:
            file = pathlib.Path(source) / "configs/scenarios" / name
            page = report_of(program, pathlib.Path(folder), file.stem, file)
            check_paper(browser, page, failures)
            text = page.read_text().split('<script type="application/json"')[0]
            failures.expect(source not in text and folder not in text,
                            f"{page.stem} names a folder of this machine")
            print(f"{name}: printed", flush=True)
    print("no failures" if failures.count == 0 else f"{failures.count} failures")
    return 1 if failures.count else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2]))
