#!/usr/bin/env python3
"""Counts the measured machines behind each error of a model, by GPU architecture, and writes them
into "measured_on" of the parameter files: measured_machines.py SCORE.json [--check]

The file is the score of cases. Cases of one group were measured on one machine; those of grade C are
not counted. --check changes nothing, and fails where a number would change. cases/refit.py counts
those of collectives."""

import collections
import json
import pathlib
import re
import sys

CONFIGS = pathlib.Path(__file__).resolve().parents[1] / "configs" / "parameters"


def machines_of(cases):
    """Numbers by parameter and architecture."""
    groups = collections.defaultdict(lambda: collections.defaultdict(set))
    for case in cases:
        if case["grade"] == "C":
            continue
        for series in case["series"]:
            for point in series["points"]:
                if point["role"] != "scored" or "error" not in point:
                    continue
                facts = {**case["facts"], **point["facts"]}
                name = facts.get("model_error") or facts["kind"].replace(" ", "_") + "_model_error"
                groups[name][facts["architecture"]].add(case["group"])
    return {name: {architecture: len(those) for architecture, those in sorted(all_of.items())}
            for name, all_of in groups.items()}


def with_machines(text, machines):
    """The text of a parameter file with these numbers."""
    for name, numbers in machines.items():
        text, found = re.subn(
            rf'("{name}": \{{"what": "[^"]*", "machines": )\{{[^}}]*\}}',
            lambda match, numbers=numbers: match[1] + json.dumps(numbers), text, count=1)
        if found == 0:
            sys.exit(f'"measured_on" has no "{name}"')
    return text


def store(path, text):
    """Writes a changed file, or fails if it would change and that is only to be checked."""
    if text == path.read_text():
        print("nothing changes")
    elif "--check" in sys.argv:
        sys.exit(f"{path.name} would change: without --check it is written")
    else:
        path.write_text(text)


def main():
    machines = machines_of(json.loads(pathlib.Path(sys.argv[1]).read_text())["cases"].values())
    path = CONFIGS / "training.json"
    store(path, with_machines(path.read_text(), machines))


if __name__ == "__main__":
    main()
