"""Search inside the pair model by exchanges."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from divlearn.kernels.archive import insert
from tests.kernels.dl.models.pairing.cases import (
    best_neighbour,
    descend,
    improve_swaps,
    price_swap,
    set_prices,
    with_model,
)
from tests.reference.pairing import pair_sum

MODES = [0, 1, 2]
WEIGHTS = np.array([0.3, 0.7])


def swapped(x, i, j):
    """A copy of ``x`` with two items exchanged."""
    y = x.copy()
    y[i], y[j] = y[j], y[i]
    return y


def weighted(x, a, b):
    """The weighted sum of both objectives."""
    return sum(WEIGHTS[k] * pair_sum(x, a[k], b[k]) for k in range(2))


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("n", [8, 9])
def test_prices_are_differences_of_sums(n, mode):
    """All exchanges, each objective by itself and the weighted sum."""
    state, a, b = with_model(n, 2, mode)
    state.pairing.scales[:] = [2.0, 0.5]
    x = np.random.default_rng(1).permutation(n)
    unit = state.pairing.scales
    for together in (False, True):
        state.pairing.weights[:] = WEIGHTS if together else 1.0
        terms = set_prices(state, x, together)
        assert terms == (1 if together and mode < 2 else 2)
        for i in range(n):
            for j in range(i + 1, n):
                y = swapped(x, i, j)
                deltas = [
                    unit[k] * (pair_sum(y, a[k], b[k]) - pair_sum(x, a[k], b[k]))
                    for k in range(2)
                ]
                if together:
                    found = [price_swap(state, x, 0, terms, i, j)]
                    deltas = [WEIGHTS @ deltas]
                else:
                    found = [price_swap(state, x, k, k + 1, i, j) for k in range(2)]
                assert_allclose(found, deltas, atol=1e-9)


@pytest.mark.parametrize("mode", MODES)
def test_descent_reports_by_how_much_it_is_better(mode):
    """Repeated until nothing changes, it ends where no exchange is better."""
    n = 8
    state, a, b = with_model(n, 2, mode)
    x = np.random.default_rng(2).permutation(n)
    state.pairing.weights[:] = WEIGHTS
    terms = set_prices(state, x, True)
    change, total, before = -1.0, 0.0, weighted(x, a, b)
    while change < 0.0:
        state.pairing.kept[1] = 1
        change = descend(state, x, terms)
        total += change
        assert not state.pairing.kept[1].any()
    after = weighted(x, a, b)
    assert total < 0.0
    assert_allclose(after - before, total)
    neighbours = [swapped(x, i, j) for i in range(n) for j in range(i)]
    assert min(weighted(y, a, b) for y in neighbours) >= after - 1e-9


@pytest.mark.parametrize("mode", MODES)
def test_sums_that_were_brought_up_to_date_are_those_of_the_new_solution(mode):
    """After a descent of some exchanges, against sums made anew."""
    n = 9
    state, _, _ = with_model(n, 2, mode)
    x = np.random.default_rng(5).permutation(n)
    start = x.copy()
    state.pairing.weights[:] = WEIGHTS
    terms = set_prices(state, x, True)
    state.pairing.kept[1] = 1
    descend(state, x, terms)
    assert (x != start).any()
    kept = state.pairing.sums[0, :terms].copy()
    set_prices(state, x, True)
    assert_allclose(kept, state.pairing.sums[0, :terms], atol=1e-9)


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
