#!/usr/bin/env python3
"""Writes vgsim.html: the studio's page with the program inside.

bundle.py --page FOLDER... --report-style FILE --configs FOLDER --program FOLDER -o vgsim.html

Modules of the page become functions of one script in the order of their imports; a file in a later
folder takes the place of one of the same name. The program and its data are compressed. No other
script or style runs, and nothing can be sent: the content security policy holds the hashes of both."""

import argparse
import base64
import gzip
import hashlib
import json
import pathlib
import re

# What the program reads below configs/.
CONFIGS = ["catalog", "parameters", "networks", "calibrations", "nccl", "vsphere", "scenarios", "errors"]
NOT = ["scenarios/baselines"]
IMPORT = re.compile(r"^import \{([^}]*)\} from '\./([\w.]+)';\n", re.M)
EXPORT = re.compile(r"^export (async function|function|const|let) (\w+)", re.M)


def bundled(modules, first):
    """One script of modules: each is a function that returns what it exports."""
    order = []

    def visit(name):
        if name in order:
            return
        for _, imported in IMPORT.findall(modules[name]):
            visit(imported)
        order.append(name)

    visit(first)
    parts = ["'use strict';\nconst modules = {};\n"]
    for name in order:
        text = modules[name]
        exported = [found[1] for found in EXPORT.findall(text)]
        text = IMPORT.sub(lambda found: f"const {{{found[1]}}} = modules['{found[2]}'];\n", text)
        text = EXPORT.sub(r"\1 \2", text)
        parts.append(f"modules['{name}'] = (() => {{\n{text}\nreturn {{{', '.join(exported)}}};\n}})();\n")
    return "".join(parts)


def files_of(configs):
    """The texts of data files by their path below configs."""
    files = {}
    for folder in CONFIGS:
        for path in sorted((configs / folder).rglob("*")):
            place = path.relative_to(configs).as_posix()
            if path.is_file() and not any(place.startswith(each) for each in NOT) and path.suffix != ".md":
                files[place] = path.read_text()
    return files


def packed(data):
    """Compressed, as text; the same bytes each time."""
    return base64.b64encode(gzip.compress(data, 9, mtime=0)).decode()


def hash_of(text):
    return "'sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() + "'"


def policy_of(scripts, style):
    scripts = " ".join(map(hash_of, scripts))
    return (f"default-src 'none'; script-src {scripts} 'wasm-unsafe-eval'; worker-src blob:; "
            f"style-src {style}; img-src data: blob:; base-uri 'none'; form-action 'none'")


def page_of(index, script, style, in_report, data):
    policy = policy_of([script], hash_of(style))
    # A report that contains the page has its script and both policies.
    of_report = policy_of([script, in_report], "'unsafe-inline'")
    in_report = f'<script type="text/plain" id="in-report" data-policy="{of_report}">{in_report}</script>\n'
    index = re.sub(r'<link rel="stylesheet" href="report.css">\n', lambda _: f"<style>{style}</style>\n", index)
    index = re.sub(r'<link rel="stylesheet" href="studio.css">\n', "", index)
    index = re.sub(r'<script type="module" src="studio.js"></script>\n', "", index)
    index = index.replace('<meta charset="utf-8">',
                          f'<meta charset="utf-8">\n<meta http-equiv="Content-Security-Policy" content="{policy}">', 1)
    blocks = in_report + "".join(f'<script type="{kind}" id="{name}">{text}</script>\n' for name, kind, text in data)
    return index.replace("</body>", f"{blocks}<script>{script}</script>\n</body>", 1)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--page", type=pathlib.Path, nargs="+", required=True)
    parser.add_argument("--report-style", type=pathlib.Path, required=True, help="style.cpp of the report")
    parser.add_argument("--configs", type=pathlib.Path, required=True)
    parser.add_argument("--program", type=pathlib.Path, required=True, help="folder of vgsim.js and vgsim.wasm")
    parser.add_argument("-o", "--output", type=pathlib.Path, required=True)
    wanted = parser.parse_args()
    page = {path.name: path.read_text() for folder in wanted.page for path in sorted(folder.iterdir())}
    in_report = page.pop("in_report.js")
    worker = (wanted.program / "vgsim.js").read_text() + "\n" + page.pop("worker.js")
    script = bundled({name: text for name, text in page.items() if name.endswith(".js")}, "studio.js")
    report_style = re.search(r'R"css\((.*?)\)css"', wanted.report_style.read_text(), re.S)[1]
    style = report_style + page["studio.css"]
    for text in (worker, script, in_report):
        if "</script" in text:
            raise SystemExit("bundle.py: a script contains the end of scripts")
    data = [("scenario", "application/json", ""),
            ("worker", "text/plain", worker),
            ("configs", "text/plain", packed(json.dumps(files_of(wanted.configs), sort_keys=True).encode())),
            ("program", "text/plain", packed((wanted.program / "vgsim.wasm").read_bytes()))]
    text = page_of(page["index.html"], script, style, in_report, data)
    wanted.output.write_text(text)
    print(f"{wanted.output}: {len(text.encode()) / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
