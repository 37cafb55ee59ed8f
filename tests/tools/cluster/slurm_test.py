#!/usr/bin/python3
"""A sweep as a Slurm job array gives the bytes of one machine, though half-way one node crashes,
one loses touch with its tasks running on, and the daemon of one is killed and started again.

usage: slurm_test.py PROGRAM SPEC.json        exit 77: this machine cannot run Slurm (stated on stderr)
"""

import sys

sys.dont_write_bytecode = True

import argparse
import pathlib
import signal
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "survival"))
import slurm_cluster  # noqa: E402
from sweeps import STORE, DoneTooSoon, in_time, lines_of, wait_until  # noqa: E402

SCRIPT = HERE.parents[2] / "tools/cluster/sweep.sbatch"
SHARDS = 8
CRASHES, LOSES_TOUCH, DAEMON_DIES = NODES = ["node1", "node2", "node3"]


class Caught:
    """What runs on a node, stopped in the middle of a shard."""

    def __init__(self, processes, task, lines):
        self.processes, self.task, self.lines = processes, task, lines


class Sweep:
    """The array and, depending on it, the merge, as in tools/cluster/README.md."""

    def __init__(self, slurm, sweeps):
        self.slurm, self.sweeps = slurm, sweeps
        self.out, self.logs = sweeps.folder / "sweep", sweeps.folder / "logs"
        self.logs.mkdir()
        self.array = self._submit("--array", f"1-{SHARDS}")
        self.merge = self._submit("--dependency", f"afterok:{self.array}")

    def _submit(self, *options):
        log = f"--output={self.logs}/%A_%a.log"
        command = ["sbatch", "--parsable", log, *options, SCRIPT, self.sweeps.spec, self.out]
        return self.slurm.call(*map(str, command), VGSIM=str(self.sweeps.program))

    def lines(self, task):
        return lines_of(self.out / f"shard-{task}-of-{SHARDS}.jsonl")

    def catch(self, node):
        def stopped():
            processes, task = self.slurm.stop(node)
            if task and 3 <= self.lines(task) <= self._points_of(task):
                return Caught(processes, task, self.lines(task))
            slurm_cluster.signal_all(processes, signal.SIGCONT)
            if not processes and self.is_done(self.array):
                raise DoneTooSoon
            return None

        return wait_until(f"{node} to be in the middle of a shard", stopped)

    def _points_of(self, task):
        points = self.sweeps.undisturbed.count(b"\n") - 2  # but for the first line and the last
        return len(range(int(task) - 1, points, SHARDS))

    def is_done(self, job):
        states = {state for state, _ in self.slurm.tasks(job).values()}
        bad = states & {"FAILED", "CANCELLED", "TIMEOUT", "OUT_OF_MEMORY", "NODE_FAIL"}
        assert not bad, f"a job is {bad}"
        return states == {"COMPLETED"}

    def words(self):
        return "\n".join(f"{log.name}: {log.read_text()}" for log in sorted(self.logs.iterdir()))


def disturb(slurm, sweep):
    """Returns what each node was in the middle of."""
    caught = {node: sweep.catch(node) for node in NODES}
    for node in NODES:
        slurm.kill_daemon(node)
    slurm_cluster.signal_all(caught[CRASHES].processes, signal.SIGKILL)
    slurm_cluster.signal_all(caught[DAEMON_DIES].processes, signal.SIGCONT)
    slurm.start_node(DAEMON_DIES)
    for node in (CRASHES, LOSES_TOUCH):
        slurm.give_up(node)
        slurm.start_at_once(f"{sweep.array}_{caught[node].task}")
    lost = caught[LOSES_TOUCH]
    wait_until("the lost task to open its store elsewhere", lambda: slurm.runs("flock", lost.task))
    slurm_cluster.signal_all(lost.processes, signal.SIGCONT)
    return caught


def check_restarts(slurm, sweep, caught):
    restarts = {task: row[1] for task, row in slurm.tasks(sweep.array).items()}
    wanted = {task: 0 for task in restarts}
    wanted[caught[CRASHES].task] = wanted[caught[LOSES_TOUCH].task] = 1
    assert restarts == wanted, f"tasks were run again so often: {restarts}, not {wanted}"
    for node, at in caught.items():
        at_end = sweep.lines(at.task)
        print(f"{node}: shard {at.task} had {at.lines} of {at_end} lines, run again: "
              f"{restarts[at.task]}")


def run(slurm, sweeps):
    sweep = Sweep(slurm, sweeps)
    try:
        caught = disturb(slurm, sweep)
        for job in (sweep.array, sweep.merge):
            wait_until("the jobs to end", lambda: sweep.is_done(job), pause=0.1)
        check_restarts(slurm, sweep, caught)
    except AssertionError:
        print(slurm.words(), sweep.words(), sep="\n", file=sys.stderr)
        raise
    assert (sweep.out / STORE).read_bytes() == sweeps.undisturbed, "the stores differ"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("spec", type=pathlib.Path)
    arguments = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # cleaning up
    with tempfile.TemporaryDirectory(prefix="vgsim-slurm-", dir="/tmp") as name:
        folder = pathlib.Path(name)
        try:
            with slurm_cluster.Cluster(folder, NODES) as slurm:
                in_time(lambda sweeps: run(slurm, sweeps), arguments.program, arguments.spec, folder)
        except slurm_cluster.Unavailable as why:
            print(f"SKIPPED: no Slurm for this test: {why}", file=sys.stderr)
            return 77
    print("the merged store equals that of one machine")
    return 0


if __name__ == "__main__":
    sys.exit(main())
