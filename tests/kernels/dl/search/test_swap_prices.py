"""Prices of exchanges inside the pair model, and how they are kept up to date."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from divlearn.kernels.jit import JIT_DISABLED
from tests.kernels.dl.models.pairing.cases import (
    best_swap,
    make_swap,
    price_swap,
    set_prices,
    set_table,
    with_model,
)
from tests.reference import pairing as reference

MODES = [0, 1, 2]
#: More and fewer items than a row of the table has steps of a processor, even and odd.
LENGTHS = [8, 9] if JIT_DISABLED else [8, 9, 33]
WEIGHTS, SCALES = np.array([0.3, 0.7]), np.array([2.0, 0.5])


def priced(n, mode):
    """A state whose table is set at an order, the order, terms, and true prices."""
    state, a, b = with_model(n, 2, mode)
    state.pairing.scales[:], state.pairing.weights[:] = SCALES, WEIGHTS
    x = np.random.default_rng(1).permutation(n)
    terms = set_prices(state, x, True)
    set_table(state, x, terms)
    matrices = list(zip(a, b, strict=True))

    def prices(y):
        return reference.swap_prices(y, matrices, WEIGHTS * SCALES)

    return state, x, terms, prices


def table_of(state, n):
    """Prices by the table, shape (n, n), where only one of both triangles is sure."""
    pairing = state.pairing
    own = pairing.own[:n]
    return np.tril(pairing.crossed[:, :n] - own[:, None] - own)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("n", LENGTHS)
def test_prices_are_what_exchanges_change(n, mode):
    """All exchanges: by the sums of one output, of the weighted sum, by the table."""
    state, x, terms, prices = priced(n, mode)
    true = prices(x)
    assert terms == (1 if mode < 2 else 2)
    found = [[price_swap(state, x, 0, terms, i, j) for j in range(n)] for i in range(n)]
    assert_allclose(np.array(found) * (1 - np.eye(n)), true, atol=1e-9)
    assert_allclose(table_of(state, n), np.tril(true), atol=1e-9)
    assert set_prices(state, x, False) == 2
    alone = [
        [sum(price_swap(state, x, k, k + 1, i, j) for k in (0, 1)) for j in range(n)]
        for i in range(n)
    ]
    assert_allclose(np.array(alone) * (1 - np.eye(n)), true, atol=1e-9)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("n", LENGTHS)
def test_after_many_exchanges_sums_and_prices_are_those_made_anew(n, mode):
    """What products of two vectors changed, against sums and prices from scratch."""
    state, x, terms, prices = priced(n, mode)
    start, rng = x.copy(), np.random.default_rng(5)
    for _ in range(3 * n):
        i, j = rng.choice(n, 2, replace=False)
        make_swap(state, x, terms, int(i), int(j))
    assert (x != start).any()
    assert sorted(x) == list(range(n))
    kept, table = state.pairing.sums[:terms].copy(), table_of(state, n)
    assert_allclose(table, np.tril(prices(x)), atol=1e-9)
    set_prices(state, x, True)
    assert_allclose(kept, state.pairing.sums[:terms], atol=1e-9)


@pytest.mark.parametrize("n", LENGTHS)
def test_the_best_exchange_is_the_least_that_is_not_banned(n):
    """Under random bans of items at positions, and with a wish that lifts bans."""
    state, x, terms, prices = priced(n, 0)
    true, rng = prices(x), np.random.default_rng(6)
    for wished in (-np.inf, np.median(true)):
        state.pairing.until[:] = rng.integers(0, 10, (n, n))
        until = state.pairing.until[x]  # of the item at i, at position j
        banned = np.minimum(until, until.T)
        for i in range(n):  # there and back, which writes the bans of both positions
            make_swap(state, x, terms, i, (i + 1) % n)
            make_swap(state, x, terms, i, (i + 1) % n)
        for now in (-1.0, 4.0, 10.0):
            found = best_swap(state, n, now, wished)
            least = reference.best_swap(true, banned, now, wished)
            if least is None:
                assert found == -1
                continue
            i, j = found // n, found % n
            assert i != j
            assert_allclose(true[i, j], least, atol=1e-9)
