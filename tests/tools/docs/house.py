#!/usr/bin/python3
"""Draws the house from its includes: each room, how many units it has, and the rooms that it stands
on (those that one of these stands on already are left out). Fails where two rooms stand on each other.

usage: house.py
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]

# A file belongs to the longest of these that its path begins with.
ROOMS = ["sim", "topology/graph", "topology/input", "topology/catalog", "topology/spec", "topology",
         "topology/machine", "topology/importers", "topology/export", "topology/hosts",
         "models/calibration", "models/calibration/logs", "models/vsphere", "models/vsphere/import",
         "models/collectives", "models/kernels", "models/training", "models/traces",
         "models/scenario/read", "models/scenario/build", "models/scenario/run",
         "models/scenario/answer", "models/scoring", "models/questions", "tools/text",
         "tools/files", "tools/machine", "tools/catalog", "tools/tables", "tools/sweep",
         "tools/trace", "tools/report", "tools/probe", "tools/cli"]
INCLUDE = re.compile(r'^#include "((?:sim|topology|models|tools)/[^"]*)"', re.M)


def room_of(path):
    return max((room for room in ROOMS if path.startswith(room + "/")), key=len, default=None)


def read_rooms():
    units = {room: set() for room in ROOMS}
    below = {room: set() for room in ROOMS}
    for path in sorted(ROOT.glob("*/**/*.[ch]pp")):
        name = path.relative_to(ROOT).as_posix()
        room = room_of(name)
        if room is None or name.startswith(("build", "tests")):
            continue
        text = path.read_text()
        units[room].add(path.with_suffix(""))
        below[room] |= {room_of(other) for other in INCLUDE.findall(text)} - {room, None}
    return units, below


def reach(below):
    """All that a room stands on, near or far."""
    def visit(room, seen):
        for other in below[room] - seen:
            seen.add(other)
            visit(other, seen)
        return seen
    return {room: visit(room, set()) for room in below}


def main():
    units, below = read_rooms()
    under = reach(below)
    both = [f"{a} and {b}" for a in ROOMS for b in under[a] if a < b and a in under[b]]
    if both:
        sys.exit(f"stand on each other: {', '.join(both)}")
    floor = {}
    while len(floor) < len(ROOMS):
        for room in ROOMS:
            if room not in floor and below[room] <= floor.keys():
                floor[room] = 1 + max((floor[other] for other in below[room]), default=0)
    rows = []
    for room in sorted(ROOMS, key=lambda room: (-floor[room], room)):
        near = {a for a in below[room] if not any(a in under[b] for b in below[room])}
        rows.append(f"{floor[room]:>2}  {room:<24}{len(units[room]):>4}   "
                    + ", ".join(sorted(near, key=lambda other: (-floor[other], other))))
    print("```text\nfloor room               units  stands on")
    print("\n".join(rows))
    print("```")


if __name__ == "__main__":
    main()
