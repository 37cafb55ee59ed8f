#!/usr/bin/python3
"""kill -9 at random moments of a sweep, --resume after each: in the end the store is, byte for
byte, that of an undisturbed run. So it is if the file ends anywhere, as after a loss of power.

usage: kill_test.py PROGRAM SPEC.json [--points 400] [--kills 20] [--seed 1]
"""

import sys

sys.dont_write_bytecode = True

import argparse
import os
import pathlib
import random
import signal
import tempfile

from sweeps import HANG, STORE, Sweeps, wait_until


def size_of(store):
    return store.stat().st_size if store.exists() else 0


def has_open(process, store):
    try:
        files = list(pathlib.Path(f"/proc/{process.pid}/fd").iterdir())
        return any(os.path.realpath(each) == str(store) for each in files)
    except FileNotFoundError:
        return False


def kill_when(process, moment):
    """Whether the process was still running when the moment came, and is dead now."""
    wait_until("a moment of a sweep", lambda: process.poll() is not None or moment())
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
    return process.wait(timeout=HANG) == -signal.SIGKILL


def random_moment(draw, process, store, longest):
    """At once, when it opens its store, or when that has grown by up to a number of bytes."""
    kind = draw.randrange(4)
    if kind == 0:
        return lambda: True
    if kind == 1:
        return lambda: has_open(process, store)
    size = size_of(store) + draw.randrange(1, longest)
    return lambda: size_of(store) >= size


def run(sweeps, folder, kills, seed):
    """As many rounds of the whole sweep as it takes to kill it so often."""
    draw = random.Random(seed)
    longest = 2 * len(sweeps.undisturbed) // kills
    killed = rounds = torn = 0
    while killed < kills:
        out = folder / f"round-{rounds}"
        store = out.resolve() / STORE
        rounds += 1
        kept = 0
        while killed < kills:
            process = sweeps.start(out, "--resume")
            if not kill_when(process, random_moment(draw, process, store, longest)):
                assert process.returncode == 0, f"the sweep ends with {process.returncode}"
                break
            killed += 1
            whole = sweeps.check_cut_short(out, may_be_torn=True)
            assert len(whole) >= kept, "whole lines were lost"
            kept = len(whole)
            torn += size_of(store) > kept
        sweeps.check_resumes(out)
    return rounds, torn


def cut(sweeps, folder, seed):
    """Stores that end in the middle of the header, of a line, and of the footer."""
    size = len(sweeps.undisturbed)
    draw = random.Random(seed)
    near_the_end = [size - draw.randrange(1, size // 10) for _ in range(3)]
    for length in [0, 20, size // 2, *near_the_end, size - 1]:
        out = folder / f"cut-{length}"
        out.mkdir(exist_ok=True)
        (out / STORE).write_bytes(sweeps.undisturbed[:length])
        sweeps.check_resumes(out)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("spec", type=pathlib.Path)
    parser.add_argument("--points", type=int, default=400)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="vgsim-kill-") as name:
        folder = pathlib.Path(name)
        sweeps = Sweeps(arguments.program, arguments.spec, arguments.points, folder)
        rounds, torn = run(sweeps, folder, arguments.kills, arguments.seed)
        cut(sweeps, folder, arguments.seed)
    print(
        f"{arguments.kills} kills of a sweep of {arguments.points} points, {rounds} rounds, {torn} "
        "torn lines: every store equals the undisturbed one"
    )


if __name__ == "__main__":
    main()
