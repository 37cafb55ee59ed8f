#!/usr/bin/env python3
"""A sweep as a Slurm job array, one node of which dies half-way, gives the bytes of one machine.

usage: slurm_test.py PROGRAM SPEC.json        exit 77: this machine cannot run Slurm (said on stderr)
"""

import argparse
import pathlib
import subprocess
import sys
import tempfile
import time

import slurm_cluster

SCRIPT = pathlib.Path(__file__).resolve().parents[3] / "tools/cluster/sweep.sbatch"
SHARDS = 8
SECONDS = 60


def wait_for(what, seconds, question):
    """The first answer that is not None or False."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        answer = question()
        if answer:
            return answer
        time.sleep(0.02)
    raise AssertionError(f"waited {seconds} s for {what}")


def lines(path):
    return path.read_bytes().count(b"\n") if path.exists() else 0


class Sweep:
    """The array and, depending on it, the merge, as tools/cluster/README.md tells users to."""

    def __init__(self, slurm, program, spec, folder):
        self.slurm, self.out, self.logs = slurm, folder / "sweep", folder / "logs"
        self.logs.mkdir()
        self.array = self._submit(program, spec, "--array", f"1-{SHARDS}")
        self.merge = self._submit(program, spec, "--dependency", f"afterok:{self.array}")

    def _submit(self, program, spec, *options):
        log = f"--output={self.logs}/%A_%a.log"
        command = ["sbatch", "--parsable", log, *options, SCRIPT, spec, self.out]
        return self.slurm.call(*map(str, command), VGSIM=str(program))

    def store(self, task):
        return self.out / f"shard-{task}-of-{SHARDS}.jsonl"

    def half_done(self, node):
        """The task that a node is in the middle of."""
        for task, (state, where, _) in self.slurm.tasks(self.array).items():
            if state == "RUNNING" and where == node and lines(self.store(task)) >= 3:
                return task
        return None

    def done(self):
        states = [state for state, _, _ in self.slurm.tasks(self.array).values()]
        states += [state for state, _, _ in self.slurm.tasks(self.merge).values()]
        bad = {"FAILED", "CANCELLED", "TIMEOUT", "OUT_OF_MEMORY"} & set(states)
        if bad:
            raise AssertionError(f"a job is {bad}:\n{self.words()}")
        return set(states) == {"COMPLETED"}

    def words(self):
        return "\n".join(f"{log.name}: {log.read_text()}" for log in sorted(self.logs.iterdir()))


def run(slurm, program, spec, folder):
    sweep = Sweep(slurm, program, spec, folder)

    crashed = wait_for("a task on node1", 20, lambda: sweep.half_done("node1"))
    slurm.crash_node("node1")
    at_crash = lines(sweep.store(crashed))
    wait_for("node1 to be found down", 90, lambda: "down" in slurm.state("node1"))
    slurm.start_node("node1")

    running = wait_for("a task on node2", 20, lambda: sweep.half_done("node2"))
    print("kill node2 at", running)
    slurm.kill_daemon("node2")
    slurm.start_node("node2")

    wait_for("the jobs to end", SECONDS, sweep.done)
    tasks = slurm.tasks(sweep.array)
    assert tasks[crashed][2] == 1, f"the task of the dead node was not requeued: {tasks}"
    assert tasks[running][2] == 0, f"a task that outlived its daemon was run again: {tasks}"
    at_end = lines(sweep.store(crashed))
    assert at_crash < at_end, f"shard {crashed} was complete when its node died"
    print(f"node1 died when shard {crashed} had {at_crash} of {at_end} lines; it was requeued")
    return sweep.out / "sweep.jsonl"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("spec", type=pathlib.Path)
    arguments = parser.parse_args()
    program, spec = arguments.program.resolve(), arguments.spec.resolve()
    started = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="vgsim-slurm-", dir="/tmp") as name:
        folder = pathlib.Path(name)
        try:
            with slurm_cluster.Cluster(folder, nodes=2) as slurm:
                print(f"Slurm is up after {time.monotonic() - started:.1f} s")
                try:
                    merged = run(slurm, program, spec, folder)
                except AssertionError:
                    print(slurm.words(), file=sys.stderr)
                    raise
        except slurm_cluster.Unavailable as why:
            print(f"SKIPPED: no Slurm for this test: {why}", file=sys.stderr)
            return 77
        alone = folder / "alone"
        subprocess.run([program, "sweep", spec, "--out", alone], check=True)
        assert merged.read_bytes() == (alone / "sweep.jsonl").read_bytes(), "the stores differ"
    print(f"the merged store equals that of one machine; {time.monotonic() - started:.1f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
