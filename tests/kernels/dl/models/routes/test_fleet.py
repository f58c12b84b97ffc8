"""Routes are shortened inside a model, and stay what is allowed."""

import itertools
from itertools import chain

import numpy as np
import pytest

from divlearn.kernels.random import seed_words
from divlearn.methods.dl.kernels.models.routes.cutting import cut_order
from divlearn.methods.dl.kernels.models.routes.fleet import (
    _build,
    _draw_change,
    _price,
    anneal_fleet,
    new_fleet,
    read_fleet,
)
from tests.reference.cuts import best_cut, length_of

LOOKS = 20_000


def an_instance(seed, n):
    """An order and a knob, ways, loads, and near items."""
    rng = np.random.default_rng(seed)
    places = rng.random((n + 1, 2))
    ways = np.linalg.norm(places[:, None] - places[None], axis=2)
    near = np.argsort(ways[:n, :n], axis=1)[:, 1:6].copy()
    return np.append(rng.permutation(n), 3), ways, rng.uniform(0.1, 0.5, n), near


def annealed(seed, n, limit):
    """Lengths before and after, the best order and the routes in the end."""
    x, ways, loads, near = an_instance(seed, n)
    cheapest, previous = np.zeros(n + 1), np.zeros(n + 1, np.int64)
    words, fleet, best = np.zeros(4, np.uint64), new_fleet(n), x.copy()
    seed_words(words, np.uint64(seed))
    before = cut_order(x, ways, loads, 1.0, limit, -1, 0, cheapest, previous)
    assert read_fleet(fleet, x, previous, ways) == pytest.approx(before)
    saved = anneal_fleet(
        fleet, ways, loads, near, 1.0, limit, LOOKS, 0.2, 0.001, words, best
    )
    after = cut_order(best, ways, loads, 1.0, limit, -1, 0, cheapest, previous)
    return before, saved, after, best, fleet


@pytest.mark.parametrize("limit", [1.6, np.inf])
@pytest.mark.parametrize("seed", range(4))
def test_the_best_order_is_found(seed, limit):
    """The reference tries all orders of six items, and all ways to cut them."""
    _, ways, loads, _ = an_instance(seed, 6)
    orders = itertools.permutations(range(6))
    least = min(best_cut(list(order), ways, loads, 1.0, limit)[0] for order in orders)
    assert annealed(seed, 6, limit)[2] == pytest.approx(least)


@pytest.mark.parametrize("limit", [1.4, np.inf])
@pytest.mark.parametrize("seed", range(4))
def test_what_was_saved_is_what_the_best_order_is_shorter_by(seed, limit):
    """Cut anew, it may be shorter still; the knob stays."""
    before, saved, after, best, _ = annealed(seed, 25, limit)
    assert saved > 0.1 * before
    assert after <= before - saved + 1e-9
    assert sorted(best[:-1]) == list(range(25))
    assert best[-1] == 3


@pytest.mark.parametrize("seed", range(4))
def test_routes_stay_as_they_are_described(seed):
    """Every item is in one route, where it is said to be, and no route is too much."""
    fleet = annealed(seed, 25, 1.4)[4]
    _, ways, loads, _ = an_instance(seed, 25)
    seen = []
    for r in range(25):
        route = fleet.items[r, : fleet.sizes[r]].tolist()
        seen += route
        steps = [25, *route, 25] if route else []
        length = sum(ways[a, b] for a, b in itertools.pairwise(steps))
        assert fleet.lengths[r] == pytest.approx(length)
        if len(route) > 1:
            assert length <= 1.4
            assert loads[route].sum() <= 1.0
        for k, item in enumerate(route):
            assert (fleet.route[item], fleet.place[item]) == (r, k)
    assert sorted(seen) == list(range(25))


def test_a_change_is_priced_as_what_it_makes():
    """Lengths of all routes before, and of those that are built."""
    n = 12
    kinds = set()
    for seed in range(40):
        x, ways, loads, near = an_instance(seed, n)
        cheapest, previous = np.zeros(n + 1), np.zeros(n + 1, np.int64)
        words, fleet = np.zeros(4, np.uint64), new_fleet(n)
        seed_words(words, np.uint64(seed))
        cut_order(x, ways, loads, 1.0, 2.5, -1, 0, cheapest, previous)
        read_fleet(fleet, x, previous, ways)
        for _ in range(40):
            if not _draw_change(fleet, near, words):
                continue
            longer, (kind, r, s) = _price(fleet, ways), fleet.change[:3]
            _build(fleet)
            changed = [r] if s < 0 else [r, s]
            before = [fleet.items[k, : fleet.sizes[k]].tolist() for k in changed]
            after = [
                fleet.trial[side, : fleet.trial_sizes[side]].tolist()
                for side in range(len(changed))
            ]
            assert sorted(chain(*before)) == sorted(chain(*after))
            built = length_of(after, ways) - length_of(before, ways)
            assert longer == pytest.approx(built, abs=1e-12)
            kinds.add(int(kind))
    assert kinds == set(range(7))
