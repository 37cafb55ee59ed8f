#!/usr/bin/env python3
"""Opens reports in a headless Chromium: they load nothing, show their charts, and can be read on
wide and narrow pages, in light and dark. Arguments: the program, the source folder. Exit code 77
where the browser is not installed. $VGSIM_SCREENSHOTS names a folder for pictures of the pages."""

import base64
import json
import os
import pathlib
import subprocess
import sys
import tempfile

sys.path[:0] = [str(folder) for folder in pathlib.Path(__file__).resolve().parents[:2]]
import webdriver  # noqa: E402
from failures import Failures  # noqa: E402

SKIPPED = 77
HERE = pathlib.Path(__file__).resolve().parent
CHECKS = (HERE / "page_checks.js").read_text()
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
    failures.expect(len(base64.b64decode(browser.pdf())) > 10_000, f"{page.stem} cannot be printed")


def check_scenario_block(browser, page, scenario, failures):
    """A program finds the scenario in the page, names that look like markup included."""
    browser.open(page.as_uri())
    text = browser.run("return document.getElementById('scenario').textContent;")
    failures.expect(json.loads(text) == scenario, f"{page.stem}: the scenario is another")
    title = browser.run("return document.querySelector('h1').textContent;")
    failures.expect(title == scenario["name"], f"{page.stem}: the title is {title}")


def main(program, source):
    missing = webdriver.missing_programs()
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
    print("no failures" if failures.count == 0 else f"{failures.count} failures")
    return 1 if failures.count else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2]))
