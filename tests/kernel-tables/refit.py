#!/usr/bin/env python3
"""Fits the constants of kernels to the tables beside this file and writes them into
configs/parameters/kernels.json: refit.py build/bin/vgsim_fit_kernels [--check]

--check changes nothing: it fails if the file would change, or if the error of a left-out GPU is
larger than in bars.json."""

import json
import math
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
FILE = HERE.parents[1] / "configs" / "parameters" / "kernels.json"
TABLES = ["matrix_products.csv", "attention_forward.csv"]
NOTHING = 1e-4  # of a number: one that the fit leaves as small as it may be


def digits(amount):
    """Three of them, without an exponent."""
    return f"{amount:.0f}" if amount >= 100 else f"{amount:.3g}"


def written(amount, as_before):
    if not isinstance(as_before, str):
        return 0 if amount < NOTHING else float(digits(amount))
    if as_before.endswith("/s"):
        return digits(amount / 1e9) + " GB/s"
    return digits(amount / 1e6) + " us"


def fitted(program):
    """By name the value, and the least and the most where one GPU is left out; and what GPUs that
    were left out are wrong by, in words."""
    out = subprocess.run([program] + [str(HERE / table) for table in TABLES], check=True,
                         capture_output=True, text=True).stdout
    constants = {}
    left_out = []
    for line in out.splitlines():
        if line.startswith("left out"):
            left_out.append(line)
            continue
        name, *amounts = line.split()
        constants[name] = [float(amount) for amount in amounts]
    return constants, left_out


def missed(left_out):
    """Sentences about GPUs that are further off than they may be."""
    bars = json.loads((HERE / "bars.json").read_text())["left_out"]
    found = {}
    for line in left_out:
        match = re.match(r"left out: (.*): median ([\d.]+) %, 90th percentile ([\d.]+) %", line)
        found[match[1]] = [float(match[2]), float(match[3])]
    for what, limits in bars.items():
        for name, limit, reached in zip(("median", "90th percentile"), limits,
                                        found.get(what, [math.inf, math.inf])):
            if reached > limit:
                yield f"missed: {what}: {name} {reached} % for {limit} % at most"


def main():
    constants, left_out = fitted(sys.argv[1])
    print("\n".join(left_out))
    before = FILE.read_text()
    lines = before.split("\n")
    for number, line in enumerate(lines):
        match = re.match(r'    "(\w+)": (\{ "meaning".*\})(,?)$', line)
        if not match or match[1] not in constants:
            continue
        entry = json.loads(match[2])
        if entry["source"] != "open-kernels":
            continue
        value, low, high = (written(amount, entry["value"]) for amount in constants[match[1]])
        changed = {"meaning": entry["meaning"], "value": value}
        if match[1].endswith("_sustained_share"):
            # Of one GPU each: GPUs of an architecture differ in the power that they may draw.
            low, high = round(value * 0.9, 3), round(min(1.0, value * 1.1), 3)
        if low != high:
            changed.update(low=low, high=high)
        changed.update({key: entry[key] for key in ("source", "measured_by") if key in entry})
        inside = ", ".join(f"{json.dumps(key)}: {json.dumps(part)}"
                           for key, part in changed.items())
        lines[number] = f'    "{match[1]}": {{ {inside} }}{match[3]}'
    after = "\n".join(lines)
    if "--check" not in sys.argv:
        FILE.write_text(after)
        return
    problems = list(missed(left_out))
    if after != before:
        problems.append(f"{FILE.name} would change")
    print("\n".join(problems))
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
