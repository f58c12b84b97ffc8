"""Factors and inverses against numpy."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from divlearn.methods.dl.kernels.models.gp.cholesky import (
    dot,
    extend_factor,
    factorize,
    invert,
    invert_factor,
    unwhiten,
    whiten,
)


def positive(size, seed=0):
    """A symmetric positive definite matrix."""
    root = np.random.default_rng(seed).normal(size=(size, size))
    return root @ root.T + 0.1 * np.eye(size)


@pytest.mark.parametrize("size", [1, 2, 7, 20])
def test_factor_inverse_factor_and_inverse_are_those_of_numpy(size):
    """Inside larger arrays, of which the rest stays as it is."""
    matrix, room = positive(size, size), (size + 3, size + 3)
    upper, lower, inverse = np.full(room, 7.0), np.full(room, 7.0), np.full(room, 7.0)
    upper[:size, :size] = matrix
    log_det = factorize(upper, size)
    invert_factor(upper, size, lower)
    invert(lower, size, inverse)
    assert_allclose(log_det, np.linalg.slogdet(matrix)[1])
    u, v = np.triu(upper[:size, :size]), np.tril(lower[:size, :size])
    assert_allclose(u.T @ u, matrix)
    assert_allclose(v @ u.T, np.eye(size), atol=1e-10)
    expected = np.tril(np.linalg.inv(matrix))
    assert_allclose(np.tril(inverse[:size, :size]), expected, rtol=1e-8, atol=1e-9)
    for array in (upper, lower, inverse):
        assert (array[size:] == 7.0).all()
        assert (array[:, size:] == 7.0).all()


def test_a_matrix_that_is_not_positive_gets_a_least_pivot():
    """Two equal solutions without noise: finite numbers rather than a crash."""
    upper, lower = np.ones((2, 2)), np.zeros((2, 2))
    assert np.isfinite(factorize(upper, 2))
    invert_factor(upper, 2, lower)
    assert np.isfinite(lower).all()


@pytest.mark.parametrize("size", [1, 3, 4, 9])
def test_an_inverse_factor_grows_row_by_row_and_multiplies_as_numpy_does(size):
    """Its products are what predictions are made of; the rest of an array stays."""
    matrix, work = positive(size, size), np.zeros(size)
    factor, total = np.zeros((size + 2, size + 2)), np.full(size + 2, 7.0)
    for k in range(size):
        extend_factor(factor, matrix[k].copy(), k, matrix[k, k], work)
    v = np.linalg.inv(np.linalg.cholesky(matrix))
    assert_allclose(factor[:size, :size], v.T, rtol=1e-8, atol=1e-9)
    vector = np.random.default_rng(size).normal(size=size)
    whiten(factor, vector, size, total)
    assert_allclose(total[:size], v @ vector, rtol=1e-7, atol=1e-9)
    assert (total[size:] == 7.0).all()
    unwhiten(factor, vector, size, total)
    assert_allclose(total[:size], v.T @ vector, rtol=1e-7, atol=1e-9)
    assert_allclose(dot(vector, vector, 1, size), vector[1:] @ vector[1:])
