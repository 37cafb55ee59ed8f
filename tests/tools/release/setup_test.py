#!/usr/bin/python3
"""Two runs of tools/setup at once, as two first runs of a program that builds itself are: the second
waits until the first has built. Compilers and package managers are fakes.

usage: setup_test.py PROGRAM SOURCE
"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

HANG = 60
STAND_INS = {
    # Every package is there.
    "dpkg-query": "printf 'install ok installed'",
    "cmake": """echo begin $PPID >>"$LOG"; sleep 0.3; echo end $PPID >>"$LOG"
case "$*" in *--preset*release*--target*) ;; *--preset*) mkdir -p build; : >build/build.ninja ;; esac""",
}


def main(source):
    with tempfile.TemporaryDirectory(prefix="vgsim-setup-") as name:
        folder = pathlib.Path(name)
        tools = folder / "tree/tools"
        shutil.copytree(source / "tools/packages", tools / "packages")
        shutil.copy(source / "tools/setup", tools / "setup")
        programs = folder / "programs"
        programs.mkdir()
        for program, script in STAND_INS.items():
            (programs / program).write_text(f"#!/bin/sh\n{script}\n")
            (programs / program).chmod(0o755)
        log = folder / "log"
        log.touch()
        environment = {**os.environ, "PATH": f"{programs}:{os.environ['PATH']}", "LOG": str(log)}
        runs = []
        for _ in range(2):
            runs.append(subprocess.Popen([tools / "setup", "vgsim"], env=environment))
            time.sleep(0.1)
        assert [run.wait(timeout=HANG) for run in runs] == [0, 0]
        lines = [line.split() for line in log.read_text().splitlines()]
        order = [process for what, process in lines if what == "begin"]
        blocks = [process for n, process in enumerate(order) if n == 0 or order[n - 1] != process]
        assert len(blocks) == 2, f"they build at once: {lines}"
        for (began, one), (ended, other) in zip(lines[::2], lines[1::2]):
            assert (began, ended) == ("begin", "end") and one == other, f"at once: {lines}"
    print("the second waits for the first")


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[2]))
