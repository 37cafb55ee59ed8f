#!/usr/bin/python3
"""Compares what pages have between "<!-- made by: COMMAND -->" and "<!-- end -->" against what the command
(vgsim, or a script of this tree) prints, and behind "<!-- output of: COMMAND -->" its first lines as a block; with --write puts it there.

usage: made_parts.py PROGRAM [--write]
"""

import sys

sys.dont_write_bytecode = True

import argparse
import os
import pathlib
import shlex
import subprocess

import pages


LINES_OF_OUTPUT = 20


def printed(program, command):
    words = shlex.split(command)
    if words[0].endswith(".py"):
        program, words = sys.executable, ["python3", "-B", *words]
    else:
        assert words[0].endswith("vgsim"), f"made by something else: {command}"
    environment = {**os.environ, "VGSIM_CONFIGS": str(pages.ROOT / "configs"), "COLUMNS": "80"}
    done = subprocess.run([program, *words[1:]], env=environment, cwd=pages.ROOT, text=True,
                          capture_output=True, check=True)
    return done.stdout


def remade(program, part):
    kind, command, _ = part.groups()
    text = printed(program, command)
    if kind == "output of":
        text = "```text\n" + "".join(text.splitlines(True)[:LINES_OF_OUTPUT]) + "```\n"
    return f"<!-- {kind}: {command} -->\n\n{text}\n<!-- end -->\n"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("--write", action="store_true")
    arguments = parser.parse_args()
    parts, stale = 0, []
    for path in pages.all_pages():
        text = path.read_text()
        new = pages.MADE.sub(lambda part: remade(arguments.program.resolve(), part), text)
        parts += len(pages.MADE.findall(text))
        if new == text:
            continue
        stale.append(str(path.relative_to(pages.ROOT)))
        if arguments.write:
            path.write_text(new)
    print(f"{parts} parts made by the program; {len(stale)} of the pages were stale")
    if stale and not arguments.write:
        print(f"stale: {', '.join(stale)}; write them anew with: "
              f"tests/tools/docs/made_parts.py build/bin/vgsim --write", file=sys.stderr)
        return 1
    assert parts > 0, "no page has a part that is made"
    return 0


if __name__ == "__main__":
    sys.exit(main())
