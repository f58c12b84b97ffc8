"""Drivers of the same step: many candidates for ask, or a whole compiled run."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache

import numpy as np
from numba import int64, typeof

from divlearn.kernels.jit import (
    INSTANCE_TABLE,
    JIT_DISABLED,
    OBJECTIVE,
    REPAIR,
    is_cached,
    lean_kernel,
)
from divlearn.kernels.search import observe, propose
from divlearn.kernels.state import SearchState
from divlearn.typing import Codes, Floats, Integers


@lean_kernel
def propose_many(state: SearchState, solutions: Codes, tickets: Integers) -> None:
    """Fill the rows of ``solutions``, shape (q, n), and ``tickets``."""
    for row in range(solutions.shape[0]):
        propose(state, solutions[row], tickets[row])


def _run(
    objective: Callable[[Codes, Floats, Floats], None],
    repair: Callable[[Codes, Floats], None],
    table: Floats,
    state: SearchState,
    x: Codes,
    y: Floats,
    ticket: Integers,
    evaluations: int,
) -> int:
    control = state.control[0]
    slots = state.archive.order.shape[0]
    for done in range(evaluations):
        if control.archive_size >= slots:
            return done
        propose(state, x, ticket)
        repair(x, table)
        objective(x, table, y)
        for j in range(y.shape[0]):
            if not math.isfinite(y[j]):
                return -1 - done
        observe(state, x, y, ticket)
    return evaluations


@cache
def compiled_run(state_type: object) -> Callable[..., int]:
    """Compile the loop once for all objectives.

    The loop returns the number of evaluations made: fewer than asked when the archive
    is full, and -1 minus their number when ``x`` has a value that is not finite.
    """
    floats = typeof(np.empty(1))
    integers = typeof(np.empty(1, np.int64))
    return lean_kernel(
        _run,
        int64(
            OBJECTIVE,
            REPAIR,
            INSTANCE_TABLE,
            state_type,
            integers,
            floats,
            integers,
            int64,
        ),
    )


def kernels_are_cached(compiled: bool) -> bool:
    """Whether a search starts at once: in the compiled loop, or by ask and tell."""
    if compiled:
        return bool(_loops) or JIT_DISABLED or is_cached(lean_kernel(_run))
    return is_cached(propose_many)


_loops: dict[type, Callable[..., int]] = {}


def run(
    objective: Callable[..., None],
    repair: Callable[..., None],
    table: Floats,
    state: SearchState,
    x: Codes,
    y: Floats,
    ticket: Integers,
    evaluations: int,
) -> int:
    """Call the compiled loop, see :func:`compiled_run`."""
    # All states have one type; to work it out takes longer than a thousand steps.
    loop = _loops.get(type(state))
    if loop is None:
        loop = _loops[type(state)] = compiled_run(typeof(state))
    return int(loop(objective, repair, table, state, x, y, ticket, evaluations))
