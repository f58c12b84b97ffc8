"""The tree of an archive: answers do not depend on how it came about."""

from copy import deepcopy

import moocore
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from divlearn.kernels.archive import (
    MOST_LISTED,
    enlarged,
    has_tree,
    insert,
    insert_into_tree,
    new_archive,
    remove,
    rounded,
    with_tree,
)
from divlearn.kernels.scale import tamed
from divlearn.kernels.tree import CAPACITY, COUNT, PAIRS, build
from divlearn.kernels.tree_search import covers, least_missed, lightest, list_beside
from tests.reference import archive as reference
from tests.reference import tree as slow

# Few different values, so that ties, repeats and removals are many; two are huge and
# alike once they are tamed.
TIES = [0.0, 1.0, 1.0 + 2e-10, 2.0, 2.0 - 3e-10, 3.0, -1.0, 5e6, 1e300]
TIES.append(float(np.nextafter(1e300, 0)))


@st.composite
def streams(draw):
    """Rows of three to six objectives in the order of their arrival.

    Most are on a plane, so that many stay; others are anywhere, and remove many.
    """
    m = draw(st.integers(3, 6))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    if draw(st.booleans()):
        return rng.choice(TIES, (draw(st.integers(1, 40)), m))
    rows = rng.integers(0, draw(st.sampled_from([4, 12, 100])), (100, m)).astype(float)
    plane = rng.random(len(rows)) < 0.95
    rows[plane, 0] = 100.0 - rows[plane, 1:].sum(axis=1)
    return rows


def enter(archive, size, number, row):
    """Insert by the tree, whatever the size; return the new one, or -1."""
    slot = archive.order[size]
    archive.keys[slot] = [tamed(rounded(value)) for value in row]
    if archive.tree.head[COUNT] != size:
        build(archive.tree, archive.keys, archive.order, size)
    return insert_into_tree(archive, size, np.array([number]), row)


def by_tree(rows):
    """An archive after all rows, each inserted by the tree."""
    archive, size = new_archive(len(rows) + 1, 1, rows.shape[1], 0), 0
    for number, row in enumerate(rows):
        new = enter(archive, size, number, row)
        size = size if new < 0 else new
    return archive, size


def require_sound(archive, size):
    """Every member is in the tree once, in boxes that are as tight as can be."""
    tree, members = archive.tree, archive.order[:size]
    assert tree.head[COUNT] == size
    assert_array_equal(np.sort(archive.order), np.arange(len(archive.order)))
    assert_array_equal(tree.rank[members], np.arange(size))
    inside = {}
    for node in reversed(range(2 * tree.head[PAIRS] + 1)):
        _, left, _, bucket = tree.links[node]
        if left < 0:
            held = list(tree.slots[bucket, : tree.fill[bucket]])
            assert len(held) <= CAPACITY
            assert_array_equal(tree.keys[bucket, : len(held)], archive.keys[held])
            assert (tree.home[held] == node).all()
        else:
            held = inside[left] + inside[left + 1]
        inside[node] = held
        keys = archive.keys[held]
        assert_array_equal(tree.low[node], keys.min(axis=0, initial=np.inf))
        assert_array_equal(tree.high[node], keys.max(axis=0, initial=-np.inf))
    assert sorted(inside[0]) == sorted(members)


@settings(max_examples=40)
@given(streams())
def test_inserting_by_the_tree_agrees_with_comparing_everything(rows):
    """After every row: who is in, whether the newcomer entered, and a sound tree."""
    archive, size = new_archive(len(rows) + 1, 1, rows.shape[1], 0), 0
    keys = np.array([reference.key(row) for row in rows])
    members = np.zeros(0, np.int64)
    for number, row in enumerate(rows):
        new = enter(archive, size, number, row)
        assert (new < 0) == slow.covers(keys[members], keys[number])
        if new >= 0:
            stay = (keys[members] < keys[number]).any(axis=1)
            members, size = np.append(members[stay], number), new
        held = archive.solutions[archive.order[:size], 0]
        assert_array_equal(np.sort(held), members)
    require_sound(archive, size)


@settings(max_examples=40)
@given(streams(), st.integers(0, 2**32))
def test_every_order_of_arrival_leaves_the_same_points(rows, seed):
    """Only which one of several equal solutions stays depends on the order."""
    shuffled = np.random.default_rng(seed).permutation(rows)
    one, other = by_tree(rows), by_tree(shuffled)
    keys = [archive.outputs[archive.order[:size]] for archive, size in (one, other)]
    rounding = [sorted(map(reference.key, found)) for found in keys]
    assert rounding[0] == rounding[1]


@settings(max_examples=40)
@given(streams(), st.integers(0, 2**32))
def test_answers_are_those_of_looking_at_every_member(rows, seed):
    """Also where corners touch members, and in boxes without extent."""
    rng, m = np.random.default_rng(seed), rows.shape[1]
    archive, size = by_tree(rows)
    members, tree = archive.order[:size], archive.tree
    keys = archive.keys[members]
    low, high = keys.min(axis=0), keys.max(axis=0)
    low[0] = high[0]
    for _ in range(20):
        y = keys[rng.integers(size)] + rng.integers(-1, 2, m)
        assert covers(tree, y) == slow.covers(keys, y)
        above = tree.found[: list_beside(tree, y, True)]
        assert sorted(above) == sorted(members[(keys >= y).all(axis=1)])
        below = tree.found[: list_beside(tree, y, False)]
        assert sorted(below) == sorted(members[(keys <= y).all(axis=1)])
        limits = rng.choice([0.05, 0.5, 1.0]), rng.choice([-2.0, 0.0, 0.01])
        found = least_missed(tree, y, low, high, *limits)
        assert found == slow.least_missed(keys, y, low, high, *limits)
        weights = rng.integers(0, 3, m).astype(float)
        assert lightest(tree, weights) == slow.lightest(keys, members, weights)


@settings(max_examples=40)
@given(streams(), st.data())
def test_a_tree_that_is_built_anew_continues_as_the_old_one(rows, data):
    """So that a search which was saved and loaded goes on bit for bit."""
    cut = data.draw(st.integers(0, len(rows)))
    one, size = new_archive(len(rows) + 1, 1, rows.shape[1], 0), 0
    other = deepcopy(one)
    for number, row in enumerate(rows):
        if number >= cut:
            other = with_tree(other)
        new = enter(one, size, number, row)
        assert enter(other, size, number, row) == new
        size = size if new < 0 else new
        assert_array_equal(one.order, other.order)


# --- archives with more members than are compared one after the other


@pytest.fixture(scope="module")
def many():
    """Rows with three objectives of which far more stay than fit into a list."""
    rng = np.random.default_rng(0)
    rows = rng.integers(0, 1_000, (3 * MOST_LISTED, 3)).astype(float)
    rows[:, 0] = 2_000.0 - rows[:, 1] - rows[:, 2]
    better = rng.random(len(rows)) < 0.05  # some are below the plane and remove others
    rows[better] -= rng.integers(0, 60, (better.sum(), 1))
    return rows


def filled(rows):
    """An archive after all rows, which grows as those of searches do."""
    archive, size = new_archive(MOST_LISTED, 1, rows.shape[1], 0), 0
    for number, row in enumerate(rows):
        if size >= len(archive.order):
            archive = enlarged(archive)
        new = insert(archive, size, np.array([number]), row)
        size = size if new < 0 else new
    return archive, size


def test_a_large_archive_holds_what_moocore_calls_non_dominated(many):
    """It begins as a list, becomes a tree, and grows twice."""
    archive, size = filled(many)
    assert size > MOST_LISTED
    best = np.unique(moocore.filter_dominated(many), axis=0)
    mine = archive.keys[archive.order[:size]]
    assert_array_equal(mine[np.lexsort(mine.T[::-1])], best)
    assert has_tree(archive, size)
    require_sound(archive, size)


def test_one_newcomer_may_remove_all_but_a_few_and_the_list_is_back(many):
    """A list again, then a tree again: the members are always right."""
    archive, size = filled(many)
    corner = many.min(axis=0) - 1.0
    assert insert(archive, size, np.array([-1]), corner) == 1
    assert not has_tree(archive, 1)
    size = 1
    for number, row in enumerate(many - 3_000.0):
        new = insert(archive, size, np.array([number]), row)
        size = size if new < 0 else new
    best = np.unique(moocore.filter_dominated(many), axis=0)
    assert size == len(best)
    assert has_tree(archive, size)
    require_sound(archive, size)


def test_members_taken_out_one_by_one_leave_a_sound_tree(many):
    """As when a repeated measurement moves one; all others stay in their order."""
    archive, size = filled(many)
    for rank in (0, size - 2, 17):
        before = archive.order[:size].copy()
        assert has_tree(archive, size)
        size = remove(archive, size, rank)
        assert_array_equal(archive.order[:size], np.delete(before, rank))
        assert archive.order[size] == before[rank]
        require_sound(archive, size)


def test_members_that_no_objective_tells_apart_are_divided_all_the_same():
    """Taming makes huge values alike, and then their values decide who stays."""
    huge = np.nextafter(1e300, 0)
    rows = np.array([[1e300, huge, 1.0], [huge, 1e300, 1.0], [0.0, 0.0, 2.0]])
    assert by_tree(rows)[1] == 3
    archive = new_archive(100, 1, 3, 0)
    build(archive.tree, archive.keys, archive.order, 100)
    require_sound(archive, 100)
