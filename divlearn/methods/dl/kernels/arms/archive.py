"""Neighbours of members of the archive that are predicted to extend the front."""

from __future__ import annotations

from divlearn.basics.typing import Codes
from divlearn.kernels.archive import has_tree
from divlearn.kernels.jit import lean_kernel
from divlearn.kernels.random import below
from divlearn.methods.dl.kernels.front import best_member, gain
from divlearn.methods.dl.kernels.search.cycle_moves import (
    kicked_member,
    neighbour_of_member,
)
from divlearn.methods.dl.kernels.search.cycles import are_cycles
from divlearn.methods.dl.kernels.search.neighbours import refine_values
from divlearn.methods.dl.kernels.search.steps import screen
from divlearn.methods.dl.kernels.state import OF_TABLES, SHORTEST, DifferenceState
from divlearn.methods.dl.kernels.variation import copy_codes
from divlearn.methods.dl.kernels.weights import draw_weights

#: Members tried for one candidate, with permutations and without.
NUM_MEMBERS, NUM_MEMBERS_CHOICE = 4, 3
#: Members whose neighbours are compared by their predicted gain, if members are many.
NUM_COMPARED = 3


@lean_kernel
def search_archive(state: DifferenceState, x: Codes) -> int:
    """Look around members; return the one a candidate was found for, -1 for none."""
    control = state.control[0]
    size = control.archive_size
    if state.near.shape[0] >= SHORTEST and are_cycles(state):
        if has_tree(state.archive, size):
            slot = _best_neighbour(state, x)
            if slot >= 0:
                return slot
        for _ in range(NUM_MEMBERS):
            slot = _open_member(state)
            if slot < 0:
                break
            if neighbour_of_member(state, slot, x):
                return slot
        draw_weights(state, OF_TABLES)
        control.table_tries = 0
        slot = best_member(state.archive, size, state.weights[OF_TABLES])
        return slot if kicked_member(state, slot, x) else -1
    for _ in range(NUM_MEMBERS):
        slot = int(state.archive.order[below(state.rng, size)])
        if screen(state, slot, x):
            return slot
    return -1


@lean_kernel
def _best_neighbour(state: DifferenceState, x: Codes) -> int:
    """Compare neighbours of some members by what they promise; -1 if none does.

    Those that are not chosen are found again later. Among many members nearly every
    one has a neighbour that would enter; what differs is how much it would add.
    """
    size, best, largest = state.control[0].archive_size, -1, -1.0
    for _ in range(NUM_COMPARED):
        slot = _open_member(state)
        if slot < 0:
            break
        if neighbour_of_member(state, slot, state.trial):
            promised = gain(state.archive, size, state.outputs, state.low, state.high)
            if promised > largest:
                best, largest = slot, promised
                copy_codes(state.trial, x)
    return best


@lean_kernel
def _open_member(state: DifferenceState) -> int:
    """A member of the archive whose neighbours were not all looked at; -1 for none."""
    size, n = state.control[0].archive_size, state.near.shape[0]
    first = below(state.rng, size)
    for k in range(size):
        slot = state.archive.order[(first + k) % size]
        if state.open[slot] < n:
            return int(slot)
    return -1


@lean_kernel
def refine_member(state: DifferenceState, slot: int, x: Codes) -> int:
    """Look around members; return the one a candidate was found for, -1 for none.

    The first one is ``slot``; for spaces without permutations.
    """
    size = state.control[0].archive_size
    for _ in range(NUM_MEMBERS_CHOICE):
        if refine_values(state, slot, x) > 0.0:
            return int(slot)
        slot = state.archive.order[below(state.rng, size)]
    return -1
