"""A Slurm of a test's own: munge, a controller and node daemons on one machine, without root,
systemd or cgroups, on free ports and in a folder of its own."""

import ctypes
import os
import pathlib
import pwd
import shutil
import signal
import socket
import subprocess
import time

DAEMONS = ["munged", "slurmctld", "slurmd"]
CLIENTS = ["sbatch", "squeue", "sinfo"]
PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36

CONFIG = """
ClusterName=vgsim
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={ports[0]}
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
CredType=cred/munge
# A task that is requeued waits as long as a credential lives.
AuthInfo=socket={folder}/munge.socket,cred_expire=5
# Without these it takes a minute until a node that does not answer is down.
SlurmdTimeout=5
MessageTimeout=3
TCPTimeout=1
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
    """This machine cannot run Slurm; says why."""


def user_name():
    try:
        return pwd.getpwuid(os.getuid()).pw_name
    except KeyError:
        raise Unavailable(f"user {os.getuid()} has no name") from None


def free_ports(count):
    sockets = [socket.socket() for _ in range(count)]
    for each in sockets:
        each.bind(("127.0.0.1", 0))
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports


def prctl(option, value):
    ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


def processes():
    """Process id -> (parent's id, name, environment), of those that can be read."""
    found = {}
    for entry in pathlib.Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            name, rest = (entry / "stat").read_text().split("(", 1)[1].rsplit(")", 1)
            environment = (entry / "environ").read_bytes().split(b"\0")
        except OSError:
            continue
        found[int(entry.name)] = (int(rest.split()[1]), name, environment)
    return found


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
        """Runs a client command of Slurm; returns what it says on stdout."""
        done = subprocess.run(
            command, env={**self.environment, **environment}, text=True, capture_output=True
        )
        if done.returncode != 0:
            raise RuntimeError(f"{' '.join(command)}: {done.stderr.strip()}")
        return done.stdout.strip()

    def tasks(self, job):
        """Task id -> (state, node, restarts) of each task of an array."""
        shape = "ArrayTaskID:|,State:|,NodeList:|,RestartCnt:|"
        lines = self._ask("squeue", "-h", "-r", "-t", "all", "-j", job, "-O", shape).splitlines()
        rows = [[cell.strip() for cell in line.split("|")] for line in lines]
        return {row[0]: (row[1], row[2], int(row[3] or 0)) for row in rows}

    def words(self):
        """Jobs, nodes and what the controller did, for the message of a test that fails."""
        log = (self.folder / "slurmctld.log").read_text(errors="replace")
        jobs = self._ask("squeue", "-r", "-t", "all")
        return "\n".join([jobs, self._ask("sinfo", "-N", "-l"), log[-4000:]])

    def state(self, node):
        return self._ask("sinfo", "-h", "-N", "-n", node, "-o", "%T")

    def start_node(self, name):
        self._spawn(name, ["slurmd", "-D", "-N", name])

    def kill_daemon(self, name):
        """kill -9 of the node's daemon; its tasks run on."""
        self.daemons[name].kill()
        self.daemons[name].wait()

    def crash_node(self, name):
        """kill -9 of everything on a node: its daemon, the shepherds of its tasks, the tasks."""
        tasks, shepherds = self._tasks_of(name)
        self._signal([self.daemons[name].pid] + shepherds + tasks, signal.SIGKILL)
        self.daemons[name].wait()

    def lose_node(self, name):
        """Nobody reaches the node any more, but its tasks are not dead. Returns their processes."""
        self.kill_daemon(name)
        tasks, shepherds = self._tasks_of(name)
        self._signal(shepherds + tasks, signal.SIGSTOP)
        return shepherds + tasks

    def wake(self, pids):
        self._signal(pids, signal.SIGCONT)

    def _ask(self, *command):
        """A question may be asked again, where the controller was too busy to answer."""
        for _ in range(4):
            try:
                return self.call(*command)
            except RuntimeError:
                time.sleep(0.5)
        return self.call(*command)

    def _tasks_of(self, node):
        mark = {f"SLURMD_NODENAME={node}".encode(), self._mark()}
        alive = processes()
        tasks = [pid for pid, (_, _, env) in alive.items() if mark <= set(env)]
        parents = {alive[pid][0] for pid in tasks}
        shepherds = [pid for pid in parents if pid in alive and alive[pid][1] == "slurmstepd"]
        assert tasks and shepherds, f"nothing runs on {node}"
        return tasks, shepherds

    def _signal(self, pids, which):
        for pid in pids:
            try:
                os.kill(pid, which)
            except ProcessLookupError:
                pass

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
        self._wait(lambda: (self.folder / "munge.socket").exists())
        self._spawn("slurmctld", ["slurmctld", "-D"])
        for name in self.nodes:
            self.start_node(name)
        self._wait(lambda: self._idle_nodes() == len(self.nodes))

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

    def _wait(self, ready, seconds=20):
        end = time.monotonic() + seconds
        while not ready():
            ended = [name for name, daemon in self.daemons.items() if daemon.poll() is not None]
            if ended or time.monotonic() > end:
                name = (ended or ["slurmctld"])[0]
                log = (self.folder / f"{name}.log").read_text(errors="replace")
                raise Unavailable(f"{name} does not come up here:\n" + log[-1500:])
            time.sleep(0.05)

    def _end(self):
        for daemon in self.daemons.values():
            daemon.kill()
            daemon.wait()
        while mine := self._own_processes():
            self._signal(mine, signal.SIGKILL)
            self._reap()
            time.sleep(0.01)

    def _own_processes(self):
        return [
            pid
            for pid, (parent, _, environment) in processes().items()
            if pid != os.getpid() and (self._mark() in environment or parent == os.getpid())
        ]

    def _reap(self):
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            pass
