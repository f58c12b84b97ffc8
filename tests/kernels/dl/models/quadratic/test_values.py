"""Both orders side by side: which one is believed, and when the first is exact."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

import divlearn as dl
from divlearn.kernels.jit import JIT_DISABLED
from divlearn.kernels.layout import build_layout
from divlearn.methods.dl.kernels.memory import Ring
from divlearn.methods.dl.kernels.models.quadratic.values import (
    STREAK,
    describes_space,
    has_pairs,
    is_exact,
    learn_values,
    list_changed,
    new_values,
    replay_values,
    uses_pairs,
)
from tests.kernels.cases import words_of
from tests.kernels.dl.models.quadratic.cases import (
    SPACES,
    random_table,
    taught,
    two_codes,
)
from tests.reference.values import actions_of, additive_outputs, all_codes


@pytest.mark.parametrize("name", sorted(SPACES))
def test_a_sum_over_positions_becomes_exact(name):
    """Differences between any two solutions are then predicted to the last digit."""
    layout, rng = SPACES[name].layout, np.random.default_rng(2)
    table = random_table(layout, 3, rng)
    values = taught(layout, table, rng)
    assert is_exact(values)
    x, y = two_codes(layout, rng)
    mean = values.singles.mean
    predicted = mean[actions_of(layout, y)].sum(0) - mean[actions_of(layout, x)].sum(0)
    true = additive_outputs(table, 0.0, layout, y)
    true -= additive_outputs(table, 0.0, layout, x)
    assert_allclose(predicted, true, atol=1e-8)


def test_one_surprise_ends_exactness():
    """A plan made before would be wrong."""
    layout, rng = dl.Binary(5).layout, np.random.default_rng(0)
    values = taught(layout, random_table(layout, 2, rng), rng)
    assert values.streak[0] >= STREAK
    x, y = np.zeros(5, np.int64), np.array([1, 0, 0, 0, 0])
    learn_values(values, layout, x, y, np.array([100.0, 0.0]), False)
    assert not is_exact(values)


@pytest.mark.skipif(JIT_DISABLED, reason="takes a minute in plain Python")
def test_products_are_explained_by_order_two_only():
    """One output is a sum, the other one a product of neighbours."""
    layout, rng = dl.Binary(12).layout, np.random.default_rng(5)
    worth, joint = rng.random(12), rng.random(11)
    values, words = new_values(layout, 2), words_of(1)
    codes = [np.zeros((400, 12), np.int32) for _ in "ab"]
    ring = Ring(*codes, np.zeros((400, 2)), np.zeros((0, 0, 0), np.int64))

    def outputs(x):
        z = 2 * x - 1
        return np.array([worth @ x, joint @ (z[1:] * z[:-1])])

    for r in range(400):
        x = rng.integers(0, 2, 12)
        y = x.copy()
        y[rng.integers(12)] ^= 1
        delta = outputs(y) - outputs(x)
        ring.parents[r], ring.children[r], ring.deltas[r] = x, y, delta
        learn_values(values, layout, x, y, delta, True)
        replay_values(values, layout, ring, r + 1, 10, words)
    assert uses_pairs(values, 1)
    assert values.outputs[0].error < 1e-3 * values.outputs[0].square
    assert values.outputs[1].pair_error < 0.1 * values.outputs[1].error


def test_only_fair_differences_are_judged():
    """A candidate chosen for its prediction is one that looks too good."""
    layout = dl.Binary(3).layout
    values = new_values(layout, 1)
    x, y = np.zeros(3, np.int64), np.array([1, 0, 0])
    learn_values(values, layout, x, y, np.ones(1), False)
    assert values.outputs[0].seen == 0
    learn_values(values, layout, x, y, np.array([3.0]), True)
    assert values.outputs[0].seen == 1
    assert values.outputs[0].error == pytest.approx(4.0)
    assert values.outputs[0].square == 9.0


def test_differences_of_permutations_are_not_learned():
    """Nor is there a table where the layout has no positions."""
    space = dl.Composite(a=dl.Permutation(3), b=dl.Binary(2))
    changed = np.zeros(5, np.int64)
    x, y = np.array([0, 1, 2, 0, 0]), np.array([0, 2, 1, 1, 0])
    assert list_changed(space.layout, x, y, changed) == 0
    assert list_changed(space.layout, x, np.array([0, 1, 2, 1, 1]), changed) == 2
    assert changed[:2].tolist() == [3, 4]
    assert not describes_space(new_values(build_layout([]), 2))
    assert describes_space(new_values(dl.Binary(1).layout, 2))
    assert not has_pairs(new_values(dl.Binary(4).layout, 2, 1))


def test_exact_tables_stay_as_they_are():
    """Nothing is left to learn, and rounding errors must not add up."""
    layout, rng = SPACES["categories"].layout, np.random.default_rng(4)
    table = random_table(layout, 2, rng)
    values = taught(layout, table, rng)
    before = values.singles.mean.copy()
    codes = all_codes(layout)
    delta = additive_outputs(table, 0.0, layout, codes[1])
    delta -= additive_outputs(table, 0.0, layout, codes[0])
    learn_values(values, layout, codes[0], codes[1], delta, True)
    assert (values.singles.mean == before).all()
