"""Checks a file of `vgsim probe` against the datasheets of its GPUs: no figure may be higher.

usage: datasheet.py configs/catalog/gpus.json MEASUREMENT.json

Prints each kind of figure with the best that was measured and its bound, and fails where one is
above it by more than two per cent.
"""

import json
import pathlib
import re
import sys

UNITS = {"B": 1, "kB": 1e3, "MB": 1e6, "GB": 1e9, "TB": 1e12, "KiB": 2**10, "MiB": 2**20,
         "GiB": 2**30, "TiB": 2**40, "ps": 1e-12, "ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0}
LANE = {3: 0.985e9, 4: 1.969e9, 5: 3.938e9, 6: 7.563e9}  # bytes/s, PCI-SIG
PEAKS = {"fp32": "peak_fp32", "tf32": "peak_tf32", "fp16": "peak_fp16", "bf16": "peak_fp16",
         "fp8": "peak_fp8"}
CACHES = 4  # a pass over this multiple of the last cache measures memory
ALLOWED = 1.02  # clocks may boost, and timers are coarse


def number(text):
    """"50 GB/s", "989.4 TFLOP/s" or "12 us" in base units."""
    value, unit = re.fullmatch(r"([0-9.e+-]+) ?(.*)", text).groups()
    unit = unit.removesuffix("/s") if unit != "s" else unit
    return float(value) * (1e12 if unit == "TFLOP" else UNITS[unit])


def known(catalogue, name):
    """The catalogue's entry of a GPU that the driver calls so; None if there is none."""
    for entry in catalogue.values():
        names = [entry["name"], *entry.get("aliases", [])]
        if "driver_name" in entry:
            names.append(entry["driver_name"]["value"])
        if name in names:
            return entry
    return None


def value(entry, key):
    return entry[key]["value"] if key in entry else None


def bound_of(result, entry):
    """Kind, measured value and limit of the datasheet; None if the datasheet has no limit."""
    time = number(result["time"]["median"])
    what = result["what"]
    if what == "product":
        peak = value(entry, PEAKS[result["precision"]])
        done = 2 * result["m"] * result["n"] * result["k"] / time
        return peak and (f"products, {result['precision']}", done, number(peak))
    if what == "memory":
        moved = 2 * number(result["size"])
        if moved < CACHES * number(value(entry, "l2_cache") or "64 MB"):
            return None  # much of it stays in the cache, which is faster
        return "device memory", moved / time, number(value(entry, "memory_bandwidth"))
    if what == "copy" and len(result["routes"]) == 1:
        ends = result["routes"][0]
        if all(end.startswith("gpu") for end in ends):
            return None  # over NVLink or PCIe: not in the measurement
        lanes = LANE[value(entry, "pcie_generation")] * value(entry, "pcie_lanes")
        return "copies with the host", number(result["size"]) / time, lanes
    return None


def main(catalogue, measurement):
    entries = json.loads(pathlib.Path(catalogue).read_text())["entries"]
    measured = json.loads(pathlib.Path(measurement).read_text())
    names = {gpu["name"] for gpu in measured["machine"]["gpus"]}
    if len(names) != 1 or known(entries, next(iter(names))) is None:
        print(f"no datasheet of {', '.join(sorted(names))}: figures are not compared")
        return 0
    entry = known(entries, names.pop())
    best = {}
    for result in measured["results"]:
        found = bound_of(result, entry)
        if found and (found[0] not in best or best[found[0]][0] < found[1]):
            best[found[0]] = found[1:]
    above = 0
    for kind, (reached, bound) in sorted(best.items()):
        verdict = "" if reached <= ALLOWED * bound else "  ABOVE the datasheet"
        above += bool(verdict)
        print(f"{kind:24} {reached:9.3g} of {bound:9.3g}/s, {100 * reached / bound:5.1f} %{verdict}")
    return 1 if above else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
