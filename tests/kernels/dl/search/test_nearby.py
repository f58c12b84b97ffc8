"""What a candidate adds to the front, judged by members near its origin first."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from divlearn.methods.dl.kernels.front import gain, measure_front
from divlearn.methods.dl.kernels.search.nearby import (
    INNER,
    OUTER,
    Front,
    gather_around,
    new_around,
    promised,
)
from tests.kernels.cases import SEEDS
from tests.kernels.dl.cases import archive_of


def front_of_many(seed, m):
    """A front of a hundred random rows or so."""
    rng = np.random.default_rng(seed)
    rows = rng.integers(0, 64, (100, m)) / 64
    archive, size = archive_of(rows[np.abs(rows.sum(axis=1) - m / 2) < 0.3])
    low, high = np.empty((2, m))
    measure_front(archive, size, low, high)
    return rng, Front(archive, size, low, high, np.zeros(8, np.uint64))


@given(SEEDS, st.integers(1, 4), st.sampled_from([0.0, 0.05, 0.3]))
def test_rings_give_the_gain_that_all_members_give(seed, m, most):
    """Where that is above what was asked for; near the origin and far from it."""
    rng, front = front_of_many(seed, m)
    if front.size == 0:
        return
    around, member = new_around(m), front.archive.order[rng.integers(front.size)]
    gather_around(around, front, member)
    for reach in (0.1, 1.0):
        y = front.archive.keys[member] + rng.integers(-64, 64, m) / 64 * reach
        expected = gain(front.archive, front.size, y, front.low, front.high)
        found = promised(around, front, y, most)
        assert found == expected or (m != 2 and found == 0.0 and expected <= most)


@given(SEEDS)
def test_members_are_listed_by_how_much_worse_they_are(seed):
    """In the worst of their objectives; nobody is lost."""
    rng, front = front_of_many(seed, 3)
    if front.size == 0:
        return
    members = set(front.archive.order[: front.size])
    around, member = new_around(3), front.archive.order[rng.integers(front.size)]
    gather_around(around, front, member)
    order, keys = front.archive.order[: front.size], front.archive.keys
    width = np.where(front.high > front.low, front.high - front.low, 1.0)
    worse = ((keys[order] - keys[member]) / width).max(axis=1)
    inner, outer, last = around.stops
    assert (worse[:inner] <= INNER).all()
    assert (worse[inner:] > INNER - 1e-12).all()
    assert (worse[:outer] <= OUTER).all()
    assert (worse[outer:] > OUTER - 1e-12).all()
    assert last == front.size
    assert set(order) == members


def test_what_violates_a_constraint_promises_nothing():
    """Whatever its objectives are."""
    _, front = front_of_many(0, 3)
    around = new_around(3)
    gather_around(around, front, front.archive.order[0])
    assert promised(around, front, np.array([-1.0, -1.0, -1.0, 0.5]), 0.0) == 0.0
    assert promised(around, front, np.array([-1.0, -1.0, -1.0, 0.0]), 0.0) == 1.0
