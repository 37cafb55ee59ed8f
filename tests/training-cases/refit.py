#!/usr/bin/env python3
"""Fits the constants of training to the cases beside this file, and cross-validates them over
documents: refit.py build/bin/vgsim [--check] [--model-errors]

Writes values into configs/parameters/training.json, with low and high by the standard error of a
jackknife over parts of the documents, and folds.json, which has for each case the constants that
were fitted without its document. --check changes nothing and reports whether it would. --model-errors
leaves the constants as they are.

The remaining error of each kind of job becomes the low and high of its *_model_error parameter, for jobs
whose case has an anchor and for all jobs without anchors. Draws of all other parameters give an
interval; exposed communication has the errors of collectives. The model error widens this interval
until it contains 90 % of the measurements, with equal weight for each group of cases, as in the
score. The script prints the share of left-out groups that the resulting intervals contain, and their
width.

How: the logarithm of what is predicted is taken as linear in the logarithms of the constants. Each
constant is moved by a tenth and all cases are scored, with anchors and without, which takes a
quarter of an hour on two cores; then the least sum over all points is sought along these slopes, with each
error e as sqrt(e^2 + 0.03^2), and no constant moving by more than a third. The step is taken only
if it lessens that sum over documents that were left out: a few documents have most points, and what
they pull the constants to may be worse for all others. Run it again until no step is taken."""

import json
import math
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
FILE = HERE.parents[1] / "configs" / "parameters" / "training.json"
FOLDS_FILE = HERE / "folds.json"
CONSTANTS = ["volta_product_share", "ampere_product_share", "hopper_product_share",
             "blackwell_product_share", "fp32_layer_share", "usual_software_share",
             "kernel_launch_interval", "kernel_gap", "unfused_traffic_per_kept_byte",
             "traffic_per_gradient_byte", "step_jitter", "overlap_slowdown_between_hosts"]
# What is left to them are layer_share and traffic_per_kept_byte, which set the same level: they are
# set by ResNet-50 in tuned software, and by each byte being written and read once.
HIGHEST = {"fp32_layer_share": 1.0}
# A host has its own speed, whose range is what was measured; what is at its highest has no error.
RANGES_STAY = {"kernel_launch_interval", "fp32_layer_share"}
QUANTILE_95 = 1.645  # standard errors
TIMES = ["kernel_launch_interval", "kernel_gap"]
FOLDS = 8
MOVED = 1.1  # times, for a slope
MOST = 0.3  # of a logarithm, that a constant moves
ROUND = 0.03  # errors below count as squares
KINDS = ["data parallel", "sharded", "split"]
SUFFIXES = {False: "_model_error", True: "_anchored_model_error"}  # without an anchor, with one
TAIL = 0.045  # share that a model error leaves out at either end, to contain 90 % of other cases
LEAST = math.log(1.05)  # runs of one job differ by as much
DRAWS = 20  # as many as a user's run has
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
                             "group": case.get("group", case["id"]),
                             "points": sum(len(s["points"]) for s in case["series"]),
                             "anchors": any(p.get("anchor") for s in case["series"]
                                            for p in s["points"])}
    return cases


def scores(program, cases, options, configs=None):
    """The score of the cases by `vgsim score`, with another folder of configs if one is given."""
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "score.json"
        command = [program, "score", "-o", str(out)] + options
        command += [str(case["path"]) for case in cases.values()]
        surroundings = dict(os.environ, **({"VGSIM_CONFIGS": str(configs)} if configs else {}))
        ran = subprocess.run(command, capture_output=True, text=True, env=surroundings)
        if ran.returncode != 0:
            sys.exit(ran.stderr)
        return json.loads(out.read_text())


def points_in(score, anchored):
    """By point that is not an anchor: the score of it and of its series."""
    found = {}
    for name, case in score["cases"].items():
        for series in case["series"]:
            for number, point in enumerate(series["points"]):
                if "error" in point and point["role"] == "scored":
                    key = (name, series["id"], number, anchored)
                    found[key] = {**point["facts"], **point, "metric": series["metric"]}
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


def drawn(program, cases, text, anchored):
    """With draws of all parameters of that file but the model errors, of one point of each series."""
    names = [kind.replace(" ", "_") + suffix for kind in KINDS for suffix in SUFFIXES.values()]
    with tempfile.TemporaryDirectory() as folder:
        configs = pathlib.Path(folder) / "configs"
        shutil.copytree(FILE.parents[1], configs)
        (configs / "parameters" / FILE.name).write_text(
            with_values(text, {name: {"low": 0.9999, "high": 1.0001} for name in names}))
        options = ["--draws", str(DRAWS)] + ([] if anchored else ["--uncalibrated"])
        found = scores(program, cases, options, configs)
    return {key: point for key, point in points_in(found, anchored).items() if "low" in point}


def left_out(program, cases, folds):
    """The sum that is fitted, over documents that the constants of their fold have not seen."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "folds.json"
        path.write_text(folds)
        errors = logarithms_in(scores(program, cases, ["--folds", str(path)]), True).values()
    return sum(math.hypot(error, ROUND) for error in errors)


def together(drawn, model_error):
    """The interval of a sum of two deviations, each given by its 90 % interval below and above: halves
    of two normal distributions, whose means and variances add up."""
    means = [(above - below) * 0.5 * math.sqrt(2 / math.pi) / QUANTILE_95
             for below, above in (drawn, model_error)]
    below = math.hypot(*(part[0] + mean for part, mean in zip((drawn, model_error), means)))
    above = math.hypot(*(part[1] - mean for part, mean in zip((drawn, model_error), means)))
    return sum(means) - below, sum(means) + above


def of_passes(model_error, share):
    """The change of a time by a model error, for this share of passes."""
    below, above = model_error
    return (-math.log(1 - share * (1 - math.exp(-below))),
            math.log(1 + share * (math.exp(above) - 1)))


class Deviations:
    """Of measurements from predictions, as logarithms, with the interval of draws below and above, and
    the share of time without exposed communication, the only one that a model error changes."""

    def __init__(self, points, cases):
        self.groups = {}
        for key, point in points.items():
            ends = [math.log(point["measured"] / point["predicted"])]
            ends += [math.log(end / point["predicted"]) for end in (point["low"], point["high"])]
            if point["metric"] != "step_time_s":  # of rates; a time deviates the other way
                ends = [-ends[0], -ends[2], -ends[1]]
            deviation, low, high = ends
            passes = 1 - point["exposed_communication_s"] / point["iteration_s"]
            self.groups.setdefault(cases[key[0]]["group"], []).append(
                (deviation, (max(0.0, -low), max(0.0, high)), passes))

    def outside(self, model_error, end, without):
        """Share of measurements beyond that end, each group once."""
        shares = []
        for group, rows in self.groups.items():
            if group != without:
                beyond = []
                for row, drawn, share in rows:
                    ends = together(drawn, of_passes(model_error, share))
                    beyond.append((row < ends[0], row > ends[1])[end])
                shares.append(sum(beyond) / len(beyond))
        return statistics.mean(shares)

    def model_error(self, without=None):
        """Its ends below and above: one after the other, until both are constant."""
        ends = [LEAST, LEAST]
        for _ in range(4):
            for end in (0, 1):
                low, high = LEAST, 3.0
                for _ in range(12):
                    ends[end] = (low + high) / 2
                    if self.outside(ends, end, without) > TAIL:
                        low = ends[end]
                    else:
                        high = ends[end]
                ends[end] = high
        return ends

    def held(self):
        """Of groups that were left out of the fit, each once."""
        shares = []
        for group, rows in self.groups.items():
            model_error = self.model_error(group)
            ends = [(row, together(drawn, of_passes(model_error, share)))
                    for row, drawn, share in rows]
            shares.append(sum(low <= row <= high for row, (low, high) in ends) / len(ends))
        return statistics.mean(shares)

    def width(self, model_error):
        widths = []
        for rows in self.groups.values():
            ends = [together(drawn, of_passes(model_error, share)) for _, drawn, share in rows]
            widths.append(statistics.median(high - low for low, high in ends))
        return math.exp(statistics.median(widths))


def with_model_errors(program, cases, text):
    """The text of the parameter file with low and high of measured over predicted time."""
    found = {}
    for anchored, suffix in SUFFIXES.items():
        points = drawn(program, cases, text, anchored)
        for kind in KINDS:
            deviations = Deviations(
                {key: point for key, point in points.items() if point["kind"] == kind
                 and (cases[key[0]]["anchors"] or not anchored)}, cases)
            model_error = deviations.model_error()
            name = kind.replace(" ", "_") + suffix
            low, high = math.exp(-model_error[0]), math.exp(model_error[1])
            print(f"{name}: {low:.3g} to {high:.3g}; of {len(deviations.groups)} groups, "
                  f"each left out, {deviations.held():.0%} inside, "
                  f"width x{deviations.width(model_error):.2f}")
            found[name] = {"low": round(low, 3), "high": round(high, 3)}
    return with_values(text, found)


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
    """Steps of the logarithms of the constants: least squares, reweighted until they are constant."""
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
            matrix[c][c] += 1e-9  # a parameter that no point depends on stays
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
    """Values as in their file: two digits, with the unit."""

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
        count = sum(any(s[0] == c for s in found) for found in slopes.values())
        print(f"{name}: {count} points depend on it", flush=True)
    return slopes


def main():
    program = sys.argv[1]
    cases = read_cases()
    text = FILE.read_text()
    write = Writer(json.loads(text)["parameters"])
    now = {name: amount(write.entries[name]["value"]) for name in CONSTANTS}
    used = {name: case for name, case in cases.items()
            if name not in NOT_FITTED and case["grade"] != "C"}
    if "--model-errors" in sys.argv:
        finish({FILE: with_model_errors(program, used, text)})
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
    errors = {}
    for name in CONSTANTS:
        # Of a jackknife over the folds.
        errors[name] = (statistics.stdev(math.log(fold[name]) for fold in of_folds) * (FOLDS - 1) /
                        math.sqrt(FOLDS))
        print(f"{name}: {now[name]:.3g} to {best[name]:.3g}, without a fold "
              f"{min(f[name] for f in of_folds):.3g} to {max(f[name] for f in of_folds):.3g}, "
              f"standard error {errors[name]:.0%}")
    kept = FOLDS_FILE.read_text()
    before, after = (left_out(program, used, each) for each in (kept, folds_text(folds)))
    print(f"left-out documents: {before:.4g} before the step, {after:.4g} after")
    stay = after >= before
    if stay:
        print("the constants stay")
    changes = {}
    for name, value in (now if stay else best).items():
        changes[name] = {"value": write.value(name, value)}
        if name not in RANGES_STAY:
            apart = math.exp(QUANTILE_95 * errors[name])
            changes[name]["low"] = write.value(name, value / apart)
            changes[name]["high"] = write.value(name, value * apart)
    finish({FILE: with_model_errors(program, used, with_values(text, changes)),
            FOLDS_FILE: kept if stay else folds_text(folds)})


def finish(results):
    """Writes the files, or reports whether they would change."""
    same = all(path.exists() and path.read_text() == result for path, result in results.items())
    print("the files are reproduced" if same else "the files change")
    if "--check" in sys.argv:
        sys.exit(0 if same else 1)
    for path, result in results.items():
        path.write_text(result)
    sys.exit(0)


if __name__ == "__main__":
    main()
