"""Which points and proposals are remembered."""

import itertools

import numpy as np

import divlearn as dl
from divlearn.methods.dl.kernels.models.gp.points import (
    LATEST_PART,
    PATIENCE,
    choose_rows,
    num_points,
    take_pending,
    take_point,
)
from divlearn.methods.dl.kernels.models.gp.state import (
    MAX_PENDING,
    MAX_ROWS,
    new_gp,
)

SPACE = dl.Integer(0, 9999)


def memory(capacity):
    """An empty memory over one number."""
    return new_gp(SPACE.layout, 1, 1, capacity)


def answer(gp, value):
    """Take the point at ``value`` with itself as its output."""
    take_point(gp, np.array([value]), np.array([float(value)]))


def waiting(gp):
    """Values that were proposed and not answered."""
    return gp.pending[: gp.control[0].num_pending, 0].tolist()


def test_the_oldest_points_are_replaced():
    """A memory of three holds the latest three, each with its own output."""
    gp = memory(3)
    for value in range(5):
        answer(gp, value)
    assert num_points(gp) == 3
    assert sorted(gp.points[:, 0]) == [2, 3, 4]
    assert (gp.points[:, 0] == gp.values[:, 0]).all()


def test_the_model_keeps_the_front_the_latest_and_some_of_all_times():
    """In the order of their evaluation, wherever the ring of points begins."""
    gp = memory(MAX_ROWS + 50)
    for value in range(MAX_ROWS + 80):  # of one objective, so that 30 is the front
        answer(gp, value)
    choose_rows(gp)
    kept = gp.points[gp.rows[: gp.control[0].num_rows], 0].tolist()
    assert len(kept) == MAX_ROWS
    assert kept == sorted(kept)
    assert kept[0] == 30
    latest = MAX_ROWS // LATEST_PART
    assert kept[-latest:] == list(range(MAX_ROWS + 80 - latest, MAX_ROWS + 80))
    assert max(b - a for a, b in itertools.pairwise(kept)) <= 2


def test_an_answer_ends_the_wait_for_it():
    """For the proposal meant and no other; order and times stay."""
    gp = memory(9)
    for value in (4, 5, 6):
        take_pending(gp, np.array([value]))
        answer(gp, 100 + value)
    answer(gp, 5)
    assert waiting(gp) == [4, 6]
    assert gp.pending_since[:2].tolist() == [0, 2]
    answer(gp, 7)
    assert waiting(gp) == [4, 6]


def test_nobody_waits_for_ever():
    """A candidate that failed or was lost is believed in for so many answers only."""
    gp = memory(9)
    take_pending(gp, np.array([1]))
    for value in range(PATIENCE):
        answer(gp, 100 + value)
    assert waiting(gp) == [1]
    answer(gp, 99)
    assert waiting(gp) == []


def test_the_oldest_proposal_makes_room():
    """Batches may be larger than what is remembered of them."""
    gp = memory(9)
    for value in range(MAX_PENDING + 2):
        take_pending(gp, np.array([value]))
    assert waiting(gp) == list(range(2, MAX_PENDING + 2))


def test_knobs_of_several_kinds_may_weigh_more_differently():
    """Reals beside integers or categories; not reals alone, nor bits alone."""
    real, pick = dl.Real(0, 1, n=2), dl.Categorical("abc")
    kinds = dl.Composite(length=real, kind=pick)
    spreads = [
        float(new_gp(space.layout, 2, 2, 10).control[0].weight_sd)
        for space in (kinds, real, dl.Binary(3))
    ]
    assert spreads[0] > spreads[1] == spreads[2]
