#!/usr/bin/python3
"""A sweep that is asked to end (SIGINT, SIGTERM) ends soon, with the exit code that shells expect,
keeps what it has and goes on later. Two processes never write one store.

usage: signal_test.py PROGRAM SPEC.json [--points 400]
"""

import sys

sys.dont_write_bytecode = True

import argparse
import os
import pathlib
import signal
import tempfile
import time

from sweeps import Sweeps

SECONDS_TO_END = 5


def exit_code(process):
    """As a shell has it: also where the process let the signal end it."""
    code = process.wait(timeout=60)
    return 128 - code if code < 0 else code


def ends_and_resumes(sweeps, folder, which):
    out = folder / which.name
    process = sweeps.start_and_reach(out, 20)
    began = time.monotonic()
    process.send_signal(which)
    code = exit_code(process)
    seconds = time.monotonic() - began
    assert code == 128 + which, f"{which.name}: exit code {code}"
    assert seconds < SECONDS_TO_END, f"{which.name}: it took {seconds:.1f} s to end"
    whole = sweeps.check_cut_short(out, may_be_torn=False)
    assert len(whole) < len(sweeps.undisturbed), f"{which.name} came when all was done"
    sweeps.check_resumes(out)
    print(f"{which.name}: exit code {code} after {seconds * 1000:.0f} ms")


def a_second_writer_is_refused(sweeps, folder):
    out = folder / "two"
    first = sweeps.start_and_reach(out, 20)
    first.send_signal(signal.SIGSTOP)  # as if its machine had lost touch
    second = sweeps.run(out, "--resume")
    assert second.returncode == 2, f"a second writer ends with {second.returncode}"
    assert "another process" in second.stderr, second.stderr
    os.killpg(first.pid, signal.SIGCONT)
    assert first.wait(timeout=60) == 0
    sweeps.check_complete(out)


def a_store_is_not_overwritten(sweeps):
    done = sweeps.run(sweeps.folder / "undisturbed")
    assert done.returncode == 2, f"without --resume: exit code {done.returncode}"
    assert "--resume" in done.stderr, done.stderr
    sweeps.check_complete(sweeps.folder / "undisturbed")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("spec", type=pathlib.Path)
    parser.add_argument("--points", type=int, default=400)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="vgsim-signal-") as name:
        folder = pathlib.Path(name)
        sweeps = Sweeps(arguments.program, arguments.spec, arguments.points, folder)
        ends_and_resumes(sweeps, folder, signal.SIGINT)
        ends_and_resumes(sweeps, folder, signal.SIGTERM)
        a_second_writer_is_refused(sweeps, folder)
        a_store_is_not_overwritten(sweeps)


if __name__ == "__main__":
    main()
