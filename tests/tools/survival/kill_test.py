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
import subprocess
import tempfile
import time

from sweeps import STORE, Sweeps


def kill_after(process, seconds):
    """Whether the process was still running, and is dead now."""
    try:
        process.wait(timeout=seconds)
        return False
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        return process.returncode == -signal.SIGKILL


def run(sweeps, folder, kills, seed):
    """As many rounds of the whole sweep as it takes to kill it so often."""
    draw = random.Random(seed)
    # Long enough on average that a round is done after all kills, and short enough to hit starts.
    longest = 2 * (sweeps.seconds_to_start + sweeps.seconds / kills)
    killed = rounds = torn = 0
    while killed < kills:
        out = folder / f"round-{rounds}"
        rounds += 1
        kept = 0
        while killed < kills:
            process = sweeps.start(out, "--resume")
            if not kill_after(process, draw.uniform(0, longest)):
                assert process.returncode == 0, f"the sweep ends with {process.returncode}"
                break
            killed += 1
            whole = sweeps.check_cut_short(out, may_be_torn=True)
            assert len(whole) >= kept, "whole lines were lost"
            kept = len(whole)
            torn += out.exists() and any(each.stat().st_size > kept for each in out.iterdir())
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
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="vgsim-kill-") as name:
        folder = pathlib.Path(name)
        sweeps = Sweeps(arguments.program, arguments.spec, arguments.points, folder)
        rounds, torn = run(sweeps, folder, arguments.kills, arguments.seed)
        cut(sweeps, folder, arguments.seed)
    print(
        f"{arguments.kills} kills of a sweep of {arguments.points} points, {rounds} rounds, {torn} "
        f"torn lines: every store equals the undisturbed one; {time.monotonic() - began:.1f} s"
    )


if __name__ == "__main__":
    main()
