#!/usr/bin/python3
"""A sweep by tools/cluster/gnu-parallel.sh, killed half-way with all its shards and started again,
gives the bytes of one machine.

usage: parallel_test.py PROGRAM SPEC.json        exit 77: no GNU parallel (said on stderr)
"""

import argparse
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

SCRIPT = pathlib.Path(__file__).resolve().parents[3] / "tools/cluster/gnu-parallel.sh"
SHARDS = 8


def is_gnu_parallel():
    if not shutil.which("parallel"):
        return False
    said = subprocess.run(["parallel", "--version"], capture_output=True, text=True).stdout
    return said.startswith("GNU parallel")


def wait_for_lines(folder, lines, process):
    end = time.monotonic() + 60
    while sum(each.read_bytes().count(b"\n") for each in folder.glob("shard-*")) < lines:
        assert process.poll() is None, "the sweep ended before it was disturbed"
        assert time.monotonic() < end, f"no {lines} lines within a minute"
        time.sleep(0.005)


def processes_of(session):
    for entry in pathlib.Path("/proc").iterdir():
        try:
            if entry.name.isdigit() and os.getsid(int(entry.name)) == session:
                if "Z" not in (entry / "stat").read_text().rsplit(")", 1)[1].split()[0]:
                    yield int(entry.name)
        except (FileNotFoundError, ProcessLookupError):
            pass


def kill_session(session):
    """kill -9 of the script, of parallel and of all shards, also of those begun meanwhile."""
    while alive := list(processes_of(session)):
        for pid in alive:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("spec", type=pathlib.Path)
    arguments = parser.parse_args()
    if not is_gnu_parallel():
        print("SKIPPED: no GNU parallel on this machine (Debian: parallel)", file=sys.stderr)
        return 77
    program, spec = arguments.program.resolve(), arguments.spec.resolve()
    with tempfile.TemporaryDirectory(prefix="vgsim-parallel-") as name:
        folder = pathlib.Path(name)
        runs = folder / "runs of today"  # quoted on its way through two shells
        command = [SCRIPT, spec, runs, str(SHARDS), "--jobs", "2"]
        environment = {**os.environ, "VGSIM": str(program), "HOME": name}
        how = {"env": environment, "cwd": folder, "stdout": subprocess.DEVNULL}
        first = subprocess.Popen(command, start_new_session=True, stderr=subprocess.DEVNULL, **how)
        wait_for_lines(runs, 30, first)
        kill_session(first.pid)
        first.wait()
        assert not (runs / "sweep.jsonl").exists(), "it was done before it was killed"
        subprocess.run(command, check=True, **how)
        alone = folder / "alone"
        command = [program, "sweep", spec, "--out", alone]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        merged = (runs / "sweep.jsonl").read_bytes()
        assert merged == (alone / "sweep.jsonl").read_bytes(), "the stores differ"
    print(f"{SHARDS} shards, killed once: the merged store equals that of one machine")
    return 0


if __name__ == "__main__":
    sys.exit(main())
