"""Loads are learned from orders that turned out longer or shorter than expected."""

import numpy as np
import pytest

from divlearn.kernels.random import seed_words
from divlearn.methods.dl.kernels.models.routes.loads import (
    cut_for_room,
    learn_heavy,
    learn_loads,
    note_routes,
    num_heavy,
)
from divlearn.methods.dl.kernels.models.routes.model import limit_of, new_routes
from tests.reference.cuts import best_cut


def a_model(seed, n=7):
    """A model that knows all ways and no limit, and what items load in truth."""
    rng = np.random.default_rng(seed)
    places = rng.random((n + 1, 2))
    routes = new_routes(n, 2, n, 10)
    routes.ways[:] = np.linalg.norm(places[:, None] - places[None], axis=2)
    routes.limits[:] = 100.0
    return routes, rng.integers(1, 5, n) / 10, rng


def words_of(seed):
    """A random generator of the kernels."""
    words = np.zeros(4, np.uint64)
    seed_words(words, np.uint64(seed))
    return words


def truth(routes, x, loads):
    """Outputs of an order with true loads, by trying all cuts."""
    return np.array(best_cut(x[:-1].tolist(), routes.ways, loads, 1.0, 100.0))


def test_a_route_that_turned_out_longer_was_too_heavy():
    """Without loads one route serves all; it is not allowed, so loads rise."""
    routes, _, rng = a_model(1)
    x = np.append(rng.permutation(7), 0)
    expected = cut_for_room(routes, x, 1.0, 100.0)
    values = np.array([expected + 0.3, expected])
    assert learn_loads(routes, x, values, words_of(1))
    assert routes.loads.sum() == pytest.approx(1.005)


def test_a_route_that_turned_out_shorter_was_not_too_heavy():
    """Loads fall where vehicles would have to be larger."""
    routes, _, rng = a_model(2)
    x = np.append(rng.permutation(7), 0)
    shorter = cut_for_room(routes, x, 1.0, 100.0)
    routes.loads[:] = 1.2 / 7
    assert learn_loads(routes, x, np.array([shorter, shorter]), words_of(1))
    assert routes.loads.sum() == pytest.approx(0.995)


def test_what_was_expected_teaches_nothing():
    """Loads stay."""
    routes, loads, rng = a_model(3)
    x = np.append(rng.permutation(7), 0)
    routes.loads[:] = loads
    length = cut_for_room(routes, x, 1.0, limit_of(routes, 0))
    assert not learn_loads(routes, x, np.array([length, length]), words_of(1))
    assert (routes.loads == loads).all()


def expected_routes(routes, x):
    """Items of the routes that the model expects."""
    cut_for_room(routes, x, 1.0, limit_of(routes, 0))
    found, stop = [], len(routes.loads)
    while stop > 0:
        start = routes.previous[stop]
        found.append(x[start:stop].tolist())
        stop = start
    return found


def test_the_route_that_is_too_heavy_is_blamed():
    """It is one without which the order is just as long as it turned out to be.

    Rarely another one is like that, too.
    """
    right = wrong = 0
    for seed in range(60):
        routes, loads, rng = a_model(seed)
        routes.loads[:] = 0.8 * loads
        x = np.append(rng.permutation(7), 0)
        expected, values = expected_routes(routes, x), truth(routes, x, loads)
        heavy = [items for items in expected if loads[items].sum() > 1.0]
        before = routes.loads.copy()
        if len(heavy) != 1 or not learn_loads(routes, x, values, words_of(seed)):
            continue
        light = [a for a in range(7) if a not in heavy[0]]
        if (routes.loads[light] <= before[light]).all():
            right += 1
            assert routes.loads[heavy[0]].sum() == pytest.approx(1.005)
        else:
            wrong += 1
    assert right > 20 >= 10 * wrong


@pytest.mark.parametrize("seed", range(3))
def test_one_item_that_is_thought_far_too_heavy_gets_lighter(seed):
    """With a larger room all routes would be longer, which is not what is seen."""
    routes, loads, rng = a_model(seed)
    routes.loads[:] = loads
    routes.loads[2] = 0.95
    words = words_of(seed)
    for _ in range(60):
        x = np.append(rng.permutation(7), 0)
        learn_loads(routes, x, truth(routes, x, loads), words)
    assert routes.loads[2] < 0.7
    assert routes.loads[2] >= loads[2] - 0.2


@pytest.mark.parametrize("seed", range(4))
def test_orders_that_were_not_seen_are_expected_after_a_while(seed):
    """Lessons of 300 orders say how nearly all others are cut."""
    routes, loads, rng = a_model(seed)
    words = words_of(seed)

    def an_order():
        return np.append(rng.permutation(7), 0)

    for _ in range(300):
        x = an_order()
        values = truth(routes, x, loads * (1 - 1e-9))
        if note_routes(routes, x, values):
            learn_loads(routes, x, values, words)
        for row in range(num_heavy(routes)):
            learn_heavy(routes, row, words)
    right = 0
    for _ in range(200):
        x = an_order()
        length = truth(routes, x, loads * (1 - 1e-9))[0]
        right += abs(cut_for_room(routes, x, 1.0, 100.0) - length) < 1e-6
    assert right >= 180
