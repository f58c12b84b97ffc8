"""Sums over positions, fitted to differences."""

import numpy as np
from numpy.testing import assert_allclose

from divlearn.methods.dl.kernels.memory import Ring
from divlearn.methods.dl.kernels.models.sums import fit_sums, new_sums


def differences(table, rows, rng):
    """Steps between random orders, and what they change."""
    n = len(table)
    x = np.array([rng.permutation(n) for _ in range(2 * rows)], np.int32)
    values = table[np.arange(n), x].sum(axis=1)
    deltas = np.stack([values[rows:] - values[:rows]] * 2, axis=1)
    return Ring(x[:rows], x[rows:], deltas, np.zeros((0, 0, 0), np.int64))


def test_enough_differences_determine_all_others():
    """Only one column is fitted, and it predicts steps that were never seen."""
    rng, n = np.random.default_rng(0), 6
    table, rows = rng.normal(size=(n, n)), 40
    mean, ring = np.zeros((n * n, 2)), differences(table, rows, rng)
    left = fit_sums(new_sums(rows, n * n), ring, rows, mean, 1)
    assert left < 1e-20
    assert not mean[:, 0].any()
    others = differences(table, 10, rng)
    fitted = mean[:, 1].reshape(n, n)
    places = np.arange(n)
    found = fitted[places, others.children].sum(axis=1)
    found -= fitted[places, others.parents].sum(axis=1)
    assert_allclose(found, others.deltas[:, 1], atol=1e-8)


def test_what_is_no_sum_is_fitted_as_well_as_by_numpy():
    """Least squares, whatever the differences are."""
    rng, n, rows = np.random.default_rng(1), 5, 60
    ring = differences(np.zeros((n, n)), rows, rng)
    ring.deltas[:] = rng.normal(size=(rows, 2))
    design, places = np.zeros((rows, n * n)), np.arange(n) * n
    for row in range(rows):
        design[row, places + ring.children[row]] += 1.0
        design[row, places + ring.parents[row]] -= 1.0
    _, squares, rank, _ = np.linalg.lstsq(design, ring.deltas[:, 0], rcond=None)
    best = ring.deltas[:, 0] - design @ np.linalg.pinv(design) @ ring.deltas[:, 0]
    mean = np.zeros((n * n, 2))
    left = fit_sums(new_sums(rows, n * n), ring, rows, mean, 0)
    assert_allclose(left, (best**2).sum() / (ring.deltas[:, 0] ** 2).sum(), rtol=1e-9)
    assert rank == (n - 1) ** 2
    assert squares.size == 0
