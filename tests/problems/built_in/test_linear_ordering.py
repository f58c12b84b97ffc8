"""Linear ordering: sums over all pairs in which one item stands before another."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from divlearn import InputError
from divlearn.problems import LinearOrdering, get


@given(st.integers(0, 999), st.integers(1, 7), st.integers(1, 3))
def test_gains_are_those_above_the_diagonal_of_the_reordered_matrix(seed, n, m):
    """Triangulation: rows and columns in the order of the items."""
    rng = np.random.default_rng(seed)
    gains, order = rng.normal(size=(m, n, n)), rng.permutation(n)
    expected = [np.triu(matrix[np.ix_(order, order)], 1).sum() for matrix in gains]
    assert_allclose(LinearOrdering(gains).evaluate(order), expected, atol=1e-12)


def test_gains_are_drawn_as_published():
    """Whole numbers from 0 to 99, none on the diagonals."""
    drawn = np.random.default_rng(5).integers(0, 100, (2, 9, 9))
    drawn[:, range(9), range(9)] = 0
    assert_allclose(get("bilop-9", instance=5).gains, drawn)


def test_matrices_that_are_not_square_are_refused():
    """The message names the argument, what was expected and what came."""
    with pytest.raises(InputError, match=r"gains must be .*\(m, n, n\).*got shape"):
        LinearOrdering(np.ones((2, 2, 3)))
