import numpy as np
import pytest
from numpy.testing import assert_allclose

import divlearn as dl
from divlearn.methods.dl.kernels.weights import (
    NUM_DIVIDING,
    draw_weights,
    van_der_corput,
)
from tests.kernels.cases import new_search
from tests.kernels.dl.cases import small


def search_with(rows, **changes):
    """The state of a search that was told some objectives, shape (k, m)."""
    names = [f"f{j}" for j in range(rows.shape[1])]
    problem = dl.Problem(dl.Binary(10), lambda x: None, names, constraints=["c"])
    optimizer, state = new_search(problem, small(**changes))
    for number, row in enumerate(rows):
        optimizer.add([bool(number >> k & 1) for k in range(10)], [*row, -1.0])
    return state


def drawn(state, number):
    """So many weight vectors, shape (number, m + c)."""
    rows = []
    for _ in range(number):
        draw_weights(state, 1)
        rows.append(state.weights[1].copy())
    return np.array(rows)


def curve(m, k=12):
    """Mutually non-dominated rows in very different units."""
    rows = np.random.default_rng(m).random((k, m)) + 0.1
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    return -rows * 10.0 ** np.arange(m)


@pytest.mark.parametrize("m", [1, 2, 3, 4])
def test_weights_sum_to_one_in_units_of_the_front(m):
    """Finite and not negative; constraints have none."""
    state = search_with(curve(m))
    weights = drawn(state, 60)
    assert np.isfinite(weights).all()
    assert (weights >= 0).all()
    assert not weights[:, m:].any()
    assert not state.weights[0].any()  # the other row is left alone
    width = state.high - state.low if m > 1 else np.ones(1)
    total = (weights[:, :m] * width).sum(axis=1)
    # A least share of each objective comes on top.
    assert (total > 1 - 1e-9).all()
    assert (total < 1 + 0.001 * m + 1e-9).all()


@pytest.mark.parametrize("m", [2, 3, 4])
def test_every_objective_comes_first_alone(m):
    """The ends of the front, before what lies between."""
    state = search_with(curve(m))
    weights = drawn(state, m)[:, :m] * (state.high - state.low)
    assert_allclose(weights, np.eye(m), atol=2e-3)


def test_two_objectives_are_divided_evenly_at_first():
    """Ends, middle, quarters and so on: after 2 + 2^k - 1 a regular grid."""
    state = search_with(curve(2))
    weights = drawn(state, NUM_DIVIDING)[:, :2] * (state.high - state.low)
    assert_allclose(np.sort(weights[:, 1]), np.linspace(0, 1, NUM_DIVIDING), atol=2e-3)
    assert_allclose(np.sort(weights[:9, 1]), np.linspace(0, 1, 9), atol=2e-3)


def test_later_weights_are_mostly_normals_of_gaps():
    """Both ends of a gap have the same cost under its normal; larger gaps are more."""
    state = search_with(curve(2))
    drawn(state, NUM_DIVIDING)
    weights = drawn(state, 200)[:, :2]
    front = state.archive.keys[state.archive.order[: state.control[0].archive_size]]
    steps = np.abs(np.diff(front, axis=0))
    cost = weights * steps[:, None]  # (gaps, weights, objectives)
    normal = np.isclose(cost[..., 0], cost[..., 1], rtol=1e-9)
    assert 0.8 < normal.any(axis=0).mean() < 1.0
    counts = normal.sum(axis=1)
    sizes = steps.prod(axis=1)
    assert counts[sizes.argmax()] > counts[sizes.argmin()]


def test_without_gaps_all_weights_are_drawn():
    """The switch does switch something off."""
    state = search_with(curve(2), gaps=False)
    weights = drawn(state, NUM_DIVIDING + 50)[NUM_DIVIDING:, :2]
    shares = weights[:, 1] * (state.high - state.low)[1]
    assert len(np.unique(shares)) == 50
    assert 0.3 < shares.mean() < 0.7


@pytest.mark.parametrize("m", [1, 2, 3])
def test_a_front_of_one_member_has_weights_too(m):
    """No width to divide by."""
    weights = drawn(search_with(np.full((1, m), 3.0)), 50)
    assert np.isfinite(weights).all()
    assert (weights[:, :m] > 0).all()


def test_the_sequence_bisects():
    """Its first members, by hand."""
    expected = [0, 1 / 2, 1 / 4, 3 / 4, 1 / 8, 5 / 8, 3 / 8, 7 / 8]
    assert [van_der_corput(k) for k in range(8)] == expected
