#!/usr/bin/python3
"""Links of the pages lead to files and headings that are there, and so do paths in their text; keys and
options are known; marks name tests of CTest that are there; the README is short; what `vgsim help` shows fits a terminal.

usage: links_test.py BUILD
"""

import sys

sys.dont_write_bytecode = True

import argparse
import json
import pathlib
import re
import subprocess

import pages

# Of sbatch, GNU parallel and NCCL's tests.
OPTIONS_OF_OTHERS = {"--sshloginfile", "--mem", "--time", "--cpus-per-task", "--partition"}
# Of training cases, which have no schema, and of a form that cases lack.
KEYS_WITHOUT_A_SCHEMA = {"use", "flows"}
LONGEST_README = 10_000
WIDEST_HELP = 80
PATH = re.compile(r"(?:%s)/[\w./-]*[\w/-]" % "|".join(pages.FOLDERS))


def anchors(path):
    found = []
    for heading in pages.read_page(path).headings:
        anchor = pages.slug(heading)
        found.append(f"{anchor}-{found.count(anchor)}" if anchor in found else anchor)
    return found


def wrong_links(page, name):
    for line, target in page.links:
        if re.match(r"[a-z]+:", target):
            continue
        file, _, anchor = target.partition("#")
        path = (page.path.parent / file).resolve() if file else page.path
        if not path.exists():
            yield f"{name}:{line}: there is no {target}"
        elif anchor and anchor not in anchors(path):
            yield f"{name}:{line}: no heading for {target}"


def wrong_paths(page, name):
    for number, line in enumerate(page.text.splitlines(), 1):
        for span in re.findall(r"`([^`]+)`", line):
            if PATH.fullmatch(span) and not list(pages.ROOT.glob(span.rstrip("/"))):
                yield f"{name}:{number}: there is no {span}"


def keys_of(schema):
    if isinstance(schema, dict):
        yield from schema.get("properties", {})
        for each in schema.values():
            yield from keys_of(each)
    elif isinstance(schema, list):
        for each in schema:
            yield from keys_of(each)


def known_words():
    """The keys that files of any kind may have, and the options of the program."""
    schemas = (pages.ROOT / "configs/schema").glob("*.json")
    keys = {key for each in schemas for key in keys_of(json.loads(each.read_text()))}
    keys |= KEYS_WITHOUT_A_SCHEMA
    commands = (pages.ROOT / "tools/README.md").read_text()
    return keys, set(re.findall(r"(?<![\w-])--[a-z][\w-]*", commands)) | OPTIONS_OF_OTHERS


def wrong_words(page, name, keys, options):
    for number, line in page.prose:
        for span in re.findall(r"`([^`]+)`", line):
            key = re.match(r'\{? ?"([\w.]+)": ', span)
            if key and key[1] not in keys:
                yield f"{name}:{number}: no file has a key \"{key[1]}\""
            option = re.match(r"(--[a-z][\w-]*)", span)
            if option and option[1] not in options:
                yield f"{name}:{number}: no command has {option[1]}"


def wrong_marks(page, name, tests):
    for command in page.commands():
        if command.mark and command.mark.kind == "elsewhere" and command.mark.text not in tests:
            yield f"{name}:{command.line}: CTest has no {command.mark.text}"


def too_wide(path):
    name = path.relative_to(pages.ROOT)
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if len(line) > WIDEST_HELP and not line.startswith(("|", "<!--")):
            yield f"{name}:{number}: {len(line)} columns, {WIDEST_HELP} fit"


def tests_of(build):
    said = subprocess.run(["ctest", "--test-dir", build, "-N"], text=True, capture_output=True,
                          check=True).stdout
    return set(re.findall(r"Test +#\d+: (\S+)", said))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=pathlib.Path)
    arguments = parser.parse_args()
    tests = tests_of(arguments.build)
    keys, options = known_words()
    wrong, links = [], 0
    for path in pages.all_pages():
        page, name = pages.read_page(path), path.relative_to(pages.ROOT)
        links += len(page.links)
        wrong += wrong_links(page, name)
        wrong += wrong_paths(page, name)
        wrong += wrong_words(page, name, keys, options)
        wrong += wrong_marks(page, name, tests)
    for path in sorted((pages.ROOT / "configs/help").glob("*.md")):
        wrong += [] if path.is_symlink() else too_wide(path)
    length = len((pages.ROOT / "README.md").read_text())
    if length > LONGEST_README:
        wrong.append(f"README.md: {length} characters, {LONGEST_README} are allowed")
    print(f"{links} links, README of {length} characters")
    for each in wrong:
        print(each, file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
