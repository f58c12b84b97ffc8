"""The linkage-tree mixing algorithm."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

import divlearn as dl
from divlearn import InputError
from divlearn.lab.baselines.linkage.method import LinkageTree
from divlearn.lab.baselines.linkage.population import Elite
from divlearn.lab.baselines.linkage.tree import linkage_tree, mutual_information
from divlearn.testing import check_baseline
from tests.reference import linkage as reference


@given(st.integers(0, 999), st.integers(2, 6), st.integers(1, 30))
def test_mutual_information_agrees_with_counting(seed, n, rows):
    """Positions may have different numbers of values."""
    rng = np.random.default_rng(seed)
    levels = rng.integers(2, 5, n)
    codes = rng.integers(0, levels, (rows, n))
    codes[:, -1] = codes[:, 0] % levels[-1]  # some that depend on each other
    found = mutual_information(codes, levels)
    for i in range(n):
        for j in range(n):
            slow = reference.mutual_information(codes.tolist(), i, j)
            assert_allclose(found[i, j], slow, atol=1e-12)


@given(st.integers(0, 999), st.integers(2, 9))
def test_the_tree_is_that_of_average_likeness(seed, n):
    """Sets of the tree are those that joining the most alike ones gives."""
    rng = np.random.default_rng(seed)
    likeness = rng.random((n, n))
    likeness += likeness.T
    tree = linkage_tree(likeness, rng)
    slow = reference.average_linkage(likeness.tolist())
    assert [frozenset(members.tolist()) for members in tree] == slow


def test_the_elite_prefers_what_violates_less():
    """Objectives of solutions that are not feasible count for nothing."""
    elite, x = Elite(2), np.zeros(1, np.int64)
    assert elite.take(x, np.array([0.0, 0.0, 2.0]))
    assert not elite.take(x, np.array([-9.0, -9.0, 3.0]))
    assert elite.take(x, np.array([5.0, 5.0, -1.0]))
    assert len(elite.codes) == 1
    assert elite.take(x, np.array([4.0, 6.0, 0.0]))
    assert not elite.take(x, np.array([6.0, 6.0, 0.0]))
    assert len(elite.codes) == 2


@pytest.mark.parametrize(
    "space",
    [
        dl.Binary(12),
        dl.Subset(8, min=2, max=3),
        dl.Composite(a=dl.Categorical("abc"), b=dl.Integer(1, 40)),
    ],
)
def test_it_passes_the_shared_checks(space):
    """Bits, subsets of limited size, categories and levels."""

    def evaluate(x):
        text = repr(x)
        return len(text), sum(map(ord, text))

    problem = dl.Problem(space, evaluate, ["length", "letters"])
    check_baseline("linkage-tree", problem, budget=40)


def test_it_goes_on_where_everything_is_known():
    """A space of eight solutions is exhausted long before the budget."""
    problem = dl.Problem(dl.Binary(3), lambda x: (x.sum(), -x.sum()), ["a", "b"])
    optimizer = dl.Optimizer(problem, "linkage-tree", seed=0)
    for _ in range(120):
        (candidate,) = optimizer.ask()
        optimizer.tell(candidate, problem.evaluate(candidate.x))
    assert optimizer.front_size == 4


def test_permutations_and_reals_are_refused():
    """There is nothing to copy position by position."""
    for space in (dl.Permutation(5), dl.Real(0.0, 1.0)):
        problem = dl.Problem(space, lambda x: 0.0, ["a"])
        with pytest.raises(InputError, match="'linkage-tree' mixes bits"):
            dl.solve(problem, budget=10, method="linkage-tree", progress=False)


def test_blocks_of_traps_are_found_by_mixing():
    """What it is for: far more of the front than random search, and mostly blocks."""
    problem = dl.problems.get("traps-20", instance=3)
    result = dl.solve(
        problem, budget=2_000, method=LinkageTree(), seed=1, progress=False
    )
    control = dl.solve(problem, budget=2_000, method="random", seed=1, progress=False)
    exact = dl.metrics.hypervolume(-problem.exact_values(), -problem.reference)
    reached = dl.metrics.hypervolume(-result.F, -problem.reference) / exact
    assert reached > 0.8
    assert dl.metrics.hypervolume(-control.F, -problem.reference) / exact < 0.6
