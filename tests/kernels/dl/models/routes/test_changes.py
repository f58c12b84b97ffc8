"""What became longer where two neighbours of an order changed places."""

import itertools

import numpy as np
import pytest

from divlearn.methods.dl.kernels.models.routes.changes import (
    error_of,
    find_changes,
    measure_errors,
    share_explained,
)
from divlearn.methods.dl.kernels.models.routes.model import new_routes
from tests.reference.cuts import length_of

#: Where routes begin, from the first of the two that change places on, by meaning.
CUTS = ((), (0,), (2,), (0, 2))


def a_model(seed, n=8):
    """A model, places of its items and of the depot, and ways between them."""
    places = np.random.default_rng(seed).random((n + 1, 3))
    routes = new_routes(n, 2, n, 20)
    routes.latent.points[:] = places
    return routes, np.linalg.norm(places[:, None] - places[None], axis=2)


def store(routes, x, total):
    """Keep a solution of which only the length of all routes matters."""
    record = routes.record[0]
    routes.solutions[record.stored] = x
    routes.values[record.stored] = total, 1.0
    record.stored += 1


def routes_of(order, cuts):
    """An order, cut before some places."""
    ends = [0, *cuts, len(order)]
    return [order[a:b] for a, b in itertools.pairwise(ends)]


@pytest.mark.parametrize("place", range(7))
@pytest.mark.parametrize("meaning", range(4))
def test_four_ways_explain_what_became_longer(place, meaning):
    """Wherever cuts are, if they are at the same places before and after."""
    routes, ways = a_model(place)
    order = np.random.default_rng(place).permutation(8).tolist()
    cuts = [place + ahead for ahead in CUTS[meaning] if 0 < place + ahead < 8]
    changed = order.copy()
    changed[place], changed[place + 1] = order[place + 1], order[place]
    store(routes, [*order, 1], length_of(routes_of(order, cuts), ways))
    store(routes, [*changed, 1], length_of(routes_of(changed, cuts), ways))
    assert find_changes(routes) == 1
    around, change = routes.around[0], float(routes.changes[0])
    before, behind = [8, *order, 8][place], [8, *order, 8][place + 3]
    assert around.tolist() == [before, order[place], order[place + 1], behind]
    assert error_of(routes.latent.points, around, change, meaning) < 1e-9
    measure_errors(routes, 1, True)
    assert routes.errors[0] < 1e-9
    assert share_explained(routes, 1, routes.cheapest) == 0.0  # some have no change
    assert routes.cheapest[order[place]] == 1.0


def test_changes_are_found_in_any_order_of_answers():
    """Solutions under another limit, or with more than that changed, are none."""
    routes, _ = a_model(1)
    order = list(range(8))
    twice = [1, 0, 2, 3, 5, 4, 6, 7]
    for x in ([*twice, 1], [*order, 0], [*order, 1], [1, 0, *range(2, 8), 1]):
        store(routes, x, float(sum(x[:2])))
    assert find_changes(routes) == 1  # the last one, of the one before
    assert routes.around[0].tolist() == [8, 0, 1, 2]
    store(routes, [0, 1, 2, 3, 5, 4, 6, 7, 1], 9.0)
    assert find_changes(routes) == 2
