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
from tests.kernels.dl.arms.test_repeat import noisy_sums
from tests.kernels.dl.cases import small
from tests.kernels.dl.models.gp.cases import MIXED
from tests.kernels.dl.models.gp.test_proposal import Search, additive
from tests.test_reals import problem as bowls_over_reals
from tests.test_structured_searches import SPACES, sums_over

EVALUATIONS = 300


def digest(optimizer):
    """Hash of everything that the search remembers."""
    arrays = saved_arrays(state_of(optimizer))
    return hashlib.sha256(b"".join(a.tobytes() for a in arrays.values())).hexdigest()


def by_experts():
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
        for method in sorted(set(OWN_METHODS) - {"dl"}):
            optimizer = dl.Optimizer(problem, method, 5, budget=EVALUATIONS)
            if optimizer.compiled:
                optimizer.run(EVALUATIONS)
            else:
                ask_and_tell(optimizer, EVALUATIONS)
            yield f"{problem.name} {method} {digest(optimizer)}"


def under_noise():
    """Searches of dl with races and means."""
    for space in (dl.Permutation(7), dl.Binary(10)):
        optimizer = dl.Optimizer(noisy_sums(space), small(geometry=False), 5)
        optimizer.run(80)
        yield f"{space} dl {digest(optimizer)}"


def with_structure():
    """Precedence, taken places and groups; forced, exclusive and grouped choices."""
    for space in SPACES.values():
        for method in (small(geometry=False), "paper-ucb"):
            optimizer = dl.Optimizer(sums_over(space), method, 5, budget=60)
            ask_and_tell(optimizer, 60)
            yield f"structure {method} {digest(optimizer)}"


def over_reals():
    """Cells, scales and steps, by the Gaussian process, tables and experts."""
    for method in (small(gp_candidates=9, initial=6, geometry=False), "paper-ucb"):
        optimizer = dl.Optimizer(bowls_over_reals(), method, 5, budget=40)
        ask_and_tell(optimizer, 40)
        yield f"reals {method} {digest(optimizer)}"


def by_gaussian_process():
    """Constraints, pending proposals and permutations included."""
    ordered = dl.Composite(a=dl.Permutation(4), b=dl.Integer(1, 9), c=dl.Binary(3))
    sometimes = dl.Composite(
        kind=dl.Categorical("abc"),
        size=dl.If(kind="a", then=dl.Integer(1, 6)),
        order=dl.If(kind=("b", "c"), then=dl.Permutation(3)),
    )
    for space in (MIXED, ordered, sometimes):
        function = additive(space, 2)
        search = Search(space, 2, 1, seed=3)
        xs, _ = search.run(lambda x, f=function: [*np.exp(f(x)), f(x)[0]], 14, batch=2)
        yield f"{xs.tolist()} {search.gp.log_weights.tobytes().hex()}"


def lines():
    """What all these searches did."""
    yield from by_experts()
    yield from under_noise()
    yield from with_structure()
    yield from over_reals()
    yield from by_gaussian_process()


@pytest.mark.skipif(JIT_DISABLED, reason="compares compiled with plain Python")
def test_every_method_gives_the_same_bits_as_plain_python(tmp_path):
    """One can debug the kernels line by line and know that it is the same search."""
    root = Path(__file__).parents[1]
    environment = os.environ | {
        "NUMBA_DISABLE_JIT": "1",
        "NUMBA_CACHE_DIR": str(tmp_path),
        "PYTHONPATH": str(root),
    }
    plain = subprocess.run(
        [sys.executable, "-m", "tests.test_without_jit"],
        env=environment,
        cwd=root,
        capture_output=True,
        text=True,
        check=True,
    )
    assert plain.stdout.splitlines() == list(lines())


if __name__ == "__main__":
    sys.stdout.write("\n".join(lines()))
