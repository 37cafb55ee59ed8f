#!/usr/bin/python3
"""A sweep by tools/cluster/gnu-parallel.sh, killed half-way with all its shards and started again,
gives the bytes of one machine.

usage: parallel_test.py PROGRAM SPEC.json        exit 77: no GNU parallel (stated on stderr)
"""

import sys

sys.dont_write_bytecode = True

import argparse
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "survival"))
from sweeps import STORE, DoneTooSoon, in_time, lines_of, wait_until  # noqa: E402

SCRIPT = HERE.parents[2] / "tools/cluster/gnu-parallel.sh"
SHARDS = 8


def is_gnu_parallel():
    if not shutil.which("parallel"):
        return False
    said = subprocess.run(["parallel", "--version"], capture_output=True, text=True).stdout
    return said.startswith("GNU parallel")


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


def killed_and_started_again(sweeps):
    runs = sweeps.folder / "runs of today"  # quoted on its way through two shells
    command = [SCRIPT, sweeps.spec, runs, str(SHARDS), "--jobs", "2"]
    environment = {**os.environ, "VGSIM": str(sweeps.program), "HOME": str(sweeps.folder)}
    how = {"env": environment, "cwd": sweeps.folder, "stdout": subprocess.DEVNULL}
    first = subprocess.Popen(command, start_new_session=True, stderr=subprocess.DEVNULL, **how)

    def has_begun():
        return first.poll() is not None or sum(map(lines_of, runs.glob("shard-*"))) >= 30

    wait_until("30 lines of all shards", has_begun)
    kill_session(first.pid)
    first.wait()
    if (runs / STORE).exists():
        raise DoneTooSoon
    subprocess.run(command, check=True, **how)
    assert (runs / STORE).read_bytes() == sweeps.undisturbed, "the stores differ"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("spec", type=pathlib.Path)
    arguments = parser.parse_args()
    if not is_gnu_parallel():
        print("SKIPPED: no GNU parallel on this machine (Debian: parallel)", file=sys.stderr)
        return 77
    with tempfile.TemporaryDirectory(prefix="vgsim-parallel-") as name:
        in_time(killed_and_started_again, arguments.program, arguments.spec, pathlib.Path(name))
    print(f"{SHARDS} shards, killed once: the merged store equals that of one machine")
    return 0


if __name__ == "__main__":
    sys.exit(main())
