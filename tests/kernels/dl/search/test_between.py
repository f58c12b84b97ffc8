import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from divlearn.methods.dl.kernels.search.between import (
    look_from,
    look_on,
    note_exchange,
    note_insertion,
)
from tests.kernels.cases import SEEDS
from tests.reference.orders import between, exchanged, inserted

SIZES = st.integers(2, 9)


def case_of(n, seed):
    """A random order, and what its items cost before others."""
    rng = np.random.default_rng(seed)
    ahead = rng.normal(size=(n, n))
    return rng.permutation(n), ahead - ahead.T, np.full(n, np.nan), rng


@given(SIZES, SEEDS)
def test_sums_are_those_of_the_items_between(n, seed):
    """Seen from every place, from one to the next, and round to the first."""
    items, margin, sums, rng = case_of(n, seed)
    i = int(rng.integers(n))
    look_from(items, margin, sums, i)
    for _ in range(n + 1):
        assert_allclose(sums, between(items.tolist(), margin, i), atol=1e-12)
        i = look_on(items, margin, sums, i)


@given(SIZES, SEEDS, st.booleans())
def test_sums_stay_right_where_an_item_moves(n, seed, inserts):
    """To every other place, by an exchange or an insertion."""
    items, margin, sums, _ = case_of(n, seed)
    note, moved = (note_insertion, inserted) if inserts else (note_exchange, exchanged)
    for i in range(n):
        for j in range(n):
            if i != j:
                look_from(items, margin, sums, i)
                note(items, margin, sums, i, j)
                after = moved(items.tolist(), i, j)
                assert_allclose(sums, between(after, margin, i), atol=1e-12)
