"""Groups of positions that are learned from interactions."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

import divlearn as dl
from divlearn.methods.paper.decomposition import Decomposition
from divlearn.methods.paper.interactions import (
    interactions,
    learned_groups,
    strongest_groups,
)

PAIRS = [(0, 5), (1, 7), (2, 3), (4, 6)]


def products(x):
    """Products of the values at four pairs of positions, and an additive part."""
    x = np.asarray(x, float)
    return (
        sum((1 + x[i]) * (1 + x[j]) for i, j in PAIRS),
        float(np.dot(x, range(len(x)))),
    )


def counted(space):
    """A problem of products, and a list that grows with every evaluation."""
    calls = []

    def evaluate(x):
        calls.append(x)
        return products(x)

    return dl.Problem(space, evaluate, ["products", "sum"]), calls


def test_second_differences_of_bits_are_the_products_coefficients():
    """In units of the outputs' deviations; an additive output has none."""
    problem, calls = counted(dl.Binary(8))
    found = interactions(problem, 1 + 8 + 28)
    assert len(calls) == 37
    values = np.array([products(x) for x in calls[:9]])
    expected = np.zeros((8, 8))
    for i, j in PAIRS:
        expected[i, j] = expected[j, i] = 1.0 / values[:, 0].std()
    assert_allclose(found, expected, atol=1e-9)


@pytest.mark.parametrize(
    "space",
    [
        dl.Binary(8),
        dl.Integer(0, 5, n=8),
        dl.Categorical([0, 1, 2], n=8),
        dl.Permutation(8),
    ],
    ids=["bits", "integers", "categories", "permutation"],
)
def test_positions_that_multiply_are_put_together(space):
    """Whatever a change is: another value, or a swap of two items."""
    problem, calls = counted(space)
    groups = learned_groups(problem, 2, evaluations=1_500)
    assert sorted(groups) == [list(pair) for pair in sorted(PAIRS)]
    assert len(calls) <= 1_500


def test_subsets_of_one_size_are_changed_by_exchanges():
    """Every solution that is evaluated has the size."""
    problem = dl.Problem(dl.Subset(8, min=3, max=3), lambda x: float(len(x)), ["size"])
    found = interactions(problem, 200)
    assert (found == 0).all()


def test_groups_are_disjoint_and_of_the_size():
    """All positions are in one of them."""
    strength = np.random.default_rng(0).random((11, 11))
    groups = strongest_groups(strength + strength.T, 4)
    assert sorted(i for group in groups for i in group) == list(range(11))
    assert [len(group) for group in groups] == [4, 4, 3]


def test_learned_groups_divide_a_search():
    """They are what a decomposition takes."""
    problem, _ = counted(dl.Binary(8))
    groups = learned_groups(problem, 2, evaluations=100)
    method = dl.DivideAndLearn(decomposition=Decomposition(groups=groups))
    optimizer = dl.Optimizer(problem, method)
    assert optimizer.settings.decomposition.groups == tuple(map(tuple, groups))


def test_too_few_evaluations_are_refused():
    """Two changes, alone and together, take four."""
    with pytest.raises(dl.InputError, match=r"evaluations must be .* at least 4"):
        interactions(counted(dl.Binary(8))[0], 3)
