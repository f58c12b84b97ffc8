from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import divlearn as dl
from divlearn.kernels.layout import sample
from divlearn.methods.dl.kernels.models.encodings import (
    NEIGHBOUR,
    PRECEDENCE,
    SUCCESSOR,
    THERMOMETER,
    VALUE,
    list_changes,
    pair_action,
)
from tests.kernels.cases import SEEDS, composites, words_of
from tests.kernels.dl.cases import state_for
from tests.reference import differences as reference

ALL = (VALUE, SUCCESSOR, NEIGHBOUR, PRECEDENCE, THERMOMETER)


def listed(space, encoding, parent, child, changes):
    """Changes as a counter of pairs of action and sign."""
    count = list_changes(space.layout, encoding, parent, child, changes)
    pairs = zip(changes.actions[:count], changes.signs[:count], strict=True)
    return Counter((int(action), int(sign)) for action, sign in pairs)


@given(composites(6, 4), SEEDS, st.sampled_from(ALL))
def test_changes_are_the_difference_of_the_sets_of_actions(space, seed, encoding):
    """For unrelated solutions of every mixture of kinds, in scratch of a search."""
    changes, words = state_for(space).changes, words_of(seed)
    parent, child = np.empty((2, space.num_positions), np.int64)
    for _ in range(3):
        sample(space.layout, words, parent)
        sample(space.layout, words, child)
        found = listed(space, encoding, parent, child, changes)
        assert found == reference.changes(space.segments(), encoding, parent, child)


@pytest.mark.parametrize("encoding", ALL)
def test_long_permutations_fit_into_the_scratch(encoding):
    """The reverse order changes most; every pair is in another order."""
    space = dl.Composite(a=dl.Permutation(20), b=dl.Permutation(7), c=dl.Integer(0, 30))
    parent = np.r_[np.arange(20), np.arange(7), 0]
    child = np.r_[np.random.default_rng(0).permutation(20)[::-1], 6 - np.arange(7), 30]
    changes = state_for(space).changes
    found = listed(space, encoding, parent, child, changes)
    assert found == reference.changes(space.segments(), encoding, parent, child)
    if encoding == PRECEDENCE:
        found = listed(
            space, encoding, parent, np.r_[parent[19::-1], child[20:]], changes
        )
        assert found.total() == 20 * 19 // 2 + 7 * 6 // 2 + 2


def test_nothing_changes_between_a_solution_and_itself():
    """Whatever the encoding says a solution is."""
    space = dl.Composite(a=dl.Permutation(5), b=dl.Integer(0, 3, n=2), c=dl.Binary(3))
    x = space.encode(space.sample(0))
    changes = state_for(space).changes
    assert not any(listed(space, encoding, x, x.copy(), changes) for encoding in ALL)


def test_rotations_and_reflections_change_no_neighbours():
    """A rotation changes no successors either; a reflection changes all of them."""
    space = dl.Permutation(7)
    x = np.random.default_rng(0).permutation(7)
    changes = state_for(space).changes
    turned, mirrored = np.roll(x, 3), x[::-1].copy()
    assert not listed(space, NEIGHBOUR, x, turned, changes)
    assert not listed(space, NEIGHBOUR, x, mirrored, changes)
    assert not listed(space, SUCCESSOR, x, turned, changes)
    assert listed(space, SUCCESSOR, x, mirrored, changes).total() == 14


def test_a_pair_has_one_number_unless_it_is_directed():
    """Each of the n * n numbers of a permutation is used once when directed."""
    for a in range(5):
        for b in range(5):
            assert pair_action(a, b, 5, False) == pair_action(b, a, 5, False)
    directed = {pair_action(a, b, 5, True) for a in range(5) for b in range(5)}
    assert directed == set(range(25))
