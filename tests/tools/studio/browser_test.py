#!/usr/bin/env python3
"""Works with `vgsim studio` in a headless Chromium as an architect does, and holds its numbers
against `vgsim run`. Arguments: the program, the source folder, and "file" for vgsim.html, which is
opened from disk, without a server: all checks but that of a lost server (check_lost), and in addition that
nothing is sent, and the page inside a report. Exit code 77 where the browser is not installed or that page
was not made. $VGSIM_SCREENSHOTS names a folder for pictures,
$VGSIM_STUDIO_CHANGES is the number of random changes to time (printed only; no check depends on the
clock), $VGSIM_STUDIO_CHAINS that of chains of them."""

import base64
import json
import os
import pathlib
import random
import statistics
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent), str(HERE.parent / "report"), str(HERE.parent / "html")]
import webdriver  # noqa: E402
from failures import Failures  # noqa: E402
from file_studio import FileStudio, ReportStudio  # noqa: E402
from silence import check_silence  # noqa: E402
from studio_process import Studio  # noqa: E402

SKIPPED = 77
HANG = 300  # seconds: nothing on the page takes so long, on any machine
CHECKS = (HERE.parent / "report" / "page_checks.js").read_text()
EXAMPLE = "bert-large-4xr750xa"
TIMED_CHANGES = int(os.environ.get("VGSIM_STUDIO_CHANGES", "40"))
CHAINS = int(os.environ.get("VGSIM_STUDIO_CHAINS", "6"))

SETTLED = "return !!(window.studio && studio.state && studio.state.answer && studio.flying === 0);"
FULL = "return document.documentElement.dataset.full === 'yes' && studio.flying === 0;"
CHOOSE = """
const box = document.querySelector(`.control[data-id="${arguments[0]}"]`);
const select = box.querySelector('select');
const option = [...select.options].find((each) => each.textContent.split(' \\u2014 ')[0] === arguments[1]);
if (!option) return [...select.options].map((each) => each.textContent);
select.value = option.value;
select.dispatchEvent(new Event('change'));
return null;
"""
SLIDE = """
const box = document.querySelector(`.control[data-id="${arguments[0]}"]`);
const range = box.querySelector('input[type=range]');
const control = studio.state.controls.find((each) => each.id === arguments[0]);
range.dispatchEvent(new Event('pointerdown'));
range.value = control.steps.findIndex((step) => String(step) === arguments[1]);
range.dispatchEvent(new Event('input'));
return Number(range.value);
"""
# A VM's piece of a GPU, dropped on a host.
DRAG = """
const data = new DataTransfer();
const piece = [...document.querySelectorAll('.vgpu')].find((each) => each.textContent === arguments[0]);
piece.dispatchEvent(new DragEvent('dragstart', {bubbles: true, dataTransfer: data}));
document.querySelector(`.hostbox[data-host=${arguments[1]}]`).dispatchEvent(
    new DragEvent('drop', {bubbles: true, cancelable: true, dataTransfer: data}));
"""
# A VM's piece of a GPU, dropped on that of another VM.
GIVE = """
const data = new DataTransfer();
const [host, gpu, onto] = arguments;
const piece = (name) => document.querySelector(`.vgpu[aria-label^="${host}/${name},"]`);
piece(gpu).dispatchEvent(new DragEvent('dragstart', {bubbles: true, dataTransfer: data}));
piece(onto).dispatchEvent(new DragEvent('drop', {bubbles: true, cancelable: true, dataTransfer: data}));
"""
# A change at random; how long it takes until the page shows the first number of its answer.
TIME_A_CHANGE = """
const [seed, done] = arguments;
const sliders = studio.state.controls.filter((each) => each.steps?.length > 1 && each.id !== 'hosts' &&
    !['/job/parallel/tensor', '/job/parallel/pipeline', '/job/global_batch'].includes(each.id));
const control = sliders[seed % sliders.length];
const step = control.steps[(seed * 7919) % control.steps.length];
const body = {title: control.label, set: [{pointer: control.pointer, value: step}]};
const begin = performance.now();
studio.change(body).then((state) => {
  document.getElementById('figures').getBoundingClientRect();
  done([performance.now() - begin, state.outcome, control.id, String(step)]);
});
"""


make_studio = Studio  # or FileStudio


def wait(browser, script=SETTLED):
    """Until it holds; what takes minutes has come to a stop."""
    end = time.monotonic() + HANG
    while not browser.run(script):
        if time.monotonic() > end:
            raise RuntimeError(f"never: {script}")
        time.sleep(0.02)


def state(browser):
    return json.loads(browser.run("return JSON.stringify(studio.state);"))


def iteration(browser):
    """Seconds: what is shown of them has more digits before it is known how well they are known."""
    # At one time: an interval that arrives in between changes both.
    now, shown = json.loads(browser.run(
        "return JSON.stringify([studio.state.answer.now, "
        "document.querySelector('#figures .number').textContent]);"))
    assert shown.replace("\u00a0", " ") == now["iteration"], f"{shown} is shown of {now['iteration']}"
    return now["iteration_s"]


def plain(text):
    """As a terminal shows it."""
    for fancy, simple in (("\u00a0", " "), ("\u201c", '"'), ("\u201d", '"'), ("\u2192", "->"), ("\u00d7", "x"),
                          ("\u2212", "-"), ("\u202f", " ")):
        text = text.replace(fancy, simple)
    return text


def seconds_in(text):
    number, unit = text.replace("\u00a0", " ").split()
    return float(number) * {"us": 1e-6, "ms": 1e-3, "s": 1, "min": 60, "h": 3600}[unit]


def control(browser, name):
    return next(each for each in state(browser)["controls"] if each["id"] == name)


def open_page(browser, studio, look=(1280, 900, "light"), fragment=""):
    browser.look(*look)
    browser.open("about:blank")
    browser.open(studio.address + fragment)
    wait(browser)


def click(browser, selector):
    browser.run("document.querySelector(arguments[0]).click();", selector)
    wait(browser)


def choose(browser, name, label):
    others = browser.run(CHOOSE, name, label)
    if others is not None:
        raise RuntimeError(f"{name} has no {label}, but {others}")
    wait(browser)


def type_in(browser, name, text):
    browser.run("""const field = document.querySelector(`.control[data-id="${arguments[0]}"] input`);
      field.value = arguments[1];
      field.dispatchEvent(new Event('change'));""", name, text)
    wait(browser)


def slide(browser, name, step):
    if browser.run(SLIDE, name, step) < 0:
        raise RuntimeError(f"{name} has no step {step}: {control(browser, name)}")
    wait(browser)


def picture(browser, name, at=None):
    """Of what the window shows, with that part of the page at its top."""
    folder = os.environ.get("VGSIM_SCREENSHOTS")
    if folder:
        if at:
            browser.run("scrollBy(0, document.querySelector(arguments[0]).getBoundingClientRect().top - 150);", at)
        (pathlib.Path(folder) / f"studio-{name}.png").write_bytes(base64.b64decode(browser.screenshot()))


def saved_run(program, studio, folder, name="saved.json", layout=None, form=("--format", "json", "--quiet")):
    """What `vgsim run` makes of the scenario as the studio saves it."""
    status, scenario = studio.ask("export?as=scenario")
    assert status == 200, scenario
    (folder / name).write_text(json.dumps(scenario))
    layout = layout or studio.ask("state")[1]["working"]
    done = subprocess.run([program, "run", name, "--layout", layout, *form],
                          cwd=folder, capture_output=True, text=True)
    if done.returncode not in (0, 1):
        raise RuntimeError(done.stderr)
    return done.stdout


def check_numbers(program, studio, folder, failures, what):
    run = next(iter(json.loads(saved_run(program, studio, folder))["layouts"].values()))
    shown = studio.ask("result")[1]
    different = [key for key in set(run) | set(shown) if run.get(key) != shown.get(key)]
    failures.expect(not different, f"{what}: vgsim run has other {different}")


def check_start(browser, program, source, failures):
    """With a file, that one is there."""
    file = source / "configs/scenarios/xe8545-4xa100.json"
    with make_studio(program, str(file)) as studio:
        open_page(browser, studio)
        shown = browser.run("return document.getElementById('name').textContent;")
        failures.expect(shown == json.loads(file.read_text())["name"], f"{shown} is shown")
        verdict = browser.run("return document.getElementById('verdict').textContent;")
        failures.expect(" for " in verdict and "Bottleneck of" in verdict, f"the verdict is {verdict!r}")


def check_slider(browser, program, studio, folder, failures):
    open_page(browser, studio)
    before = iteration(browser)
    slide(browser, "/fabric/host_link", "25 Gbit/s")
    after = iteration(browser)
    failures.expect(before != after, f"a slower link leaves an iteration at {after}")
    failures.expect(control(browser, "/fabric/host_link")["value"] == "25 Gbit/s", "the slider is back")
    # A download computes the interval, which the page then shows.
    studio.ask("export?as=csv")
    wait(browser, "return 'interval' in studio.state.answer.now;")
    bars = browser.run("return document.querySelectorAll('#breakdown svg rect').length;")
    failures.expect(bars > 3, "no bar of an iteration is drawn")
    check_numbers(program, studio, folder, failures, "a slider")
    # One drag is one step, however many values it passes.
    browser.run("""
      const box = document.querySelector('.control[data-id="/fabric/uplink"] input');
      box.dispatchEvent(new Event('pointerdown'));
      for (const value of [2, 5, 8, 11]) { box.value = value; box.dispatchEvent(new Event('input')); }""")
    wait(browser)
    failures.expect(state(browser)["done"] == 2, f"{state(browser)['done']} steps of two gestures")
    click(browser, "#undo")
    click(browser, "#undo")
    failures.expect(iteration(browser) == before, "undo leads elsewhere")
    failures.expect(state(browser)["patch"] == "{}", f"undone, and still {state(browser)['patch']}")
    click(browser, "#redo")
    failures.expect(iteration(browser) == after, "redo leads elsewhere")
    click(browser, "#undo")


def check_each_kind(browser, failures):
    """Every control of the panel: each is changed once, or refused with a rule."""
    outcomes = {"answered": 0, "refused": 0}
    for each in state(browser)["controls"]:
        now = control(browser, each["id"])
        if "choices" in now:
            others = [choice["label"] for choice in now["choices"]
                      if choice["label"] not in (now["value"], "as by default")]
            if not others:
                continue
            choose(browser, each["id"], others[-1])
        elif "typed" in now:
            if now["value"]:
                continue
            type_in(browser, each["id"], "EUR" if now["typed"] == "string" else "2.5")
        else:
            others = [str(step) for step in now["steps"] if str(step) != now["value"]]
            slide(browser, each["id"], others[0])
        after = state(browser)
        outcomes[after["outcome"]] += 1
        if after["outcome"] == "refused":
            shown = browser.run("return document.getElementById('objection').textContent;")
            failures.expect(after["objections"][0]["rule"] in shown, f"{each['id']}: refused, and no word of why")
        else:
            failures.expect(after["steps"][-1]["patch"] != "{}", f"{each['id']} changes nothing")
            click(browser, "#undo")
    print(f"each control once: {outcomes}", flush=True)
    failures.expect(outcomes["answered"] > 20, f"{outcomes}")
    failures.expect(state(browser)["done"] == 0, "something is left")


def check_refusal(browser, failures):
    """What this version of vSphere forbids is marked before it is chosen, and refused with its rule."""
    before = state(browser)
    choose(browser, "vm-gpus", "Nvidia:4@grid_a100d-80c%NVLink")
    shown = browser.run("return document.getElementById('objection').textContent;")
    refused = state(browser)
    failures.expect(refused["outcome"] == "refused", "a group of four GPUs without NVLink is taken")
    failures.expect(refused["objections"] and refused["objections"][0]["rule"] in shown, f"it shows {shown!r}")
    failures.expect(refused["steps"] == before["steps"], "what was refused is a step")
    picture(browser, "refused")
    browser.run("document.querySelector('.control[data-id=\"vm-gpus\"] select').focus();")
    wait(browser, """return [...document.querySelector('.control[data-id="vm-gpus"] select').options]
                     .some((each) => each.disabled && each.textContent.includes('refused by'));""")


def check_pinned(browser, failures):
    click(browser, "#pin")
    choose(browser, "/hosts/*/nics/*/nic", "connectx-6-dx-200g, with switch ports of 200 Gbit/s")
    words = browser.run("return document.getElementById('figures').textContent;")
    bars = browser.run("return document.getElementById('breakdown').textContent;")
    failures.expect("A: " in words, f"there is no comparison: {words}")
    failures.expect("passthrough, changed" in bars and "A: passthrough" in bars, "one bar alone")
    browser.run("""const select = document.getElementById('against');
      select.value = 'vgpu'; select.dispatchEvent(new Event('change'));""")
    wait(browser)
    failures.expect(state(browser)["pinned"] == ["passthrough", "vgpu"], "a layout of the scenario cannot be pinned")
    # Three side by side, with other work in an iteration: the time of a sample is compared.
    click(browser, "#pin")
    slide(browser, "/job/batch_per_gpu", "48")
    wait(browser, FULL)
    table = browser.run("""return [...document.querySelectorAll('#comparison tr')].map(
        (row) => [...row.children].map((cell) => cell.textContent));""")
    now = state(browser)["answer"]
    failures.expect([name[:1] for name in table[0][1:4]] == ["A", "B", "C"] and "changed" in table[0][4], f"{table[0]}")
    sample = next(row for row in table if row[0] == "sample")
    gain = (now["pinned"]["samples_per_s"] / now["now"]["samples_per_s"] - 1) * 100
    shown = float(plain(sample[4]).replace("(", ")").split(")")[1].split()[0])
    failures.expect(abs(shown - gain) < 0.51, f"the sample is {gain} % longer, and {sample} is shown")
    words = browser.run("return document.getElementById('figures').textContent;")
    failures.expect("other samples" in words and "sample" in words, f"iterations of other samples are compared: {words}")
    picture(browser, "compared")
    click(browser, "#pins li:first-child button")
    failures.expect(state(browser)["pinned"][0] == "vgpu", f"A was removed: {state(browser)['pinned']}")
    while state(browser)["pinned"]:
        click(browser, "#pins li:first-child button")
    hidden = browser.run("return document.getElementById('comparison').hidden;")
    failures.expect(hidden, "a comparison with nothing")
    click(browser, "#undo")
    click(browser, "#undo")


def check_helps(browser, failures):
    wait(browser, FULL)
    before = state(browser)
    failures.expect("interval" in before["answer"]["now"], "there is no interval")
    failures.expect(before["helps"]["measure"], "nothing is worth measuring")
    wanted = browser.run("return document.querySelector('#helps .words').firstChild.textContent;")
    gain = float(browser.run("return document.querySelector('#helps .gain').textContent;").split()[0]) / 100
    picture(browser, "helps", "#help")
    click(browser, "#helps .apply")
    after = state(browser)
    failures.expect(after["steps"][-1]["title"] == wanted, f"{after['steps'][-1]['title']} is not {wanted}")
    work = 1 - before["answer"]["now"]["samples_per_s"] / after["answer"]["now"]["samples_per_s"]
    failures.expect(abs(work - gain) < 0.006, f"{wanted}: saves {work:.3f}, not {gain}")
    click(browser, "#undo")


def check_curve(browser, failures):
    click(browser, ".control[data-id='/fabric/host_link'] button")
    wait(browser, "return !!document.querySelector('#curve-drawing figure');")
    points = browser.run("return document.querySelectorAll('#curve-drawing svg.wide circle').length;")
    failures.expect(points >= 20, f"the curve has {points} points")
    heading = browser.run("return document.querySelector('#curve-drawing h2').textContent;")
    failures.expect("epoch" in heading, f"the curve is of {heading!r}")
    browser.run("""const select = document.getElementById('curve-figure');
      select.value = 'iteration_time_s'; select.dispatchEvent(new Event('change'));""")
    beyond = browser.run("""const svg = document.querySelector('#curve-drawing svg.wide');
      return [...svg.querySelectorAll('circle')].filter((each) => each.cx.baseVal.value > svg.viewBox.baseVal.width).length;""")
    failures.expect(beyond == 0, f"{beyond} points of the curve lie outside of the drawing")
    # Intervals come one by one, can be stopped, and continue where they were.
    intervals = "[...document.querySelectorAll('#curve-drawing tbody tr')].filter((row) => row.children[2]?.textContent).length"
    browser.run("document.getElementById('curve-intervals').click();")
    wait(browser, f"return {intervals} >= 3;")
    browser.run("document.getElementById('curve-intervals').click();")
    wait(browser, "return document.getElementById('curve-intervals').textContent === 'With intervals';")
    there = browser.run(f"return {intervals};")
    failures.expect(3 <= there < points, f"stopped with {there} intervals of {points}")
    browser.run("document.getElementById('curve-intervals').click();")
    wait(browser, f"return {intervals} === {points};")
    bands = browser.run("return document.querySelectorAll('#curve-drawing svg.wide .band').length;")
    failures.expect(bands == 1, f"{bands} bands of intervals")
    rows = browser.run("""return [...document.querySelectorAll('#curve-drawing tbody tr')].map(
        (row) => [...row.children].map((cell) => cell.textContent));""")
    shown = {step: time for step, time, _ in rows}
    for step in ("25 Gbit/s", "50 Gbit/s"):
        slide(browser, "/fabric/host_link", step)
        failures.expect(abs(iteration(browser) / seconds_in(shown[step]) - 1) < 0.006,
                        f"{step}: {iteration(browser)} s, the curve has {shown[step]}")
    picture(browser, "curve", "#curve")
    click(browser, "#undo")
    click(browser, "#undo")


def press(browser, key, code, text=""):
    browser.devtools("Input.dispatchKeyEvent", type="keyDown", key=key, code=key, text=text,
                     windowsVirtualKeyCode=code)
    browser.devtools("Input.dispatchKeyEvent", type="keyUp", key=key, code=key, windowsVirtualKeyCode=code)


def check_advice(browser, failures):
    """Advice is searched for concurrently; a choice opens from the chart, by key, as one step."""
    before = state(browser)["done"]
    wait(browser, "return document.getElementById('advice-first').value === 'epoch_time_s';")
    # A change overtakes a search, or what it found.
    browser.run("document.querySelector('#advise button').click();")
    wait(browser, "return Boolean(studio.state.advice);")
    slide(browser, "/fabric/host_link", "25 Gbit/s")
    wait(browser, "return !studio.state.advice?.runs && !studio.state.advice?.holds;")
    text = browser.run("return document.getElementById('advice-status').textContent;")
    failures.expect("was changed" in text, f"a search that was overtaken shows {text!r}")
    browser.run("document.querySelector('#advise button').click();")
    wait(browser, "return studio.state.advice?.runs === false && studio.flying === 0;")
    advice = state(browser)["advice"]
    choices = advice["choices"]
    failures.expect(advice["holds"] and len(choices) > 1, f"advice: {choices}")
    points = browser.run("return document.querySelectorAll('#advice-drawing svg.wide [data-of]').length;")
    failures.expect(points == len(choices), f"{points} points for {len(choices)} choices")
    picture(browser, "advice", "#advice")
    browser.run("document.querySelector('#advice-drawing svg.wide [data-of=\"1\"]').focus();")
    press(browser, "Enter", 13, "\r")
    wait(browser, f"return studio.state.done === {before + 2} && studio.flying === 0;")
    after = state(browser)
    failures.expect(after["steps"][-1]["title"] == choices[1]["title"],
                    f"{after['steps'][-1]['title']} is not {choices[1]['title']}")
    hosts = str(len(after["machines"]["hosts"]))
    failures.expect(choices[1]["figures"][1] == hosts, f"{hosts} hosts, not {choices[1]['figures'][1]}")
    failures.expect(after["advice"]["holds"], "the other choices cannot be opened any more")
    click(browser, "#advice-choices li:first-child .open")
    failures.expect(state(browser)["steps"][-1]["title"] == choices[0]["title"], "a choice of the list does not open")
    choose(browser, "/job/optimizer", "sgd")
    failures.expect(not state(browser)["advice"]["holds"], "advice of another job is offered")
    disabled = browser.run("return document.querySelector('#advice-choices .open').disabled;")
    failures.expect(disabled, "advice of another job can be opened")
    while state(browser)["done"] > before:
        click(browser, "#undo")


def check_loads(browser, failures):
    """A chosen part shows its load over the iteration, and that of the next answer after a change."""
    browser.run("document.querySelector('#drawing [data-of=\"esx01/vmnic4\"]').dispatchEvent("
                "new MouseEvent('click', {bubbles: true}));")
    wait(browser, "return document.querySelectorAll('#thing svg.load').length > 1;")
    named = browser.run("return [...document.querySelectorAll('#thing svg.load')].map((each) => each.ariaLabel);")
    failures.expect(all("of the iteration" in each for each in named), f"loads are called {named}")
    carried = "return document.querySelector('#thing tbody tr').textContent;"
    before = browser.run(carried)
    slide(browser, "/fabric/host_link", "10 Gbit/s")
    wait(browser, f"return (() => {{ {carried} }})() !== {json.dumps(before)};")
    click(browser, "#undo")


def check_timeline(browser, failures):
    """A timeline is zoomed by keys and buttons around a task, which is read out, and shown as a whole again."""
    wait(browser, FULL)
    tasks = "[...document.querySelectorAll('#iteration svg.wide [data-task]')].filter((each) => each.style.display !== 'none')"
    labels = "return document.querySelectorAll('#iteration svg.wide text.on').length;"
    before = browser.run(f"return [{tasks}.length, document.querySelector('#iteration svg.wide').innerHTML];")
    browser.run("document.querySelector('#iteration svg.wide').focus();")
    some = browser.run(labels)
    for _ in range(6):
        press(browser, "PageDown", 34)
    task = browser.run("return document.querySelector('#iteration .task').textContent;")
    failures.expect(": " in task and "s: " in task, f"of a task it reads out {task!r}")
    for _ in range(3):
        press(browser, "+", 187, "+")
    press(browser, "PageDown", 34)
    inside = browser.run(f"""const svg = document.querySelector('#iteration svg.wide').getBoundingClientRect();
      return {tasks}.every((each) => each.getBoundingClientRect().right <= svg.right + 1);""")
    fewer = browser.run(f"return {tasks}.length;")
    failures.expect(inside and 0 < fewer < before[0], f"zoomed, {fewer} of {before[0]} tasks are shown, inside: {inside}")
    failures.expect(browser.run(labels) > some, "zoomed, no more tasks have a label")
    picture(browser, "timeline", "#iteration")
    chosen = browser.run("return document.querySelectorAll('#iteration svg.wide .chosen').length;")
    failures.expect(chosen == 1, f"{chosen} tasks are read out")
    click(browser, "#iteration .zoom button:nth-last-of-type(1)")
    failures.expect(browser.run(f"return {tasks}.length;") == before[0], "the whole has other tasks")


def check_kinds(browser, program, folder, failures):
    """Many kinds of hosts: some are drawn, the others are opened."""
    scenario = {"name": "ten kinds", "hosts": {f"esx{n:02}": {
        "server": "dell-r750xa", "gpus": "2 x a100-pcie-80gb", "storage": {"read": f"{n} GB/s"},
        "nics": {"vmnic4": {"nic": "connectx-6-dx-100g", "near": "gpu0"}}} for n in range(1, 11)},
        "job": {"network": "resnet-50", "batch_per_gpu": 64, "samples_per_epoch": 100000}}
    (folder / "kinds.json").write_text(json.dumps(scenario))
    with make_studio(program, str(folder / "kinds.json")) as studio:
        open_page(browser, studio)
        drawn = browser.run("return document.querySelectorAll('#drawing svg.wide rect.box[data-of]').length;")
        folded = [each["host"] for each in state(browser)["answer"]["folded"]]
        failures.expect(drawn == 8 and len(folded) == 2, f"{drawn} kinds are drawn, folded are {folded}")
        browser.run("document.querySelector('#folded button:last-of-type').click();")
        wait(browser, f"return document.querySelector('#drawing svg.wide rect.box').dataset.of === '{folded[-1]}';")


def check_saved(browser, program, studio, folder, failures):
    """Saved and opened again, it is the same to the last byte; as a layout it has its name."""
    choose(browser, "vm-gpus", "grid_a100d-80c")
    slide(browser, "/job/batch_per_gpu", "48")
    first = saved_run(program, studio, folder)
    (folder / "again").mkdir()
    with make_studio(program, str(folder / "saved.json")) as other:
        open_page(browser, other)
        failures.expect(state(browser)["steps"][0]["title"] == "as it was saved", "it begins elsewhere")
        second = saved_run(program, other, folder / "again")
    failures.expect(first == second, "saved and opened again, vgsim run has another result")
    open_page(browser, studio)
    browser.run("document.getElementById('layout-name').value = 'my own';")
    browser.run("document.querySelector('#save button').click();")
    wait(browser, "return studio.state.layouts.includes('my own');")
    named = json.loads(saved_run(program, studio, folder, layout="my own"))["layouts"]["my own"]
    failures.expect(named["iteration_time_s" if "iteration_time_s" in named else "training"],
                    "the layout that was saved has no time")
    for kind, begin in (("html", "<!DOCTYPE html>"), ("csv", "layout")):
        status, text = studio.ask(f"export?as={kind}")
        failures.expect(status == 200 and text.startswith(begin), f"{kind}: {status} {text[:40]!r}")


def check_link(browser, program, studio, failures):
    """A colleague opens what he was sent in his own studio."""
    open_page(browser, studio)
    shown = iteration(browser)
    browser.run("document.getElementById('copy-link').click();")
    wait(browser, "return document.getElementById('pasted').value.startsWith('#s=');")
    link = browser.run("return document.getElementById('pasted').value;")
    failures.expect(make_studio is FileStudio or studio.token not in link, "the link gives the token away")
    with make_studio(program, "xe8545-4xa100") as other:
        open_page(browser, other, fragment=link)
        wait(browser, "return studio.state.name === 'BERT-Large on four R750xa' && studio.flying === 0;")
        failures.expect(iteration(browser) == shown, "another iteration at the colleague's")
        hash_left = browser.run("return location.hash;")
        failures.expect(hash_left == "", f"{hash_left[:20]} stays in the address")
        open_page(browser, other)
        browser.run("""document.getElementById('pasted').value = arguments[0];
          document.querySelector('#paste button').click();""", link)
        wait(browser)
        failures.expect(iteration(browser) == shown, "what is pasted is another scenario")
    print(f"a link of {len(link)} characters", flush=True)


def check_board(browser, program, folder, failures):
    with make_studio(program, EXAMPLE) as studio:
        open_page(browser, studio)
        browser.run("document.getElementById('board-details').open = true;")
        wait(browser, "return document.querySelectorAll('.hostbox').length === 4;")
        pieces = browser.run("return document.querySelectorAll('.vgpu').length;")
        failures.expect(pieces == 16, f"{pieces} GPUs are taken")
        # To a host whose GPUs are all taken.
        browser.run("studio.change(arguments[0]);", {"set": [{"pointer": "/vms/*/gpus/count", "value": 4}]})
        wait(browser)
        browser.run(DRAG, "train01", "esx02")
        wait(browser, "return studio.state.outcome === 'refused' && studio.flying === 0;")
        failures.expect(state(browser)["done"] == 1, "two VMs have the same GPUs")
        # Two VMs of two GPUs each share a host, and its NIC.
        browser.run("studio.change(arguments[0]);", {"set": [
            {"pointer": "/vms/*/gpus/count", "value": 2},
            {"pointer": "/vms/*/nics/vmnic4", "value": "sriov"}]})
        wait(browser, "return studio.state.done === 2 && studio.flying === 0;")
        browser.run(DRAG, "train01", "esx02")
        wait(browser, "return studio.flying === 0 && "
                      "(studio.state.done === 3 || studio.state.outcome === 'refused');")
        after = state(browser)
        failures.expect(after["outcome"] == "answered", f"two halves do not fit: {after['objections']}")
        wait(browser, """return [...document.querySelectorAll('.hostbox[data-host=esx02] .vgpu')].filter(
                         (each) => each.textContent === 'train01').length === 2;""")
        picture(browser, "board", "#board")
        # A GPU of one goes to the other; by a key, the last one does not.
        browser.run(GIVE, "esx02", "gpu0", "gpu2")
        wait(browser, "return studio.state.done === 4 && studio.flying === 0;")
        given = state(browser)["steps"][-1]
        failures.expect(given["title"] == "esx02/gpu0 from train01 to train02", f"the step is {given}")
        wait(browser, """return [...document.querySelectorAll('.hostbox[data-host=esx02] .vgpu')].filter(
                         (each) => each.textContent === 'train02').length === 3;""")
        check_numbers(program, studio, folder, failures, "a GPU that was given")
        browser.run("document.querySelector('.vgpu[aria-label^=\"esx02/gpu1,\"]').focus();")
        press(browser, "Enter", 13, "\r")
        wait(browser, "return document.querySelectorAll('#thing select option').length === 2;")
        browser.run("""const select = document.querySelector('#thing select');
          select.value = '0'; select.dispatchEvent(new Event('change'));""")
        wait(browser, "return studio.state.outcome === 'refused' && studio.flying === 0;")
        shown = browser.run("return document.getElementById('objection').textContent;")
        failures.expect("no other GPU" in shown, f"of the last GPU it shows {shown!r}")
        # Groups with NVLink are joined by bridges of two.
        browser.run("studio.change(arguments[0]);", {"set": [
            {"pointer": f"/vms/{vm}/gpus", "value": {"mode": "vgpu",
             "device_groups": ["Nvidia:2@grid_a100d-80c%NVLink"]}} for vm in ("train01", "train02")]})
        wait(browser, "return studio.state.done === 5 && studio.flying === 0;")
        wait(browser, """return [...document.querySelectorAll('.hostbox[data-host=esx02] .vgpu')].filter(
                         (each) => each.textContent === 'train02').length === 2;""")
        browser.run(GIVE, "esx02", "gpu0", "gpu2")
        wait(browser, "return studio.state.outcome === 'refused' && studio.flying === 0;")
        rules = [each["rule"] for each in state(browser)["objections"]]
        failures.expect("device-group-not-joined" in rules, f"a group of three is refused by {rules}")
        failures.expect(state(browser)["done"] == 5, "what was refused is a step")


def check_looks(browser, program, failures):
    """Light and dark, wide and narrow: readable, nothing cut off, nothing asked for elsewhere."""
    with make_studio(program, EXAMPLE) as studio:
        browser.open("about:blank")  # or what the page before asks for would be counted
        browser.requests()
        open_page(browser, studio)
        wait(browser, "return document.getElementById('advice-first').value !== '';")
        browser.run("document.querySelector('#advise button').click();")
        wait(browser, "return studio.state.advice?.runs === false && studio.flying === 0;")
        for width in (1280, 400):
            for scheme in ("light", "dark"):
                open_page(browser, studio, (width, 900, scheme))
                wait(browser, FULL)
                browser.run("document.getElementById('panel').open = true;")
                browser.run("document.querySelector('#drawing [data-of=\"esx01/gpu0\"]').dispatchEvent("
                            "new MouseEvent('click', {bubbles: true}));")
                wait(browser, "return !document.getElementById('thing').hidden;")
                height = browser.run("return document.documentElement.scrollHeight;")
                browser.look(width, height, scheme)
                found = browser.run(CHECKS, 9)
                what = f"{width}, {scheme}"
                failures.expect(not found["problems"], what + ": " + "\n     ".join(found["problems"]))
                picture(browser, f"{width}-{scheme}")
                nameless = browser.run("""return [...document.querySelectorAll('button, select, input, a')].filter(
                  (each) => each.checkVisibility() && !(each.ariaLabel || each.textContent.trim() ||
                      each.labels?.length)).map((each) => each.outerHTML.slice(0, 80));""")
                failures.expect(not nameless, f"{what}: without a name for screen readers: {nameless}")
        elsewhere = [url for url in browser.requests() if not url.startswith((studio.address, "data:", "about:", "blob:"))]
        failures.expect(not elsewhere, f"the page requests {elsewhere}")


def check_keyboard(browser, studio, failures):
    """A slider by arrow keys, undo by Ctrl-Z, a part of the drawing by Enter."""
    open_page(browser, studio)
    before = state(browser)["done"]
    browser.run("document.querySelector('.control[data-id=\"/fabric/host_link\"] input').focus();")
    for kind in ("rawKeyDown", "keyUp"):
        browser.devtools("Input.dispatchKeyEvent", type=kind, key="ArrowLeft", code="ArrowLeft",
                         windowsVirtualKeyCode=37)
    wait(browser, f"return studio.state.done === {before + 1} && studio.flying === 0;")
    for kind in ("rawKeyDown", "keyUp"):
        browser.devtools("Input.dispatchKeyEvent", type=kind, key="z", code="KeyZ", modifiers=2,
                         windowsVirtualKeyCode=90)
    wait(browser, f"return studio.state.done === {before} && studio.flying === 0;")
    browser.run("document.querySelector('#drawing svg.wide rect[data-of=\"esx01/vmnic4\"]').focus();")
    browser.devtools("Input.dispatchKeyEvent", type="keyDown", key="Enter", code="Enter", text="\r",
                     windowsVirtualKeyCode=13)
    wait(browser, "return !document.getElementById('thing').hidden;")
    text = browser.run("return document.getElementById('thing').textContent;")
    # Arrow keys are one step until the slider is left.
    browser.run("document.querySelector('.control[data-id=\"/fabric/host_link\"] input').focus();")
    for _ in range(2):
        press(browser, "ArrowLeft", 37)
        wait(browser)
    failures.expect(state(browser)["done"] == before + 1, f"{state(browser)['done'] - before} steps of two keys")
    click(browser, "#undo")
    failures.expect("connectx-6-dx-100g" in text and "datasheet" in text, f"of a NIC it shows {text[:200]}")


def time_changes(browser, program, scenario, count, first_changes=()):
    """Milliseconds from a change to the first number that the page shows."""
    with make_studio(program, scenario) as studio:
        open_page(browser, studio)
        for change in first_changes:
            browser.run("studio.change(arguments[0]);", change)
            wait(browser)
        draws = random.Random(7)
        times = []
        for _ in range(count):
            took = browser.run_until(TIME_A_CHANGE, draws.randrange(1 << 30))
            if took[1] == "answered":
                times.append(took[0])
        times.sort()
        print(f"{scenario}: {len(times)} changes to first number: median {statistics.median(times):.0f} ms, "
              f"95th percentile {times[int(0.95 * (len(times) - 1))]:.0f} ms", flush=True)


def check_chains(browser, program, folder, failures):
    """Random changes, undone and redone in between: the numbers are those of the command line."""
    draws = random.Random(11)
    for chain in range(CHAINS):
        with make_studio(program, draws.choice([EXAMPLE, "xe8545-4xa100", "xe9680-4x8xh100"])) as studio:
            open_page(browser, studio)
            for _ in range(draws.randrange(2, 7)):
                now = state(browser)
                kind = draws.random()
                if kind < 0.2 and now["done"] > 0:
                    click(browser, "#undo")
                elif kind < 0.3 and now["done"] < len(now["steps"]):
                    click(browser, "#redo")
                else:
                    each = draws.choice([c for c in now["controls"] if c["id"] not in ("/job/network", "hosts")])
                    values = [c["label"] for c in each.get("choices", [])] or [str(s) for s in each.get("steps", "124")]
                    value = draws.choice(values)
                    if "typed" in each:
                        type_in(browser, each["id"], value)
                    elif "choices" not in each:
                        slide(browser, each["id"], value)
                    elif value not in ("as by default", each["value"]):
                        choose(browser, each["id"], value)
            check_numbers(program, studio, folder, failures, f"chain {chain}: {state(browser)['patch']}")
            wait(browser, FULL.replace("return ", "return studio.state.answer.now.refused || "))
            shown = plain(browser.run("return document.getElementById('headline').lastChild.textContent;"))
            lines = saved_run(program, studio, folder, form=())
            failures.expect(" ".join(lines.split()).startswith(shown.strip().rstrip(".")),
                            f"chain {chain}: {shown!r} is not {lines[:200]!r}")


def clicked(browser, clicks, selector):
    """A click of the mouse in the middle of an element."""
    clicks.append(selector)
    x, y = browser.run("""const box = document.querySelector(arguments[0]);
      box.scrollIntoView({block: 'center'});
      const {x, y, width, height} = box.getBoundingClientRect();
      return [x + width / 2, y + height / 2];""", selector)
    for kind in ("mousePressed", "mouseReleased"):
        browser.devtools("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)


def typed(browser, text):
    browser.devtools("Input.insertText", text=text)


class Keys:
    """Keys as they are pressed; keys of one kind in a row are one action."""

    def __init__(self, browser, failures):
        self.browser, self.failures, self.actions, self.presses = browser, failures, [], 0

    def press(self, key, code, text="", shift=False):
        self.act(key, 1)
        for kind in ("keyDown" if text else "rawKeyDown", "keyUp"):
            self.browser.devtools("Input.dispatchKeyEvent", type=kind, key=key, code=key, modifiers=8 * shift,
                                  windowsVirtualKeyCode=code, **({"text": text} if text else {}))
        focus = self.browser.run("""const now = document.activeElement;
          return [now.matches('body') ? 'nothing' : now.outerHTML.slice(0, 90),
                  now.matches(':focus-visible') && getComputedStyle(now).outlineStyle !== 'none'];""")
        self.failures.expect(focus[1], f"after {key} the focus is invisible, at {focus[0]}")

    def act(self, what, presses):
        self.presses += presses
        if self.actions[-1:] != [what]:
            self.actions.append(what)

    def to(self, selector, key="Tab", code=9, shift=False, most=30):
        for _ in range(most):
            self.press(key, code, shift=shift)
            if self.browser.run("return document.activeElement.matches(arguments[0]);", selector):
                return
        raise RuntimeError(f"{key} does not lead to {selector}")

    def type(self, text):
        self.act(text, len(text))
        typed(self.browser, text)


def check_by_keyboard(browser, first, failures):
    """Server and model, a change, and the report, by keys alone, in the order of the page."""
    browser.run("document.getElementById('home').focus();")
    press(browser, "Enter", 13, "\r")
    wait(browser, first)
    press(browser, "Enter", 13, "\r")
    focus = browser.run("return document.activeElement.name;")
    failures.expect(focus == "network", f"the question leads to {focus}")
    browser.run("document.querySelector('#questions button').focus();")
    keys = Keys(browser, failures)
    keys.to("#new [name=server]")
    keys.type("dell-r750xa")
    keys.to("#new [name=network]")
    keys.type("resnet-50")
    keys.press("Enter", 13, "\r")
    wait(browser, "return studio.state.name.includes('resnet-50') && studio.flying === 0;")
    keys.to("#controls input[type=range]")
    keys.press("ArrowRight", 39)
    wait(browser, "return studio.state.done === 1 && studio.flying === 0;")
    wait(browser, FULL)
    focus = browser.run("return document.activeElement.matches('#controls input[type=range]');")
    failures.expect(focus, "the control that was changed has lost the focus")
    keys.to(".tools [tabindex='0']", shift=True)
    keys.to("#as-html", "ArrowRight", 39)
    before = len(browser.run("return window.reports;"))
    keys.press("Enter", 13, "\r")
    reports = browser.run("return window.reports;")
    failures.expect(len(reports) == before + 1 and len(keys.actions) <= 12, f"{keys.actions} lead to {reports}")
    failures.expect(keys.presses < 80, f"{keys.presses} keys are pressed")
    # An undone step takes the focus from its button, not out of the toolbar.
    browser.run("document.getElementById('undo').focus();")
    while browser.run("return !document.getElementById('undo').disabled;"):
        press(browser, "Enter", 13, "\r")
        wait(browser)
        if state(browser)["done"] == 0 and "resnet-50" not in state(browser)["name"]:
            break
    focus = browser.run("return document.activeElement.closest('.tools') !== null;")
    failures.expect(focus, "undo leads out of the toolbar")
    while "resnet-50" not in state(browser)["name"]:
        click(browser, "#redo")


def check_from_nothing(browser, program, failures):
    """Without a file: a question, the form, a goal, a report; by mouse, then by keyboard alone."""
    first = "return document.documentElement.dataset.page === 'first' && !!document.querySelector('#fields input');"
    opened = "return document.documentElement.dataset.page === 'scenario' && studio.flying === 0 && studio.state.is_chosen;"
    with make_studio(program) as studio:
        open_page(browser, studio)
        wait(browser, first)
        picture(browser, "first")
        browser.run("document.getElementById('gallery').scrollIntoView();")
        wait(browser, "return document.querySelectorAll('#gallery .picture svg').length > 0;")
        picture(browser, "gallery")
        clicks = []
        clicked(browser, clicks, "#questions button:nth-child(2)")
        typed(browser, "dell-r750xa")
        clicked(browser, clicks, "#new [name=hosts]")
        typed(browser, "2")
        clicked(browser, clicks, "#new button.main")
        wait(browser, opened)
        clicked(browser, clicks, "#goal-value")
        typed(browser, "10 d")
        wait(browser, FULL)
        shown = browser.run("return [document.getElementById('goal-verdict').className, "
                            "document.getElementById('headline').textContent];")
        failures.expect(shown[0] == "met", f"an epoch within ten days: {shown}")
        failures.expect("passthrough" in shown[1] and ("vgpu" in shown[1] or "two layouts" in shown[1]), f"passthrough or vGPU? {shown[1]!r}")
        browser.run("document.getElementById('goal-value').value = '1 ms';"
                    "document.getElementById('goal').dispatchEvent(new Event('input'));")
        missed = browser.run("return document.getElementById('goal-verdict').className;")
        failures.expect(missed == "missed", f"an epoch within a millisecond is {missed}")
        browser.run("window.reports = []; document.getElementById('as-html').addEventListener('click', (event) => "
                    "{ event.preventDefault(); reports.push(event.target.href); });")
        clicked(browser, clicks, "#as-html")
        reports = browser.run("return window.reports;")
        failures.expect(len(reports) == 1 and len(clicks) <= 12, f"{len(clicks)} clicks lead to {reports}")
        status, text = studio.ask("export?as=html")
        failures.expect(status == 200 and "R750xa" in text, f"the report: {status}")
        saved = state(browser)["saved_in"]
        kept = (browser.run("return localStorage.getItem(`vgsim-session:${studio.state.session}`);")
                if make_studio is FileStudio else pathlib.Path(saved).read_text())
        failures.expect("hosts" in json.loads(kept) or "hosts" in json.loads(json.loads(kept)["text"]),
                        f"{saved} has no hosts")

        check_by_keyboard(browser, first, failures)
        before = browser.run("document.getElementById('undo').click(); return studio.state.name;")
        wait(browser, f"return studio.state.name !== {json.dumps(before)} && studio.flying === 0;")
        failures.expect(state(browser)["saved_in"] == saved, "undo of opening leads elsewhere")
        click(browser, "#redo")
        failures.expect(state(browser)["name"] == before, "redo of opening leads elsewhere")
        # What cannot be is shown in the form.
        browser.run("studio.first();")
        wait(browser, first)
        browser.run("document.querySelector('#new [name=server]').value = 'no-such-server';"
                    "document.querySelector('#new button.main').click();")
        wait(browser, "return !document.getElementById('new-problem').hidden;")
        text = browser.run("return document.getElementById('new-problem').textContent;")
        failures.expect("no-such-server" in text, f"the form shows {text!r}")


# Files dropped on the page, as [name, base64].
DROP = """
const data = new DataTransfer();
for (const [name, base64] of arguments[0]) {
  data.items.add(new File([Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))], name));
}
document.getElementById('drop').dispatchEvent(new DragEvent('drop', {bubbles: true, cancelable: true, dataTransfer: data}));
"""


def check_dropped(browser, program, source, folder, failures):
    """An export of a vCenter becomes a scenario with its files, and a link holds them."""
    maker = pathlib.Path(source) / "tests/tools/import/vcenter.py"
    subprocess.run([sys.executable, str(maker), str(folder / "vcenter"), "--hosts", "3", "--vms", "12"], check=True)
    dumps = [[each.name, base64.b64encode(each.read_bytes()).decode()] for each in sorted((folder / "vcenter").rglob("*"))
             if each.is_file()]
    with make_studio(program) as studio:
        open_page(browser, studio)
        wait(browser, "return document.documentElement.dataset.page === 'first';")
        browser.run(DROP, dumps)
        wait(browser, "return studio.state.is_chosen && studio.flying === 0 && !document.getElementById('imported').hidden;")
        after = state(browser)
        failures.expect(len(after["machines"]["hosts"]) == 3, f"hosts: {after['machines']}")
        notes = browser.run("return document.getElementById('imported').textContent;")
        failures.expect("alike" in notes and "assumed" in notes, f"of the import it shows {notes[:200]!r}")
        picture(browser, "imported")
        check_numbers(program, studio, folder, failures, "an import")
        shown = after["answer"]["now"].get("iteration_s")
        browser.run("document.getElementById('copy-link').click();")
        wait(browser, "return document.getElementById('pasted').value.startsWith('#s=');")
        link = browser.run("return document.getElementById('pasted').value;")
        with make_studio(program, EXAMPLE) as other:
            open_page(browser, other, fragment=link)
            wait(browser, "return studio.state.machines.hosts.length === 3 && studio.flying === 0;")
            failures.expect(state(browser)["answer"]["now"].get("iteration_s") == shown,
                            "the import is another one at the colleague's")
        open_page(browser, studio)
        browser.run(DROP, [["notes.txt", base64.b64encode(b"hello").decode()]])
        wait(browser, "return !document.getElementById('drop-problem').hidden;")
        text = browser.run("return document.getElementById('drop-problem').textContent;")
        failures.expect("unknown format" in text, f"of a file of unknown format it shows {text!r}")
        # A trace, with blanks to make it larger than a text of a request may be.
        trace = (pathlib.Path(source) / "tests/tools/docs/reader/trace.json").read_bytes() + b" " * 200_000
        browser.run(DROP, [["step.pt.trace.json", base64.b64encode(trace).decode()]])
        wait(browser, "return studio.state.is_chosen && studio.flying === 0 && "
                      "document.getElementById('imported').textContent.includes('Kineto');")
        after = state(browser)
        network = next(each["value"] for each in after["controls"] if each["id"] == "/job/network")
        failures.expect(network == "step.json", f"the network of the trace is {network!r}")
        check_numbers(program, studio, folder, failures, "a trace")


def check_lost(browser, program, folder, failures):
    """A studio that is killed is missed and found again with the changes; refusals stay."""
    sessions = folder / "sessions"
    with Studio(program, EXAMPLE, sessions=sessions) as studio:
        open_page(browser, studio)
        slide(browser, "/job/batch_per_gpu", "48")
        choose(browser, "vm-gpus", "grid_a100d-40c")
        shown = browser.run("return document.getElementById('headline').textContent;")
        failures.expect("12 of 16 GPUs are no longer used by the job" in shown, f"of lost GPUs it shows {shown!r}")
        picture(browser, "removed")
        choose(browser, "vm-gpus", "Nvidia:4@grid_a100d-80c%NVLink")
        wait(browser, FULL)
        browser.run("return studio.refresh();")
        wait(browser)
        hidden = browser.run("return document.getElementById('objection').hidden;")
        failures.expect(not hidden, "a refresh removes a refusal")
        address = studio.address
        studio.process.kill()
        studio.process.communicate()
        wait(browser, "return document.documentElement.dataset.server === 'lost';")
        text = browser.run("return document.getElementById('notice').textContent;")
        failures.expect("does not answer" in text and str(sessions) in text, f"of a lost studio it shows {text!r}")
        picture(browser, "lost")
        with Studio(program, sessions=sessions) as again:
            failures.expect(again.address == address, "the next studio is elsewhere")
            wait(browser, "return document.documentElement.dataset.server === 'there' && studio.flying === 0;")
            wait(browser, "return studio.state.is_chosen && studio.state.steps.length > 0;")
            failures.expect(control(browser, "/job/batch_per_gpu")["value"] == "48", "the changes are lost")
            before = state(browser)["saved_in"]
            open_page(browser, again)
            failures.expect(state(browser)["saved_in"] == before, "it saves elsewhere")


def check_in_report(browser, program, folder, failures):
    """A report opens the studio with its scenario in another tab, which keeps changes when it is loaded again."""
    with ReportStudio(program, "xe8545-4xa100") as studio:
        browser.look(1280, 900, "light")
        browser.open(studio.address)
        browser.console()
        browser.requests()
        clicked(browser, [], "#open-simulator")
        browser.newest_tab()
        wait(browser)
        failures.expect(browser.run("return location.href;") == studio.address + "?simulator", "it is at another address")
        check_numbers(program, studio, folder, failures, "the simulator in a report")
        slide(browser, "/job/batch_per_gpu", "48")
        shown = iteration(browser)
        browser.open(studio.address + "?simulator")
        wait(browser)
        failures.expect(iteration(browser) == shown, "loaded again, it has lost a change")
        check_numbers(program, studio, folder, failures, "the simulator in a report, changed")
        asked = [url for url in browser.requests() if not url.startswith(("file:", "data:", "blob:"))]
        failures.expect(not asked, f"a report with the simulator asks for {asked}")
        failures.expect(not browser.console(), "the console of a report with the simulator is not empty")
        check_silence(browser, failures, "the simulator in a report")
        browser.open(studio.address)
        check_silence(browser, failures, "a report with the simulator")


def check_quiet(browser, program, failures):
    with make_studio(program) as studio:
        open_page(browser, studio)
        check_silence(browser, failures, "the page")


def main(program, source, way="served"):
    global make_studio
    if way == "file":
        make_studio = FileStudio
        if not (pathlib.Path(program).resolve().parent.parent / "share/vgsim/vgsim.html").exists():
            print("SKIPPED: cmake --build build --target html was not run; the page without a server was not opened")
            return SKIPPED
    missing = webdriver.missing_programs()
    if missing:
        print(f"SKIPPED: {' and '.join(missing)} not installed; the studio was opened in no browser")
        return SKIPPED
    failures = Failures()
    with tempfile.TemporaryDirectory() as folder, webdriver.Browser() as browser:
        folder = pathlib.Path(folder)
        FileStudio.browser = browser
        check_start(browser, program, pathlib.Path(source), failures)
        with make_studio(program, EXAMPLE) as studio:
            check_slider(browser, program, studio, folder, failures)
            check_each_kind(browser, failures)
            check_refusal(browser, failures)
            check_pinned(browser, failures)
            check_helps(browser, failures)
            check_curve(browser, failures)
            check_advice(browser, failures)
            check_loads(browser, failures)
            check_timeline(browser, failures)
            check_saved(browser, program, studio, folder, failures)
            check_keyboard(browser, studio, failures)
            check_link(browser, program, studio, failures)
        check_from_nothing(browser, program, failures)
        check_dropped(browser, program, source, folder, failures)
        if way == "served":
            check_lost(browser, program, folder, failures)
        else:
            check_quiet(browser, program, failures)
        check_board(browser, program, folder, failures)
        check_kinds(browser, program, folder, failures)
        check_looks(browser, program, failures)
        check_chains(browser, program, folder, failures)
        time_changes(browser, program, EXAMPLE, TIMED_CHANGES)
        time_changes(browser, program, "xe9680-4x8xh100", TIMED_CHANGES // 2, [{"hosts": 64}])
        # A page that is left open finds its studio gone, and warns where changes are not saved yet.
        expected = ("ERR_CONNECTION_", "ERR_SOCKET_NOT_CONNECTED", "'beforeunload' confirmation panel")
        errors = [each for each in browser.console() if not any(words in each for words in expected)]
        failures.expect(not errors, f"the console has {errors}")
        if way == "file":
            check_in_report(browser, program, folder, failures)
    print("no failures" if failures.count == 0 else f"{failures.count} failures")
    return 1 if failures.count else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
