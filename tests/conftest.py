"""Settings of all tests, and tiny instances that many of them use."""

import hypothesis
import hypothesis.internal.conjecture.providers as providers
import numpy as np
import pytest

import divlearn as dl
from divlearn.kernels.jit import JIT_DISABLED
from divlearn.problems import TSP, Knapsack

# Kernels compile at their first call, and plain Python is slow: no time per example.
hypothesis.settings.register_profile(
    "divlearn",
    deadline=None,
    derandomize=True,
    database=None,
    max_examples=15 if JIT_DISABLED else 60,
)
hypothesis.settings.load_profile("divlearn")
# Hypothesis also tries numbers that it finds in the modules imported so far. Which
# these are depends on the tests that a worker ran before; the examples must not.
if hasattr(providers, "_get_local_constants"):
    providers._get_local_constants = lambda: providers._local_constants


def pytest_configure(config):
    """Allow what the kernels do on purpose; every other warning is an error."""
    config.addinivalue_line("filterwarnings", "ignore:overflow encountered")
    config.addinivalue_line("filterwarnings", "ignore:First-class function type")


@pytest.fixture
def tiny_spaces_go_on(monkeypatch):
    """Let searches make their whole budget, also where all solutions are known."""
    monkeypatch.setattr("divlearn.optimizer.exhaustion.SMALL", 0)


@pytest.fixture(scope="session", autouse=True)
def short_gp():
    """Let the Gaussian process make few candidates: the first 300 take seconds.

    In this process alone: what tests start as processes of their own is as users
    have it.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("divlearn.methods.dl.rules.GP_CANDIDATES", 25)
        yield


@pytest.fixture
def whole_gp(monkeypatch):
    """Let the Gaussian process make as many candidates as users get."""
    monkeypatch.setattr("divlearn.methods.dl.rules.GP_CANDIDATES", 300)


@pytest.fixture
def tiny_tour():
    """Two lengths of a tour through eight cities, compiled."""
    return TSP(np.random.default_rng(8).random((8, 2, 2)), name="tiny tour")


@pytest.fixture
def tiny_knapsack():
    """Two values of ten items under one capacity that is a constraint, compiled."""
    rng = np.random.default_rng(10)
    return Knapsack(rng.random(10), rng.random((10, 2)), 2.5, name="tiny knapsack")


@pytest.fixture
def tiny_mixed():
    """An order, a choice and a number, evaluated in Python."""
    space = dl.Composite(
        order=dl.Permutation(5),
        kind=dl.Categorical(["a", "b", "c"]),
        width=dl.Integer(1, 6, n=2),
        chosen=dl.Subset(6, min=1, max=3),
    )

    def evaluate(x):
        width = int(np.sum(x["width"]))
        cost = float(np.dot(x["order"], range(5))) + width
        return cost, len(x["chosen"]) - width + "abc".index(x["kind"])

    return dl.Problem(
        space, evaluate, {"cost": "min", "gain": "max"}, name="tiny mixed"
    )
