"""From parents to differences: what a candidate is compared with."""

from __future__ import annotations

from divlearn.basics.typing import Codes, Integers
from divlearn.kernels.jit import lean_kernel
from divlearn.kernels.scale import tame
from divlearn.methods.dl.kernels.memory import (
    find_parent,
    remember_difference,
    remember_parent,
)
from divlearn.methods.dl.kernels.state import DifferenceState


@lean_kernel
def adopt(state: DifferenceState, slot: int) -> int:
    """Make a member of the archive a parent; return its number."""
    control = state.control[0]
    control.last_parent += 1
    tame(state.archive.outputs[slot], state.told)
    source = state.archive.solutions[slot]
    remember_parent(state.parents, control.last_parent, source, state.told)
    return int(control.last_parent)


@lean_kernel
def take_difference(state: DifferenceState, x: Codes, ticket: Integers) -> int:
    """Put the difference of a candidate and its parent into the ring.

    Parameters
    ----------
    state
        The state, with the candidate's outputs.
    x, ticket
        The candidate.

    Returns
    -------
    Row of the ring, -1 if the parent is forgotten.
    """
    control, ring = state.control[0], state.ring
    row = find_parent(state.parents, ticket[1])
    if row < 0:
        return -1
    place = control.differences % ring.deltas.shape[0]
    parent, before = state.parents.solutions[row], state.parents.outputs[row]
    remember_difference(ring, place, parent, before, x, state.outputs)
    control.differences += 1
    return int(place)
