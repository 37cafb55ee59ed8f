#!/usr/bin/python3
"""A full disk, a folder that cannot be written, a closed stdout: exit code 2, a message that names
the file, and nothing half-written; a sweep can go on afterwards. A reader that went away ends the
program as a closed pipe does.

usage: output_test.py PROGRAM SPEC.json [--points 200]       SPEC.json names a scenario's file
exit 77: mounts are not allowed here, and only the parts that need none were run (stated on stderr)
"""

import sys

sys.dont_write_bytecode = True

import argparse
import json
import os
import pathlib
import resource
import signal
import subprocess
import tempfile

import private_mounts
from sweeps import HANG, STORE, Sweeps

KILOBYTE = 1024
READER_GONE = 128 + signal.SIGPIPE  # exit code in shells of a program that a closed pipe ended


def state_of(folder):
    """Every file of a folder and what is in it."""
    return {each.name: each.read_bytes() for each in folder.iterdir()}


class Commands:
    """The commands that write a result, to stdout or to a file."""

    def __init__(self, sweeps, folder):
        scenario = json.loads(sweeps.spec.read_text())["scenario"]
        run = ["run", "--draws", "0", scenario]
        result = folder / "result.json"
        done_sweep = ["sweep", sweeps.spec, "--output", folder / "undisturbed", "--resume"]
        self.program = str(sweeps.program)
        done = self.call([*run, "--format", "json", "-o", result])
        assert done.returncode == 0, done.stderr
        self.to_stdout = [
            [*run, "--format", "json"],
            ["compare", result, result],
            ["explain", "mmio-too-small"],
            ["check", scenario],
            ["report", "--draws", "0", result],
        ]
        self.to_files = [[*each, "-o", "new.out"] for each in self.to_stdout] + [
            [*run, "-o", "old.out"],
            [*run, "--trace", "new.json"],
            ["check", scenario, "--junit", "new.xml"],
            ["check", scenario, "--markdown", "new.md"],
            ["check", scenario, "--update", "--baseline", "."],
            [*done_sweep, "--export", "new.csv"],
            [*done_sweep, "--export", "new.jsonl"],
            [*done_sweep, "--export", "new.sqlite"],
        ]

    def call(self, arguments, **how):
        how = {"stdout": subprocess.PIPE, **how}
        command = [self.program, *map(str, arguments)]
        return subprocess.run(command, stderr=subprocess.PIPE, text=True, timeout=HANG, **how)

    def check_refused(self, done, arguments, what):
        said = f"{what}: vgsim {' '.join(map(str, arguments))}: {done.returncode}: {done.stderr}"
        assert done.returncode == 2 and "cannot write" in done.stderr, said

    def leave_nothing(self, folder, what):
        """Neither a new file nor an older one is touched by what cannot be written."""
        before = state_of(folder)
        for arguments in self.to_files:
            self.check_refused(self.call(arguments, cwd=folder), arguments, what)
            assert state_of(folder) == before, f"{what}: {arguments} left something"
        print(f"{what}: {len(self.to_files)} ways to write a file leave nothing")

    def need_stdout(self):
        for arguments in self.to_stdout:
            shell = ["/bin/sh", "-c", '"$@" >&-', "sh", self.program, *map(str, arguments)]
            done = subprocess.run(shell, stderr=subprocess.PIPE, text=True, timeout=HANG)
            self.check_refused(done, arguments, "closed stdout")
            done = with_reader_gone(lambda pipe: self.call(arguments, stdout=pipe))
            assert done.returncode == READER_GONE, f"reader gone: {arguments}: {done.returncode}"
        print(f"closed stdout, reader gone: {len(self.to_stdout)} commands report it")


def with_reader_gone(start):
    reader, writer = os.pipe()
    os.close(reader)
    try:
        return start(writer)
    finally:
        os.close(writer)


def check_stopped(sweeps, done, out, what):
    assert done.returncode == 2, f"{what}: exit code {done.returncode}: {done.stderr}"
    assert "cannot write" in done.stderr and STORE in done.stderr, f"{what}: {done.stderr}"
    whole = sweeps.check_cut_short(out, may_be_torn=True)
    assert len(whole) < len(sweeps.undisturbed), f"{what}: it had room for everything"
    return len(whole)


def sweep_with_a_limit(sweeps, folder):
    """A limit on the size of files, as of a quota."""
    half = len(sweeps.undisturbed) // 2

    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (half, half))

    out = folder / "limit"
    kept = check_stopped(sweeps, sweeps.run(out, preexec_fn=limit), out, "limit")
    sweeps.check_resumes(out)
    print(f"limit of file size: {kept} of {len(sweeps.undisturbed)} bytes kept, resumed")


def sweep_on_a_full_disk(sweeps, folder):
    size = len(sweeps.undisturbed) // KILOBYTE
    with private_mounts.disk(folder / "full", 4 * size, free=size // 2) as disk:
        out = disk / "runs"
        kept = check_stopped(sweeps, sweeps.run(out), out, "full disk")
        again = sweeps.run(out, "--resume")
        assert check_stopped(sweeps, again, out, "still full") >= kept, "lines were lost"
        (disk / "ballast").unlink()
        sweeps.check_resumes(out)
        print(f"full disk: {kept} of {len(sweeps.undisturbed)} bytes kept, resumed")


def merge_on_a_full_disk(sweeps, folder):
    """The shards fit, the merged store does not."""
    size = len(sweeps.undisturbed) // KILOBYTE
    with private_mounts.disk(folder / "merge", 4 * size, free=size + size // 2) as disk:
        for shard in ("1/2", "2/2"):
            assert sweeps.run(disk, "--shard", shard).returncode == 0
        before = state_of(disk)
        done = sweeps.run(disk, "--merge")
        assert done.returncode == 2 and "cannot write" in done.stderr, done.stderr
        assert state_of(disk) == before, "a merge that failed left something"
        (disk / "ballast").unlink()
        assert sweeps.run(disk, "--merge").returncode == 0
        assert (disk / STORE).read_bytes() == sweeps.undisturbed
    print("full disk: a merge leaves nothing, and succeeds later")


def sweep_into_a_read_only_folder(sweeps, folder):
    target = folder / "read-only-sweep"
    target.mkdir()
    with private_mounts.read_only(target):
        for out in (target, target / "new"):
            done = sweeps.run(out)
            assert done.returncode == 2 and "cannot" in done.stderr, done.stderr
        assert state_of(target) == {}
    print("read-only folder: a sweep does not start")


def sweep_without_stdout(sweeps, folder):
    """Output to stdout never gets into the store, with any free descriptors."""
    out = folder / "closed"
    shell = ["/bin/sh", "-c", '"$@" <&- >&- 2>&-', "sh", *sweeps.command(out)]
    code = subprocess.run(shell, timeout=HANG).returncode
    assert code == 2, f"closed stdout: exit code {code}"
    sweeps.check_cut_short(out, may_be_torn=False)
    sweeps.check_resumes(out)
    out = folder / "reader-gone"
    done = with_reader_gone(lambda pipe: sweeps.run(out, stdout=pipe))
    assert done.returncode == READER_GONE, f"reader gone: {done.returncode}, {done.stderr}"
    sweeps.check_complete(out)
    print("closed stdout, reader gone: the store is whole")


def with_mounts(sweeps, commands, folder):
    private_mounts.enter()
    sweep_on_a_full_disk(sweeps, folder)
    merge_on_a_full_disk(sweeps, folder)
    sweep_into_a_read_only_folder(sweeps, folder)
    with private_mounts.disk(folder / "no-room", 16, free=4) as disk:
        (disk / "old.out").write_text("as before")
        commands.leave_nothing(disk, "full disk")
    target = folder / "read-only"
    target.mkdir()
    (target / "old.out").write_text("as before")
    with private_mounts.read_only(target):
        commands.leave_nothing(target, "read-only folder")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("spec", type=pathlib.Path)
    parser.add_argument("--points", type=int, default=200)
    arguments = parser.parse_args()
    signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
    with tempfile.TemporaryDirectory(prefix="vgsim-output-") as name:
        folder = pathlib.Path(name)
        sweeps = Sweeps(arguments.program, arguments.spec, arguments.points, folder)
        sweep_without_stdout(sweeps, folder)
        sweep_with_a_limit(sweeps, folder)
        commands = Commands(sweeps, folder)
        commands.need_stdout()
        try:
            with_mounts(sweeps, commands, folder)
        except private_mounts.Unavailable as why:
            print(f"SKIPPED: full disks and read-only folders: {why}", file=sys.stderr)
            return 77
    return 0


if __name__ == "__main__":
    sys.exit(main())
