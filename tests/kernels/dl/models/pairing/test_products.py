"""Sums over pairs, their transpose, and what is taken out of a matrix."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from divlearn.methods.dl.kernels.models.pairing.model import new_pairing
from divlearn.methods.dl.kernels.models.pairing.products import (
    Rows,
    add_pairs,
    add_products,
    level,
    nearest_row,
    sum_pairs,
    worth_of,
)
from tests.reference.pairing import pair_sum, symmetric


def orders_of(n, rows):
    """Random permutations as the model stores them, shape (rows, n)."""
    rng = np.random.default_rng(n)
    return np.array([rng.permutation(n) for _ in range(rows)]).astype(np.uint64)


def rows_of(orders, parents=None, worths=None):
    """Rows of a regression: random orders, or such that are compared with others."""
    count = len(orders)
    none, one = np.full(count, -1), np.ones(count)
    parents = none if parents is None else parents
    return Rows(orders, parents, one if worths is None else worths, count)


def steps_of(n, count):
    """Orders by exchanges from one to the next; the first three are random."""
    rng = np.random.default_rng(8)
    orders, parents = [rng.permutation(n) for _ in range(3)], [-1, -1, -1]
    while len(orders) < count:
        parents.append(int(rng.integers(len(orders))))
        orders.append(orders[parents[-1]].copy())
        for _ in range(rng.integers(1, 4)):
            i, j = rng.choice(n, 2, replace=False)
            orders[-1][[i, j]] = orders[-1][[j, i]]
    return np.array(orders).astype(np.uint64), np.array(parents)


def design_of(orders, parents, b):
    """Pairs of every order as a row, less those of the other order, shape (N, P)."""
    upper = np.triu_indices(b.shape[0], 1)
    pairs = np.array([b[x[upper[0]], x[upper[1]]] for x in orders.astype(int)])
    return pairs - np.where(parents[:, None] < 0, 0.0, pairs[parents])


@pytest.mark.parametrize("n", [4, 5, 6, 7, 9])
def test_sums_are_those_of_the_definition(n):
    """Every remainder of the loop that goes four by four."""
    rng, orders, out = np.random.default_rng(0), orders_of(n, 11), np.zeros(12)
    a, b = symmetric(rng, n), symmetric(rng, n)
    sum_pairs(rows_of(orders), a, b, out)
    assert_allclose(out[:11], [pair_sum(x, a, b) for x in orders])
    assert out[11] == 0.0


def test_the_way_back_is_the_transpose_without_the_held_out():
    """<r, sum(a)> = <add(r), a> for all a, where r is 0 at every tenth row."""
    n, rows = 6, 25
    rng, orders, out = np.random.default_rng(1), orders_of(n, rows), np.zeros(rows)
    a, b, r = symmetric(rng, n), symmetric(rng, n), rng.normal(size=rows)
    back = np.zeros((n, n))
    add_pairs(rows_of(orders), b, r, back)
    sum_pairs(rows_of(orders), a, b, out)
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
    wanted, used = found.copy(), rows_of(orders)
    sum_pairs(used, a, b, sums)
    add_pairs(used, b, targets - sums if less else sums, wanted)
    add_products(used, a, b, targets, less, new_pairing(n, 1, 1), found)
    assert_array_equal(found, wanted)


@pytest.mark.parametrize("less", [False, True])
@pytest.mark.parametrize("n", [4, 5, 6, 7, 9])
def test_differences_count_as_rows_of_a_regression_with_their_weights(n, less):
    """Against all rows written down; only random ones are ever held out."""
    rng, (orders, parents) = np.random.default_rng(6), steps_of(n, 24)
    a, b, targets = symmetric(rng, n), symmetric(rng, n), rng.normal(size=24)
    worths = np.where(parents < 0, 1.0, rng.uniform(1.0, 5.0, 24))
    design, upper = design_of(orders, parents, b), np.triu_indices(n, 1)
    sums = design @ a[upper]
    if less:
        sums = targets - np.where(parents < 0, 0.0, targets[parents]) - sums
    sums[0] = 0.0  # held out
    found = np.zeros((n, n))
    used = rows_of(orders, parents, worths)
    add_products(used, a, b, targets, less, new_pairing(n, 1, 1), found)
    assert_allclose(found[upper], design.T @ (worths * sums), atol=1e-10)
    assert not np.tril(found).any()


def test_the_nearest_row_shares_most_positions():
    """The latest of several; none where nothing is stored."""
    orders = np.array([[0, 1, 2, 3], [1, 0, 2, 3], [1, 0, 2, 3]]).astype(np.uint64)
    assert nearest_row(orders, 3, np.array([1, 0, 3, 2])) == 2
    assert nearest_row(orders, 3, np.array([0, 1, 2, 3])) == 0
    assert nearest_row(orders, 0, np.array([0, 1, 2, 3])) == -1


def test_a_difference_weighs_one_over_its_variance():
    """Twice the share of pairs that changed; nothing changed counts for nothing."""
    x = np.arange(5)
    assert worth_of(x, x) == 0.0
    assert worth_of(x, x[[1, 0, 2, 3, 4]]) == pytest.approx(0.5 / 0.7)
    assert worth_of(x, x[::-1].copy()) == 0.5
    assert worth_of(x, np.roll(x, 1)) == 0.5


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
