"""Orders are cut as well as can be; loads are learned from longer and shorter ones."""

import numpy as np
import pytest

from divlearn.kernels.random import seed_words
from divlearn.methods.dl.kernels.models.routes.cutting import (
    cut_order,
    learn_loads,
    longest_route,
)
from divlearn.methods.dl.kernels.search.routes import move_near
from divlearn.problems import get
from tests.reference.cuts import best_cut


def an_instance(seed, n=7):
    """An order, what lies between places, and what items load."""
    rng = np.random.default_rng(seed)
    places = rng.random((n + 1, 2))
    ways = np.linalg.norm(places[:, None] - places[None], axis=2)
    return np.append(rng.permutation(n), 0), ways, rng.uniform(0.1, 0.6, n)


def cut(x, ways, loads, room, limit):
    """Lengths of all routes and of the longest one."""
    n = len(loads)
    cheapest, previous = np.zeros(n + 1), np.zeros(n + 1, np.int64)
    total = cut_order(x, ways, loads, room, limit, cheapest, previous)
    return total, longest_route(x, ways, previous)


@pytest.mark.parametrize("limit", [0.9, 1.6, np.inf])
@pytest.mark.parametrize("seed", range(5))
def test_no_cut_that_is_allowed_is_shorter(seed, limit):
    """The reference tries all cuts."""
    x, ways, loads = an_instance(seed)
    expected = best_cut(x[:-1].tolist(), ways, loads, 1.0, limit)
    assert cut(x, ways, loads, 1.0, limit) == pytest.approx(expected)


def test_the_model_with_true_numbers_is_the_built_in_decoder():
    """Places, demands and limits of an instance give its objectives."""
    problem = get("bicvrp-20", instance=3)
    places = np.vstack([problem.customers, problem.depot])
    ways = np.linalg.norm(places[:, None] - places[None], axis=2)
    loads = problem.demands / problem.capacity * (1 - 1e-12)
    for seed in range(20):
        x = problem.space.encode(problem.space.sample(seed))
        found = cut(x, ways, loads, 1.0, problem.limits[x[-1]])
        assert found == pytest.approx(problem.evaluate(problem.space.decode(x)))


def learned(x, length, ways, loads):
    """Loads after one lesson, and whether there was one."""
    n, after = len(loads), loads.copy()
    scratch = np.zeros(n + 1), np.zeros(n + 1, np.int64)
    taught = learn_loads(x, length, 1e-9, ways, after, np.inf, *scratch)
    return after, taught


def test_a_route_that_turned_out_longer_was_too_heavy():
    """Without loads one route serves all; it is not allowed, so loads rise."""
    x, ways, loads = an_instance(1)
    expected = cut(x, ways, 0.0 * loads, 1.0, np.inf)[0]
    after, taught = learned(x, expected + 0.3, ways, 0.0 * loads)
    assert taught
    assert after.sum() == pytest.approx(0.5, rel=0.01)


def test_a_route_that_turned_out_shorter_was_not_too_heavy():
    """Loads fall where vehicles would have to be larger."""
    x, ways, loads = an_instance(2)
    heavy = 0.0 * loads + 1.2 / len(loads)
    shorter = cut(x, ways, 0.0 * loads, 1.0, np.inf)[0]
    after, taught = learned(x, shorter, ways, heavy)
    assert taught
    assert after.sum() < heavy.sum()


def test_what_was_expected_teaches_nothing():
    """Loads stay."""
    x, ways, loads = an_instance(3)
    after, taught = learned(x, cut(x, ways, loads, 1.0, np.inf)[0], ways, loads)
    assert not taught
    assert (after == loads).all()


def test_moves_lead_from_orders_to_orders():
    """Each of the four moves rearranges items, and the knob stays."""
    rng, words, n = np.random.default_rng(4), np.zeros(4, np.uint64), 9
    seed_words(words, np.uint64(5))
    near = np.array([rng.permutation(np.delete(np.arange(n), a))[:4] for a in range(n)])
    x, place, changed = np.append(rng.permutation(n), 3), np.zeros(n, np.int64), 0
    for _ in range(300):
        before = x.copy()
        move_near(near, x, place, words)
        changed += (x != before).any()
        assert sorted(x[:-1]) == list(range(n))
        assert x[-1] == 3
    assert changed > 150
