"""A study on a Ray cluster, as a script of a user, and what is done to the cluster.

``python -m tests.workers.ray_cluster FOLDER`` prints a line of JSON.
"""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
#: A study whose objective stands in the script itself, with what it refers to.
SCRIPT = """
import json, sys, time
import divlearn as dl

OFFSET = 3


class Simulator:
    def evaluate(self, x):
        time.sleep(0.05)
        return sum(i * v for i, v in enumerate(x)) + OFFSET, 3 * x[2] - x[0]


def cost(x):
    return Simulator().evaluate(x)


problem = dl.Problem(dl.Permutation(6), cost, ["a", "b"])
how = {"workers": 0} if sys.argv[2] == "here" else {"executor": sys.argv[2]}
if sys.argv[2] == "pool":
    how = {"executor": dl.workers.RayPool(problem, 2)}
with dl.Study(problem, sys.argv[1], method="random") as study:
    result = study.run(int(sys.argv[3]), **how, progress=False)
    states = [attempt.state for attempt in study._opened.store.attempts()]
    numbers = [trial.number for trial in study.trials()]
    print(json.dumps({
        "front": result.F.tolist(),
        "numbers": numbers == list(range(len(numbers))),
        "lost": states.count("lost"),
        "verified": bool(study.verify()),
    }))
"""
LOCAL = {
    "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0",  # loopback only
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_AUTH_MODE": "token",
    "RAY_AUTH_TOKEN": os.urandom(32).hex(),  # of these clusters alone
    "PYTHONPATH": str(ROOT),
}


def run_script(folder, store, executor, budget=40, **more):
    """Run the script; what it printed, or its process."""
    path = Path(folder, "script.py")
    path.write_text(SCRIPT)
    command = [sys.executable, "-W", "ignore", str(path), str(Path(folder, store))]
    env = {**os.environ, **LOCAL, **more.pop("env", {})}
    process = subprocess.Popen(
        [*command, executor, str(budget)],
        env=env,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    if more.get("wait", True):
        return told(process)
    return process


def told(process):
    """What a script printed at its end."""
    out, err = process.communicate(timeout=300)
    if process.returncode:
        raise RuntimeError(err[-3_000:])
    lines = [line for line in out.splitlines() if line.startswith('{"front"')]
    return json.loads(lines[-1])  # Ray, too, writes to standard output


class Head:
    """A Ray cluster of one node on loopback, which can be killed and started again."""

    def __init__(self):
        self.ports = [free_port(), free_port()]
        self.process = None

    def start(self):
        """Start it, and wait until it is there."""
        ray = [sys.executable, "-W", "ignore", "-m", "ray.scripts.scripts", "start"]
        gcs, client = map(str, self.ports)
        where = ["--head", "--node-ip-address", "127.0.0.1", "--port", gcs]
        more = ["--ray-client-server-port", client, "--include-dashboard=false"]
        self.process = subprocess.Popen(
            [*ray, *where, *more, "--num-cpus", "2", "--block"],
            env={**os.environ, **LOCAL},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        for line in self.process.stdout:
            if "Ray runtime started" in line:
                break
        os.set_blocking(self.process.stdout.fileno(), False)

    @property
    def address(self):
        """Where clients connect to."""
        return f"ray://127.0.0.1:{self.ports[1]}"

    def members(self, word=""):
        """Processes of the cluster with a word in their command line."""
        found = []
        for entry in Path("/proc").iterdir():
            if entry.name.isdigit():
                try:
                    group = os.getpgid(int(entry.name))
                    session = os.getsid(int(entry.name))
                    line = (entry / "cmdline").read_bytes().decode(errors="replace")
                except OSError:
                    continue
                ours = self.process.pid in (group, session)
                if ours and word in line:
                    found.append(int(entry.name))
        return found

    def kill(self, word=""):
        """Kill what has a word in its command line; how many that were."""
        victims = self.members(word)
        for pid in victims:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                continue
        return len(victims)

    def end(self):
        """End all of it."""
        if self.process is not None:
            while self.kill():
                self.process.poll()
                time.sleep(0.05)
            self.process.wait()
            self.process.stdout.close()


def free_port():
    """A port that nobody has, outside of those that Ray's workers use."""
    for port in range(20_000 + os.getpid() % 9_000, 32_000):
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            if port not in _given:
                _given.add(port)
                return port
    raise RuntimeError("no port is free")


_given = set()


def outcomes(path):
    """Number of outcomes in a study that somebody else writes."""
    from divlearn.basics.errors import DivlearnError
    from divlearn.study import StudyReader

    try:
        with StudyReader(path) as reader:
            return sum(trial.state != "running" for trial in reader.trials())
    except (DivlearnError, KeyError):
        return 0


def wait_for(path, number, process):
    """Wait until a study has so many outcomes; raises if its process ends before."""
    while outcomes(path) < number:
        if process.poll() is not None:
            told(process)
            return
        time.sleep(0.02)


def open_to_others():
    """Ports on which this machine listens for others, as Linux lists them."""
    found = set()
    for name, zero in (("tcp", "0100007F"), ("tcp6", "0" * 24 + "01000000")):
        for line in Path("/proc/net", name).read_text().splitlines()[1:]:
            local, state = line.split()[1], line.split()[3]
            address, port = local.split(":")
            mapped = address.endswith("FFFF00000100007F")
            if state == "0A" and address != zero and not mapped:
                found.add(int(port, 16))
    return found
