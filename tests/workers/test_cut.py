"""Networks that are cut and come back, under Dask and Ray; see ``make test-ray``.

Coordinator, scheduler and workers are on hosts of their own: network namespaces.
"""

import os
import sys
import time

import pytest

pytest.importorskip("ray", reason="Ray is not installed; make test-ray installs it")

from tests.workers.network import network, why_not
from tests.workers.ray_cluster import ROOT, SCRIPT, outcomes, told

if why_not():
    pytest.skip(why_not(), allow_module_level=True)

pytestmark = pytest.mark.timeout(600)
BUDGET = 80
#: What takes half a minute otherwise; Dask takes no less than eleven seconds.
QUICK_DASK = {"DASK_DISTRIBUTED__COMM__TIMEOUTS__TCP": "11s"}
QUICK_RAY = {
    "RAY_health_check_period_ms": "1000",
    "RAY_health_check_timeout_ms": "1000",
    "RAY_health_check_failure_threshold": "3",
    "RAY_grpc_client_keepalive_time_ms": "5000",
    "RAY_grpc_client_keepalive_timeout_ms": "5000",
}


class Hosts:
    """A network with a study on one host and a cluster on others."""

    def __init__(self, made, folder, seconds=0.5, **env):
        self.net, self.folder = made, folder
        text = SCRIPT.replace("sleep(0.05)", f"sleep({seconds})")
        (folder / "script.py").write_text(text)
        mine = {"PYTHONPATH": str(ROOT), "PYTHONWARNINGS": "ignore"}
        self.env = {**os.environ, **mine, **env}
        self.study = self.path = None

    def start(self, host, *command):
        """Start a part of the cluster, in Python; where its output is."""
        out = self.folder / f"{host}-{len(self.net.processes)}.out"
        with open(out, "w") as file:
            self.net.start(
                *(host, sys.executable, "-m", *command),
                env=self.env,
                stdout=file,
                stderr=file,
                cwd=self.folder,
            )
        return out

    def begin(self, host, engine, name="study.db"):
        """Start a study."""
        self.path = self.folder / name
        self.study = self.net.start(
            *(host, sys.executable, "script.py", str(self.path), engine, str(BUDGET)),
            env=self.env,
            cwd=self.folder,
            text=True,
            **dict.fromkeys(("stdout", "stderr"), -1),
        )

    def reach(self, number):
        """Wait until the study has so many outcomes."""
        wait(lambda: outcomes(self.path) >= number or self.study.poll() is not None)
        if self.study.poll() is not None:
            told(self.study)

    def cut(self, host, seconds):
        """Cut a host off for a while."""
        self.net.cut(host)
        time.sleep(seconds)
        self.net.mend(host)


def wait(there, seconds=200):
    """Wait until something is true; raises if it never is."""
    end = time.monotonic() + seconds
    while not there():
        assert time.monotonic() < end, "it takes too long"
        time.sleep(0.05)


@pytest.fixture(scope="module")
def front(tmp_path_factory):
    """The front that one process finds."""
    with network("one") as made:
        hosts = Hosts(made, tmp_path_factory.mktemp("here"), seconds=0)
        hosts.begin("one", "here")
        return told(hosts.study)["front"]


def same(seen, front):
    """Whether a study has all outcomes, and the front of one process."""
    return seen["front"] == front and seen["numbers"] and seen["verified"]


@pytest.fixture
def dask(tmp_path):
    """A coordinator, a scheduler and two workers."""
    with network("boss", "hub", "left", "right") as made:
        hosts = Hosts(made, tmp_path, **QUICK_DASK)
        at = made.address("hub")
        hosts.start(
            *("hub", "distributed.cli.dask_scheduler", "--host", at, "--port", "8786"),
            "--no-dashboard",
        )
        for name in ("left", "right"):
            start_worker(hosts, name)
        hosts.begin("boss", f"dask://{at}:8786")
        yield hosts


def start_worker(hosts, name):
    """A Dask worker with its nanny, as the page says."""
    hosts.start(
        *(name, "distributed.cli.dask_worker", f"{hosts.net.address('hub')}:8786"),
        *("--host", hosts.net.address(name), "--nthreads", "1", "--no-dashboard"),
    )


@pytest.mark.parametrize("host", ["left", "boss", "hub"])
def test_a_short_cut_costs_dask_nothing(dask, front, host):
    """Shorter than its timeouts; messages are sent again, by TCP."""
    dask.reach(6)
    dask.cut(host, 1.5)
    seen = told(dask.study)
    assert same(seen, front)
    assert seen["lost"] == 0


def test_a_dask_worker_that_is_cut_off_for_long_is_given_up(dask, front):
    """The other one does its work; a new one on the host is welcome."""
    dask.reach(6)
    dask.net.cut("left")
    wait(lambda: not dask.net.members("left"))  # it leaves by itself
    dask.net.mend("left")
    start_worker(dask, "left")
    seen = told(dask.study)
    assert same(seen, front)
    assert seen["lost"] == 0


def test_a_coordinator_that_is_cut_off_for_long_asks_dask_again(dask, front):
    """What was under way is counted as lost once, and evaluated again."""
    dask.reach(6)
    dask.cut("boss", 25)
    seen = told(dask.study)
    assert same(seen, front)
    assert 0 < seen["lost"] <= 2


def test_a_dask_scheduler_that_is_cut_off_too_long_ends_the_run(dask, front):
    """With an error, and nothing lost: the same lines continue the study."""
    dask.reach(6)
    dask.net.cut("hub")
    _, errors = dask.study.communicate(timeout=200)
    assert dask.study.returncode != 0
    assert "start a new one and continue the study" in errors
    dask.net.mend("hub")
    for name in ("left", "right"):
        wait(lambda name=name: not dask.net.members(name))
        start_worker(dask, name)
    dask.begin("boss", f"dask://{dask.net.address('hub')}:8786")
    assert same(told(dask.study), front)


@pytest.fixture
def ray(tmp_path):
    """A Ray head with the coordinator beside it, and a Ray node on another host."""
    with network("head", "node") as made:
        env = {"RAY_USAGE_STATS_ENABLED": "0", "RAY_AUTH_MODE": "token"}
        env["RAY_AUTH_TOKEN"] = os.urandom(32).hex()  # of this cluster alone
        hosts = Hosts(made, tmp_path, **env, **QUICK_RAY)
        more = ("--port", "6379", "--include-dashboard=false")
        start_ray(hosts, "head", "--head", *more)
        start_ray(hosts, "node", "--address", f"{made.address('head')}:6379")
        hosts.env["RAY_ADDRESS"] = f"{made.address('head')}:6379"
        yield hosts


def start_ray(hosts, name, *options):
    """Start a Ray node with one CPU on a host, and wait until it is there."""
    where = ("--node-ip-address", hosts.net.address(name))
    more = ("--num-cpus", "1", "--object-store-memory", "100000000", "--block")
    out = hosts.start(name, "ray.scripts.scripts", "start", *where, *options, *more)
    wait(lambda: "Ray runtime started" in out.read_text())


def test_two_ray_nodes_find_the_front_with_one_cut_off_shortly(ray, front):
    """Shorter than its timeouts: nothing is lost."""
    ray.begin("head", "ray")
    ray.reach(6)
    ray.cut("node", 1.5)
    seen = told(ray.study)
    assert same(seen, front)
    assert seen["lost"] == 0


@pytest.mark.parametrize("deed", ["cut", "kill"])
def test_a_ray_node_that_is_gone_is_given_up(ray, front, deed):
    """The head goes on alone; what the other one did is evaluated again."""
    ray.begin("head", "ray")
    ray.reach(6)
    getattr(ray.net, deed)("node")
    if deed == "cut":
        time.sleep(10)
        ray.net.mend("node")
        wait(lambda: not ray.net.members("node"))  # it leaves by itself
    start_ray(ray, "node", "--address", f"{ray.net.address('head')}:6379")
    seen = told(ray.study)
    assert same(seen, front)
    assert seen["lost"] <= 2
