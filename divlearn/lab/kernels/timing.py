"""Loops around the parts of a step, so that each can be timed by itself.

A part is repeated on a state in the middle of a search. What it leaves behind is not
a search any more: give these loops a copy.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from numba import float64, int64, typeof, void

from divlearn.basics.typing import Codes, Floats
from divlearn.kernels.jit import (
    INSTANCE_TABLE,
    OBJECTIVE,
    REPAIR,
    kernel,
    lean_kernel,
)
from divlearn.methods.paper.kernels.dual_update import penalty, update_duals
from divlearn.methods.paper.kernels.local_refine import local_refine
from divlearn.methods.paper.kernels.scalarization import better
from divlearn.methods.paper.kernels.search import _archive_feasible
from divlearn.methods.paper.kernels.select_action import construct
from divlearn.methods.paper.kernels.state import SearchState
from divlearn.methods.paper.kernels.update_experts import update_experts


@lean_kernel
def repeat_construction(state: SearchState, x: Codes, times: int) -> None:
    """SelectAction at all positions."""
    for _ in range(times):
        construct(state, x)


@lean_kernel
def repeat_refinement(state: SearchState, x: Codes, times: int) -> None:
    """LocalRefine: one perturbation inside the present subproblem."""
    control = state.control[0]
    for _ in range(times):
        control.step = -1  # stay in this subproblem
        local_refine(state, x)


@lean_kernel
def repeat_archive(state: SearchState, x: Codes, y: Floats, times: int) -> None:
    """Compare with the archive."""
    for _ in range(times):
        _archive_feasible(state, x, y, False)


@lean_kernel
def repeat_acceptance(state: SearchState, y: Floats, times: int) -> int:
    """Compare with the incumbent."""
    accepted = 0
    for _ in range(times):
        accepted += better(state, 0, y, state.incumbent_outputs[0])
    return accepted


@lean_kernel
def repeat_update(state: SearchState, x: Codes, times: int) -> None:
    """UpdateExperts."""
    for _ in range(times):
        update_experts(state, x, 0.5)


@lean_kernel
def repeat_coordination(state: SearchState, x: Codes, times: int) -> float:
    """DualUpdate and the penalty of the reward."""
    total = 0.0
    for _ in range(times):
        total += penalty(state, x)
        update_duals(state, x)
    return total


def _repeat_evaluation(
    objective: Callable[..., None],
    repair: Callable[..., None],
    table: Floats,
    x: Codes,
    changed: Codes,
    y: Floats,
    times: int,
) -> None:
    for _ in range(times):
        for i in range(x.shape[0]):
            changed[i] = x[i]
        repair(changed, table)
        objective(changed, table, y)


@cache
def repeat_evaluation() -> Callable[..., Any]:
    """Compile the loop around repair and objective."""
    codes = typeof(np.empty(1, np.int64))
    signature = void(
        OBJECTIVE, REPAIR, INSTANCE_TABLE, codes, codes, float64[::1], int64
    )
    return kernel(_repeat_evaluation, signature)
