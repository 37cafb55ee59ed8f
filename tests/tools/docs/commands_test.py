#!/usr/bin/python3
"""Runs every command of a page as written, in a copy of the files that it needs; pages.py describes the
marks. Inline commands that only name options, or hold words such as FILE, are compared with the help.

usage: commands_test.py PROGRAM PAGE [--fakes DIR]
"""

import sys

sys.dont_write_bytecode = True

import argparse
import contextlib
import gzip
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import time

import pages

for helpers in ("cluster", "survival"):
    sys.path.append(str(pages.ROOT / "tests/tools" / helpers))
import slurm_cluster

# Files that a reader is assumed to have, by the names on the pages, and their substitutes; after "#", the
# name that a page gives one of its blocks.
READERS_FILES = {
    "scenario.json": "configs/scenarios/xe8545-4xa100.json",
    "my.json": "configs/help/scenario.md#my.json",
    "before.json": "configs/scenarios/xe8545-4xa100.json",
    "after.json": "configs/scenarios/xe8545-4xa100.json",
    "mine.json": "configs/scenarios/bert-large-4xr750xa.json",
    "my-sweep.json": "configs/help/sweeps.md#my-sweep.json",
    "sweep.json": "configs/help/sweeps.md#my-sweep.json",
    "request.json": "configs/scenarios/advice/resnet-50-under-five-minutes.json",
    "scenarios/mine.json": "configs/scenarios/xe8545-4xa100.json",
    "sizing/mine.json": "configs/scenarios/xe8545-4xa100.json",
    "sizing/baselines/mine.json": "configs/scenarios/baselines/xe8545-4xa100.json",
    "my-host.json": "tests/tools/docs/reader/my-host.json",
    "all_reduce.log": "tests/fuzz/corpus/log/all_reduce.log",
    "topo.xml": "tests/fuzz/corpus/nccl-xml/two-gpus.xml",
    "topo-m.txt": "tests/fuzz/corpus/nvidia-smi/topo.txt",
    "vm.vmx": "tests/fuzz/corpus/vmx/devices.vmx",
    "host.json": "tests/fuzz/corpus/vgsim/two-gpus.json",
    "hosts.csv": "tests/fuzz/corpus/hosts/two.csv",
    "vcenter/esx001.json": "tests/tools/docs/reader/vcenter/esx001.json",
    "vcenter/esx002.json": "tests/tools/docs/reader/vcenter/esx002.json",
    "vcenter/vms.json": "tests/tools/docs/reader/vcenter/vms.json",
    "measured/host.json": "tests/cases/nvswitch/nvsw-OCI-BMGPU48-8xA100-ar.json",
    "trace.json.gz": "tests/tools/docs/reader/trace.json",
    "profile.json.gz": "tests/tools/docs/reader/trace.json",
    "execution-trace.json.gz": "tests/tools/docs/reader/execution-trace.json",
    "hosts": "tests/tools/docs/reader/hosts",
}
MEASURED_HOST = READERS_FILES["measured/host.json"]
COPIED = ["configs", "tests/cases", "tests/training-cases", "tests/training-cases-blind",
          "tests/fuzz/corpus", "tools/cluster", "sim"]

# Readers have these; a machine for tests may lack them.
MAY_BE_MISSING = ["man", "parallel"]

PRELUDE = r"""
set -e
trap 'echo "failed: $BASH_COMMAND" >&2' ERR
# A probe without a CUDA library: it must report that, and an earlier measurement replaces its output.
finds_nothing_to_measure() {
  local said status=0 out=
  said=$("$@" 2>&1) || status=$?
  [ "$status" = 2 ] && [[ "$said" == *"nothing to measure"* ]] || { echo "$said" >&2; return 1; }
  while [ $# -gt 0 ]; do [ "$1" != -o ] || out=$2; shift; done
  [ -z "$out" ] || cp "$MEASURED_HOST" "$out"
}
# Measurements of fake GPUs fit no model: the earlier measurement replaces them too.
measures_fakes() {
  local out=
  "$@"
  while [ $# -gt 0 ]; do [ "$1" != -o ] || out=$2; shift; done
  [ -z "$out" ] || cp "$MEASURED_HOST" "$out"
}
"""

SSH_TO_HERE = """#!/bin/sh
while [ "${1#-}" != "$1" ]; do shift; done
shift
[ "$1" != -- ] || shift
exec sh -c "$*"
"""


def program_script(program):
    return f"#!/bin/sh\nexec '{program}' \"$@\"\n"


def write_script(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)


def content_of(origin):
    file, _, block = origin.partition("#")
    if not block:
        return (pages.ROOT / file).read_bytes()
    return next(each.text for each in pages.read_page(pages.ROOT / file).blocks
                if each.mark and (each.mark.kind, each.mark.text) == ("file", block)).encode()


class Desk:
    """A folder with what the reader of a page has, and the surroundings that commands run in."""

    def __init__(self, folder, program, fakes):
        self.folder = folder
        self.program = program
        self.fakes = fakes if fakes and list(fakes.glob("libcuda.so.*")) else None
        for each in COPIED:
            shutil.copytree(pages.ROOT / each, folder / each)
        for name, origin in READERS_FILES.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            content = content_of(origin)
            path.write_bytes(gzip.compress(content) if name.endswith(".gz") else content)
        for place in ("tools/vgsim", "vgsim/tools/vgsim", "home/bin/vgsim", ".bin/vgsim"):
            write_script(folder / place, program_script(program))
        (folder / "build").mkdir()
        (folder / "build/bin").symlink_to(program.parent)
        write_script(folder / ".ssh/ssh", SSH_TO_HERE)
        self.environment = {
            **os.environ,
            "PATH": f"{folder}/.bin:{os.environ['PATH']}",
            "HOME": str(folder / "home"),
            "VGSIM_CONFIGS": str(folder / "configs"),
            "MEASURED_HOST": str(folder / MEASURED_HOST),
            "COLUMNS": "80",
        }
        self.environment.pop("SHELL", None)  # as in a container

    def run(self, script, **more):
        return subprocess.run(["bash", "-c", PRELUDE + script], cwd=self.folder, text=True,
                              env={**self.environment, **more}, capture_output=True,
                              stdin=subprocess.DEVNULL)

    def help_of(self, words):
        done = subprocess.run([self.program, *words, "--help"], text=True, capture_output=True)
        return done.stdout if done.returncode == 0 else None


@contextlib.contextmanager
def slurm():
    """The environment of a Slurm with one node; at the end all of its jobs have to be done."""
    with tempfile.TemporaryDirectory(prefix="vgsim-slurm-", dir="/tmp") as folder, \
            slurm_cluster.Cluster(pathlib.Path(folder), ["node1"]) as cluster:
        yield cluster.environment
        jobs = lambda: cluster.call("squeue", "-h", "-r", "-t", "all", "-o", "%T").split()
        while any(state in ("PENDING", "RUNNING", "COMPLETING", "CONFIGURING") for state in jobs()):
            time.sleep(0.1)
        assert set(jobs()) <= {"COMPLETED"}, cluster.words()


def only_names_options(words):
    """Whether an inline command is a form, with words such as FILE, or has no operands."""
    if re.search(r"(?<![\w=])[A-Z][A-Z0-9_]*(?![\w=])|\[|\.\.\.", words):
        return True
    return words.split()[0].endswith("vgsim") and all(
        each.startswith("-") for each in words.split()[2:])


class PageTest:
    def __init__(self, page, desk):
        self.page, self.desk = page, desk
        self.printed = ""
        self.wrong = []
        self.counts = {}
        self.left_out = []

    def run(self):
        for block in self.page.blocks:
            if block.mark and block.mark.kind == "file":
                path = self.desk.folder / block.mark.text
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(block.text + "\n")
            elif block.mark and block.mark.kind == "output":
                self.check_output(block)
            elif block.commands:
                self.run_block(block)
        return not self.wrong

    def count(self, what, how_many=1):
        self.counts[what] = self.counts.get(what, 0) + how_many

    def fails(self, line, text):
        self.wrong.append(f"{pages.shown(self.page.path)}:{line}: {text}")

    def check_output(self, block):
        """A line "..." matches any lines."""
        parts = re.split(r"^\.\.\.\n", block.text.rstrip() + "\n", flags=re.M)
        if not re.fullmatch(".*".join(map(re.escape, parts)), self.printed.rstrip() + "\n", re.S):
            self.fails(block.line, f"the command before prints\n{self.printed}")

    def run_block(self, block):
        if block.commands[0].inline and only_names_options(block.text):
            return self.check_form(block.commands[0])
        lines, marks = [], set()
        for command in block.commands:
            mark = command.mark
            kind = mark.kind if mark else ""
            if kind in ("elsewhere", "not run"):
                self.count(kind)
                self.left_out.append((command, mark))
                lines.append(":")
            elif self.lacks_a_program(command):
                lines.append(":")
            else:
                self.count(kind or "run")
                marks.add(mark.kind if mark else "")
                lines.append(self.as_run(command, kind))
        if marks:
            self.run_script(block, "\n".join(lines), marks)

    def lacks_a_program(self, command):
        first = re.split(r"[\s/]", command.text.strip())[0]
        if "gnu-parallel" in command.text:
            first = "parallel"
        if first not in MAY_BE_MISSING or shutil.which(first):
            return False
        self.count("without its program")
        self.left_out.append((command, pages.Mark("not run", f"{first} is not installed")))
        return True

    def as_run(self, command, kind):
        if kind == "gpu":
            return ("measures_fakes " if self.desk.fakes else "finds_nothing_to_measure ") + command.text
        return command.text

    def run_script(self, block, script, marks):
        expected, more = 0, {}
        if "exit" in marks:
            expected = int(block.mark.text)
        if "gpu" in marks and self.desk.fakes:
            more["LD_LIBRARY_PATH"] = str(self.desk.fakes)
        if "ssh" in marks:
            more["PATH"] = f"{self.desk.folder}/.ssh:{self.desk.environment['PATH']}"
        if "cluster" in marks:
            try:
                with slurm() as environment:
                    path = f"{self.desk.folder}/.bin:{environment['PATH']}"
                    done = self.desk.run(script, **{**environment, **more, "PATH": path,
                                                    "HOME": self.desk.environment["HOME"]})
            except slurm_cluster.Unavailable as why:
                self.left_out.append((block.commands[0], pages.Mark("not run", str(why))))
                return
        else:
            done = self.desk.run(script, **more)
        self.printed = done.stdout
        if done.returncode != expected:
            self.fails(block.line, f"exit code {done.returncode}, not {expected}, of\n{block.text}\n"
                                   f"{done.stdout[-2000:]}{done.stderr[-4000:]}")

    def check_form(self, command):
        self.count("form")
        words = command.text.split()
        if not words[0].endswith("vgsim"):
            if "/" in words[0] and not (self.desk.folder / words[0]).exists() and \
                    not (pages.ROOT / words[0]).exists() and "build/" not in words[0]:
                self.fails(command.line, f"there is no {words[0]}")
            return
        said = self.desk.help_of(words[1:2])
        if said is None or not re.search(rf"vgsim {words[1]}(?![\w-])", said):
            self.fails(command.line, f"no command: {command.text}")
            return
        for option in re.findall(r"(?<!\S)--?[a-z][\w-]*", " ".join(words[2:])):
            if not re.search(rf"(?<![\w-]){option}(?![\w-])", said):
                self.fails(command.line, f"{words[1]} has no {option}: {command.text}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("page", type=pathlib.Path)
    parser.add_argument("--fakes", type=pathlib.Path)
    arguments = parser.parse_args()
    page = pages.read_page(arguments.page.resolve())
    with tempfile.TemporaryDirectory(prefix="vgsim-page-") as name:
        test = PageTest(page, Desk(pathlib.Path(name), arguments.program.resolve(),
                                   arguments.fakes))
        good = test.run()
    print(f"{arguments.page}: {len(page.commands())} commands:",
          ", ".join(f"{count} {what}" for what, count in test.counts.items()))
    for command, mark in test.left_out:
        print(f"  line {command.line}, {mark.kind} {mark.text}: {command.text.strip()}")
    for each in test.wrong:
        print(each, file=sys.stderr)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
