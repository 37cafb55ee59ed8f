#!/usr/bin/env python3
"""Fits the model errors of virtual machines, MIG instances and time slices to the cases beside this
file: refit.py build/bin/vgsim [--check]

Writes low and high of the three parameters into configs/parameters/training.json, and prints how many
measurements the intervals contain of documents that were left out. --check changes nothing and reports
whether it would.

How: draws of all other parameters give an interval of each ratio. The model error widens it until it
contains 90 % of the measurements, as in tests/training-cases/refit.py. Documents are few and have from 1
to 200 points: each has the weight of the square root of their number, between once and each point
once."""

import importlib.util
import json
import math
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent


def script(folder):
    path = HERE.parent / folder / "refit.py"
    spec = importlib.util.spec_from_file_location(f"{folder}_refit", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


training = script("training-cases")
PARAMETERS = {"pair": "virtual_machine_model_error", "mig": "mig_model_error",
              "share": "time_slice_model_error"}
LEAST = math.log(1.01)  # measurements of a ratio differ by as much
RATES = {"samples_per_s", "busbw_GBps"}


def drawn(program, text):
    """Classes of points by document, with draws of all parameters but these."""
    with tempfile.TemporaryDirectory() as folder:
        configs = pathlib.Path(folder) / "configs"
        shutil.copytree(training.FILE.parents[1], configs)
        none = {name: {"low": 0.9999, "high": 1.0001} for name in PARAMETERS.values()}
        (configs / "parameters" / training.FILE.name).write_text(training.with_values(text, none))
        out = pathlib.Path(folder) / "score.json"
        subprocess.run([program, "score", str(HERE), "--draws", "20", "-o", str(out)], check=True,
                       stdout=subprocess.DEVNULL, env={**os.environ, "VGSIM_CONFIGS": str(configs)})
        cases = json.loads(out.read_text())["cases"].values()
    found = {name: {} for name in PARAMETERS}
    for case in cases:
        for series in case["series"]:
            for point in series["points"]:
                if case["class"] in found and case["grade"] != "C" and "low" in point:
                    rows = found[case["class"]].setdefault(case["group"], [])
                    rows.append(deviation(point, series["metric"] in RATES))
    return found


def deviation(point, is_rate):
    """The measurement, and the interval of draws below and above, as logarithms of times."""
    row = math.log(point["measured"] / point["predicted"])
    low, high = (math.log(point[end] / point["predicted"]) for end in ("low", "high"))
    if is_rate:
        row, low, high = -row, -high, -low
    return row, (max(0.0, -low), max(0.0, high))


def outside(groups, ends, end):
    shares = []
    for rows in groups:
        beyond = []
        for row, interval in rows:
            low, high = training.together(interval, ends)
            beyond.append(row > high if end else row < low)
        shares.append((sum(beyond) / len(beyond), math.sqrt(len(beyond))))
    return sum(share * weight for share, weight in shares) / sum(weight for _, weight in shares)


def fitted(groups):
    ends = [LEAST, LEAST]
    for _ in range(4):
        for end in (0, 1):
            low, high = LEAST, 2.0
            for _ in range(14):
                ends[end] = (low + high) / 2
                if outside(groups, ends, end) > training.TAIL:
                    low = ends[end]
                else:
                    high = ends[end]
            ends[end] = high
    return ends


def main():
    program = sys.argv[1]
    text = training.FILE.read_text()
    changes = {}
    for kind, groups in drawn(program, text).items():
        ends = fitted(list(groups.values()))
        held = points = 0
        for left_out, rows in groups.items():
            without = fitted([other for name, other in groups.items() if name != left_out])
            inside = 0
            for row, interval in rows:
                low, high = training.together(interval, without)
                inside += low <= row <= high
            held += inside
            points += len(rows)
        low, high = round(math.exp(-ends[0]), 3), round(math.exp(ends[1]), 3)
        changes[PARAMETERS[kind]] = {"low": low, "high": high}
        print(f"{PARAMETERS[kind]}: {low} to {high}; of {len(groups)} documents, each left out, "
              f"{held / points:.0%} of {points} points inside")
    training.finish({training.FILE: training.with_values(text, changes)})


if __name__ == "__main__":
    main()
