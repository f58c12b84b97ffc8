"""What an answer teaches: its difference to the parent is credited to what changed."""

from __future__ import annotations

from divlearn.basics.typing import Codes, Integers
from divlearn.kernels.jit import lean_kernel
from divlearn.methods.dl.kernels.answers import take_difference
from divlearn.methods.dl.kernels.arms.bandit import EXPLORE, LINKAGE, WALK
from divlearn.methods.dl.kernels.memory import find_parent, lists_changes
from divlearn.methods.dl.kernels.models.additive import (
    EXPECTED,
    learn_difference,
    learn_listed,
)
from divlearn.methods.dl.kernels.models.geometry import note_pairs, points_explain_all
from divlearn.methods.dl.kernels.models.positions import note_surprise
from divlearn.methods.dl.kernels.models.quadratic.values import (
    learn_values,
    replay_values,
    replay_whole,
)
from divlearn.methods.dl.kernels.models.replay import replay
from divlearn.methods.dl.kernels.parts import (
    LEARN_LINKED,
    LEARN_MODELLED,
    NO_PART,
    call_part,
)
from divlearn.methods.dl.kernels.search.hidden import learn_count
from divlearn.methods.dl.kernels.state import DifferenceState

#: Share of the ring, one over this, that must be filled before a difference that was
#: predicted exactly makes replays needless.
FILLED = 16
#: Whole differences replayed after a broad step, times the setting.
BROAD_REPLAYS = 2
#: Arms that do not look at the tables: only their steps say how good the tables are.
JUDGES = (WALK, EXPLORE)


@lean_kernel
def learn_sequence(state: DifferenceState, x: Codes, ticket: Integers) -> None:
    """Learn an answer on a space with permutations, and replay past ones."""
    control, ring = state.control[0], state.ring
    if state.parts[LEARN_MODELLED] != NO_PART:
        call_part(state.parts[LEARN_MODELLED], state, x, ticket)
    place = take_difference(state, x, ticket)
    if place < 0:
        return
    tables, layout, changes = state.tables, state.layout, state.changes
    parent = state.parents.solutions[find_parent(state.parents, ticket[1])]
    delta, judged = ring.deltas[place], ticket[0] in JUDGES
    if lists_changes(ring):
        if points_explain_all(state):  # the points go on learning, the tables rest
            if not note_pairs(state, place, parent, x):
                control.differences -= 1
            return
        surprise = learn_listed(tables, layout, changes, ring, place, parent, x, judged)
        if surprise < 0.0:  # the next difference takes its place
            control.differences -= 1
            return
    else:
        surprise = learn_difference(tables, layout, changes, parent, x, delta, judged)
    note_surprise(state, surprise)
    # Tables that predicted this exactly have nothing to gain from the past.
    if surprise < EXPECTED and control.differences > ring.deltas.shape[0] // FILLED:
        return
    filled = min(control.differences, ring.deltas.shape[0])
    replay(tables, layout, changes, ring, filled, control.replays, state.rng)


@lean_kernel
def learn_choice(state: DifferenceState, x: Codes, ticket: Integers) -> None:
    """Learn an answer on a space without permutations, and replay past ones."""
    if state.clauses.control[0].on == 1:
        learn_count(state, x, ticket)
    if state.parts[LEARN_LINKED] != NO_PART and ticket[0] == LINKAGE:
        call_part(state.parts[LEARN_LINKED], state, x, ticket)
    filled = _learn_newest(state, x, ticket)
    if filled > 0:
        replays, ring = state.control[0].replays, state.ring
        replay_values(state.values, state.layout, ring, filled, replays, state.rng)


@lean_kernel
def learn_broad(state: DifferenceState, x: Codes, ticket: Integers) -> None:
    """Learn an answer where positions are more than evaluations."""
    filled = _learn_newest(state, x, ticket)
    if filled > 0:
        replays, ring = BROAD_REPLAYS * state.control[0].replays, state.ring
        replay_whole(state.values, state.layout, ring, filled, replays, state.rng)


@lean_kernel
def _learn_newest(state: DifferenceState, x: Codes, ticket: Integers) -> int:
    """Learn the difference that an answer makes; returns how many are remembered.

    0 if it makes none.
    """
    place = take_difference(state, x, ticket)
    if place < 0:
        return 0
    parent = state.parents.solutions[find_parent(state.parents, ticket[1])]
    delta, judged = state.ring.deltas[place], ticket[0] in JUDGES
    learn_values(state.values, state.layout, parent, x, delta, judged)
    return int(min(state.control[0].differences, state.ring.deltas.shape[0]))
