"""Random moves inside a window."""

from __future__ import annotations

from divlearn.basics.typing import Codes
from divlearn.kernels.custom_moves import any_move
from divlearn.kernels.jit import lean_kernel
from divlearn.kernels.random import below
from divlearn.methods.dl.kernels.state import DifferenceState


@lean_kernel
def perturb(state: DifferenceState, x: Codes, moves: int) -> None:
    """Make random moves inside a random window of ``x``."""
    n, rng, subset = x.shape[0], state.rng, state.subset
    width = min(n, state.control[0].window)
    first = below(rng, n - width + 1)
    for i in range(width):
        subset[i] = first + i
    for _ in range(moves):
        any_move(
            state.layout,
            x,
            subset,
            width,
            state.shares,
            state.custom_moves,
            rng,
            state.scratch,
        )
