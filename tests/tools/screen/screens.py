"""What a first screen of vgsim has to be, for tests."""

import json
import os
import subprocess
import unicodedata

LINES = 20
COLUMNS = 80


def run(program, *arguments, **options):
    """The program as a user starts it, far from any terminal."""
    surroundings = dict(os.environ, COLUMNS="200")
    surroundings.update(options.pop("environment", {}))
    return subprocess.run([program, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          env=surroundings, check=False, **options)


def text_of(program, *arguments):
    done = run(program, *arguments)
    assert done.returncode in (0, 1), f"{arguments}: {done.returncode} {done.stderr.decode()}"
    return done.stdout.decode("utf-8")


def json_of(program, *arguments):
    return json.loads(text_of(program, *arguments, "--format", "json"))


def width(line):
    """Columns that a terminal gives a line."""
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1
               for c in line)


def too_much(text, lines=LINES, columns=COLUMNS):
    """Problems of a text that should fit a screen; empty if there are none."""
    found = []
    rows = text.rstrip("\n").split("\n")
    if len(rows) > lines:
        found.append(f"{len(rows)} lines")
    for number, row in enumerate(rows, 1):
        if width(row) > columns:
            found.append(f"line {number} takes {width(row)} columns")
        if row != row.rstrip():
            found.append(f"line {number} ends in a blank")
        if any(unicodedata.category(c) in ("Cc", "Cf") for c in row):
            found.append(f"line {number} has a control character")
    return found


def joined(text):
    """The text with its lines put together again, for words that a line break parts."""
    return " ".join(text.split())
