"""Stand-ins for a running search and for the time."""

from types import SimpleNamespace

import numpy as np
import pytest

from divlearn.terminal import Progress


class Clock:
    """A clock that only moves when it is told to."""

    def __init__(self):
        self.now = 100.0

    def __call__(self):
        """Tell the time."""
        return self.now


class Search:
    """Looks like an Optimizer in the middle of a run."""

    def __init__(
        self, front=((1.0, 4.0), (2.0, 2.0), (4.0, 1.0)), reference=(5.0, 5.0)
    ):
        m = len(front[0])
        self.front_objectives = np.array(front)
        self.evaluations = 0
        self.seconds = 0.0
        self.problem = SimpleNamespace(
            reference=None if reference is None else np.array(reference),
            ideal=None,
            senses=("min",) * m,
            units={},
            objectives={f"f{j}": "min" for j in range(1, m + 1)},
        )


@pytest.fixture(autouse=True)
def no_other_display(monkeypatch):
    """Displays that a test leaves open are forgotten."""
    monkeypatch.setattr(Progress, "current", None)


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def make_search():
    """Return the class, for tests that need a search of their own kind."""
    return Search
