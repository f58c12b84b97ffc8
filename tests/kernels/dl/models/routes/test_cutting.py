"""Orders are cut as well as can be."""

import numpy as np
import pytest

from divlearn.methods.dl.kernels.models.routes.cutting import (
    cut_order,
    longest_route,
)
from divlearn.problems import get
from tests.reference.cuts import best_cut


def an_instance(seed, n=7):
    """An order, what lies between places, and what items load."""
    rng = np.random.default_rng(seed)
    places = rng.random((n + 1, 2))
    ways = np.linalg.norm(places[:, None] - places[None], axis=2)
    return np.append(rng.permutation(n), 0), ways, rng.uniform(0.1, 0.6, n)


def cut(x, ways, loads, room, limit, first=-1, last=0):
    """Lengths of all routes and of the longest one."""
    n = len(loads)
    cheapest, previous = np.zeros(n + 1), np.zeros(n + 1, np.int64)
    total = cut_order(x, ways, loads, room, limit, first, last, cheapest, previous)
    return total, longest_route(x, ways, previous)


@pytest.mark.parametrize("limit", [0.9, 1.6, np.inf])
@pytest.mark.parametrize("seed", range(5))
def test_no_cut_that_is_allowed_is_shorter(seed, limit):
    """The reference tries all cuts."""
    x, ways, loads = an_instance(seed)
    expected = best_cut(x[:-1].tolist(), ways, loads, 1.0, limit)
    assert cut(x, ways, loads, 1.0, limit) == pytest.approx(expected)


@pytest.mark.parametrize("stretch", [(0, 2), (2, 5), (4, 7), (0, 7)])
@pytest.mark.parametrize("seed", range(3))
def test_no_route_serves_what_none_may_serve_as_a_whole(seed, stretch):
    """Lessons ask how long an order is without one of its routes."""
    x, ways, loads = an_instance(seed)
    order, (first, last) = x[:-1].tolist(), stretch
    expected = best_cut(order, ways, loads, 1.0, np.inf, order[first:last])
    found = cut(x, ways, loads, 1.0, np.inf, first, last)
    assert found == pytest.approx(expected)


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
