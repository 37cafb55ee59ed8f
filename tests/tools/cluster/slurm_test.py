#!/usr/bin/python3
"""A sweep as a Slurm job array gives the bytes of one machine, though half-way one node crashes,
one loses touch with its tasks running on, and the daemon of one is killed and started again.

usage: slurm_test.py PROGRAM SPEC.json        exit 77: this machine cannot run Slurm (said on stderr)
"""

import sys

sys.dont_write_bytecode = True

import argparse
import pathlib
import signal
import subprocess
import tempfile
import time

import slurm_cluster

SCRIPT = pathlib.Path(__file__).resolve().parents[3] / "tools/cluster/sweep.sbatch"
SHARDS = 8
CRASHES, LOSES_TOUCH, DAEMON_DIES = NODES = ["node1", "node2", "node3"]


def wait_for(what, seconds, question):
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

    def half_done(self):
        """Node -> the task that it is in the middle of, once every node is in one."""
        found = {}
        for task, (state, node, _) in self.slurm.tasks(self.array).items():
            if state == "RUNNING" and lines(self.store(task)) >= 3:
                found[node] = task
        return found if len(found) == len(NODES) else None

    def is_running(self, task):
        return self.slurm.tasks(self.array)[task][0] == "RUNNING"

    def is_done(self):
        jobs = [self.slurm.tasks(job).values() for job in (self.array, self.merge)]
        states = {state for job in jobs for state, _, _ in job}
        bad = states & {"FAILED", "CANCELLED", "TIMEOUT", "OUT_OF_MEMORY", "NODE_FAIL"}
        assert not bad, f"a job is {bad}"
        return states == {"COMPLETED"}

    def words(self):
        return "\n".join(f"{log.name}: {log.read_text()}" for log in sorted(self.logs.iterdir()))


def disturb(slurm, sweep):
    """Returns node -> (the task that it was in the middle of, lines that its store had)."""
    tasks = wait_for("a task half done on each node", 30, sweep.half_done)
    slurm.crash_node(CRASHES)
    lost = slurm.lose_node(LOSES_TOUCH)
    slurm.kill_daemon(DAEMON_DIES)
    had = {node: (task, lines(sweep.store(task))) for node, task in tasks.items()}
    slurm.start_node(DAEMON_DIES)
    for node in (CRASHES, LOSES_TOUCH):
        wait_for(f"{node} to be found down", 30, lambda: "down" in slurm.state(node))
    slurm.start_node(CRASHES)
    wait_for("the lost task to start elsewhere", 30, lambda: sweep.is_running(tasks[LOSES_TOUCH]))
    time.sleep(0.5)
    slurm.wake(lost)  # two processes want the same store now
    return had


def check_restarts(slurm, sweep, had):
    restarts = {task: row[2] for task, row in slurm.tasks(sweep.array).items()}
    wanted = {task: 0 for task in restarts}
    wanted[had[CRASHES][0]] = wanted[had[LOSES_TOUCH][0]] = 1
    assert restarts == wanted, f"tasks were run again so often: {restarts}, not {wanted}"
    for node, (task, at_first) in had.items():
        at_end = lines(sweep.store(task))
        assert at_first < at_end, f"{node}: shard {task} was complete already"
        print(f"{node}: shard {task} had {at_first} of {at_end} lines, run again: {restarts[task]}")


def run(slurm, program, spec, folder):
    sweep = Sweep(slurm, program, spec, folder)
    try:
        had = disturb(slurm, sweep)
        wait_for("the jobs to end", 150, sweep.is_done)
        check_restarts(slurm, sweep, had)
    except AssertionError:
        print(slurm.words(), sweep.words(), sep="\n", file=sys.stderr)
        raise
    return sweep.out / "sweep.jsonl"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("spec", type=pathlib.Path)
    arguments = parser.parse_args()
    program, spec = arguments.program.resolve(), arguments.spec.resolve()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # cleaning up
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="vgsim-slurm-", dir="/tmp") as name:
        folder = pathlib.Path(name)
        try:
            with slurm_cluster.Cluster(folder, NODES) as slurm:
                print(f"Slurm is up after {time.monotonic() - began:.1f} s")
                merged = run(slurm, program, spec, folder)
        except slurm_cluster.Unavailable as why:
            print(f"SKIPPED: no Slurm for this test: {why}", file=sys.stderr)
            return 77
        alone = folder / "alone"
        command = [program, "sweep", spec, "--out", alone]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        assert merged.read_bytes() == (alone / "sweep.jsonl").read_bytes(), "the stores differ"
    print(f"the merged store equals that of one machine; {time.monotonic() - began:.1f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
