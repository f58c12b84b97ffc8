"""The adapter to Ray, against a small stand-in for its documented interface."""

import sys
from concurrent.futures import Future, ThreadPoolExecutor
from types import ModuleType, SimpleNamespace

import pytest

from divlearn.basics.errors import DivlearnError, MissingExtra
from divlearn.workers import Attempt, RayPool, open_pool
from tests.workers.objectives import PROBLEM


class StandIn(ModuleType):
    """As much of Ray as the adapter calls, over threads."""

    def __init__(self):
        super().__init__("ray")
        self.started = False
        self.cancelled = []
        self.options = None
        self.executor = ThreadPoolExecutor(2)
        names = ("WorkerCrashedError", "NodeDiedError", "OutOfMemoryError")
        errors = {name: type(name, (Exception,), {}) for name in names}
        errors["ObjectLostError"] = type("ObjectLostError", (Exception,), {})
        errors["RayError"] = type("RayError", (Exception,), {})
        self.exceptions = SimpleNamespace(**errors)

    def is_initialized(self):
        """Whether somebody called init."""
        return self.started

    def init(self, **options):
        """Start the cluster."""
        self.started = True

    def cluster_resources(self):
        """Two processors."""
        return {"CPU": 2.0}

    def put(self, value):
        """Share a value; a task gets the value itself."""
        return value

    def remote(self, **options):
        """Make a function remote."""
        self.options = options

        def decorate(function):
            def start(parcel, message):
                return SimpleNamespace(
                    future=lambda: self.run(function, parcel, message)
                )

            return SimpleNamespace(remote=start)

        return decorate

    def run(self, function, parcel, message):
        """Run a task; one that would die or hang does it as a future would show."""
        if b"\n\x03" in message:  # the code of "die"
            future = Future()
            future.set_exception(self.exceptions.WorkerCrashedError("gone"))
            return future
        if b"\n\x01" in message:  # the code of "hang"
            return Future()
        return self.executor.submit(function, parcel, message)

    def cancel(self, reference, force):
        """Kill a worker."""
        self.cancelled.append((reference, force))


@pytest.fixture
def ray(monkeypatch):
    """The stand-in, where the real one would be imported from."""
    module = StandIn()
    monkeypatch.setitem(sys.modules, "ray", module)
    yield module
    module.executor.shutdown()


def test_evaluations_go_through_ray_and_dead_workers_are_reported(ray):
    """The same reports as everywhere; deaths are counted by the study, not by Ray."""
    pool = open_pool(PROBLEM, executor=ray, timeout=1.0)
    assert isinstance(pool, RayPool)
    assert (pool.size, ray.started, ray.options) == (2, True, {"max_retries": 0})
    for number, deed in enumerate(("well", "stumble", "die", "hang")):
        pool.submit(Attempt(number, 0, 0, deed, None))
    reports = []
    while found := pool.wait(None):
        reports += found
    states = [r.state for r in sorted(reports, key=lambda r: r.number)]
    assert states == ["ok", "failed", "lost", "timed out"]
    assert [force for _, force in ray.cancelled] == [True]


def test_ray_may_be_asked_for_by_name(ray):
    """For a TOML file or a command line."""
    assert isinstance(open_pool(PROBLEM, workers=3, executor="ray"), RayPool)


def test_a_connection_that_has_ended_is_not_replaced_by_ray(ray):
    """It would look for another cluster, for minutes, or start one."""
    pool = open_pool(PROBLEM, executor=ray)
    ray.started = False
    with pytest.raises(DivlearnError, match=r"has ended.*start a new one and continue"):
        pool.submit(Attempt(0, 0, 0, "well", None))


def test_a_cluster_that_wants_a_token_is_an_error_in_words(ray, monkeypatch):
    """Ray has an exception of its own for that."""

    def refuse(**options):
        raise ray.exceptions.RayError("no authentication token was found")

    monkeypatch.setattr(ray, "init", refuse)
    with pytest.raises(DivlearnError, match=r"no authentication token.*RAY_AUTH_TOKEN"):
        open_pool(PROBLEM, workers=2, executor="ray://127.0.0.1:9")


def test_without_ray_the_error_says_what_to_install(monkeypatch):
    """Nobody should have to search for the name of an extra."""
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(MissingExtra, match=r'pip install "divlearn\[ray\]"'):
        RayPool(PROBLEM)
