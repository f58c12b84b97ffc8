"""Random moves inside a window, of kinds that suit what explains the outputs."""

from __future__ import annotations

from divlearn.basics.typing import Codes
from divlearn.kernels.custom_moves import any_move
from divlearn.kernels.jit import lean_kernel
from divlearn.kernels.moves import MAX_BLOCK, MOVE_NAMES
from divlearn.kernels.random import below
from divlearn.methods.dl.kernels.models.encodings import NEIGHBOUR, SUCCESSOR
from divlearn.methods.dl.kernels.state import DifferenceState

#: Rows of a table of shares, one per kind of segment.
NUM_KINDS = len(MOVE_NAMES)


@lean_kernel
def perturb(state: DifferenceState, x: Codes, moves: int) -> None:
    """Make random moves inside a random window of ``x``."""
    n, rng, subset = x.shape[0], state.rng, state.subset
    width = min(n, state.control[0].window)
    first = below(rng, n - width + 1)
    row = 0 if may_reverse(state) else NUM_KINDS
    shares = state.shares[row : row + NUM_KINDS]
    block = MAX_BLOCK if may_move_blocks(state) else 1
    for i in range(width):
        subset[i] = first + i
    for _ in range(moves):
        any_move(
            state.layout,
            x,
            subset,
            width,
            shares,
            block,
            state.custom_moves,
            rng,
            state.scratch,
        )


@lean_kernel
def may_reverse(state: DifferenceState) -> bool:
    """Whether stretches are reversed: at first, and where neighbours explain an output.

    A reversal leaves all neighbours but two as they were, and turns everything else
    round: it is a small step only where neighbours count.
    """
    return not _is_settled(state) or _is_chosen(state, NEIGHBOUR)


@lean_kernel
def may_move_blocks(state: DifferenceState) -> bool:
    """Whether insertions move items with their neighbours.

    Where an order has rules they do at first, and as long as neighbours count; else one
    item is moved at a time, which changes less.
    """
    if state.control[0].use_blocks == 1 or not _is_settled(state):
        return True
    return _is_chosen(state, NEIGHBOUR) or _is_chosen(state, SUCCESSOR)


@lean_kernel
def _is_settled(state: DifferenceState) -> bool:
    """Whether there are encodings, and differences enough to choose among them."""
    control = state.control[0]
    few = control.observed < control.exploration
    return bool(state.tables.encodings.shape[0] > 0 and not few)


@lean_kernel
def _is_chosen(state: DifferenceState, encoding: int) -> bool:
    """Whether this encoding explains an output best."""
    tables, found = state.tables, False
    for j in range(tables.chosen.shape[0]):
        found = found or tables.encodings[tables.chosen[j]] == encoding
    return bool(found)
