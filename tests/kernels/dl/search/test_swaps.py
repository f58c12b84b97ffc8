"""Search inside the pair model by exchanges."""

from itertools import combinations, permutations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from divlearn.kernels.archive import insert
from tests.kernels.dl.models.pairing.cases import (
    best_neighbour,
    improve_swaps,
    note_change,
    with_model,
)
from tests.reference.pairing import pair_sum, swapped

MODES = [0, 1, 2]
WEIGHTS = np.array([0.3, 0.7])


def weighted(x, a, b):
    """The weighted sum of both objectives."""
    return sum(WEIGHTS[k] * pair_sum(x, a[k], b[k]) for k in range(2))


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("n", [8, 9])
def test_values_that_are_kept_up_to_date_are_those_of_the_model(n, mode):
    """After some exchanges, each objective in its unit, and the weighted sum."""
    state, a, b = with_model(n, 2, mode)
    state.pairing.scales[:], state.pairing.weights[:] = [2.0, 0.5], WEIGHTS
    x = np.random.default_rng(2).permutation(n)
    state.pairing.reached[:] = [pair_sum(x, a[k], b[k]) for k in range(2)]
    state.pairing.reached[:] *= state.pairing.scales
    for i in range(1, n):
        before = WEIGHTS @ state.pairing.reached
        change = note_change(state, x, i, i // 2)
        x = swapped(x, i, i // 2)
        after = state.pairing.scales * [pair_sum(x, a[k], b[k]) for k in range(2)]
        assert_allclose(state.pairing.reached, after, atol=1e-9)
        assert_allclose(change, WEIGHTS @ after - before, atol=1e-9)


@pytest.mark.parametrize("mode", MODES)
def test_a_walk_finds_the_best_of_all_orders(mode):
    """It leaves local optima, and remembers the best order that it came across."""
    n = 8
    state, a, b = with_model(n, 2, mode)
    slot, x = int(state.archive.order[0]), np.zeros(n, np.int64)
    state.pairing.weights[:] = WEIGHTS
    assert improve_swaps(state, slot, x, 300)
    orders, values = np.array(list(permutations(range(n)))), 0.0
    for i, j in combinations(range(n), 2):
        for k in range(2):
            known = b[k][orders[:, i], orders[:, j]]
            values = values + WEIGHTS[k] * a[k][i, j] * known
    assert weighted(x, a, b) <= values.min() + 1e-9


@pytest.mark.parametrize("mode", MODES)
def test_search_from_a_member_finds_something_better(mode):
    """Better under the weights than the member, and a permutation."""
    n = 8
    state, a, b = with_model(n, 2, mode)
    slot = int(state.archive.order[0])
    x = np.zeros(n, np.int64)
    state.pairing.weights[:] = WEIGHTS
    assert improve_swaps(state, slot, x, 20)
    assert sorted(x) == list(range(n))
    assert weighted(x, a, b) < weighted(state.archive.solutions[slot], a, b)


def test_the_best_neighbour_is_the_exchange_with_most_gain():
    """Against all exchanges; with one member gain is what is dominated, or better."""
    n = 8
    state, a, b = with_model(n, 2, 0)
    slot = int(state.archive.order[0])
    source, x = state.archive.solutions[slot].copy(), np.zeros(n, np.int64)
    y = state.archive.outputs[slot].copy()
    state.low[:], state.high[:] = y - 1.0, y + 1.0
    assert best_neighbour(state, slot, x)
    assert (x != source).sum() == 2
    values = np.array([pair_sum(x, a[k], b[k]) for k in range(2)])
    assert (values < y).any()


def test_a_member_that_nothing_improves_has_no_neighbour_to_offer():
    """A member that dominates all of its neighbours promises nothing."""
    n = 8
    state, _, _ = with_model(n, 2, 0)
    x = np.arange(n)
    ideal = np.array([-1e6, -1e6])
    size = insert(state.archive, 1, x, ideal)
    state.control.archive_size = size
    slot = int(state.archive.order[0])
    state.pairing.positions[:] = 0.0
    assert not best_neighbour(state, slot, np.zeros(n, np.int64))
