"""A Slurm for a test: munge, a controller and node daemons on one machine, without root,
systemd or cgroups, on free ports and in a separate folder."""

import ctypes
import os
import pathlib
import pwd
import random
import shutil
import signal
import socket
import subprocess

from sweeps import HANG, wait_until

DAEMONS = ["munged", "slurmctld", "slurmd"]
CLIENTS = ["sbatch", "scontrol", "squeue", "sinfo"]
PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36

CONFIG = """
ClusterName=vgsim
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={ports[0]}
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
CredType=cred/munge
# Timeouts are long, as nodes may be slow; nodes are marked down explicitly.
AuthInfo=socket={folder}/munge.socket,cred_expire={hang}
SlurmdTimeout=0
MessageTimeout={hang}
BatchStartTimeout={hang}
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/%n.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU_Memory
SchedulerType=sched/builtin
SchedulerParameters=batch_sched_delay=0,sched_interval=1
SlurmdParameters=config_overrides
ReturnToService=2
NodeName={nodes} NodeHostname={host} NodeAddr=127.0.0.1 Port={node_ports} CPUs=1 RealMemory=4000
PartitionName=all Nodes=ALL Default=YES State=UP
"""


class Unavailable(Exception):
    """This machine cannot run Slurm; the message is the reason."""


def user_name():
    try:
        return pwd.getpwuid(os.getuid()).pw_name
    except KeyError:
        raise Unavailable(f"user {os.getuid()} has no name") from None


def is_free(port):
    with socket.socket() as tried:
        return tried.connect_ex(("127.0.0.1", port)) != 0


def free_ports(count):
    """Below those that the system gives away itself, to each connection that is made meanwhile."""
    ports = random.sample(range(10000, 30000), 10 * count)
    return [port for port in ports if is_free(port)][:count]


def prctl(option, value):
    ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


class Process:
    def __init__(self, entry):
        name, rest = (entry / "stat").read_text().split("(", 1)[1].rsplit(")", 1)
        self.name = name
        self.state, parent = rest.split()[:2]
        self.parent = int(parent)
        self.environment = set((entry / "environ").read_bytes().split(b"\0"))

    def variable(self, name):
        start = f"{name}=".encode()
        found = [each for each in self.environment if each.startswith(start)]
        return found[0][len(start) :].decode() if found else None


def processes():
    """By their ids, those that can be read."""
    found = {}
    for entry in pathlib.Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                found[int(entry.name)] = Process(entry)
            except OSError:
                pass
    return found


def signal_all(pids, which):
    for pid in pids:
        try:
            os.kill(pid, which)
        except ProcessLookupError:
            pass


class Cluster:
    """As a context: starts when entered, and leaves no process and no file."""

    def __init__(self, folder, nodes):
        self.folder = folder
        self.nodes = nodes
        self.daemons = {}
        self.environment = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("SLURM", "SBATCH", "SQUEUE"))
        }
        self.environment["PATH"] = os.environ.get("PATH", "") + ":/usr/sbin:/sbin"
        self.environment["SLURM_CONF"] = str(folder / "slurm.conf")

    def __enter__(self):
        for program in DAEMONS + CLIENTS:
            if not shutil.which(program, path=self.environment["PATH"]):
                raise Unavailable(f"{program} is not installed (Debian: slurm-wlm, munge)")
        prctl(PR_SET_CHILD_SUBREAPER, 1)  # what a daemon leaves behind can be found and ended
        try:
            self._configure()
            self._start_daemons()
        except BaseException:
            self._end()
            raise
        return self

    def __exit__(self, *_):
        self._end()

    def call(self, *command, **environment):
        """Runs a client command of Slurm; returns its stdout."""
        done = subprocess.run(
            command, env={**self.environment, **environment}, text=True, capture_output=True
        )
        if done.returncode != 0:
            raise RuntimeError(f"{' '.join(command)}: {done.stderr.strip()}")
        return done.stdout.strip()

    def tasks(self, job):
        """Task id -> (state, restarts) of each task of an array."""
        shape = "ArrayTaskID:|,State:|,RestartCnt:|"
        lines = self.call("squeue", "-h", "-r", "-t", "all", "-j", job, "-O", shape).splitlines()
        rows = [[cell.strip() for cell in line.split("|")] for line in lines]
        return {row[0]: (row[1], int(row[2] or 0)) for row in rows}

    def words(self):
        """Jobs, nodes and what the controller did, for the message of a test that fails."""
        log = (self.folder / "slurmctld.log").read_text(errors="replace")
        jobs = self.call("squeue", "-r", "-t", "all")
        return "\n".join([jobs, self.call("sinfo", "-N", "-l"), log[-4000:]])

    def give_up(self, name):
        """What the controller does once it takes a node for dead: its tasks are to run elsewhere."""
        self.call("scontrol", "update", f"nodename={name}", "state=down", "reason=test")

    def start_at_once(self, job):
        """A task that is to run again, which else waits as long as a credential lives."""
        self.call("scontrol", "update", f"jobid={job}", "starttime=now")

    def start_node(self, name):
        self._spawn(name, ["slurmd", "-D", "-N", name])

    def kill_daemon(self, name):
        """kill -9 of the node's daemon; its tasks run on."""
        self.daemons[name].kill()
        self.daemons[name].wait()

    def stop(self, node):
        """Stops the task that a node is at, with its shepherd. Returns their processes and its id,
        None where there is none, or where it cannot be stopped now: a shell that waits for its
        child to become another program does not stop before, and the child was stopped."""
        stopped = set()  # a shepherd stays so where its task ends meanwhile
        for _ in range(20):
            alive = processes()
            tasks = self._tasks_of(alive, node)
            parents = {alive[pid].parent for pid in tasks}
            shepherds = [pid for pid in parents if pid in alive and alive[pid].name == "slurmstepd"]
            moving = [pid for pid in tasks + shepherds if alive[pid].state not in "TZ"]
            if not moving:
                ids = {alive[pid].variable("SLURM_ARRAY_TASK_ID") for pid in tasks}
                return sorted(stopped.union(tasks, shepherds)), ids.pop() if len(ids) == 1 else None
            signal_all(moving, signal.SIGSTOP)
            stopped.update(moving)
        signal_all(stopped.union(tasks, shepherds), signal.SIGCONT)
        return [], None

    def runs(self, program, task):
        """Whether a process of that name is part of the task, and not stopped."""
        return any(
            process.name == program
            and process.state != "T"
            and process.variable("SLURM_ARRAY_TASK_ID") == task
            and self._mark() in process.environment
            for process in processes().values()
        )

    def _tasks_of(self, alive, node):
        mark = {f"SLURMD_NODENAME={node}".encode(), self._mark()}
        return [pid for pid, process in alive.items() if mark <= process.environment]

    def _mark(self):
        return f"SLURM_CONF={self.environment['SLURM_CONF']}".encode()

    def _configure(self):
        for name in ["state"] + self.nodes:
            (self.folder / name).mkdir()
        ports = free_ports(1 + len(self.nodes))
        text = CONFIG.format(
            host=socket.gethostname().split(".")[0],
            user=user_name(),
            folder=self.folder,
            ports=ports,
            hang=HANG,
            nodes=",".join(self.nodes),
            node_ports=",".join(map(str, ports[1:])),
        )
        (self.folder / "slurm.conf").write_text(text)
        key = os.open(self.folder / "munge.key", os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        os.write(key, os.urandom(128))
        os.close(key)

    def _start_daemons(self):
        files = [f"--{kind}-file={self.folder}/munge.{kind}" for kind in ("key", "pid", "seed")]
        place = f"--socket={self.folder}/munge.socket"
        self._spawn("munged", ["munged", "--foreground", "--force", place] + files)
        self._wait_for("munge", lambda: (self.folder / "munge.socket").exists())
        self._spawn("slurmctld", ["slurmctld", "-D"])
        for name in self.nodes:
            self.start_node(name)
        self._wait_for("idle nodes", lambda: self._idle_nodes() == len(self.nodes))

    def _spawn(self, name, command):
        with open(self.folder / f"{name}.log", "ab") as log:
            self.daemons[name] = subprocess.Popen(
                command,
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                preexec_fn=lambda: prctl(PR_SET_PDEATHSIG, signal.SIGKILL),
            )

    def _idle_nodes(self):
        try:
            return self.call("sinfo", "-h", "-N", "-t", "idle", "-o", "%N").count("node")
        except RuntimeError:
            return 0

    def _wait_for(self, what, ready):
        def is_ready():
            for name, daemon in self.daemons.items():
                if daemon.poll() is not None:
                    log = (self.folder / f"{name}.log").read_text(errors="replace")
                    raise Unavailable(f"{name} does not come up here:\n" + log[-1500:])
            return ready()

        wait_until(what, is_ready, pause=0.1)

    def _end(self):
        for daemon in self.daemons.values():
            daemon.kill()
            daemon.wait()
        while mine := self._own_processes():
            signal_all(mine, signal.SIGKILL)
            self._reap()

    def _own_processes(self):
        return [
            pid
            for pid, process in processes().items()
            if pid != os.getpid()
            and (self._mark() in process.environment or process.parent == os.getpid())
        ]

    def _reap(self):
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            pass
