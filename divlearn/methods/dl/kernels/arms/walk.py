"""Blind steps: they ignore what was learned, and so can judge it.

With permutations a walk goes on from solution to solution under weights of its own; its
exploring steps are larger, and those of which the tables know least. Without
permutations every step starts from a member of the archive.
"""

from __future__ import annotations

from divlearn.basics.typing import Codes
from divlearn.kernels.jit import lean_kernel
from divlearn.kernels.random import below, uniform
from divlearn.methods.dl.kernels.answers import adopt, is_new
from divlearn.methods.dl.kernels.front import best_member
from divlearn.methods.dl.kernels.memory import find_parent, lists_changes
from divlearn.methods.dl.kernels.models.additive import list_step, uncertainty
from divlearn.methods.dl.kernels.moves import perturb
from divlearn.methods.dl.kernels.search.cycles import are_cycles
from divlearn.methods.dl.kernels.state import OF_WALK, DifferenceState
from divlearn.methods.dl.kernels.variation import copy_codes, crossover
from divlearn.methods.dl.kernels.weights import draw_weights

#: Exploring steps that are compared by their uncertainty.
NUM_UNCERTAIN = 8
#: Attempts at a step that was never made before.
NUM_ATTEMPTS, NUM_ATTEMPTS_CHOICE = 4, 8
#: Steps without improvement after which a walk begins anew: so many, and one more for
#: so many positions.
PATIENCE, POSITIONS_PER_STEP = 10, 4
#: Chance that a step crosses two members, and that moves follow a crossover.
CROSSED, MOVED_AFTER = 0.35, 0.5
#: Chance of one more move, and most moves.
MORE, MOST_MOVES = 0.4, 6


# --- with permutations


@lean_kernel
def walk(state: DifferenceState, x: Codes, exploring: bool) -> int:
    """Write a step of the walk into ``x``; return the number of its parent.

    On long solutions a step has as many moves as pay, unless neighbours explain what
    they are worth: then fewer moves tell more of each.
    """
    control = state.control[0]
    source = state.parents.solutions[_row_of_walk(state)]
    control.walk_failures += 1
    moves = control.exploring_moves if exploring else 1
    if lists_changes(state.ring) and not (exploring and are_cycles(state)):
        moves = int(control.stride)
    tries = NUM_UNCERTAIN if exploring and control.use_uncertainty == 1 else 1
    largest = -1.0
    for attempt in range(tries):
        for _ in range(NUM_ATTEMPTS):
            copy_codes(source, state.trial)
            perturb(state, state.trial, moves)
            if is_new(state, state.trial, False):
                break
        value = _uncertainty_of(state, source) if tries > 1 else 0.0
        if attempt == 0 or value > largest:
            largest = value
            copy_codes(state.trial, x)
    return int(control.walk_parent)


@lean_kernel
def _row_of_walk(state: DifferenceState) -> int:
    """Row of the walk's solution; a walk that got stuck begins at another member."""
    control, n = state.control[0], state.trial.shape[0]
    row = find_parent(state.parents, control.walk_parent)
    if row >= 0 and control.walk_failures <= PATIENCE + n // POSITIONS_PER_STEP:
        return row
    draw_weights(state, OF_WALK)
    slot = best_member(state.archive, control.archive_size, state.weights[OF_WALK])
    control.walk_parent = adopt(state, slot)
    control.walk_failures = 0
    return find_parent(state.parents, control.walk_parent)


@lean_kernel
def _uncertainty_of(state: DifferenceState, source: Codes) -> float:
    """How little the table of the first objective knows of the step to ``trial``."""
    tables, changes, e = state.tables, state.changes, state.tables.chosen[0]
    count = list_step(tables, e, state.layout, changes, source, state.trial, False)
    return uncertainty(tables, e, changes, count)


# --- without permutations


@lean_kernel
def step_or_cross(state: DifferenceState, slot: int, x: Codes) -> None:
    """Move from a member, or cross it with another one where no window forbids that."""
    source, size = state.archive.solutions[slot], state.control[0].archive_size
    crossable = size > 1 and state.control[0].window >= x.shape[0]
    for _ in range(NUM_ATTEMPTS_CHOICE):
        crossed = crossable and uniform(state.rng) < CROSSED
        if crossed:
            other = state.archive.order[below(state.rng, size)]
            mate = state.archive.solutions[other]
            crossover(state.layout, state.rng, source, mate, x, True)
        else:
            copy_codes(source, x)
        if not crossed or uniform(state.rng) < MOVED_AFTER:
            _move(state, x)
        if is_new(state, x, False):
            return


@lean_kernel
def step_from(state: DifferenceState, source: Codes, x: Codes) -> None:
    """Move from a solution to one that was never proposed, if that is soon found."""
    for _ in range(NUM_ATTEMPTS_CHOICE):
        copy_codes(source, x)
        _move(state, x)
        if is_new(state, x, False):
            return


@lean_kernel
def _move(state: DifferenceState, x: Codes) -> None:
    """Make one random move or a few."""
    moves = 1
    while moves < MOST_MOVES and uniform(state.rng) < MORE:
        moves += 1
    perturb(state, x, moves)
