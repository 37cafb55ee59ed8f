#!/usr/bin/env python3
"""Fits the constants of training to the cases beside this file, and cross-validates them over
documents: refit.py build/bin/vgsim [--check] [--misfits]

Writes values into configs/parameters/training.json, and folds.json, which has for each case the
constants that were fitted without its document. Prints how far each constant is uncertain. --check
changes nothing and says whether it would. --misfits leaves the constants as they are.

What is left to each kind of job becomes the low and high of its *_misfit: quantiles, each document
once, of jobs whose case has an anchor and of all without any. Printed is what such intervals hold
of documents that were left out.

How: the logarithm of what is predicted is taken as linear in the logarithms of the constants. Each
constant is moved by a tenth and all cases are scored, with anchors and without, which takes five
minutes on two cores; then the least sum over all points is sought along these slopes, with each
error e as sqrt(e^2 + 0.03^2), and no constant moving by more than a third. The step is taken only
if it lessens that sum over documents that were left out: a few documents have most points, and what
they pull the constants to may be worse for all others. Run it again until no step is taken."""

import json
import math
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
FILE = HERE.parents[1] / "configs" / "parameters" / "training.json"
FOLDS_FILE = HERE / "folds.json"
CONSTANTS = ["volta_product_share", "ampere_product_share", "hopper_product_share",
             "fp32_layer_share", "usual_software_share", "kernel_launch_interval", "kernel_gap",
             "unfused_traffic_per_kept_byte", "step_jitter", "overlap_slowdown_between_hosts"]
# What is left to them are layer_share and traffic_per_kept_byte, which set the same level: they are
# set by ResNet-50 in tuned software, and by each byte being written and read once.
HIGHEST = {"fp32_layer_share": 1.0}
TIMES = ["kernel_launch_interval", "kernel_gap"]
FOLDS = 8
MOVED = 1.1  # times, for a slope
MOST = 0.3  # of a logarithm, that a constant moves
ROUND = 0.03  # errors below count as squares
KINDS = ["data parallel", "sharded", "split"]
TAIL = 0.045  # that a misfit leaves out at either end, to hold nine in ten of other documents
# Its racks take as long as all other cases together.
NOT_FITTED = {"mlperf5.1-405b-gb200-nvidia"}


def amount(value):
    """Of "33 us" or 0.5; times in us."""
    return float(value.split()[0]) if isinstance(value, str) else float(value)


def document(url):
    """A file of a repository; of folders of results the repository."""
    url = url.split("#")[0]
    return url.split("/tree/")[0] if "/tree/" in url else url


def folds_of(cases):
    """Documents in eight parts of about as many points, the largest first."""
    points = {}
    for case in cases.values():
        points[case["document"]] = points.get(case["document"], 0) + case["points"]
    parts = [[0, []] for _ in range(FOLDS)]
    for name in sorted(points, key=lambda name: (-points[name], name)):
        least = min(parts, key=lambda part: part[0])
        least[0] += points[name]
        least[1].append(name)
    return [documents for _, documents in parts]


def read_cases():
    cases = {}
    for path in sorted(HERE.glob("*.json")):
        case = json.loads(path.read_text())
        if case["format"] != "vgsim.training-case/1":
            continue
        cases[case["id"]] = {"path": path, "grade": case["grade"],
                             "document": document(case["source"]["url"]),
                             "points": sum(len(s["points"]) for s in case["series"]),
                             "anchors": any(p.get("anchor") for s in case["series"]
                                            for p in s["points"])}
    return cases


def scores(program, cases, options):
    """What `vgsim score` says of the cases."""
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "score.json"
        command = [program, "score", "-o", str(out)] + options
        command += [str(case["path"]) for case in cases.values()]
        ran = subprocess.run(command, capture_output=True, text=True)
        if ran.returncode != 0:
            sys.exit(ran.stderr)
        return json.loads(out.read_text())


def points_in(score, anchored):
    """By point that is no anchor, what the score says of it and of its series."""
    found = {}
    for case in score["cases"]:
        for series in case["series"]:
            for number, point in enumerate(series["points"]):
                if "error" in point and not point.get("anchor"):
                    key = (case["id"], series["id"], number, anchored)
                    found[key] = {**point, "metric": series["metric"]}
    return found


def logarithms_in(score, anchored):
    """log(predicted / measured) by point, in the metric of its series."""
    return {key: math.log(1 + point["error"]) for key, point in points_in(score, anchored).items()}


def scored(program, cases, constants, anchored):
    """The cases with these constants."""
    values = {name: f"{value:.6g} us" if name in TIMES else value
              for name, value in constants.items()}
    with tempfile.TemporaryDirectory() as folder:
        folds = pathlib.Path(folder) / "folds.json"
        folds.write_text(folds_text([(list(cases), values), (["no other"], values)]))
        options = ["--folds", str(folds)] + ([] if anchored else ["--uncalibrated"])
        return scores(program, cases, options)


def left_out(program, cases, folds):
    """The sum that is fitted, over documents that the constants of their fold have not seen."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "folds.json"
        path.write_text(folds)
        errors = logarithms_in(scores(program, cases, ["--folds", str(path)]), True).values()
    return sum(math.hypot(error, ROUND) for error in errors)


def quantile(residuals, tail):
    """Each document counts once: of (residual, document)."""
    points = {}
    for _, document in residuals:
        points[document] = points.get(document, 0) + 1
    wanted = tail * len(points)
    for residual, document in sorted(residuals):
        wanted -= 1 / points[document]
        if wanted <= 0:
            return residual
    return max(residuals)[0]


def misfits(program, cases, constants):
    """By parameter, low and high of measured over predicted time."""
    found = {}
    for anchored, suffix in ((False, "_misfit"), (True, "_anchored_misfit")):
        points = points_in(scored(program, cases, constants, anchored), anchored)
        for kind in KINDS:
            residuals = []
            for key, point in points.items():
                if point["kind"] != kind or (anchored and not cases[key[0]]["anchors"]):
                    continue
                error = math.log(1 + point["error"])
                is_time = point["metric"] == "step_time_s"
                residuals.append((-error if is_time else error, cases[key[0]]["document"]))
            documents = {document for _, document in residuals}
            inside = []
            for left_out in documents:
                others = [r for r in residuals if r[1] != left_out]
                low, high = quantile(others, TAIL), quantile(others, 1 - TAIL)
                own = [r for r, document in residuals if document == left_out]
                inside.append(sum(low <= r <= high for r in own) / len(own))
            name = kind.replace(" ", "_") + suffix
            low = math.exp(quantile(residuals, TAIL))
            high = math.exp(quantile(residuals, 1 - TAIL))
            print(f"{name}: {low:.3g} to {high:.3g}; of {len(documents)} documents, each left out, "
                  f"{statistics.mean(inside):.0%} inside")
            found[name] = {"low": round(min(low, 0.99), 3), "high": round(max(high, 1.01), 3)}
    return found


def solve(matrix, right):
    """By elimination; the matrix is positive definite."""
    size = len(right)
    rows = [list(matrix[i]) + [right[i]] for i in range(size)]
    for i in range(size):
        for j in range(i + 1, size):
            factor = rows[j][i] / rows[i][i]
            for k in range(i, size + 1):
                rows[j][k] -= factor * rows[i][k]
    found = [0.0] * size
    for i in reversed(range(size)):
        rest = sum(rows[i][k] * found[k] for k in range(i + 1, size))
        found[i] = (rows[i][size] - rest) / rows[i][i]
    return found


def fitted(points, now):
    """Steps of the logarithms of the constants: least squares, weighted anew until they stand."""
    steps = [0.0] * len(CONSTANTS)
    most = [min(MOST, math.log(HIGHEST.get(name, math.inf) / now[name])) for name in CONSTANTS]
    for _ in range(100):
        matrix = [[0.0] * len(steps) for _ in steps]
        right = [0.0] * len(steps)
        for error, slopes in points:
            left = error + sum(slope * steps[c] for c, slope in slopes)
            pull = 1 / math.sqrt(left * left + ROUND * ROUND)
            for c, slope in slopes:
                right[c] -= pull * slope * error
                for d, other in slopes:
                    matrix[c][d] += pull * slope * other
        for c in range(len(steps)):
            matrix[c][c] += 1e-9  # one that no point tells of stays
        new = [max(-MOST, min(limit, x)) for limit, x in zip(most, solve(matrix, right))]
        if max(abs(a - b) for a, b in zip(new, steps)) < 1e-5:
            return new
        steps = new
    return steps


def points_of(cases, base, slopes, documents):
    """Errors and slopes of the points of these documents."""
    return [(error, slopes.get(key, [])) for key, error in base.items()
            if cases[key[0]]["document"] in documents]


def moved(now, steps):
    return {name: now[name] * math.exp(step) for name, step in zip(CONSTANTS, steps)}


class Writer:
    """Values as their file has them: two digits, with the unit that stands there."""

    def __init__(self, entries):
        self.entries = entries

    def value(self, name, number):
        text = f"{number:.2g}"
        is_time = isinstance(self.entries[name]["value"], str)
        return f"{text} us" if is_time else float(text)

    def values(self, numbers):
        return {name: self.value(name, number) for name, number in numbers.items()}


def with_values(text, changes):
    """The text of the parameter file with other values; all else stays."""
    for name, change in changes.items():
        line = re.search(rf'^    "{name}": (.*?)(,?)$', text, re.M)
        entry = json.loads(line[1])
        entry.update(change)
        inside = ", ".join(f"{json.dumps(key)}: {json.dumps(part)}"
                           for key, part in entry.items())
        text = text.replace(line[0], f'    "{name}": {{ {inside} }}{line[2]}')
    return text


def folds_text(folds):
    """A line for each fold's cases and one for its constants."""
    parts = [f'  {{"cases": {json.dumps(cases)},\n   "parameters": {json.dumps(values)}}}'
             for cases, values in folds]
    return ('{\n "format": "vgsim.training-folds/1",\n "folds": [\n' + ",\n".join(parts) +
            "\n ]\n}\n")


def slopes_of(program, cases, now, base):
    slopes = {}
    for c, name in enumerate(CONSTANTS):
        other = dict(now)
        other[name] *= MOVED
        for anchored in (True, False):
            moved_to = logarithms_in(scored(program, cases, other, anchored), anchored)
            for key, value in moved_to.items():
                slope = (value - base[key]) / math.log(MOVED)
                if abs(slope) > 1e-6:
                    slopes.setdefault(key, []).append((c, slope))
        told = sum(any(s[0] == c for s in found) for found in slopes.values())
        print(f"{name}: {told} points depend on it", flush=True)
    return slopes


def main():
    program = sys.argv[1]
    cases = read_cases()
    text = FILE.read_text()
    write = Writer(json.loads(text)["parameters"])
    now = {name: amount(write.entries[name]["value"]) for name in CONSTANTS}
    used = {name: case for name, case in cases.items()
            if name not in NOT_FITTED and case["grade"] != "C"}
    if "--misfits" in sys.argv:
        finish({FILE: with_values(text, misfits(program, used, now))})
    base = {}
    for anchored in (True, False):
        base.update(logarithms_in(scored(program, used, now, anchored), anchored))
    slopes = slopes_of(program, used, now, base)
    everything = {case["document"] for case in cases.values()}
    best = moved(now, fitted(points_of(cases, base, slopes, everything), now))
    folds, of_folds = [], []
    for documents in folds_of(cases):
        others = everything - set(documents)
        of_folds.append(moved(now, fitted(points_of(cases, base, slopes, others), now)))
        folds.append(([name for name, case in cases.items() if case["document"] in documents],
                      write.values(of_folds[-1])))
    for name in CONSTANTS:
        # Of a jackknife over the folds.
        error = (statistics.stdev(math.log(fold[name]) for fold in of_folds) * (FOLDS - 1) /
                 math.sqrt(FOLDS))
        print(f"{name}: {now[name]:.3g} to {best[name]:.3g}, without a fold "
              f"{min(f[name] for f in of_folds):.3g} to {max(f[name] for f in of_folds):.3g}, "
              f"standard error {error:.0%}")
    kept = FOLDS_FILE.read_text()
    before, after = (left_out(program, used, each) for each in (kept, folds_text(folds)))
    print(f"left-out documents: {before:.4g} before the step, {after:.4g} after")
    if after >= before:
        print("the constants stay")
        finish({FILE: with_values(text, misfits(program, used, now)), FOLDS_FILE: kept})
    changes = {name: {"value": write.value(name, best[name])} for name in CONSTANTS}
    changes.update(misfits(program, used, best))
    finish({FILE: with_values(text, changes), FOLDS_FILE: folds_text(folds)})


def finish(results):
    """Writes the files, or says whether they would change."""
    same = all(path.exists() and path.read_text() == result for path, result in results.items())
    print("the files are reproduced" if same else "the files change")
    if "--check" in sys.argv:
        sys.exit(0 if same else 1)
    for path, result in results.items():
        path.write_text(result)
    sys.exit(0)


if __name__ == "__main__":
    main()
