import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

import divlearn as dl
from divlearn.methods.dl.kernels.models.encodings import NEIGHBOUR
from divlearn.methods.dl.kernels.search.cycle_moves import (
    kick_promises,
    price_tour,
    try_neighbours,
)
from divlearn.methods.dl.kernels.search.cycles import (
    are_cycles,
    list_useful,
    price_pairs,
)
from divlearn.methods.dl.kernels.search.tours import set_tour
from divlearn.methods.dl.kernels.state import OF_TABLES
from tests.kernels.cases import SEEDS, words_of
from tests.kernels.dl.cases import archive_of, symmetric, tour_of
from tests.kernels.dl.cases import state_for as new_state
from tests.reference import tours as reference

BASE = 4  # two bits come first


def known(n, seed, m=2):
    """A state whose tables of neighbours hold random costs; the costs (m, n, n)."""
    state = new_state(dl.Composite(bits=dl.Binary(2), tour=dl.Permutation(n)), m)
    rng = np.random.default_rng(seed)
    costs = np.array([symmetric(rng, n) for _ in range(m)])
    e = state.tables.encodings.tolist().index(NEIGHBOUR)
    state.tables.chosen[:] = e
    for j, cost in enumerate(costs):
        state.tables.mean[e, BASE : BASE + n * n, j] = np.triu(cost, 1).ravel()
    return state, costs


def lengths(costs, order):
    """Length of a cycle under each cost, shape (m,)."""
    return np.array([reference.length(cost, list(order)) for cost in costs])


def with_front(state, front, y, weights=(1.0, 1.0)):
    """The state with a front of rows, a cycle with outputs ``y`` and its weights."""
    archive, size = archive_of(front)
    state = state._replace(archive=archive)
    state.control.archive_size = size
    state.low[:], state.high[:] = front.min(axis=0), front.max(axis=0)
    state.told[:], state.weights[OF_TABLES] = y, weights
    return state


def with_lists(state, tour):
    """List near items where both objectives have the same unit."""
    state.low[:], state.high[:] = 0.0, 1.0
    list_useful(state, tour)


def test_a_cycle_is_what_neighbours_explain_best():
    """For every output, constraints included."""
    state, _ = known(5, 0)
    assert are_cycles(state)
    state.tables.chosen[1] = 0
    assert not are_cycles(state)


@given(st.integers(4, 9), SEEDS)
def test_pairs_cost_their_weighted_means(n, seed):
    """Symmetric, and zero for an item with itself."""
    state, costs = known(n, seed)
    weights, cost = np.random.default_rng(seed).random(2), np.ones((n, n))
    price_pairs(state.tables, cost, weights, BASE)
    expected = np.tensordot(weights, costs, 1)
    np.fill_diagonal(expected, 0.0)
    assert_allclose(cost, expected)


@given(st.integers(4, 12), SEEDS)
def test_a_cycle_is_priced_pair_by_pair(n, seed):
    """The sum that predictions of kicks rely on."""
    state, costs = known(n, seed)
    order = np.random.default_rng(seed).permutation(n)
    delta = np.ones(2)
    price_tour(state, tour_of(costs[0], order), BASE, -2.0, delta)
    assert_allclose(delta, 1 - 2 * lengths(costs, order))


@pytest.mark.parametrize("n", [4, 6, 14])
def test_useful_items_are_near_in_one_objective_or_in_all(n):
    """Five of each view, none twice, and never the item itself."""
    state, costs = known(n, n)
    state.low[:], state.high[:] = 0.0, [1.0, 4.0]
    tour = tour_of(np.zeros((n, n)), range(n))
    list_useful(state, tour)
    views = [costs[0], costs[1] / 4, costs[0] + costs[1] / 4]
    for a in range(n):
        listed = state.near[a][state.near[a] >= 0].tolist()
        assert len(set(listed)) == len(listed)
        assert a not in listed
        expected = []
        for cost in views:
            others = sorted(set(range(n)) - {a}, key=lambda b, row=cost[a]: row[b])
            new = [b for b in others[:10] if b not in expected]
            expected += new[:5]
        assert listed == expected
        assert (state.near[a][len(listed) :] == -1).all()


@given(st.integers(4, 12), SEEDS)
def test_neighbours_that_promise_something_keep_their_promise(n, seed):
    """All of them, one after the other: each is a new point that nobody covers."""
    state, costs = known(n, seed)
    rng = np.random.default_rng(seed)
    orders = [rng.permutation(n) for _ in range(4)]
    front = np.array([lengths(costs, order) for order in orders])
    tour = tour_of(costs[0], orders[0])
    with_lists(state, tour)
    state = with_front(state, front, front[0])
    for a in range(n):
        number, looked = 0, 0
        while True:
            set_tour(tour, orders[0], 0)
            number = try_neighbours(state, tour, np.inf, a, number)
            if number < 0:
                break
            assert number > looked  # so that it ends
            looked = number
            assert_array_equal(np.sort(tour.order), np.arange(n))
            assert_array_equal(tour.order[tour.place], np.arange(n))
            found = lengths(costs, tour.order.tolist())
            assert_allclose(state.outputs, found)
            assert not any((row <= found - 1e-9).all() for row in front)


def test_a_neighbour_that_dominates_is_found():
    """One exchange of two pairs away from the best cycle of points on a circle."""
    angle = 2 * np.pi * np.arange(9) / 9
    points = np.c_[np.cos(angle), np.sin(angle)]
    cost = np.linalg.norm(points[:, None] - points[None], axis=2)
    state, _ = known(9, 0)
    e = state.tables.chosen[0]
    state.tables.mean[e, BASE : BASE + 81] = np.triu(cost, 1).reshape(81, 1)
    order = np.r_[0:3, 6:2:-1, 7:9]
    y = lengths([cost, cost], order)
    tour = tour_of(cost, order)
    with_lists(state, tour)
    state = with_front(state, y[None], y)
    found = []
    for a in range(9):
        set_tour(tour, order, 0)
        number = try_neighbours(state, tour, np.inf, a, 0)
        if number >= 0:
            found.append(reference.length(cost, tour.order.tolist()))
    assert_allclose(min(found), reference.length(cost, list(range(9))))


def promised(state, slack, tour, order):
    """All outputs that neighbours of a cycle promise, as a sorted list."""
    found = []
    for a in range(len(order)):
        number = 0
        while True:
            set_tour(tour, order, 0)
            number = try_neighbours(state, tour, slack, a, number)
            if number < 0:
                break
            found.append(tuple(state.outputs.round(9)))
    return sorted(set(found))


@given(st.integers(5, 10), SEEDS)
def test_what_is_passed_over_costs_too_much_by_its_first_pair(n, seed):
    """An exchange of two pairs that loses little has one new pair that is cheap."""
    state, costs = known(n, seed)
    rng = np.random.default_rng(seed)
    order, weights, slack = rng.permutation(n), rng.random(2) + 0.1, 0.3
    y = lengths(costs, order)
    tour = tour_of(costs[0], order)
    with_lists(state, tour)
    state = with_front(state, y[None], y, weights)
    every = promised(state, np.inf, tour, order)
    some = promised(state, slack, tour, order)
    assert set(some) <= set(every)
    # Where all items are near each other, no exchange of two pairs is lost.
    if n <= 6:
        for i in range(n):
            for j in range(i + 1, n):
                child = np.r_[order[: i + 1], order[j:i:-1], order[j + 1 :]]
                found = lengths(costs, child)
                if weights @ (found - y) < slack and (found < y - 1e-6).any():
                    assert tuple(found.round(9)) in some


@given(st.integers(4, 12), SEEDS)
def test_kicks_that_promise_something_keep_their_promise(n, seed):
    """And where none does, the cycle is what it was."""
    state, costs = known(n, seed)
    rng = np.random.default_rng(seed)
    orders = [rng.permutation(n) for _ in range(3)]
    front = np.array([lengths(costs, order) for order in orders])
    tour = tour_of(costs.sum(axis=0), orders[0])
    state = with_front(state, front, front[0])
    state.rng[:] = words_of(seed)
    kept = kick_promises(state, tour, 3)
    assert_array_equal(tour.order[tour.place], np.arange(n))
    if kept:
        found = lengths(costs, tour.order.tolist())
        assert_allclose(state.outputs, found)
        assert not any((row <= found - 1e-9).all() for row in front)
    else:
        assert_array_equal(tour.order, orders[0])
