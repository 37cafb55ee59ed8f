#!/usr/bin/env python3
"""Fits the spreads of collectives to what the cases beside this file and the tables of nccl-tests
leave over: refit.py build/bin/vgsim [--check]

Writes low and high of each *_spread and the numbers of measured machines into
configs/parameters/nccl.json, and prints what intervals would hold, by size and number of nodes, on
kinds of machines that were left out of the fit. It fails where they hold too little. --check changes
nothing and reports whether it would.

How: with wide spreads, a score gives for each point the share of latency in its time. Either end of
the interval is a quantile regression on that share, in three places. Each machine has the same weight; what a kind lacks of enough machines is filled by those of
other kinds, inside hosts or over networks, so that no kind that was measured once or twice has a
narrow interval. A quantile of a few machines is a poor estimate for the next one: both ends are moved
out as Student's t is against the normal distribution."""

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
sys.path.append(str(HERE.parent))
from measured_machines import machines_of, store, with_machines  # noqa: E402

ROOT = HERE.parents[1]
FILE = ROOT / "configs" / "parameters" / "nccl.json"
FOLDERS = [HERE, HERE.parent / "nccl-tables"]
KINDS = ["nvlink", "pcie", "pcie_root", "host_memory", "rdma", "staged_rdma", "tcp", "efa", "tcpx",
         "tcpxo", "libfabric"]
LOCAL = set(KINDS[:4])
PARTS = ["rate", "middle", "latency"]  # at latency's share 0, 1/2 and 1
ENOUGH = 8  # machines
TAIL = 0.05  # left out at either end
LEAST = math.log(1.02)  # repeats of one machine differ by as much
BANDS = [("small", 0, 4096), ("medium", 64_000, 64 << 20), ("large", 256_000_000, math.inf)]
# What is left out of the fit together: a user may have a machine like none of the measured ones.
LEFT_OUT = {"kind of path": "class", "GPU generation": "generation"}
OUTSIDE = 0.1  # share of measurements outside an interval
LEAST_INSIDE = 0.835  # what intervals of 90 % hold in each row, of 16 to 38 machines


def with_spread(text, name, low, high):
    pattern = rf'("{name}": \{{.*?"low": )[^,]+(, "high": )[^,]+'
    return re.sub(pattern, lambda m: f"{m[1]}{low:.4g}{m[2]}{high:.4g}", text)


def scored(program):
    """Cases with points, where the upper ends are those of the share of latency."""
    cases = []
    with tempfile.TemporaryDirectory() as folder:
        configs = pathlib.Path(folder) / "configs"
        shutil.copytree(ROOT / "configs", configs)
        text = FILE.read_text()
        for kind in KINDS:
            for part, share in zip(PARTS, (0, 0.5, 1)):
                text = with_spread(text, f"{kind}_{part}_spread", 1, math.exp(share))
        (configs / "parameters" / "nccl.json").write_text(text)
        for place in FOLDERS:
            out = pathlib.Path(folder) / "score.json"
            subprocess.run([program, "score", str(place), "-o", str(out)], check=True,
                           stdout=subprocess.DEVNULL,
                           env={**os.environ, "VGSIM_CONFIGS": str(configs)})
            cases += json.loads(out.read_text())["cases"].values()
    return [case for case in cases
            if case["grade"] != "C" and not case["group"].startswith("report-")]


def measured(case):
    return [point for series in case["series"] for point in series["points"] if "error" in point]


def generation(title):
    """Of the GPUs: the letter of a data centre GPU, or the series of another."""
    found = re.search(r"\b(?:(GB|GH|[VAHBLT])(\d)|(RTX|Titan|GeForce|P100))", title)
    if not found:
        return "other"
    return found[3] or {"GB": "B", "GH": "H"}.get(found[1], found[1])


def observed(cases):
    """Points: machine, kind, latency's share, logarithm of measured over predicted, size, nodes.
    Where ring or tree is open, the share is that of the one at the upper end."""
    points = []
    for case in cases:
        kind = case["facts"]["model_error"].removesuffix("_rate_spread")
        for point in measured(case):
            share = math.log(point["high"] / point["predicted"])
            points.append({"machine": case["group"], "class": case["class"],
                           "generation": generation(case["title"]), "kind": kind,
                           "share": min(1, max(0, share)), "residual": -math.log1p(point["error"]),
                           "bytes": point["facts"]["bytes"], "nodes": case["facts"]["nodes"]})
    return points


def parts_of(share):
    """The weight of each place for a share."""
    return [max(0, 1 - 2 * share), 1 - abs(1 - 2 * share), max(0, 2 * share - 1)]


def quantile(values, tail):
    """Of (value, weight)."""
    values.sort()
    wanted = tail * sum(weight for _, weight in values)
    for value, weight in values:
        wanted -= weight
        if wanted <= 0:
            return value
    return values[-1][0]


def regression(points, weights, tail):
    """The quantile at each place: one after the other, until none moves."""
    at = [quantile([(p["residual"], w) for p, w in zip(points, weights)], tail)] * 3
    for _ in range(200):
        before = list(at)
        for place in range(3):
            values = []
            for p, weight in zip(points, weights):
                part = p["parts"][place]
                if part < 0.02:
                    continue
                rest = sum(p["parts"][q] * at[q] for q in range(3) if q != place)
                values.append(((p["residual"] - rest) / part, weight * part))
            if values:
                at[place] = (at[place] + quantile(values, tail)) / 2
        if max(abs(a - b) for a, b in zip(at, before)) < 1e-4:
            break
    return at


def for_the_next(machines):
    """Student's quantile for a further machine, over the normal distribution's."""
    z = -statistics.NormalDist().inv_cdf(TAIL)
    n = machines - 1
    t = z + (z**3 + z) / (4 * n) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * n**2)
    return t * math.sqrt(1 + 1 / machines) / z


def fit_kind(points, kind):
    """Low and high, logarithms, at each place."""
    family = [p for p in points if (p["kind"] in LOCAL) == (kind in LOCAL)]
    count = {}
    for p in family:
        count[p["machine"]] = count.get(p["machine"], 0) + 1
    others = {p["machine"] for p in family if p["kind"] != kind}
    own = len({p["machine"] for p in family if p["kind"] == kind})
    lacking = max(0, ENOUGH - own) / max(1, len(others))
    weights = [(1 if p["kind"] == kind else lacking) / count[p["machine"]] for p in family]
    low = regression(family, weights, TAIL)
    high = regression(family, weights, 1 - TAIL)
    further = for_the_next(max(own, ENOUGH))
    return [min(x * further, -LEAST) for x in low], [max(x * further, LEAST) for x in high]


def fitted(points):
    return {kind: fit_kind(points, kind) for kind in KINDS}


def interval(spreads, point):
    low, high = spreads[point["kind"]]
    return (sum(a * b for a, b in zip(point["parts"], low)),
            sum(a * b for a, b in zip(point["parts"], high)))


def left_out(points, key):
    """Intervals of spreads that were fitted without any point that has the same of a key."""
    intervals = {}
    for one in sorted({p[key] for p in points}):
        spreads = fitted([p for p in points if p[key] != one])
        for i, p in enumerate(points):
            if p[key] == one:
                intervals[i] = interval(spreads, p)
    return [intervals[i] for i in range(len(points))]


def middle(values):
    return sorted(values)[len(values) // 2]


def coverage(points, intervals):
    """By nodes and size; each machine counts once: how many of its points are inside, how wide, and
    the interval score, as the width of an interval that would hold all."""
    rows = {}
    for nodes, text in ((1, "one node"), (2, "several nodes")):
        for band, least, most in BANDS:
            machines = {}
            for p, (low, high) in zip(points, intervals):
                if min(p["nodes"], 2) != nodes or not least <= p["bytes"] <= most:
                    continue
                outside = max(0, low - p["residual"], p["residual"] - high)
                machines.setdefault(p["machine"], []).append(
                    (outside == 0, high - low, high - low + 2 / OUTSIDE * outside))
            if not machines:
                continue
            shares = [[sum(x) / len(x) for x in zip(*m)] for m in machines.values()]
            mean = [sum(x) / len(x) for x in zip(*shares)]
            rows[f"{band}, {text}"] = {
                "machines": len(machines), "inside": round(mean[0], 3),
                "width": round(math.exp(middle([s[1] for s in shares])), 2),
                "score": round(math.exp(mean[2]), 2)}
    return rows


def report(what, rows):
    print(f"{what}:")
    for name, row in rows.items():
        print(f"  {name}: {row['machines']} machines, {row['inside']:.1%} inside, "
              f"width x{row['width']:.2f}, score x{row['score']:.2f}")


def too_few(left):
    """Rows that hold less than they claim, of what a user's machine may differ in."""
    return [f"{key} left out, {name}: {row['inside']:.1%}" for key, rows in left.items()
            for name, row in rows.items() if row["inside"] < LEAST_INSIDE]


def main():
    cases = scored(sys.argv[1])
    points = observed(cases)
    for p in points:
        p["parts"] = parts_of(p["share"])
    spreads = fitted(points)
    report("fitted to all", coverage(points, [interval(spreads, p) for p in points]))
    left = {}
    for what, key in LEFT_OUT.items():
        left[what] = coverage(points, left_out(points, key))
        report(f"each {what} left out", left[what])
    if problems := too_few(left):
        sys.exit("\n".join(problems))
    text = with_machines(FILE.read_text(), machines_of(cases))
    for kind, (low, high) in spreads.items():
        for part, a, b in zip(PARTS, low, high):
            text = with_spread(text, f"{kind}_{part}_spread", math.exp(a), math.exp(b))
    store(FILE, text)


if __name__ == "__main__":
    main()
