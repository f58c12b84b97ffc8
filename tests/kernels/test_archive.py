import moocore
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from divlearn.kernels.archive import (
    MOST_LISTED,
    enlarged,
    insert,
    new_archive,
    remove,
    rounded,
    with_tree,
)
from divlearn.kernels.jit import JIT_DISABLED
from divlearn.kernels.tree import COUNT
from tests.reference import archive as reference

# Few different values, some closer than nine decimals: many ties and repeats.
TIES = st.sampled_from([0.0, 1.0, 1.0 + 2e-10, 2.0, 2.0 - 3e-10, 3.0, -1.0, 5e6])


@st.composite
def streams(draw):
    """Rows of one to four objectives in the order of their arrival."""
    m = draw(st.integers(1, 4))
    rows = draw(st.lists(st.tuples(*[TIES] * m), min_size=1, max_size=40))
    return np.array(rows)


def filled(rows, slots=None):
    """An archive after all rows; the solution of a row is its number."""
    m = rows.shape[1]
    archive, size = new_archive(slots or len(rows) + 1, 1, m, 1), 0
    for number, row in enumerate(rows):
        if size >= len(archive.order):
            archive = enlarged(archive)
        new = insert(archive, size, np.array([number]), np.append(row, number / 2))
        size = size if new < 0 else new
    return archive, size


def kept(archive, size):
    """Numbers of the rows in the archive."""
    return sorted(archive.solutions[archive.order[:size], 0].tolist())


@given(streams())
def test_the_archive_agrees_with_comparing_everything_with_everything(rows):
    """After every row: who is in, and whether the newcomer entered."""
    m = rows.shape[1]
    archive, size, members = new_archive(len(rows) + 1, 1, m, 0), 0, []
    for number, row in enumerate(rows):
        new = insert(archive, size, np.array([number]), row)
        members, entered = reference.inserted(members, (number, row))
        assert (new >= 0) == entered
        size = new if entered else size
        assert kept(archive, size) == sorted(name for name, _ in members)
        assert_array_equal(np.sort(archive.order), np.arange(len(rows) + 1))


@given(streams())
def test_the_archive_holds_what_moocore_calls_non_dominated(rows):
    """One of each group of equal points, judged by another library."""
    archive, size = filled(rows)
    keys = np.array([reference.key(row) for row in rows])
    best = moocore.filter_dominated(keys) if len(keys) > 1 else keys
    mine = archive.keys[archive.order[:size]]
    assert_array_equal(np.unique(mine, axis=0), np.unique(best, axis=0))
    assert size == len(np.unique(best, axis=0))


@given(streams())
def test_an_archive_that_grows_keeps_everything(rows):
    """It starts with a single slot and doubles whenever it is full."""
    small, size = filled(rows, slots=1)
    large, other = filled(rows)
    assert size == other
    assert kept(small, size) == kept(large, other)
    slots = small.order[:size]
    numbers = small.solutions[slots, 0]
    assert_array_equal(small.outputs[slots, :-1], rows[numbers])
    assert_array_equal(small.outputs[slots, -1], numbers / 2)


@given(streams(), st.data())
def test_a_member_that_is_taken_out_leaves_its_slot_to_the_next(rows, data):
    """All others stay in their order, and it may come back to where it was."""
    archive, size = filled(rows)
    rank = data.draw(st.integers(0, size - 1))
    before = archive.order[:size].copy()
    slot = before[rank]
    assert remove(archive, size, rank) == size - 1
    assert_array_equal(archive.order[: size - 1], np.delete(before, rank))
    assert archive.order[size - 1] == slot
    solution, outputs = archive.solutions[slot].copy(), archive.outputs[slot].copy()
    assert insert(archive, size - 1, solution, outputs) == size
    assert set(archive.order[:size]) == set(before)
    if rows.shape[1] == 2:
        assert_array_equal(archive.order[:size], before)


def test_two_objectives_are_listed_in_order():
    """The binary search relies on it, and plots draw the front as it stands."""
    rows = np.random.default_rng(0).random((300, 2))
    archive, size = filled(rows)
    keys = archive.keys[archive.order[:size]]
    assert size > 3
    assert (np.diff(keys[:, 0]) > 0).all()
    assert (np.diff(keys[:, 1]) < 0).all()


@pytest.mark.parametrize("m", [2, 3])
def test_long_random_streams_agree_with_moocore(m):
    """Removal of several at once happens often enough to be seen here."""
    rows = np.random.default_rng(m).integers(0, 60, (1_500, m)).astype(float)
    archive, size = filled(rows)
    best = np.unique(moocore.filter_dominated(rows), axis=0)
    mine = archive.keys[archive.order[:size]]
    assert_array_equal(mine[np.lexsort(mine.T[::-1])], best)


@given(st.integers(1, 12), st.integers(0, 11), st.integers(1, 12))
def test_one_newcomer_may_remove_many(length, start, removed):
    """Those it dominates leave at once, from anywhere in the front."""
    line = np.arange(length, dtype=float)
    dominated = range(start, min(length, start + removed))
    for extra in ([], [np.zeros(length)]):  # two objectives, and three
        rows = np.column_stack([line, length - line, *extra])
        newcomer = rows[start:][:removed].min(axis=0, initial=length)
        if len(dominated):
            newcomer -= 0.5 * (np.arange(rows.shape[1]) < 2)
        archive, size = filled(np.vstack([rows, newcomer]))
        members, _ = reference.inserted(list(enumerate(rows)), (length, newcomer))
        assert kept(archive, size) == sorted(name for name, _ in members)
        assert_array_equal(np.sort(archive.order), np.arange(length + 2))


def test_equal_to_nine_decimals_counts_once():
    """A tour and its rotation sum the same lengths in another order."""
    archive = new_archive(4, 1, 2, 0)
    assert insert(archive, 0, np.array([0]), np.array([0.1 + 0.2, 1.0])) == 1
    assert insert(archive, 1, np.array([1]), np.array([0.3, 1.0])) == -1
    assert insert(archive, 1, np.array([2]), np.array([0.3 - 1e-8, 1.0])) == 1
    assert archive.solutions[archive.order[0], 0] == 2


@given(st.floats(-1e6, 1e6), st.floats(-1e6, 1e6))
def test_rounding_keeps_the_order(a, b):
    """Else a point could be dominated before rounding and not after."""
    low, high = sorted((a, b))
    assert rounded(low) <= rounded(high)
    assert abs(rounded(a) - a) < 1e-9
    assert rounded(1e6 + abs(a)) >= rounded(1e6)


@pytest.mark.parametrize("unit", [1.0, 1e-6, 1e-9, 1e-12, 1e-100, 1e-307, 1e306])
def test_the_front_does_not_depend_on_the_unit_of_the_objectives(unit):
    """Seconds or picoseconds: the same solutions are on the front."""
    archive, size = new_archive(32, 1, 2, 0), 0
    for k in range(21):
        size = insert(archive, size, np.array([k]), unit * np.array([k, 20.0 - k]))
    assert size == 21


@pytest.mark.parametrize("m", [1, 2, 3])
@pytest.mark.parametrize("start", [1e40, 1e300, 1.7e308])
def test_huge_values_that_learning_cannot_tell_apart_are_compared_as_they_are(m, start):
    """Of a value and the float next to it the smaller one is kept."""
    archive, size = new_archive(4, 1, m, 0), 0
    y = np.zeros(m)
    for k, value in enumerate([start, np.nextafter(start, 0), start]):
        y[0] = value
        size = max(size, insert(archive, size, np.array([k]), y))
    assert size == 1
    assert archive.outputs[archive.order[0], 0] == np.nextafter(start, 0)


def test_tiny_values_that_agree_in_nine_digits_count_once():
    """As in any other unit."""
    archive = new_archive(4, 1, 1, 0)
    assert insert(archive, 0, np.array([0]), np.array([1e-300])) == 1
    assert insert(archive, 1, np.array([1]), np.array([1e-300 * (1 - 1e-12)])) == -1
    assert insert(archive, 1, np.array([2]), np.array([1e-300 * (1 - 1e-6)])) == 1


# --- a limit on the number of members


def bounded(rows, limit):
    """An archive with a limit after all rows, and the members of a slow one."""
    m = rows.shape[1]
    archive, size, members = new_archive(len(rows) + 1, 1, m, 0), 0, []
    archive.limit[0], archive.solutions[:] = limit, -1
    for number, row in enumerate(rows):
        before = kept(archive, size)
        new = insert(archive, size, np.array([number]), row)
        members, entered = reference.inserted(members, (number, row))
        if entered and len(members) > limit:
            gone = reference.who_leaves(by_slot(archive, members))
            members = [one for one in members if one[0] != gone]
            entered = gone != number
        assert (new >= 0) == entered
        size = new if entered else size
        assert entered or kept(archive, size) == before
        assert kept(archive, size) == sorted(name for name, _ in members)
        assert_array_equal(np.sort(archive.order), np.arange(len(rows) + 1))
    return archive, size


def by_slot(archive, members):
    """Members in the order that breaks ties: the first objective of two, or slots."""
    if archive.keys.shape[1] == 2:
        return sorted(members, key=lambda one: reference.key(one[1]))
    slots = {name: slot for slot, (name,) in enumerate(archive.solutions.tolist())}
    return sorted(members, key=lambda one: slots[one[0]])


@given(streams().filter(lambda rows: rows.shape[1] > 1), st.integers(0, 6))
def test_a_full_archive_lets_go_whom_a_slow_one_lets_go(rows, more):
    """Nothing else changes: who enters, and whom newcomers dominate."""
    bounded(rows, 2 * rows.shape[1] + more)


@pytest.mark.parametrize("m", [2, 3])
def test_the_best_in_each_objective_never_leave(m):
    """They say how far a front reaches; a small archive would lose that first."""
    points = np.abs(np.random.default_rng(m).normal(size=(400, m)))
    points /= np.linalg.norm(points, axis=1)[:, None]
    archive, size = bounded(1.0 - points, 2 * m)
    assert size == 2 * m
    best = archive.keys[archive.order[:size]].min(axis=0)
    assert_allclose(best, (1.0 - points).min(axis=0), atol=1e-9)


@pytest.mark.skipif(JIT_DISABLED, reason="takes ten seconds in plain Python")
def test_a_limit_beyond_which_a_tree_answers_lets_the_same_ones_go():
    """The tree and the list agree; only the time differs."""
    points = np.abs(np.random.default_rng(5).normal(size=(760, 3)))
    rows = 1.0 - points / np.linalg.norm(points, axis=1)[:, None]
    limit, fronts = MOST_LISTED + 60, []
    for listed in (False, True):
        archive, size = new_archive(len(rows) + 1, 1, 3, 0), 0
        archive.limit[0] = limit
        for number, row in enumerate(rows):
            if listed:
                archive.tree.head[COUNT] = 0  # built anew for every newcomer
            new = insert(archive, size, np.array([number]), row)
            size = size if new < 0 else new
        assert size == limit
        fronts.append(kept(archive, size))
    assert fronts[0] == fronts[1]


def test_a_limited_archive_keeps_its_limit_when_it_grows():
    """More slots are needed below the limit as well."""
    archive = new_archive(4, 1, 2, 0)
    archive.limit[0] = 9
    assert enlarged(archive).limit[0] == 9
    assert with_tree(enlarged(archive)).limit[0] == 9
    assert len(with_tree(enlarged(archive)).line) == 8
