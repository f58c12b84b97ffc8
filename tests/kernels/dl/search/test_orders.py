import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

import divlearn as dl
from divlearn.methods.dl.kernels.models.encodings import (
    NEIGHBOUR,
    PRECEDENCE,
    SUCCESSOR,
    VALUE,
)
from divlearn.methods.dl.kernels.search.between import look_from
from divlearn.methods.dl.kernels.search.orders import (
    _kick_order,
    _price_exchanges,
    best_insertion,
    descend_order,
    exchanged,
    forbid_orders,
    improve_order,
    new_order,
    price_orders,
    set_margins,
)
from tests.kernels.cases import SEEDS, words_of
from tests.kernels.dl.cases import state_for
from tests.reference import differences as encodings
from tests.reference import orders as reference

# Shorter permutations are not searched: every step of theirs is soon tried.
SIZES = st.integers(3, 9)
USED = st.tuples(*[st.booleans()] * 3).filter(any)


def order_of(n, seed, used=(True, True, True)):
    """A random order with random costs of the kinds in use."""
    rng = np.random.default_rng(seed)
    costs = [rng.normal(size=(n, n)) * use for use in used]
    at, follow, ahead = costs
    order = new_order(n)._replace(
        at=at, follow=follow, ahead=ahead, margin=np.zeros((n, n))
    )
    order.items[:] = rng.permutation(n)
    order.used[:] = used
    set_margins(order)
    return order


def cost_of(order, items=None):
    """Cost of an order, term by term."""
    items = order.items.tolist() if items is None else items
    return reference.cost(items, order.at, order.follow, order.ahead)


@given(SIZES, SEEDS, USED)
def test_the_best_insertion_is_that_of_trying_all_places(n, seed, used):
    """Place and change, for every item and every mixture of costs."""
    order, target = order_of(n, seed, used), np.zeros(1, np.int64)
    items, now = order.items.tolist(), cost_of(order)
    for i in range(n):
        change = best_insertion(order, i, target)
        changes = {
            j: cost_of(order, reference.inserted(items, i, j)) - now
            for j in range(n)
            if j != i
        }
        assert_allclose(change, min(0.0, *changes.values()), atol=1e-9)
        if target[0] >= 0:
            assert_allclose(changes[int(target[0])], change, atol=1e-9)
        else:
            assert min(changes.values()) > -1e-9
    assert_array_equal(order.items, items)


@given(SIZES, SEEDS, USED)
def test_an_exchange_changes_what_it_says(n, seed, used):
    """Every pair of places, also both ends of the cycle."""
    order = order_of(n, seed, used)
    items, now = order.items.tolist(), cost_of(order)
    for i in range(n):
        for j in range(i + 1, n):
            expected = cost_of(order, reference.exchanged(items, i, j)) - now
            assert_allclose(exchanged(order, i, j), expected, atol=1e-9)


@given(SIZES, SEEDS, USED)
def test_exchanges_with_all_others_are_priced_together(n, seed, used):
    """To the same changes as one by one."""
    order = order_of(n, seed, used)
    for i in range(n):
        look_from(order.items, order.margin, order.between, i)
        _price_exchanges(order, i)
        for j in range(n):
            expected = exchanged(order, min(i, j), max(i, j)) if j != i else 0.0
            assert_allclose(order.prices[j], expected, atol=1e-9)


@given(st.integers(3, 20), SEEDS, USED, st.integers(0, 3))
def test_a_search_gains_what_it_says_and_is_never_worse(n, seed, used, kicks):
    """From any order under any costs; what it leaves is an order."""
    order, target = order_of(n, seed, used), np.zeros(1, np.int64)
    before = cost_of(order)
    gain = improve_order(order, kicks, 1000, target, words_of(seed))
    assert_array_equal(np.sort(order.items), np.arange(n))
    assert gain >= 0
    assert_allclose(gain, before - cost_of(order), atol=1e-8)


@given(SIZES, SEEDS, USED)
def test_a_descent_ends_where_no_move_helps(n, seed, used):
    """No insertion and no exchange of two items makes the order cheaper."""
    order, target = order_of(n, seed, used), np.zeros(1, np.int64)
    descend_order(order, 1000, target, words_of(seed))
    items, now = order.items.tolist(), cost_of(order)
    for i in range(n):
        for j in range(n):
            assert cost_of(order, reference.inserted(items, i, j)) > now - 1e-8
            assert cost_of(order, reference.exchanged(items, i, j)) > now - 1e-8


@given(SIZES, SEEDS)
def test_a_descent_makes_no_more_moves_than_it_may(n, seed):
    """Few moves where costs are hardly known: at most one insertion or exchange."""
    order, target = order_of(n, seed), np.zeros(1, np.int64)
    items = order.items.tolist()
    assert descend_order(order, 0, target, words_of(seed)) == 0
    assert_array_equal(order.items, items)
    descend_order(order, 1, target, words_of(seed))
    reachable = [
        move(items, i, j)
        for move in (reference.inserted, reference.exchanged)
        for i in range(n)
        for j in range(n)
    ]
    assert order.items.tolist() in reachable


@given(SIZES, SEEDS)
def test_a_kick_changes_what_it_says(n, seed):
    """It decides together with the descent whether the kick is kept."""
    order = order_of(n, seed)
    before = cost_of(order)
    change = _kick_order(order, words_of(seed))
    assert_allclose(change, cost_of(order) - before, atol=1e-9)
    assert_array_equal(np.sort(order.items), np.arange(n))


@pytest.mark.parametrize("n", [3, 4, 5, 6])
def test_short_orders_become_best(n):
    """By enumeration, with enough kicks."""
    for seed in range(3):
        order, target = order_of(n, seed), np.zeros(1, np.int64)
        improve_order(order, 60, 1000, target, words_of(seed))
        least = reference.least(order.at, order.follow, order.ahead)
        assert_allclose(cost_of(order), least)


@given(st.integers(3, 7), SEEDS)
def test_prices_are_those_of_the_tables_under_the_weights(n, seed):
    """Each output by the encoding chosen for it; orders then cost what they predict.

    Costs are compared as differences of two orders, as encodings may differ by a
    constant.
    """
    state = state_for(dl.Composite(a=dl.Binary(2), b=dl.Permutation(n)), 4)
    tables, order = state.tables, new_order(n)
    order = order._replace(
        at=np.ones((n, n)),
        follow=np.ones((n, n)),
        ahead=np.ones((n, n)),
        margin=np.zeros((n, n)),
    )
    rng = np.random.default_rng(seed)
    tables.mean[:] = rng.normal(size=tables.mean.shape)
    tables.chosen[:] = rng.integers(len(tables.encodings), size=4)
    weights = rng.random(4)
    weights[seed % 4] = 0.0
    price_orders(tables, order, weights, 4)
    kinds = tables.encodings[tables.chosen[weights > 0]]
    assert order.used[0] == (VALUE in kinds)
    assert order.used[1] == (SUCCESSOR in kinds or NEIGHBOUR in kinds)
    assert order.used[2] == (PRECEDENCE in kinds)
    one, other = rng.permutation(n).tolist(), rng.permutation(n).tolist()
    segments = [(0, [n] * n, 0, 0)]

    def predicted(items):
        return sum(
            w
            * encodings.total(
                segments, tables.encodings[e], tables.mean[e, 4:, j], items
            )
            for j, (e, w) in enumerate(zip(tables.chosen, weights, strict=True))
        )

    expected = predicted(one) - predicted(other)
    assert_allclose(cost_of(order, one) - cost_of(order, other), expected, atol=1e-9)


RULED = [
    dl.Permutation(7, before=[(0, 3), (3, 1), (5, 2)]),
    dl.Permutation(7, before=[(0, 3), (3, 1)], fixed={2: 6, 6: 1}),
    dl.Permutation(6, before=[(4, 0)], together=[[1, 2, 3]]),
]


@given(st.sampled_from(RULED), SEEDS, USED)
def test_no_order_that_is_forbidden_is_found(space, seed, used):
    """The gain is that of the costs alone; from a solution only solutions follow."""
    order, words = order_of(space.n, seed, used), words_of(seed)
    costs = order.at.copy(), order.follow.copy(), order.ahead.copy()
    order.items[:] = space.sample(seed)
    before = reference.cost(order.items.tolist(), *costs)
    forbid_orders(order, space.layout, 0)
    gain = improve_order(order, 3, 50, np.zeros(1, np.int64), words)
    after = reference.cost(order.items.tolist(), *costs)
    if space.contains(order.items) or not space.together:
        assert space.contains(order.items)
        assert_allclose(before - after, gain, atol=1e-6)
