import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import divlearn as dl
from divlearn.kernels.layout import is_member, sample
from divlearn.methods.dl.kernels.models.encodings import (
    NEIGHBOUR,
    PRECEDENCE,
    SUCCESSOR,
)
from divlearn.methods.dl.kernels.moves import may_move_blocks, may_reverse, perturb
from tests.kernels.cases import SEEDS, composites, words_of
from tests.kernels.dl.cases import small, state_for


@given(composites(5, 3), SEEDS, st.integers(1, 6), st.integers(1, 3))
def test_random_moves_stay_in_the_space_and_in_a_window(space, seed, window, moves):
    """For every mixture of kinds; wider windows than the space are the space."""
    state, words = state_for(space), words_of(seed)
    state.control.window, state.rng[:] = window, words
    x = np.empty(space.num_positions, np.int64)
    sample(space.layout, words, x)
    before = x.copy()
    for _ in range(5):
        perturb(state, x, moves)
        assert is_member(space.layout, x)
        changed = np.flatnonzero(x != before)
        assert changed.size == 0 or np.ptp(changed) < window
        before = x.copy()


def test_steps_reach_everywhere():
    """Every position changes now and then, at both ends too."""
    space = dl.Permutation(9)
    state = state_for(space)
    state.control.window = 3
    reached = set()
    for _ in range(200):
        x = np.arange(9)
        perturb(state, x, 1)
        reached |= set(np.flatnonzero(x != np.arange(9)))
    assert reached == set(range(9))


def _reversals(state, n):
    """How many of 300 single moves turn a stretch of four items or more round."""
    count, items = 0, np.arange(n)
    for _ in range(300):
        x = items.copy()
        perturb(state, x, 1)
        places = np.flatnonzero(x != items)
        if len(places) < 4:  # swaps and short insertions, too
            continue
        first, last = places[0], places[-1]
        count += (x[first : last + 1] == items[first : last + 1][::-1]).all()
    return count


def _explained_by(encoding, space=None, **changes):
    """A state after its exploration, whose outputs one encoding explains."""
    space = dl.Permutation(12) if space is None else space
    state = state_for(space, settings=small(**changes))
    state.control.observed = state.control.exploration
    row = list(state.tables.encodings).index(encoding)
    state.tables.chosen[:] = row
    return state


def test_stretches_are_reversed_until_something_is_known():
    state = _explained_by(PRECEDENCE)
    state.control.observed = state.control.exploration - 1
    assert may_reverse(state)
    assert _reversals(state, 12) > 30


def test_stretches_are_reversed_where_neighbours_explain_an_output():
    state = _explained_by(PRECEDENCE)
    state.tables.chosen[1] = list(state.tables.encodings).index(NEIGHBOUR)
    assert may_reverse(state)
    assert _reversals(state, 12) > 30


def test_nothing_is_turned_round_where_neighbours_explain_nothing():
    state = _explained_by(PRECEDENCE)
    assert not may_reverse(state)
    assert _reversals(state, 12) == 0


def test_moves_that_were_named_are_made_whatever_is_known():
    state = _explained_by(PRECEDENCE, moves=("swap", "insertion", "reversal"))
    assert _reversals(state, 12) > 30


def test_spaces_without_orders_keep_their_moves():
    assert may_reverse(state_for(dl.Binary(5)))


def _blocks(state, n):
    """How many of 600 single moves shift items by more than one place, not swapped."""
    count, items = 0, np.arange(n)
    for _ in range(600):
        x = items.copy()
        perturb(state, x, 1)
        shifts = np.abs(x - items)[x != items]
        # An item that jumps shifts all others by one, a block of two by two.
        count += len(shifts) > 2 and np.sort(shifts)[1] > 1
    return count


#: An order with a rule, which hardly any move breaks.
RULED = dl.Permutation(12, before=[(0, 11)])


def test_blocks_are_moved_where_successors_explain_an_output():
    state = _explained_by(PRECEDENCE, RULED)
    state.tables.chosen[1] = list(state.tables.encodings).index(SUCCESSOR)
    assert may_move_blocks(state)
    assert _blocks(state, 12) > 30


def test_one_item_is_moved_at_a_time_where_an_order_has_rules():
    state = _explained_by(PRECEDENCE, RULED)
    assert not may_move_blocks(state)
    assert _blocks(state, 12) == 0


def test_blocks_are_moved_where_an_order_has_no_rules():
    assert _blocks(_explained_by(PRECEDENCE), 12) > 30


def test_insertions_that_were_named_move_blocks_whatever_is_known():
    state = _explained_by(PRECEDENCE, RULED, moves=("swap", "insertion"))
    assert _blocks(state, 12) > 30
