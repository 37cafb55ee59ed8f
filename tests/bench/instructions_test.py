#!/usr/bin/env python3
"""Tests the instruction gate with made-up figures: a script replaces valgrind and writes a profile with planted
changes.

usage: instructions_test.py SOURCES"""

import importlib.machinery
import importlib.util
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

GATE = pathlib.Path(sys.argv[1]) / "tests" / "bench" / "instructions"
EACH = 1_000_000  # instructions of each phase

sys.path.insert(0, os.path.join(sys.argv[1], "tests", "tools"))
from failures import Failures  # noqa: E402


def gate():
    loader = importlib.machinery.SourceFileLoader("instructions", str(GATE))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("instructions", loader))
    loader.exec_module(module)
    return module


def write_program(path, text):
    path.write_text("#!/bin/sh\n" + text)
    path.chmod(0o755)


def profile(phases, planted):
    """One in which a function of each phase calls another, which calls itself."""
    lines = ["# callgrind format", "events: Ir", "", "fn=(1) main", "0 7"]
    for number, (phase, functions) in enumerate(phases.items()):
        cost = EACH + planted.get(phase, 0)
        outer, inner = 2 * number + 2, 2 * number + 3
        lines += [f"cfn=({outer}) {functions[0]}int)", "calls=1 0", f"0 {cost}", "",
                  f"fn=({outer})", "0 10", f"cfn=({outer})", "calls=2 0", "+3 5",
                  f"cfn=({inner}) std::sort", "calls=1 0", f"0 {cost - 10}", "",
                  f"fn=({inner})", f"0 {cost - 10}", "", "fn=(1)"]
    return "\n".join(lines) + "\n"


class Setting:
    """A build folder and programs, in a folder that is all of PATH."""

    def __init__(self, folder):
        self.build = folder / "build"
        self.tools = folder / "tools"
        self.baseline = folder / "baseline.json"
        (self.build / "bin").mkdir(parents=True)
        self.tools.mkdir()
        for program in ("sh", "cat"):
            (self.tools / program).symlink_to(shutil.which(program))
        write_program(self.build / "bin" / "vgsim", "exit 0\n")
        self.use_compiler("12.2.0")

    def use_compiler(self, release):
        compiler = self.tools / "c++"
        write_program(compiler, f"echo 'c++ (Debian) {release}'\n")
        (self.build / "CMakeCache.txt").write_text(f"CMAKE_CXX_COMPILER:STRING={compiler}\n")

    def use_valgrind(self, profile_text):
        (self.tools / "profile").write_text(profile_text)
        write_program(self.tools / "valgrind", f"""
case $1 in --version) echo valgrind-3.19.0; exit;; esac
cat {self.tools / "profile"} > "${{2#--callgrind-out-file=}}"
""")

    def run(self, *arguments):
        return subprocess.run([sys.executable, "-B", GATE, "--build", self.build, "--baseline",
                               self.baseline, *arguments], text=True, capture_output=True,
                              env={"PATH": str(self.tools)})


def main():
    phases = gate().PHASES
    failures = Failures()
    expect = failures.expect
    whole = EACH * len(phases) + 7
    with tempfile.TemporaryDirectory() as folder:
        setting = Setting(pathlib.Path(folder))
        ran = setting.run()
        expect(ran.returncode == 3 and "apt-get install valgrind" in ran.stderr,
               f"no valgrind: {ran}")

        setting.use_valgrind(profile(phases, {}))
        expect(setting.run("--update").returncode == 0, "the first baseline")
        baseline = json.loads(setting.baseline.read_text())
        some = baseline["runs"]["16 GPUs"]
        expect(some["instructions"] == whole, f"{some} for {whole} instructions")
        expect(set(some["phases"].values()) == {EACH}, f"{some} for {EACH} a phase")
        expect(setting.run().returncode == 0, "no change")

        setting.use_valgrind(profile(phases, {"preparing": round(0.02 * whole)}))
        expect(setting.run().returncode == 0, "+2 %")
        setting.use_valgrind(profile(phases, {"preparing": round(0.04 * whole)}))
        ran = setting.run()
        expect(ran.returncode == 1 and "+4.0% instructions" in ran.stdout
               and "in: preparing +" in ran.stdout and "reading" not in ran.stdout, f"+4 %: {ran}")
        before = setting.baseline.read_text()
        setting.use_compiler("13.1.0")
        ran = setting.run()
        expect(ran.returncode == 0 and "not judged" in ran.stdout, f"another compiler: {ran}")
        expect(setting.baseline.read_text() == before, "the baseline changed by itself")
        setting.use_compiler("12.2.0")
        expect(setting.run("--update").returncode == 0 and setting.run().returncode == 0,
               "what was accepted")

        for figures in baseline["runs"].values():
            figures["peak KiB"] //= 2
            figures["instructions"] *= 2
        setting.baseline.write_text(json.dumps(baseline))
        ran = setting.run()
        expect(ran.returncode == 1 and "% peak memory" in ran.stdout, f"twice the memory: {ran}")

        setting.use_valgrind(profile({"reading": phases["reading"]}, {}))
        ran = setting.run()
        expect(ran.returncode == 2 and "preparing" in ran.stderr, f"no function of a phase: {ran}")
        setting.use_valgrind(profile({**phases, "copy": ["__memset_avx2_unaligned_erms "]}, {}))
        ran = setting.run()
        expect(ran.returncode == 2 and "depend on this processor: __memset" in ran.stderr,
               f"a copy that other processors do not have: {ran}")
        (setting.build / "bin" / "vgsim").unlink()
        expect(setting.run().returncode == 2, "no program")
    sys.exit(1 if failures.count else 0)


if __name__ == "__main__":
    main()
