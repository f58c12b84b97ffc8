"""The same bits with the compiler and without it."""

import hashlib
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import divlearn as dl
from divlearn.kernels.jit import JIT_DISABLED
from divlearn.kernels.records import saved_arrays
from divlearn.methods.names import OWN_METHODS
from divlearn.optimizer.optimizer import state_of
from divlearn.problems import TSP, Knapsack
from tests.kernels.cases import ask_and_tell

EVALUATIONS = 300


def digest(optimizer):
    """Hash of everything that the search remembers."""
    arrays = saved_arrays(state_of(optimizer))
    return hashlib.sha256(b"".join(a.tobytes() for a in arrays.values())).hexdigest()


def digests():
    """One line per search: its name and the hash of its state."""
    rng = np.random.default_rng(8)
    tour = TSP(rng.random((8, 2, 2)))
    knapsack = Knapsack(rng.random(8), rng.random((8, 3)), 2.0)
    mixed = dl.Problem(
        dl.Composite(a=dl.Permutation(4), b=dl.Integer(1, 5), c=dl.Subset(5, 2)),
        lambda x: (x["a"][0] + x["b"], x["c"].sum() - x["a"][3]),
        {"f": "min", "g": "max"},
    )
    for problem in (tour, knapsack, mixed):
        # Smaller searches of dl are compared in tests.kernels.dl.
        for method in sorted(set(OWN_METHODS) - {"dl"}):
            optimizer = dl.Optimizer(problem, method, 5, budget=EVALUATIONS)
            if optimizer.compiled:
                optimizer.run(EVALUATIONS)
            else:
                ask_and_tell(optimizer, EVALUATIONS)
            yield f"{problem.name} {method} {digest(optimizer)}"


@pytest.mark.skipif(JIT_DISABLED, reason="compares compiled with plain Python")
def test_every_method_gives_the_same_bits_as_plain_python(tmp_path):
    """One can debug the kernels line by line and know that it is the same search."""
    root = Path(__file__).parents[2]
    environment = os.environ | {
        "NUMBA_DISABLE_JIT": "1",
        "NUMBA_CACHE_DIR": str(tmp_path),
        "PYTHONPATH": str(root),
    }
    plain = subprocess.run(
        [sys.executable, "-m", "tests.kernels.test_without_jit"],
        env=environment,
        cwd=root,
        capture_output=True,
        text=True,
        check=True,
    )
    assert plain.stdout.splitlines() == list(digests())


if __name__ == "__main__":
    sys.stdout.write("\n".join(digests()))
