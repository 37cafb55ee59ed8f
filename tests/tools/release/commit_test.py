#!/usr/bin/python3
"""The commit that a build names: that of the checkout, with "-dirty" where a file was changed; that
of an archive made by git, without git; none where neither is known. The file is not rewritten if it
is up to date, so nothing is compiled again.

usage: commit_test.py PROGRAM SOURCE
"""

import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

FILES = ["commit.cmake", "commit.txt", ".gitattributes"]
LONG_AGO = 10**9  # s since 1970


def done(*command):
    return subprocess.run([*map(str, command)], check=True, capture_output=True, text=True).stdout


class Checkout:
    def __init__(self, source, root):
        self.root = root
        self.output = root.parent / "commit.cpp"
        (root / "tools/release").mkdir(parents=True)
        for file in FILES:
            shutil.copy(source / "tools/release" / file, root / "tools/release" / file)

    def git(self, *arguments):
        who = ["-c", "user.name=n", "-c", "user.email=e@example.org"]
        return done("git", "-C", self.root, *who, *arguments)

    def commit_of(self, source):
        done("cmake", f"-DSOURCE={source}", f"-DOUTPUT={self.output}", "-P",
             source / "tools/release/commit.cmake")
        return re.search(r'return "(.*)"', self.output.read_text()).group(1)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("source", type=pathlib.Path)
    arguments = parser.parse_args()
    said = done(arguments.program, "--version")
    assert re.fullmatch(r"vgsim \d+\.\d+\.\d+( \([0-9a-f]+(-dirty)?\))?\n", said), said
    with tempfile.TemporaryDirectory(prefix="vgsim-commit-") as name:
        folder = pathlib.Path(name)
        checkout = Checkout(arguments.source, folder / "checkout")
        assert checkout.commit_of(checkout.root) == ""

        checkout.git("init", "-q")
        checkout.git("add", "-A")
        checkout.git("commit", "-q", "-m", "first")
        commit = checkout.git("rev-parse", "--short", "HEAD").strip()
        assert checkout.commit_of(checkout.root) == commit

        os.utime(checkout.output, (LONG_AGO, LONG_AGO))
        assert checkout.commit_of(checkout.root) == commit
        assert checkout.output.stat().st_mtime == LONG_AGO, "written again without need"

        (folder / "archive").mkdir()
        checkout.git("archive", "HEAD", "-o", folder / "archive.tar")
        done("tar", "-xf", folder / "archive.tar", "-C", folder / "archive")
        assert checkout.commit_of(folder / "archive") == commit

        with (checkout.root / "tools/release/commit.cmake").open("a") as file:
            file.write("# changed\n")
        assert checkout.commit_of(checkout.root) == commit + "-dirty"
    print(f"{said.strip()}; checkouts, archives and changed files are distinguished")
    return 0


if __name__ == "__main__":
    sys.exit(main())
