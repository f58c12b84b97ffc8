"""Encodings of a user's own, as the kernels see them."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import divlearn as dl
from divlearn.methods.dl.kernels.models.additive import learn_difference, list_step
from divlearn.methods.dl.kernels.models.custom import (
    list_custom_changes,
    lister_address,
)
from divlearn.methods.dl.kernels.search.steps import _violates
from tests.custom_encodings import Apart, Colours, beyond, out_of_range
from tests.kernels.dl.cases import small, state_for


def scratch(num_actions, longest):
    """Room for the changes of one step."""
    return state_for(dl.Binary(1)).changes._replace(
        tally=np.zeros(num_actions, np.int64),
        listed=np.zeros(longest, np.int64),
        actions=np.zeros(2 * longest, np.int64),
        signs=np.zeros(2 * longest),
    )


def changes_by(function, parent, child, num_actions, longest):
    """Run the kernel on scratch of its own; return {action: sign} and the tally."""
    changes = scratch(num_actions, longest)
    address = np.uint64(lister_address(function))
    count = list_custom_changes(address, parent, child, changes)
    actions, signs = changes.actions[:count], changes.signs[:count]
    found = dict(zip(actions.tolist(), signs.tolist(), strict=True))
    assert len(found) == count
    return found, changes.tally


def counted(function, x, longest):
    """How often each action occurs, by plain Python."""
    actions = np.zeros(longest, np.int64)
    return Counter(actions[: function(x, actions)].tolist())


@given(st.permutations(range(7)), st.permutations(range(7)))
def test_a_step_changes_what_only_one_of_both_solutions_has(parent, child):
    """Compared with plain counting; the tally is left as it was found."""
    parent, child = np.array(parent), np.array(child)
    found, tally = changes_by(Apart.list_actions, parent, child, 49, 7)
    after, before = (counted(Apart.list_actions, x, 7) for x in (child, parent))
    after.subtract(before)
    assert found == {action: sign for action, sign in after.items() if sign}
    assert not tally.any()


@given(
    st.lists(st.integers(0, 2), min_size=6, max_size=6),
    st.lists(st.integers(0, 2), min_size=6, max_size=6),
)
def test_an_action_may_be_listed_several_times(parent, child):
    """Its sign is then how many more of it the child has."""
    found, _ = changes_by(Colours.list_actions, np.array(parent), np.array(child), 3, 6)
    more = {v: child.count(v) - parent.count(v) for v in range(3)}
    assert found == {value: float(number) for value, number in more.items() if number}


def test_numbers_that_are_no_actions_are_passed_over():
    """A wrong function must not write outside the tables."""
    found, tally = changes_by(out_of_range, np.zeros(3, int), np.ones(3, int), 4, 3)
    assert found == {1: 1.0, 0: -1.0}
    assert not tally.any()


def test_a_list_that_is_too_long_cannot_write_beyond_its_scratch():
    """The function is compiled with bounds checks, whatever the rest is."""
    space = np.zeros(8, np.int64)
    changes = scratch(4, 4)._replace(listed=space[:2])
    address, x = np.uint64(lister_address(beyond)), np.zeros(3, np.int64)
    with pytest.raises(IndexError):
        list_custom_changes(address, x, x, changes)
    assert space[2:].tolist() == [0] * 6


def test_counts_of_values_are_learned_exactly():
    """With signs above one the filter weighs an action by the square of its sign."""
    settings = small(encodings=(), custom_encodings=(Colours(),))
    state = state_for(dl.Integer(0, 2, n=6), 2, settings)
    worth = np.array([[1.0, -2.0], [0.5, 3.0], [-4.0, 0.0]])
    rng = np.random.default_rng(0)
    for _ in range(300):
        parent, child = rng.integers(0, 3, (2, 6))
        delta = worth[child].sum(axis=0) - worth[parent].sum(axis=0)
        learn_difference(
            state.tables, state.layout, state.changes, parent, child, delta, True
        )
    parent, child = np.zeros(6, np.int64), np.full(6, 2, np.int64)
    count = list_step(
        state.tables, 0, state.layout, state.changes, parent, child, False
    )
    assert state.changes.signs[:count].tolist() == [6.0, -6.0]
    learned = state.tables.mean[0, :3]
    assert np.allclose(learned - learned[0], worth - worth[0], atol=1e-3)


@pytest.mark.parametrize(
    ("value", "change", "expected"),
    [(-2.0, 1.0, False), (-2.0, 3.0, True), (3.0, -1.0, False), (3.0, 1.0, True)],
)
def test_steps_inside_the_tables_do_not_lead_to_more_violation(value, change, expected):
    """Less of it is welcome, and objectives do not matter."""
    y, delta = np.array([5.0, value]), np.array([9.0, change])
    assert _violates(y, delta, 1) == expected
