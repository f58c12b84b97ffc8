import moocore
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from divlearn.kernels.archive import MOST_LISTED
from divlearn.methods.dl.kernels.front import (
    aim_at,
    best_member,
    first_larger,
    gain,
    gain_above,
    is_covered,
    measure_front,
)
from tests.kernels.cases import SEEDS
from tests.kernels.dl.cases import archive_of
from tests.reference import tree as slow

# Eighths are exact, so that the archive's rounding leaves them alone.
VALUES = st.integers(-8, 16).map(lambda k: k / 8)


@st.composite
def fronts(draw, objectives=(1, 4)):
    """Rows of objectives, one more row to ask about, and the archive of the rows."""
    m = draw(st.integers(*objectives))
    rows = np.array(draw(st.lists(st.tuples(*[VALUES] * m), min_size=1, max_size=12)))
    y = np.array(draw(st.tuples(*[VALUES] * m)))
    return rows, y, *archive_of(rows)


def box(archive, size):
    """Least and greatest values of the front."""
    low, high = np.empty((2, archive.keys.shape[1]))
    measure_front(archive, size, low, high)
    return low, high


@given(fronts(), st.sampled_from([0.0, 0.125, 1.0]))
def test_covered_is_what_a_row_is_as_good_as(front, margin):
    """Also with a margin: nothing is gained by less than that."""
    rows, y, archive, size = front
    margins = np.full(len(y), margin)
    expected = any((row <= y + margin).all() for row in rows)
    assert is_covered(archive, size, y, margins) == expected
    assert not is_covered(archive, 0, y, margins)


@given(fronts())
def test_the_box_of_the_front_is_that_of_its_members(front):
    """Dominated rows do not count."""
    rows, _, archive, size = front
    members = moocore.filter_dominated(rows) if len(rows) > 1 else rows
    low, high = box(archive, size)
    assert_array_equal(low, members.min(axis=0))
    assert_array_equal(high, members.max(axis=0))


@given(fronts((2, 2)))
def test_the_gain_of_two_objectives_is_the_hypervolume_that_is_added(front):
    """Up to a tenth beyond the box, in units of the box; judged by another library."""
    _, y, archive, size = front
    low, high = box(archive, size)
    width = np.where(high > low, high - low, 1.0)
    corner = high + 0.1 * width
    members = archive.keys[archive.order[:size]]
    before = moocore.hypervolume(members, ref=corner)
    after = moocore.hypervolume(np.vstack([members, y]), ref=corner)
    found = gain(archive, size, y, low, high)
    assert_allclose(found, (after - before) / width.prod(), atol=1e-12)


@given(fronts((3, 4)))
def test_the_gain_of_more_objectives_is_the_distance_by_which_they_miss_it(front):
    """The additive epsilon in units of the box, at most 1."""
    rows, y, archive, size = front
    low, high = box(archive, size)
    width = np.where(high > low, high - low, 1.0)
    members = archive.keys[archive.order[:size]]
    missed = ((members - y) / width).max(axis=1).min()
    found = gain(archive, size, y, low, high)
    assert_allclose(found, min(1.0, max(0.0, missed)))
    if any((row <= y).all() for row in rows):
        assert found == 0.0


@given(fronts((3, 4)), st.sampled_from([0.0, 0.125, 0.5]))
def test_a_gain_is_told_only_above_what_was_asked_for(front, most):
    """Who turned a candidate away is asked sooner; the members stay the same."""
    _, y, archive, size = front
    low, high = box(archive, size)
    members = set(archive.order[:size])
    expected = gain(archive, size, y, low, high)
    found = gain_above(archive, size, y, low, high, most)
    assert found == (expected if expected > most else 0.0)
    assert set(archive.order[:size]) == members


@given(fronts((1, 4)))
def test_only_what_nobody_covers_gains(front):
    """The gain is positive inside the corner exactly where nothing covers it."""
    _, y, archive, size = front
    low, high = box(archive, size)
    covered = is_covered(archive, size, y, np.zeros(len(y)))
    found = gain(archive, size, y, low, high)
    assert found >= 0.0
    if covered:
        assert found == 0.0
    elif len(y) != 2 or (y < high).all():
        assert found > 0.0


def test_anything_is_a_gain_for_an_empty_front():
    """Whatever the objectives are."""
    archive, size = archive_of(np.empty((0, 2)))
    assert gain(archive, size, np.ones(2), np.zeros(2), np.zeros(2)) == 1.0


@given(fronts(), st.data())
def test_the_best_member_has_the_least_weighted_sum(front, data):
    """Of all rows, as the best one is never dominated by weights above zero."""
    rows, y, archive, size = front
    share = st.floats(0.01, 1.0)
    weights = np.array([data.draw(share) for _ in y])
    slot = best_member(archive, size, weights)
    assert_allclose(archive.keys[slot] @ weights, (rows @ weights).min(), atol=1e-12)
    assert best_member(archive, 0, weights) == -1


@given(fronts((2, 2)))
def test_the_first_larger_member_is_found_by_its_rank(front):
    """As counting those that are not larger."""
    _, y, archive, size = front
    first = archive.keys[archive.order[:size], 0]
    assert first_larger(archive, size, y[0]) == np.count_nonzero(first <= y[0])


@given(fronts((2, 2)), SEEDS)
def test_what_is_new_beside_a_member_is_not_much_worse_than_it(front, seed):
    """Whatever fits between two members nearby lies within the slack."""
    _, _, archive, size = front
    low, high = box(archive, size)
    members = archive.keys[archive.order[:size]]
    rank, weights = seed % size, np.empty(3)
    slack = aim_at(archive, size, members[rank].copy(), low, high, weights)
    assert weights[2] == 0.0
    if size < 3:
        assert slack == np.inf
        return
    first, last = max(0, rank - 2), min(size - 1, rank + 2)
    assert (weights[:2] > 0.0).all()
    assert_allclose(weights[:2] @ members[first], weights[:2] @ members[last])
    corners = np.c_[members[first + 1 : last + 1, 0], members[first:last, 1]]
    assert_allclose(slack, max(0, *((corners - members[rank]) @ weights[:2])))


def test_beyond_two_objectives_nothing_is_ruled_out():
    """There is no order that tells which members are around one."""
    front = np.random.default_rng(0).random((20, 3))
    archive, size = archive_of(front)
    weights = np.empty(3)
    low, high = front.min(axis=0), front.max(axis=0)
    assert aim_at(archive, size, front[0], low, high, weights) == np.inf
    assert_allclose(weights, 1 / (high - low))


@pytest.mark.parametrize("m", [3, 5])
def test_questions_to_many_members_have_the_answers_of_looking_at_all(m):
    """There a tree answers; it must not change what is asked for, nor the order."""
    rng = np.random.default_rng(m)
    rows = rng.integers(0, 400, (2 * MOST_LISTED, m)) / 8
    rows[:, 0] = 200.0 - rows[:, 1:].sum(axis=1)
    archive, size = archive_of(rows)
    assert size > MOST_LISTED
    before = archive.order.copy()
    members = archive.order[:size]
    keys = archive.keys[members]
    low, high = box(archive, size)
    assert_array_equal(low, keys.min(axis=0))
    assert_array_equal(high, keys.max(axis=0))
    for _ in range(50):
        y = keys[rng.integers(size)] + rng.integers(-8, 9, m) / 8
        margin = rng.integers(0, 2, m) / 8
        assert is_covered(archive, size, y, margin) == slow.covers(keys, y + margin)
        expected = slow.least_missed(keys, y, low, high, 1.0, 0.0)
        assert gain(archive, size, y, low, high) == expected
        assert gain_above(archive, size, y, low, high, 0.01) in (0.0, expected)
        weights = rng.random(m)
        best = best_member(archive, size, weights)
        assert best == slow.lightest(keys, members, weights)
    assert_array_equal(archive.order, before)
