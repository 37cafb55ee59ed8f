#!/usr/bin/env python3
"""Runs shipped scenarios by the native program and by the one of vgsim.html, whose results must be equal
byte for byte: all without draws, some with 20. Arguments: the program, the source folder, the folder of
vgsim.js, and optionally the number of draws and names of scenarios. Exit code 77 where the page or node is not there."""

import json
import pathlib
import shutil
import subprocess
import sys
import time

SKIPPED = 77
SOME = 14  # beginning with the second one: the first has 100,000 GPUs
HERE = pathlib.Path(__file__).resolve().parent


def shipped(source):
    folders = ("scenarios", "scenarios/questions", "scenarios/training")
    return [str(path.relative_to(source)) for folder in folders
            for path in sorted((source / "configs" / folder).glob("*.json"))]


def differing(native, other):
    """Where two texts begin to differ."""
    at = next((n for n, pair in enumerate(zip(native, other)) if pair[0] != pair[1]), min(len(native), len(other)))
    return f"at {at}: {native[max(0, at - 60):at + 60]!r} and {other[max(0, at - 60):at + 60]!r}"


def compare(program, source, node, folder, draws, scenarios):
    """The number of scenarios whose results differ."""
    runs = subprocess.run([node, str(HERE / "runs.js"), folder, str(source / "configs"), draws, *scenarios],
                          stdout=subprocess.PIPE, text=True, check=True)
    others = {run["scenario"]: run for run in map(json.loads, runs.stdout.splitlines())}
    failures, native_seconds = 0, 0
    for scenario in scenarios:
        begin = time.monotonic()
        native = subprocess.run([program, "run", scenario, "--format", "json", "--quiet", "--draws", draws],
                                cwd=source, capture_output=True, text=True)
        native_seconds += time.monotonic() - begin
        other = others[scenario]
        if other["code"] == native.returncode and other["result"] == native.stdout:
            continue
        failures += 1
        print(f"{scenario}: exit codes {native.returncode} and {other['code']}, {other['messages'][:3]}, "
              f"{differing(native.stdout, other['result'])}", flush=True)
    seconds = sum(run["took"] for run in others.values()) / 1000
    print(f"{len(scenarios)} scenarios with {draws} draws: {failures} differ; {seconds:.1f} s, natively "
          f"{native_seconds:.1f} s with start; {max(run['memory'] for run in others.values()) / 1e6:.0f} MB at most",
          flush=True)
    return failures


def main(program, source, folder, draws=None, *names):
    source = pathlib.Path(source)
    node = shutil.which("node") or shutil.which("nodejs")
    if not node or not (pathlib.Path(folder) / "vgsim.wasm").exists():
        print("SKIPPED: cmake --build build --target html was not run, or node is missing; nothing was compared")
        return SKIPPED
    scenarios = [each for each in shipped(source) if not names or pathlib.Path(each).stem in names]
    jobs = [(draws, scenarios)] if draws else [("0", scenarios), ("20", scenarios[1:SOME + 1])]
    return 1 if sum(compare(program, source, node, folder, *job) for job in jobs) else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
