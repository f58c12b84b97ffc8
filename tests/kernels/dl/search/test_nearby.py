"""What a candidate adds to the front, judged by members near its origin first."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import divlearn as dl
from divlearn.methods.dl.kernels.front import gain, measure_front
from divlearn.methods.dl.kernels.search.nearby import (
    INNER,
    OUTER,
    gather_around,
    promised,
)
from tests.kernels.cases import SEEDS
from tests.kernels.dl.cases import archive_of, state_for


def front_of_many(seed, m, constraints=0):
    """A state with a front of a hundred random rows or so."""
    rng = np.random.default_rng(seed)
    rows = rng.integers(0, 64, (100, m)) / 64
    archive, size = archive_of(rows[np.abs(rows.sum(axis=1) - m / 2) < 0.3])
    state = state_for(dl.Binary(1), m, constraints=["c"] * constraints)
    state = state._replace(archive=archive)
    state.control.archive_size = size
    measure_front(archive, size, state.low, state.high)
    return rng, state, size


@given(SEEDS, st.integers(1, 4), st.sampled_from([0.0, 0.05, 0.3]))
def test_rings_give_the_gain_that_all_members_give(seed, m, most):
    """Where that is above what was asked for; near the origin and far from it."""
    rng, state, size = front_of_many(seed, m)
    if size == 0:
        return
    member = state.archive.order[rng.integers(size)]
    gather_around(state, member)
    for reach in (0.1, 1.0):
        y = state.archive.keys[member] + rng.integers(-64, 64, m) / 64 * reach
        expected = gain(state.archive, size, y, state.low, state.high)
        found = promised(state, y, most)
        assert found == expected or (m != 2 and found == 0.0 and expected <= most)


@given(SEEDS)
def test_members_are_listed_by_how_much_worse_they_are(seed):
    """In the worst of their objectives; nobody is lost."""
    rng, state, size = front_of_many(seed, 3)
    if size == 0:
        return
    members = set(state.archive.order[:size])
    member = state.archive.order[rng.integers(size)]
    gather_around(state, member)
    order, keys = state.archive.order[:size], state.archive.keys
    width = np.where(state.high > state.low, state.high - state.low, 1.0)
    worse = ((keys[order] - keys[member]) / width).max(axis=1)
    inner, outer, last = state.inside.around.stops
    assert (worse[:inner] <= INNER).all()
    assert (worse[inner:] > INNER - 1e-12).all()
    assert (worse[:outer] <= OUTER).all()
    assert (worse[outer:] > OUTER - 1e-12).all()
    assert last == size
    assert set(order) == members


def test_what_violates_a_constraint_promises_nothing():
    """Whatever its objectives are."""
    _, state, _ = front_of_many(0, 3, 1)
    gather_around(state, state.archive.order[0])
    assert promised(state, np.array([-1.0, -1.0, -1.0, 0.5]), 0.0) == 0.0
    assert promised(state, np.array([-1.0, -1.0, -1.0, 0.0]), 0.0) == 1.0
