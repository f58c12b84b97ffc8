import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import divlearn as dl
from divlearn.kernels.jit import JIT_DISABLED
from divlearn.methods.dl.kernels.memory import remember_difference
from divlearn.methods.dl.kernels.models.encodings import NEIGHBOUR, VALUE
from divlearn.methods.dl.kernels.models.geometry import fit_all
from tests.kernels.cases import words_of
from tests.kernels.dl.cases import small, state_for, symmetric
from tests.reference.tours import length

slow_in_plain_python = pytest.mark.skipif(
    JIT_DISABLED, reason="a fit takes a minute in plain Python"
)


def lengths_of(costs):
    """Objectives that are lengths of the tour at the end of a solution."""

    def outputs(x):
        return np.array([length(cost, x[-len(cost) :].tolist()) for cost in costs])

    return outputs


def told(space, outputs, number, **changes):
    """The state after so many differences in its ring, and nothing learned."""
    state = state_for(space, 2, small(memory=max(1, number), **changes))
    rng = np.random.default_rng(0)
    for row in range(number):
        x = space.sample(int(rng.integers(2**31)))
        y = space.neighbour(x, int(rng.integers(2**31)))
        x, y = space.encode(x), space.encode(y)
        remember_difference(state.ring, row, x, outputs(x), y, outputs(y))
    return state


def fitted(state, base, differences):
    """Fit all objectives; the worst error on differences held out."""
    state.control.differences, state.rng[:] = differences, words_of(1)
    return fit_all(state, base, 0.3)


def distances(points):
    """Distances of all pairs of points, shape (n, n)."""
    return np.linalg.norm(points[:, None] - points[None], axis=2)


@slow_in_plain_python
@pytest.mark.parametrize("scale", [1e-3, 1.0, 1e4])
def test_points_behind_the_costs_fill_the_table(scale):
    """Then every pair has its cost, also those never seen; in any unit."""
    n, rng = 15, np.random.default_rng(0)
    costs = [distances(scale * rng.random((n, 2))) for _ in range(2)]
    space = dl.Composite(bits=dl.Binary(2), tour=dl.Permutation(n))
    state = told(space, lengths_of(costs), 250)
    e = state.tables.encodings.tolist().index(NEIGHBOUR)
    assert fitted(state, 4, 250) < 1e-3
    assert_array_equal(state.tables.chosen, [e, e])
    upper = np.triu_indices(n, 1)
    for j in (0, 1):
        table = state.tables.mean[e, 4:, j].reshape(n, n)
        assert_allclose(table[upper], costs[j][upper], atol=0.15 * scale)
        assert not table[np.tril_indices(n)].any()
        points = distances(state.points[j])
        assert_allclose(table[upper], points[upper], rtol=1e-9)
    assert not state.tables.mean[:, :4].any()


@slow_in_plain_python
def test_costs_without_geometry_are_refused():
    """Independent random costs of all pairs: the table is left alone."""
    n, rng = 20, np.random.default_rng(1)
    costs = [symmetric(rng, n) for _ in range(2)]
    state = told(dl.Permutation(n), lengths_of(costs), 200)
    before = [array.copy() for array in state.tables]
    assert fitted(state, 0, 200) > 0.3
    for array, old in zip(state.tables, before, strict=True):
        assert_array_equal(array, old)


@slow_in_plain_python
def test_each_objective_is_judged_for_itself():
    """One has points behind it, the other has none."""
    n, rng = 16, np.random.default_rng(2)
    costs = [distances(rng.random((n, 2))), symmetric(rng, n)]
    state = told(dl.Permutation(n), lengths_of(costs), 200)
    e = state.tables.encodings.tolist().index(NEIGHBOUR)
    assert fitted(state, 0, 200) > 0.3
    assert state.tables.mean[e, :, 0].any()
    assert not state.tables.mean[e, :, 1].any()
    assert_array_equal(state.tables.chosen, [e, 0])


def test_no_points_are_fitted_where_another_encoding_is_better():
    """Nor where neighbours are no encoding at all, nor without differences."""
    rng = np.random.default_rng(3)
    costs = [distances(rng.random((6, 2))) for _ in range(2)]
    space = dl.Permutation(6)
    state = told(space, lengths_of(costs), 30)
    state.tables.size[:] = 1.0
    state.tables.error[:] = 0.5
    state.tables.error[state.tables.encodings.tolist().index(VALUE)] = 0.1
    assert fitted(state, 0, 30) == 1.0
    assert not state.tables.mean.any()
    assert not state.points.any()
    state = told(space, lengths_of(costs), 30, encodings=["position"])
    assert fitted(state, 0, 30) == 1.0
    assert not state.tables.mean.any()
    state = told(space, lengths_of(costs), 0)
    assert fitted(state, 0, 0) == 1.0
    assert not state.tables.mean.any()
