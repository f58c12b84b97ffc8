"""Tiny problems in every space, and pools that answer as a test wants."""

import random
from collections import deque

import numpy as np
import pytest

import divlearn as dl
from divlearn.study.study import Study
from divlearn.workers.evaluation import evaluate


def _two(x):
    """Two numbers that pull in different directions, of whatever x is."""
    if isinstance(x, dict):
        parts = [_two(part) for part in x.values()]
        return sum(p[0] for p in parts), sum(p[1] for p in parts)
    if isinstance(x, str):
        return ord(x), -ord(x)
    values = [_two(v)[0] for v in x] if isinstance(x, list) else np.atleast_1d(x)
    weights = np.cos(np.arange(len(values)) * 3.0)
    return float(np.dot(values, weights)), float(
        len(values) - np.dot(values, weights**2)
    )


SPACES = {
    "permutation": dl.Permutation(7),
    "binary": dl.Binary(9),
    "subset": dl.Subset(9, min=1, max=4),
    "categorical": dl.Categorical("abcd", n=4),
    "ordinal": dl.Ordinal([1, 2, 4, 8], n=4),
    "integer": dl.Integer(-3, 5, n=3),
    "composite": dl.Composite(order=dl.Permutation(5), kind=dl.Categorical("abc")),
}


def tiny(name="permutation", **more):
    """A problem in a space of this kind."""
    objectives = {"cost": "min", "gain": "max"}
    return dl.Problem(SPACES[name], _two, objectives, name=name, **more)


class FakePool:
    """Evaluates here, reports in another order, and fails as it is told.

    ``behave(task)`` gives a state to report instead of an evaluation, or None.
    """

    in_process = True

    def __init__(self, problem, size=1, seed=0, behave=lambda task: None):
        self.problem, self.size, self.behave = problem, size, behave
        self.random = random.Random(seed)
        self.tasks = deque()
        self.most = 0
        self.seen = []
        self.closed = []

    def submit(self, task):
        """Keep a task; there must be room for it."""
        self.tasks.append(task)
        self.most = max(self.most, len(self.tasks))
        assert len(self.tasks) <= self.size

    def wait(self, timeout):
        """Report some of the tasks, any of them."""
        if not self.tasks or timeout == 0:
            return []
        reports = []
        for _ in range(self.random.randint(1, len(self.tasks))):
            place = self.random.randrange(len(self.tasks))
            task = self.tasks[place]
            del self.tasks[place]
            self.seen.append(task)
            state = self.behave(task)
            if state is None:
                reports.append(evaluate(self.problem, task, "fake"))
            else:
                ended = task.end(state, message=f"it {state}")
                reports.append(ended.by("fake", 0.5))
        return reports

    def close(self, kill):
        """Note how it was closed."""
        self.closed.append(kill)


@pytest.fixture(autouse=True)
def _no_waiting_for_the_disk(monkeypatch):
    """Tests end no power supply; waiting for the disk would take most of their time."""
    waits = {True: "OFF", False: "OFF"}
    monkeypatch.setattr("divlearn.basics.store.SYNCHRONOUS", waits)


@pytest.fixture
def use_pool(monkeypatch):
    """Let every study run on the pool that is given."""

    def use(pool):
        monkeypatch.setattr("divlearn.study.study.open_pool", lambda *a, **k: pool)
        return pool

    return use


@pytest.fixture
def study_at(tmp_path):
    """Open studies in a folder of the test's own, and close them at its end."""
    opened = []

    def open_study(problem, name="study.db", **more):
        study = Study(problem, tmp_path / name, **more)
        opened.append(study)
        return study

    yield open_study
    for study in opened:
        study.close()


def same_front(one, other):
    """Whether two results have the same front, bit for bit."""
    return (
        one.F.tobytes() == other.F.tobytes()
        and one.G.tobytes() == other.G.tobytes()
        and repr(one.X) == repr(other.X)
        and one.evaluations == other.evaluations
    )
