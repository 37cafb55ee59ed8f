#!/usr/bin/python3
"""Prints the layers of the source tree by its includes: each folder, its number of units (a header with
its .cpp), and the folders that it includes directly (transitive ones are left out). Fails if two folders
include each other.

usage: house.py
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]

# A file belongs to the longest of these that its path begins with.
FOLDERS = ["sim", "topology/graph", "topology/input", "topology/catalog", "topology/spec", "topology",
         "topology/machine", "topology/importers", "topology/export", "topology/hosts",
         "models/calibration", "models/calibration/logs", "models/vsphere", "models/vsphere/import",
         "models/collectives", "models/kernels", "models/training", "models/traces",
         "models/scenario/read", "models/scenario/build", "models/scenario/run",
         "models/scenario/answer", "models/scoring", "models/questions", "tools/text",
         "tools/files", "tools/machine", "tools/catalog", "tools/tables", "tools/sweep",
         "tools/trace", "tools/report", "tools/probe", "tools/cli"]
INCLUDE = re.compile(r'^#include "((?:sim|topology|models|tools)/[^"]*)"', re.M)


def folder_of(path):
    return max((folder for folder in FOLDERS if path.startswith(folder + "/")), key=len, default=None)


def read_folders():
    units = {folder: set() for folder in FOLDERS}
    below = {folder: set() for folder in FOLDERS}
    for path in sorted(ROOT.glob("*/**/*.[ch]pp")):
        name = path.relative_to(ROOT).as_posix()
        folder = folder_of(name)
        if folder is None or name.startswith(("build", "tests")):
            continue
        text = path.read_text()
        units[folder].add(path.with_suffix(""))
        below[folder] |= {folder_of(other) for other in INCLUDE.findall(text)} - {folder, None}
    return units, below


def reach(below):
    """All folders that a folder includes, directly or not."""
    def visit(folder, seen):
        for other in below[folder] - seen:
            seen.add(other)
            visit(other, seen)
        return seen
    return {folder: visit(folder, set()) for folder in below}


def main():
    units, below = read_folders()
    under = reach(below)
    both = [f"{a} and {b}" for a in FOLDERS for b in under[a] if a < b and a in under[b]]
    if both:
        sys.exit(f"include each other: {', '.join(both)}")
    layer = {}
    while len(layer) < len(FOLDERS):
        for folder in FOLDERS:
            if folder not in layer and below[folder] <= layer.keys():
                layer[folder] = 1 + max((layer[other] for other in below[folder]), default=0)
    rows = []
    for folder in sorted(FOLDERS, key=lambda folder: (-layer[folder], folder)):
        near = {a for a in below[folder] if not any(a in under[b] for b in below[folder])}
        rows.append(f"{layer[folder]:>2}  {folder:<24}{len(units[folder]):>4}   "
                    + ", ".join(sorted(near, key=lambda other: (-layer[other], other))))
    print("```text\nlayer folder              units  includes")
    print("\n".join(rows))
    print("```")


if __name__ == "__main__":
    main()
