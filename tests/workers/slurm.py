"""A real Slurm of one node on loopback, which belongs to whoever starts it.

All of it lies in one folder: keys, configuration, logs. Nothing of a Slurm that this
machine may belong to is read or touched.
"""

import os
import shutil
import signal
import socket
import subprocess
import time
from contextlib import contextmanager
from pathlib import Path

PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "scancel", "squeue")
#: Debian puts daemons where a user does not look.
PLACES = os.pathsep.join((os.environ["PATH"], "/usr/sbin", "/sbin"))
#: Slurm counts time limits in minutes and looks at them twice in one.
CONFIGURATION = """
ClusterName=tests
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={ports[0]}
SlurmdPort={ports[1]}
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
CommunicationParameters=NoInAddrAny,NoCtldInAddrAny
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=sched_interval=2,bf_interval=2
SlurmdParameters=config_overrides
ReturnToService=2
KillWait=5
NodeName=one NodeHostname={host} NodeAddr=127.0.0.1 CPUs=4 RealMemory=4000
PartitionName=short Nodes=one Default=YES MaxTime=INFINITE State=UP
"""


def missing():
    """Programs of Slurm that are not on this machine."""
    return [name for name in PROGRAMS if shutil.which(name, path=PLACES) is None]


def free_ports(number):
    """Ports that nobody has."""
    probes = [socket.socket() for _ in range(number)]
    for probe in probes:
        probe.bind(("127.0.0.1", 0))
    ports = [probe.getsockname()[1] for probe in probes]
    for probe in probes:
        probe.close()
    return ports


class Slurm:
    """Its daemons, and what they are asked.

    Attributes
    ----------
    env
        Environment of whoever submits jobs to it.
    """

    def __init__(self, folder):
        self.folder = Path(folder)
        self.daemons = []
        configuration = self.folder / "slurm.conf"
        self.env = {**os.environ, "SLURM_CONF": str(configuration), "PATH": PLACES}
        host = socket.gethostname().partition(".")[0]
        user = subprocess.run(["id", "-un"], capture_output=True, text=True, check=True)
        facts = {"host": host, "user": user.stdout.strip(), "folder": self.folder}
        text = CONFIGURATION.format(ports=free_ports(2), **facts)
        configuration.write_text(text)

    def start(self):
        """Start munged, the controller and the node, and wait for the node."""
        for name in ("state", "spool"):
            (self.folder / name).mkdir()
        key = self.folder / "munge.key"
        key.write_bytes(os.urandom(1_024))
        key.chmod(0o400)
        files = ("key-file", "socket", "pid-file", "log-file", "seed-file")
        names = ("key", "socket", "pid", "log", "seed")
        pairs = zip(files, names, strict=True)
        options = [f"--{file}={self.folder}/munge.{name}" for file, name in pairs]
        self._daemon("munged", "--foreground", "--force", *options)
        self._wait(lambda: (self.folder / "munge.socket").exists())
        self._daemon("slurmctld", "-D")
        self._daemon("slurmd", "-D", "-N", "one")
        self._wait(lambda: "idle" in self.run("sinfo", "-h", "-o", "%T", check=False))

    def _daemon(self, *command):
        """Start a daemon in the foreground."""
        program = shutil.which(command[0], path=PLACES)
        with open(self.folder / f"{command[0]}.out", "w") as out:
            daemon = subprocess.Popen(
                [program, *command[1:]], env=self.env, stdout=out, stderr=out
            )
        self.daemons.append(daemon)

    def _wait(self, there, seconds=60.0):
        """Wait until something is there; raises with all logs if it is not."""
        end = time.monotonic() + seconds
        while not there():
            if time.monotonic() > end:
                logs = self.folder.glob("*.log")
                raise RuntimeError("\n".join(log.read_text() for log in logs))
            time.sleep(0.1)

    def run(self, *command, check=True, **more):
        """Run one of its commands; what it printed."""
        done = subprocess.run(
            command, env=self.env, capture_output=True, text=True, timeout=60, **more
        )
        if check and done.returncode:
            raise RuntimeError(done.stderr)
        return done.stdout

    def jobs(self, state="R"):
        """Numbers of jobs that run (R), wait (PD) or are about to end (CG)."""
        return self.run("squeue", "-h", "-r", "-t", state, "-o", "%i").split()

    def await_jobs(self, number, state="R"):
        """Wait until so many jobs run, or at least."""
        self._wait(lambda: len(self.jobs(state)) >= number)

    def end(self):
        """Cancel all jobs, and end all daemons."""
        if len(self.daemons) == 3:
            for job in self.run("squeue", "-h", "-o", "%A", check=False).split():
                self.run("scancel", job, check=False)
            self._wait(lambda: not self.run("squeue", "-h", check=False).strip())
        for daemon in reversed(self.daemons):
            daemon.send_signal(signal.SIGTERM)
            try:
                daemon.wait(20)
            except subprocess.TimeoutExpired:
                daemon.kill()
                daemon.wait()


@contextmanager
def slurm_in(folder):
    """A Slurm, started and ended."""
    slurm = Slurm(folder)
    try:
        slurm.start()
        yield slurm
    finally:
        slurm.end()
