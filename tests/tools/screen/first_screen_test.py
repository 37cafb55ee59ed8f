"""`vgsim run` of every shipped scenario: an answer on one screen, and all of it with --full. The folder's
README.md has the verdicts of these screens.

usage: first_screen_test.py VGSIM FOLDER even|odd    every other scenario, so that two run at a time
       first_screen_test.py VGSIM FOLDER write       writes the verdicts into the README.md
"""

import bisect
import pathlib
import re
import sys

import screens

LEFT_OUT = {"baselines", "dumps", "sweeps", "advice"}
UNITS = {"ps": 1e-12, "ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0, "min": 60.0, "h": 3600.0,
         "d": 86400.0, "%": 0.01, "B": 1.0, "kB": 1e3, "MB": 1e6, "GB": 1e9, "TB": 1e12,
         "PB": 1e15, "GiB": 2.0**30, "kWh": 1.0, "core-s": 1.0}


def scenarios(folder):
    return [path for path in sorted(folder.rglob("*.json"))
            if not LEFT_OUT & set(path.relative_to(folder).parts)]


def seconds_a_sample(layout):
    """What layouts are compared by; nothing of one that was not simulated."""
    if "samples_per_s" in layout:
        # Of layouts with interruptions those are left out: the caller does not compare them.
        return 1.0 / layout["samples_per_s"]
    if "points" in layout:
        return max(layout["points"], key=lambda point: point["bytes"])["time_s"]
    return None


def check_screen(text, result):
    layouts = result["layouts"]
    rows = text.rstrip("\n").split("\n")
    sizes = max((len(layout.get("points", [])) for layout in layouts.values()), default=0)
    # Below a table of sizes: the verdict, operations, bottleneck, change, measurement and footer.
    allowed = max(screens.LINES, sizes + 15 if sizes else 0)
    found = screens.too_much(text, allowed)
    words = screens.joined(text)
    ran = {name: seconds_a_sample(layout) for name, layout in layouts.items()
           if seconds_a_sample(layout) is not None}
    refused = [layout for layout in layouts.values() if layout["refused"]]
    for layout in refused[:1]:
        rule = next(w["rule"] for w in layout["warnings"] if w["verdict"] == "refused")
        if rule not in words:
            found.append(f"{rule}, which refuses a layout, is not named")
    if not ran:
        if "refused" not in rows[0]:
            found.append("the first line does not state that all are refused")
        return found
    # The table may have a row of that name; the sentence is before the best change.
    best = [number for number, row in enumerate(rows) if row.startswith("best change  ")]
    at = [number for number, row in enumerate(rows)
          if row.startswith("bottleneck  ") and best and number < best[0]]
    if len(best) != 1:
        found.append("neither the best change nor the command that finds it")
    if len(at) != 1:
        found.append("the bottleneck is missing")
    longer = len(rows) > screens.LINES
    if longer and at and at[0] < len(rows) - 12:
        found.append("the verdict of a long table is not last")
    verdict = screens.joined("\n".join(rows[max(0, at[0] - 6):at[0]] if at else []))
    networks = verdict.count(": ")
    fastest = min(ran, key=lambda name: ran[name])
    interrupted = any(layout.get("interruptions") for layout in layouts.values())
    # Between different networks nothing is compared, and then several are fastest.
    if networks < 2 and not interrupted and fastest not in words:
        found.append(f"the fastest layout {fastest} is not named")
    if "--full" not in rows[-1]:
        found.append("the last line does not name --full")
    return found


def verdict_of(text):
    """The sentence before what is lost, refused or limiting."""
    rows = text.rstrip("\n").split("\n")
    end = next(at for at, row in enumerate(rows)
               if re.match(r"(operations|refused|not priced|assumed|bottleneck|maintenance)  ", row))
    start = end
    while start > 0 and rows[start - 1].strip() and not rows[start - 1].startswith("    "):
        start -= 1
    return screens.joined("\n".join(rows[start:end])).replace("|", "/")


class Answers:
    """The rows of tables in README.md whose last column is "answer", by scenario."""

    def __init__(self, path):
        self.path = path
        self.lines = path.read_text().split("\n")
        self.rows = {}  # name -> line number, command
        header = []
        for number, line in enumerate(self.lines):
            cells = [cell.strip() for cell in line.strip("|").split("|")] if line[:1] == "|" else []
            if not cells:
                header = []
            header = header or cells
            if header[-1:] != ["answer"] or len(cells) != len(header):
                continue
            for cell in cells[:2]:
                if name := re.fullmatch(r"`([a-z0-9-]+)`", cell):
                    commands = cells[header.index("command")] if "command" in header else "run"
                    self.rows[name[1]] = (number, "run" if "run" in commands else commands)

    def stale(self, program, path, text):
        """Sets the answer of a scenario; whether it was another one."""
        if path.stem not in self.rows:
            return False
        number, command = self.rows[path.stem]
        if command != "run":
            text = screens.text_of(program, command, str(path))
        before = self.lines[number]
        self.lines[number] = f"{before.rsplit('|', 2)[0]}| {verdict_of(text)} |"
        return self.lines[number] != before


def figures_in(text):
    """Every number with a unit, in base units, and every number as it is."""
    text = re.sub(r"(?<=[0-9]),(?=[0-9]{3})", "", text)  # thousands
    found = []
    for number, unit in re.findall(r"([-+]?[0-9][0-9.]*(?:e[-+]?[0-9]+)?)(?: ([a-zA-Z%][a-zA-Z-]*))?",
                                   text):
        try:
            value = abs(float(number.rstrip(".")))
        except ValueError:
            continue
        found.append(value)
        if unit in UNITS:
            found.append(value * UNITS[unit])
    return sorted(found)


def is_there(figures, value, tolerance=0.017):
    """Numbers are written with two digits at least, days from 3.0 on with one place: 0.05 of 3."""
    low, high = abs(value) * (1 - tolerance), abs(value) * (1 + tolerance)
    first = bisect.bisect_left(figures, low)
    return first < len(figures) and figures[first] <= high


def figures_of(layout):
    """Figures of a layout in a result, by name."""
    figures = {}
    for key in ("iteration_time_s", "epoch_time_s", "training_time_s", "samples_per_s",
                "energy_kwh", "gpu_hours"):
        figures[key] = layout.get(key)
    for part in ("breakdown_s", "communication_s", "cost"):
        for key, value in layout.get(part, {}).items():
            if isinstance(value, (int, float)):
                figures[f"{part}/{key}"] = value
    for loss in layout.get("compute_losses", []):
        figures[loss["mechanism"]] = loss["time_s"]
    for link in layout.get("links", [])[:5]:
        figures[link["resource"]] = link.get("bytes_per_iteration", link.get("bytes"))
    for point in layout.get("points", []):
        figures[f"time of {point['bytes']}"] = point["time_s"] * 1e6
        if point["busbw_GBps"] > 1:  # written with two places
            figures[f"busbw of {point['bytes']}"] = point["busbw_GBps"]
    # A part of less than a microsecond is rounded as times are; zero is written "0" or left out.
    return {key: value for key, value in figures.items() if value and abs(value) > 1e-9}


def check_full(program, path, result):
    text = screens.text_of(program, "run", str(path), "--full", "--draws", "0")
    words = screens.joined(text)
    figures = figures_in(text)
    found = []
    for name, layout in result["layouts"].items():
        if name not in words:
            found.append(f"{name} is missing")
        for warning in layout["warnings"]:
            if warning["rule"].startswith("loses-"):
                continue  # what VMs cannot do is validate's
            if screens.joined(f"{warning['text']} [{warning['rule']}") not in words:
                found.append(f"{name}: {warning['text']} is missing")
        for assumption in layout["assumptions"]:
            if screens.joined(assumption) not in words:
                found.append(f"{name}: {assumption} is missing")
        if layout["refused"]:
            continue
        for key, value in figures_of(layout).items():
            if not is_there(figures, value):
                found.append(f"{name}: {key} = {value} is missing")
        link = layout.get("critical_link")
        if link and link["resource"] not in words:
            found.append(f"{name}: {link['resource']} is missing")
        if layout["fingerprint"] not in words and "points" not in layout:
            found.append(f"{name}: its fingerprint is missing")
    return found


def main():
    program, folder, turn = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3]
    paths = scenarios(folder)
    assert len(paths) > 50, "the scenarios are not where they were"
    answers = Answers(folder / "README.md")
    assert len(answers.rows) > 50, "the answers are not where they were"
    if turn == "write":
        stale = [path for path in paths
                 if answers.stale(program, path, screens.text_of(program, "run", str(path)))]
        answers.path.write_text("\n".join(answers.lines))
        print(f"{len(stale)} answers of {len(answers.rows)} were stale")
        return 0
    paths = paths[{"even": 0, "odd": 1}[turn]::2]
    wrong = 0
    for path in paths:
        result = screens.json_of(program, "run", str(path), "--draws", "0")
        text = screens.text_of(program, "run", str(path))
        problems = check_screen(text, result) + check_full(program, path, result)
        if answers.stale(program, path, text):
            problems.append("README.md has another answer; write it by first_screen_test.py")
        for problem in problems:
            wrong += 1
            print(f"{path.relative_to(folder)}: {problem}")
    print(f"{len(paths)} scenarios, {wrong} problems")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
