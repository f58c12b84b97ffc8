"""Prices of constraints, and what other choices lose."""

import numpy as np
from hypothesis import given
from numpy.testing import assert_allclose

from divlearn.methods.dl.kernels.search.relaxation import (
    list_replacements,
    new_relaxation,
    solve_relaxation,
)
from divlearn.methods.dl.kernels.search.rows import (
    list_rows,
    new_rows,
    price_rows,
    priced_change,
)
from tests.kernels.cases import SEEDS
from tests.kernels.dl.models.quadratic.cases import SPACES, random_table, spaces
from tests.reference.values import actions_of, additive_outputs, all_codes


def random_relaxation(layout, seed, m, p):
    """A relaxation of a random table under random weights."""
    rng = np.random.default_rng(seed)
    relax = new_relaxation(layout, m, p)
    relax.table[:] = random_table(layout, p, rng)
    relax.base[:] = rng.integers(-9, 9, p)
    relax.weights[:] = rng.random(m)
    return relax


@given(spaces, SEEDS)
def test_no_feasible_solution_is_below_the_bound(name, seed):
    """Two constraints; all solutions are listed."""
    layout = SPACES[name].layout
    relax = random_relaxation(layout, seed, 2, 4)
    bound = solve_relaxation(relax, layout)
    assert (relax.price >= 0.0).all()
    for x in all_codes(layout):
        y = additive_outputs(relax.table, relax.base, layout, x)
        if (y[2:] <= 0.0).all():
            assert relax.weights @ y[:2] >= bound - 1e-9


@given(spaces, SEEDS)
def test_no_feasible_solution_is_below_the_bound_of_many_rows(name, seed):
    """Six constraints, priced at once; a change is priced by what is then violated."""
    layout, rng = SPACES[name].layout, np.random.default_rng(seed)
    relax = random_relaxation(layout, seed, 2, 8)
    rows = new_rows(layout, 6, 6 * len(relax.table))
    list_rows(rows, relax)
    bound = price_rows(relax, rows, layout, 50.0)
    prices = rows.price.copy()
    assert (prices >= 0.0).all()
    for x in all_codes(layout):
        y = additive_outputs(relax.table, relax.base, layout, x)
        if (y[2:] <= 0.0).all():
            assert relax.weights @ y[:2] >= bound - 1e-9
    i = rng.integers(len(layout.places))
    first, arity = layout.places.offset[i], layout.places.arity[i]
    old, new = first + rng.integers(arity), first + rng.integers(arity)
    step = relax.table[new, 2:] - relax.table[old, 2:]
    before = rows.value.copy()
    cost = prices @ (np.maximum(0, before + step) - np.maximum(0, before))
    assert_allclose(priced_change(rows, new, old), cost, atol=1e-9)


@given(spaces, SEEDS)
def test_losses_add_up_to_the_distance_from_the_bound(name, seed):
    """Weighted objectives and priced constraints of any solution, whatever it is."""
    layout = SPACES[name].layout
    relax = random_relaxation(layout, seed, 2, 3)
    bound = solve_relaxation(relax, layout)
    count = list_replacements(relax, layout, np.inf)
    assert count == int((layout.places.arity - 1).sum())
    losses = relax.loss[:count]
    assert (np.diff(losses) >= 0.0).all()
    assert (losses >= 0.0).all()
    by_action = dict(zip(relax.action[:count].tolist(), losses, strict=True))
    for x in all_codes(layout):
        y = additive_outputs(relax.table, relax.base, layout, x)
        lost = sum(by_action.get(int(a), 0.0) for a in actions_of(layout, x))
        priced = relax.weights @ y[:2] + relax.price @ y[2:]
        assert_allclose(priced, bound + lost, atol=1e-8)


@given(spaces, SEEDS)
def test_the_list_says_what_replacements_do_and_the_least_that_follows(name, seed):
    """By this an enumeration knows when to stop."""
    layout = SPACES[name].layout
    relax = random_relaxation(layout, seed, 1, 2)
    solve_relaxation(relax, layout)
    count = abs(list_replacements(relax, layout, 15.0))
    for r in range(count):
        assert relax.loss[r] <= 15.0
        best = relax.best[relax.position[r]]
        step = relax.table[relax.action[r]] - relax.table[best]
        assert_allclose(relax.change[r], step)
        following = relax.change[r:count].min(axis=0)
        assert_allclose(relax.least[r], np.minimum(following, 0.0))


@given(SEEDS)
def test_a_single_constraint_is_kept_at_the_least_price(seed):
    """A little less, and the best solution would violate it."""
    layout = SPACES["bits"].layout
    relax = random_relaxation(layout, seed, 2, 3)
    solve_relaxation(relax, layout)
    feasible = relax.base[2] + sum(
        relax.table[p.offset : p.offset + p.arity, 2].min() for p in layout.places
    )
    if feasible <= 0.0:
        assert relax.outputs[2] <= 0.0
    price = relax.price[0]
    if price > 0.0 and feasible <= 0.0:
        cost = relax.table[:, :2] @ relax.weights + 0.99 * price * relax.table[:, 2]
        cheapest = [
            p.offset + int(np.argmin(cost[p.offset : p.offset + p.arity]))
            for p in layout.places
        ]
        assert relax.base[2] + relax.table[cheapest, 2].sum() > 0.0
