import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from divlearn.kernels.jit import JIT_DISABLED
from divlearn.methods.dl import state as learner
from divlearn.methods.dl.kernels.models.latent import (
    HELD_OUT,
    _add_transposed,
    _linearise,
    _loss,
    _multiply,
    _solve,
    explained,
    fit_points,
    group_items,
    held_out_error,
)
from tests.kernels.cases import words_of
from tests.kernels.dl.cases import symmetric
from tests.reference.tours import length, pairs


def filled(cost, number, seed=0):
    """Differences of lengths of random tours as sparse rows."""
    rng, n = np.random.default_rng(seed), len(cost)
    latent, used = learner._latent(n, number), 0
    for row in range(number):
        parent = rng.permutation(n).tolist()
        i, j = sorted(rng.integers(0, n, 2))
        child = parent[:i] + parent[i : j + 1][::-1] + parent[j + 1 :]
        changed = [(p, 1) for p in pairs(child) - pairs(parent)]
        changed += [(p, -1) for p in pairs(parent) - pairs(child)]
        for pair, sign in changed:
            latent.first[used], latent.second[used] = sorted(pair)
            latent.signs[used] = sign
            used += 1
        latent.rows[row + 1] = used
        latent.targets[row] = length(cost, child) - length(cost, parent)
    group_items(latent, number, np.empty(n, np.int64))
    return latent


def distances(points):
    """Distances of all pairs of points, shape (n, n)."""
    return np.linalg.norm(points[:, None] - points[None], axis=2)


def jacobian(latent, points, count):
    """Derivatives of the rows that are not held out, by small steps."""
    rows = []
    for row in range(count):
        slope = np.zeros(points.size)
        for k in range(points.size):
            moved = np.zeros(points.size)
            moved[k] = 1e-6
            up, down = (points.ravel() + sign * moved for sign in (1, -1))
            ends = [explained(latent, p.reshape(points.shape), row) for p in (up, down)]
            slope[k] = (ends[0] - ends[1]) / 2e-6
        rows.append(slope if row % HELD_OUT else 0 * slope)
    return np.array(rows)


def test_a_row_is_the_sum_of_its_signed_distances():
    """And the loss that of the squared rests of what is not held out."""
    points = np.random.default_rng(0).random((6, 3))
    latent = filled(distances(points), 20)
    latent.points[:] = points
    rests = [explained(latent, points, row) - latent.targets[row] for row in range(20)]
    assert_allclose(rests, 0, atol=1e-8)
    latent.targets[:] += np.arange(20)
    kept = np.array([row for row in range(20) if row % HELD_OUT])
    assert_allclose(_loss(latent, points, 20), (kept**2).sum())
    assert_allclose(latent.residuals[kept], -kept)
    out = np.arange(0, 20, HELD_OUT)
    expected = (out**2).sum() / (latent.targets[out] ** 2).sum()
    assert_allclose(held_out_error(latent, 20), expected)


def test_the_items_of_a_row_are_those_of_its_pairs():
    """Every one once, and every pair knows where its two items stand."""
    latent = filled(symmetric(np.random.default_rng(4), 7), 25)
    for row in range(25):
        within = slice(latent.rows[row], latent.rows[row + 1])
        items = latent.items[latent.members[row] : latent.members[row + 1]]
        expected = set(latent.first[within]) | set(latent.second[within])
        assert sorted(items) == sorted(expected)
        assert_array_equal(latent.items[latent.slots[within, 0]], latent.first[within])
        assert_array_equal(latent.items[latent.slots[within, 1]], latent.second[within])


def test_slopes_are_the_derivatives():
    """Against small steps of every coordinate."""
    rng = np.random.default_rng(1)
    latent = filled(symmetric(rng, 5), 12)
    latent.points[:] = rng.random((5, 3))
    slopes = jacobian(latent, latent.points, 12)
    _linearise(latent, 12)
    for row in range(1, 12):
        if row % HELD_OUT:
            into = np.zeros((5, 3))
            _add_transposed(latent, row, 2.0, into)
            assert_allclose(into.ravel(), 2 * slopes[row], atol=1e-6)
    v, product = rng.random((5, 3)), np.empty((5, 3))
    _multiply(latent, 12, 0.5, v, product)
    expected = slopes.T @ (slopes @ v.ravel()) + 0.5 * v.ravel()
    assert_allclose(product.ravel(), expected, atol=1e-5)


def test_a_step_solves_the_damped_normal_equations():
    """As a dense solver does."""
    rng = np.random.default_rng(2)
    latent = filled(symmetric(rng, 5), 20)
    latent.points[:] = rng.random((5, 3))
    slopes = jacobian(latent, latent.points, 20)
    _linearise(latent, 20)
    gradient = rng.random((5, 3))
    latent.work[2] = gradient
    _solve(latent, 20, 0.3)
    system = slopes.T @ slopes + 0.3 * np.eye(15)
    expected = np.linalg.solve(system, -gradient.ravel())
    assert_allclose(latent.work[1].ravel(), expected, atol=0.1 * abs(expected).max())


@pytest.mark.parametrize("n", [7] if JIT_DISABLED else [7, 15, 20])
def test_points_are_recovered_from_differences(n):
    """Up to motions: all distances, from a start that knows nothing.

    A fit may end in a local optimum, so one of three starts must succeed.
    """
    points = np.random.default_rng(n).random((n, 2))
    latent, words = filled(distances(points), 10 * n), words_of(n)
    errors = []
    for _ in range(3):
        errors.append(fit_points(latent, 10 * n, words, True))
        assert errors[-1] == held_out_error(latent, 10 * n)
        if errors[-1] < 1e-4:
            break
    assert errors[-1] < 1e-4
    if n > 7:  # else some pairs were hardly ever changed
        assert_allclose(distances(latent.points), distances(points), atol=0.1)


def test_a_fit_goes_on_from_where_it_is():
    """Points that are exact already stay."""
    points = np.random.default_rng(3).random((6, 3))
    latent = filled(distances(points), 30)
    latent.points[:] = points
    assert fit_points(latent, 30, words_of(0), False) < 1e-9
    assert_allclose(latent.points, points, atol=1e-3)


def test_costs_of_nothing_are_not_explained():
    """No target at all: no error of zero, and no division by zero."""
    latent = filled(np.ones((5, 5)), 10)
    assert not latent.targets.any()
    assert fit_points(latent, 10, words_of(0), True) == 1.0
    assert np.isfinite(latent.points).all()
    assert fit_points(latent, 0, words_of(0), True) == 1.0
