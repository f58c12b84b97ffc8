"""Random moves inside a window."""

from __future__ import annotations

from divlearn.basics.typing import Codes
from divlearn.kernels.custom_moves import any_move
from divlearn.kernels.jit import lean_kernel
from divlearn.kernels.moves import MOVE_NAMES
from divlearn.kernels.random import below
from divlearn.methods.dl.kernels.models.encodings import NEIGHBOUR
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
    for i in range(width):
        subset[i] = first + i
    for _ in range(moves):
        any_move(
            state.layout,
            x,
            subset,
            width,
            shares,
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
    tables, control = state.tables, state.control[0]
    if tables.encodings.shape[0] == 0 or control.observed < control.exploration:
        return True
    found = False
    for j in range(tables.chosen.shape[0]):
        found = found or tables.encodings[tables.chosen[j]] == NEIGHBOUR
    return bool(found)
