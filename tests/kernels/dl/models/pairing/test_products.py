"""Sums over pairs, their transpose, and what is taken out of a matrix."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from divlearn.methods.dl.kernels.models.pairing.products import (
    add_pairs,
    add_products,
    level,
    sum_pairs,
)
from tests.reference.pairing import pair_sum, symmetric


def orders_of(n, rows):
    """Random permutations as the model stores them, shape (rows, n)."""
    rng = np.random.default_rng(n)
    return np.array([rng.permutation(n) for _ in range(rows)]).astype(np.uint64)


@pytest.mark.parametrize("n", [4, 5, 6, 7, 9])
def test_sums_are_those_of_the_definition(n):
    """Every remainder of the loop that goes four by four."""
    rng, orders, out = np.random.default_rng(0), orders_of(n, 11), np.zeros(12)
    a, b = symmetric(rng, n), symmetric(rng, n)
    sum_pairs(orders, 11, a, b, out)
    assert_allclose(out[:11], [pair_sum(x, a, b) for x in orders])
    assert out[11] == 0.0


def test_the_way_back_is_the_transpose_without_the_held_out():
    """<r, sum(a)> = <add(r), a> for all a, where r is 0 at every tenth row."""
    n, rows = 6, 25
    rng, orders, out = np.random.default_rng(1), orders_of(n, rows), np.zeros(rows)
    a, b, r = symmetric(rng, n), symmetric(rng, n), rng.normal(size=rows)
    back = np.zeros((n, n))
    add_pairs(orders, rows, b, r, back)
    sum_pairs(orders, rows, a, b, out)
    used = np.arange(rows) % 10 != 0
    assert_allclose((back * a).sum(), (r * out)[used].sum())
    assert not np.tril(back).any()


@pytest.mark.parametrize("less", [False, True])
@pytest.mark.parametrize("n", [4, 5, 6, 7, 9])
def test_sums_and_the_way_back_in_one_are_the_two_after_another(n, less):
    """To the last bit, and added to what was there; the lower half is left alone."""
    rows = 25
    rng, orders, sums = np.random.default_rng(4), orders_of(n, rows), np.zeros(rows)
    a, b, targets = symmetric(rng, n), symmetric(rng, n), rng.normal(size=rows)
    found = rng.normal(size=(n, n))
    wanted, pairs = found.copy(), np.zeros((2, n * (n - 1) // 2))
    sum_pairs(orders, rows, a, b, sums)
    add_pairs(orders, rows, b, targets - sums if less else sums, wanted)
    add_products(orders, rows, a, b, targets, less, pairs, found)
    assert_array_equal(found, wanted)


@pytest.mark.parametrize("by_rows", [False, True])
def test_a_levelled_matrix_is_symmetric_and_has_no_mean(by_rows):
    """The size returned is the root of the mean square above the diagonal."""
    n = 7
    a = np.triu(np.random.default_rng(2).normal(size=(n, n)), 1)
    size = level(a, by_rows)
    above = a[np.triu_indices(n, 1)]
    assert_allclose(a, a.T)
    assert_allclose(above.mean(), 0.0, atol=1e-12)
    assert_allclose(size, np.sqrt((above**2).mean()))
    assert not a.diagonal().any()
    if by_rows:
        assert_allclose(a.sum(axis=1), 0.0, atol=1e-12)


def test_rows_alone_leave_nothing():
    """A matrix of one number per row plus one per column has no part for pairs."""
    r = np.random.default_rng(3).normal(size=6)
    a = r[:, None] + r[None, :]
    assert level(a, True) == pytest.approx(0.0, abs=1e-12)
