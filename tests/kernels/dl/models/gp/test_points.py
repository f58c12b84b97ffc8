"""Which points and proposals are remembered."""

import numpy as np

import divlearn as dl
from divlearn.methods.dl.kernels.models.gp.points import (
    PATIENCE,
    choose_rows,
    num_points,
    take_pending,
    take_point,
)
from divlearn.methods.dl.kernels.models.gp.state import (
    MAX_PENDING,
    MAX_ROWS,
    new_similarity,
)

SPACE = dl.Integer(0, 9999)


def memory(capacity):
    """An empty memory over one number."""
    return new_similarity(SPACE.layout, 1, 1, capacity)


def answer(sim, value):
    """Take the point at ``value`` with itself as its output."""
    take_point(sim, np.array([value]), np.array([float(value)]))


def waiting(sim):
    """Values that were proposed and not answered."""
    return sim.pending[: sim.control[0].num_pending, 0].tolist()


def test_the_oldest_points_are_replaced():
    """A memory of three holds the latest three, each with its own output."""
    sim = memory(3)
    for value in range(5):
        answer(sim, value)
    assert num_points(sim) == 3
    assert sorted(sim.points[:, 0]) == [2, 3, 4]
    assert (sim.points[:, 0] == sim.values[:, 0]).all()


def test_the_model_is_built_on_the_latest_points():
    """As many as it can take, wherever the ring of points begins."""
    sim = memory(MAX_ROWS + 50)
    for value in range(MAX_ROWS + 80):
        answer(sim, value)
    choose_rows(sim)
    rows = sim.rows[: sim.control[0].num_rows]
    assert sim.points[rows, 0].tolist() == list(range(80, MAX_ROWS + 80))


def test_an_answer_ends_the_wait_for_it():
    """For the proposal meant and no other; order and times stay."""
    sim = memory(9)
    for value in (4, 5, 6):
        take_pending(sim, np.array([value]))
        answer(sim, 100 + value)
    answer(sim, 5)
    assert waiting(sim) == [4, 6]
    assert sim.pending_since[:2].tolist() == [0, 2]
    answer(sim, 7)
    assert waiting(sim) == [4, 6]


def test_nobody_waits_for_ever():
    """A candidate that failed or was lost is believed in for so many answers only."""
    sim = memory(9)
    take_pending(sim, np.array([1]))
    for value in range(PATIENCE):
        answer(sim, 100 + value)
    assert waiting(sim) == [1]
    answer(sim, 99)
    assert waiting(sim) == []


def test_the_oldest_proposal_makes_room():
    """Batches may be larger than what is remembered of them."""
    sim = memory(9)
    for value in range(MAX_PENDING + 2):
        take_pending(sim, np.array([value]))
    assert waiting(sim) == list(range(2, MAX_PENDING + 2))
