#!/usr/bin/python3
"""The containers of tools/cluster/indexed-job.yaml, run one index after the other as a cluster would
run them, give the bytes of one machine; the failure policy matches the exit codes.

usage: kubernetes_test.py PROGRAM SPEC.json        exit 77: no python3-yaml (stated on stderr)
"""

import sys

sys.dont_write_bytecode = True

import argparse
import os
import pathlib
import subprocess
import tempfile

try:
    import yaml
except ImportError:
    yaml = None

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "survival"))
from sweeps import STORE, Sweeps  # noqa: E402

MANIFEST = HERE.parents[2] / "tools/cluster/indexed-job.yaml"


def documents():
    return {each["metadata"]["name"] + each["kind"]: each
            for each in yaml.safe_load_all(MANIFEST.read_text())}


class Pods:
    """Runs a job's container here; what it mounts at /spec and /runs are folders of this machine."""

    def __init__(self, program, spec, folder):
        self.program = program
        self.places = {"/spec/sweep.json": str(spec), "/runs": str(folder / "runs")}
        self.bin = folder / "bin"
        self.bin.mkdir()
        (self.bin / "vgsim").symlink_to(program)

    def run(self, job, index=None):
        container = job["spec"]["template"]["spec"]["containers"][0]
        command = [self._here(word) for word in container["command"] + container["args"]]
        environment = {**os.environ, "PATH": f"{self.bin}:{os.environ['PATH']}"}
        environment.pop("SLURM_ARRAY_TASK_ID", None)
        if index is not None:
            environment["JOB_COMPLETION_INDEX"] = str(index)
        return subprocess.run(command, env=environment, stdout=subprocess.DEVNULL).returncode

    def _here(self, word):
        for place, here in self.places.items():
            word = word.replace(place, here)
        return word


def action_on(job, exit_code):
    for rule in job["spec"]["podFailurePolicy"]["rules"]:
        if exit_code in rule.get("onExitCodes", {}).get("values", []):
            return rule["action"]
    return "Count"


def check_policy(job):
    spec = job["spec"]
    assert spec["completionMode"] == "Indexed"
    assert spec["template"]["spec"]["restartPolicy"] == "Never"  # backoffLimitPerIndex needs it
    assert spec["podReplacementPolicy"] == "Failed"  # else two pods write one store for a while
    names = {each["name"] for each in spec["template"]["spec"]["containers"]}
    for rule in spec["podFailurePolicy"]["rules"]:
        assert rule.get("onExitCodes", {}).get("containerName", "sweep") in names
    actions = [action_on(job, code) for code in (2, 3, 4, 137, 143)]
    assert actions == ["FailJob", "FailIndex", "FailIndex", "Count", "Count"], actions


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("spec", type=pathlib.Path)
    arguments = parser.parse_args()
    if yaml is None:
        print("SKIPPED: no YAML reader for this test (Debian: python3-yaml)", file=sys.stderr)
        return 77
    found = documents()
    sweep, merge = found["vgsim-sweepJob"], found["vgsim-mergeJob"]
    check_policy(sweep)
    with tempfile.TemporaryDirectory(prefix="vgsim-pods-") as name:
        folder = pathlib.Path(name)
        sweeps = Sweeps(arguments.program, arguments.spec, 100, folder)
        pods = Pods(sweeps.program, sweeps.spec, folder)
        for index in range(sweep["spec"]["completions"]):
            assert pods.run(sweep, index) == 0, f"index {index} failed"
        assert pods.run(sweep, sweep["spec"]["completions"]) == 2, "there are more shards than indexes"
        assert pods.run(merge) == 0, "the merge failed"
        assert (folder / "runs" / STORE).read_bytes() == sweeps.undisturbed, "the stores differ"
    print(f"{sweep['spec']['completions']} indexes: the merged store equals that of one machine")
    return 0


if __name__ == "__main__":
    sys.exit(main())
