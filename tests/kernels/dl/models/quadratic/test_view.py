"""A solution as the tables see it, and what each change would do."""

import numpy as np
import pytest
from hypothesis import given
from numpy.testing import assert_allclose, assert_array_equal

import divlearn as dl
from divlearn.kernels.layout import is_member
from divlearn.methods.dl.kernels.models.quadratic.values import new_values
from divlearn.methods.dl.kernels.models.quadratic.view import (
    change,
    choose_orders,
    joint_change,
    look_at,
    may_take,
    new_view,
    take,
    within_limits,
    write_codes,
)
from tests.kernels.cases import SEEDS
from tests.kernels.dl.models.quadratic.cases import (
    SPACES,
    random_table,
    spaces,
    two_codes,
)
from tests.reference.values import actions_of, additive_outputs, quadratic_outputs


def random_values(layout, rng):
    """Tables of which the second output is believed to need pairs."""
    values = new_values(layout, 2)
    values.singles.mean[:] = random_table(layout, 2, rng)
    values.pairs.mean[:] = random_table(layout, 2, rng)
    factors = rng.random(values.pairs.product.shape)
    values.pairs.product[:] = factors + factors.transpose(1, 0, 2)
    for place in layout.places:  # a position has no product with itself
        own = values.pairs.feature[place.offset : place.offset + place.arity]
        values.pairs.product[np.ix_(own, own)] = 0.0
    values.outputs.error[:] = 1.0
    values.outputs.pair_error[:] = [2.0, 0.5]
    return values


def predicted(values, layout, x):
    """Outputs up to a constant: order 1 for the first, order 2 for the second."""
    one = additive_outputs(values.singles.mean, 0.0, layout, x)[0]
    two = quadratic_outputs(values.pairs.mean, values.pairs.product, layout, x)[1]
    return np.array([one, two])


@given(spaces, SEEDS)
def test_a_walk_from_one_solution_to_another_adds_up(name, seed):
    """Each position in turn: single changes, joint ones, and the sum at the end."""
    layout, rng = SPACES[name].layout, np.random.default_rng(seed)
    values = random_values(layout, rng)
    view = new_view(layout, values)
    x, y = two_codes(layout, rng)
    choose_orders(view, values)
    look_at(view, values, layout, x, np.zeros(2))
    changed = np.flatnonzero(x != y)
    old, new = actions_of(layout, x), actions_of(layout, y)
    if len(changed) > 1:
        i, j = changed[:2]
        z = x.copy()
        z[[i, j]] = y[[i, j]]
        both = change(view, values, new[i], old[i], 1)
        both += change(view, values, new[j], old[j], 1)
        both += joint_change(values, new[i], old[i], new[j], old[j], 1)
        true = predicted(values, layout, z) - predicted(values, layout, x)
        assert both == pytest.approx(true[1], abs=1e-9)
    for i in changed:
        take(view, values, layout, i, new[i])
    true = predicted(values, layout, y) - predicted(values, layout, x)
    assert_allclose(view.outputs, true, atol=1e-9)
    written = np.zeros_like(y)
    write_codes(view, layout, written)
    assert_array_equal(written, y)
    assert within_limits(view, layout)


def test_order_one_ignores_pairs_where_it_predicts_better():
    """Each output for itself: here the first one."""
    layout, rng = dl.Binary(3).layout, np.random.default_rng(0)
    values = random_values(layout, rng)
    view = new_view(layout, values)
    choose_orders(view, values)
    look_at(view, values, layout, np.zeros(3, np.int64), np.zeros(2))
    mean = values.singles.mean
    assert change(view, values, 1, 0, 0) == mean[1, 0] - mean[0, 0]
    assert change(view, values, 1, 0, 1) != mean[1, 1] - mean[0, 1]


def test_limits_of_subsets_hold_but_for_the_slack():
    """A walk may be one beyond; then it only goes back."""
    layout = dl.Subset(4, min=1, max=2).layout
    values = new_values(layout, 1)
    view = new_view(layout, values)
    look_at(view, values, layout, np.array([1, 1, 0, 0]), np.zeros(1))
    assert not may_take(view, layout, 2, 5, 0)
    assert may_take(view, layout, 2, 5, 1)
    assert may_take(view, layout, 0, 0, 0)
    take(view, values, layout, 2, 5)
    x = np.zeros(4, np.int64)
    write_codes(view, layout, x)
    assert not within_limits(view, layout)
    assert not is_member(layout, x)
    assert not may_take(view, layout, 3, 7, 1)
