"""Order 1: what every value of every position is worth."""

import numpy as np
import pytest
from hypothesis import given
from numpy.testing import assert_allclose

import divlearn as dl
from divlearn.kernels.layout import is_member
from divlearn.methods.dl.kernels.models.quadratic.singles import (
    add_to_singles,
    change_variance,
    explore_values,
    new_singles,
    set_references,
    single_error,
)
from tests.kernels.cases import SEEDS, words_of
from tests.kernels.dl.models.quadratic.cases import (
    SPACES,
    random_table,
    spaces,
    two_codes,
)
from tests.reference.values import additive_outputs, all_codes


def changed_of(x, y):
    """Positions that differ, and how many."""
    return np.flatnonzero(x != y), int((x != y).sum())


@given(spaces, SEEDS)
def test_the_error_is_the_difference_minus_sums_written_out(name, seed):
    """Positions that stay as they are do not matter."""
    layout, rng = SPACES[name].layout, np.random.default_rng(seed)
    singles = new_singles(layout, 2)
    singles.mean[:] = random_table(layout, 2, rng)
    x, y = two_codes(layout, rng)
    delta, error = rng.random(2), np.zeros(2)
    single_error(singles, layout, x, y, delta, *changed_of(x, y), error)
    after, before = (additive_outputs(singles.mean, 0.0, layout, z) for z in (y, x))
    assert_allclose(error, delta - (after - before), atol=1e-9)


@given(spaces, SEEDS)
def test_what_was_learned_is_explained_and_better_known(name, seed):
    """Without noise the gains of all that changed add up to one."""
    layout, rng = SPACES[name].layout, np.random.default_rng(seed)
    singles = new_singles(layout, 2)
    x, y = two_codes(layout, rng)
    changed, count = changed_of(x, y)
    if count == 0:
        return
    delta, error = rng.random(2), np.zeros(2)
    set_references(singles, layout, x, changed, count)
    before = [change_variance(singles, layout, i, x[i], y[i]) for i in changed]
    single_error(singles, layout, x, y, delta, changed, count, error)
    add_to_singles(singles, layout, x, y, changed, count, error, True)
    single_error(singles, layout, x, y, delta, changed, count, error)
    assert_allclose(error, 0.0, atol=1e-12)
    after = [change_variance(singles, layout, i, x[i], y[i]) for i in changed]
    assert sum(after) < sum(before)


def test_a_step_between_ordered_values_moves_all_above_it():
    """From 1 to 3 tells of the steps to 2 and 3, and 4 keeps its distance to 3."""
    layout = dl.Integer(0, 4).layout
    singles = new_singles(layout, 1)
    x, y = np.array([1]), np.array([3])
    add_to_singles(singles, layout, x, y, np.array([0]), 1, np.array([6.0]), True)
    assert_allclose(singles.mean[:, 0], [0.0, 0.0, 3.0, 6.0, 6.0])
    assert change_variance(singles, layout, 0, 1, 3) == pytest.approx(1.0)
    assert change_variance(singles, layout, 0, 3, 4) == 1.0


def test_what_was_learned_before_makes_nothing_more_certain():
    """Replays would otherwise count one answer many times."""
    layout = dl.Binary(2).layout
    singles = new_singles(layout, 1)
    x, y = np.array([0, 0]), np.array([1, 0])
    add_to_singles(singles, layout, x, y, np.array([0]), 1, np.ones(1), False)
    assert singles.variance.tolist() == [1.0] * 4
    assert singles.mean[:, 0].tolist() == [-0.5, 0.5, 0.0, 0.0]


@pytest.mark.parametrize("name", sorted(SPACES))
def test_exploration_leads_to_tables_that_know_everything(name):
    """Single changes of a member, one after the other, from solutions that change."""
    layout, rng = SPACES[name].layout, np.random.default_rng(1)
    truth = random_table(layout, 1, rng)
    singles, words = new_singles(layout, 1), words_of(3)
    codes, y = all_codes(layout), np.zeros(len(layout.places), np.int64)
    tried = 0
    for _ in range(200):
        x = codes[rng.integers(len(codes))]
        if not explore_values(singles, layout, words, x, y):
            continue
        assert is_member(layout, y)
        (i,) = np.flatnonzero(x != y)
        assert abs(x[i] - y[i]) == 1 or name != "numbers"
        delta = additive_outputs(truth, 0.0, layout, y)
        delta = delta - additive_outputs(truth, 0.0, layout, x)
        changed, error = np.array([i]), np.zeros(1)
        set_references(singles, layout, x, changed, 1)
        single_error(singles, layout, x, y, delta, changed, 1, error)
        add_to_singles(singles, layout, x, y, changed, 1, error, True)
        tried += 1
    if name == "some":  # no single change keeps the size
        assert tried == 0
        return
    assert tried == (layout.places.arity - 1).sum()
    x, y = two_codes(layout, rng)
    delta = additive_outputs(truth, 0.0, layout, y)
    delta = delta - additive_outputs(truth, 0.0, layout, x)
    error = np.zeros(1)
    single_error(singles, layout, x, y, delta, *changed_of(x, y), error)
    assert abs(error[0]) < 1e-9
