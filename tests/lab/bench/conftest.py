"""Tiny suites, and runs whose numbers a test chooses itself."""

from pathlib import Path

import numpy as np
import pytest

from divlearn.lab.bench import Case, Contender, Store, Suite
from divlearn.lab.bench.record import HISTORY, Outcome, pack, pack_history


@pytest.fixture
def suite():
    """Two methods on a tour and a knapsack, two instances: eight runs of an instant."""
    return Suite(
        "tiny",
        "",
        (Case("bitsp-8"), Case("bikp-10")),
        (Contender("paper-ts"), Contender("uniform")),
        budget=120,
        instances=(0, 1),
    )


@pytest.fixture
def store(tmp_path):
    """An empty store."""
    with Store(Path(tmp_path, "bench.db")) as opened:
        yield opened


def outcome(hypervolume, **fields):
    """Make the outcome of a run with a chosen hypervolume; the rest is plausible."""
    history = {name: [1.0, 2.0] for name in HISTORY}
    history["hypervolume"] = [hypervolume / 2, hypervolume]
    plain = {
        "evaluations": 120,
        "seconds": 0.5,
        "cpu_seconds": 0.4,
        "front_size": 2,
        "front": pack(np.array([[1.0, 2.0], [2.0, 1.0]])),
        "solutions": pack(np.array([np.arange(8), np.arange(8)[::-1]])),
        "history": pack_history(history),
        "versions": {"divlearn": "0.1.0"},
    }
    return Outcome("ok", hypervolume=hypervolume, **{**plain, **fields})


def fill(store, suite, hypervolume):
    """Store every run of a suite with ``hypervolume(task)``."""
    for task in suite.tasks():
        store.write(task, outcome(hypervolume(task)))
