"""Drivers of a search by differences: ask and tell, or a whole compiled run."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache

import numpy as np
from numba import int64, typeof

from divlearn.kernels.dl.state import DifferenceState
from divlearn.kernels.dl.step import observe, propose
from divlearn.kernels.jit import (
    INSTANCE_TABLE,
    JIT_DISABLED,
    OBJECTIVE,
    REPAIR,
    is_cached,
    lean_kernel,
)
from divlearn.kernels.pointer import pointer_to
from divlearn.typing import Codes, Floats, Integers, Records, Words


@lean_kernel
def propose_many(state: DifferenceState, solutions: Codes, tickets: Integers) -> None:
    """Fill the rows of ``solutions``, shape (q, n), and ``tickets``."""
    at = pointer_to(state)
    for row in range(solutions.shape[0]):
        propose(at, solutions[row], tickets[row])


@lean_kernel
def observe_one(
    state: DifferenceState, x: Codes, answer: Floats, ticket: Integers
) -> bool:
    """Take in one answer, see :func:`divlearn.kernels.dl.step.observe`."""
    return observe(pointer_to(state), x, answer, ticket)


@lean_kernel
def has_room(control: Records, order: Integers, seen: Words, count: int) -> bool:
    """Whether the archive's ``order`` and the ``seen`` can take ``count`` more.

    A candidate leaves two hashes, and two more if it is repaired.
    """
    if control.archive_size >= order.shape[0]:
        return False
    return bool(2 * (control.num_seen + 4 * count) <= seen.shape[0])


def _run(
    objective: Callable[[Codes, Floats, Floats], None],
    repair: Callable[[Codes, Floats], None],
    table: Floats,
    state: DifferenceState,
    x: Codes,
    y: Floats,
    ticket: Integers,
    evaluations: int,
) -> int:
    at = pointer_to(state)
    control, order, seen = state.control[0], state.archive.order, state.seen
    for done in range(evaluations):
        if not has_room(control, order, seen, 1):
            return done
        propose(at, x, ticket)
        repair(x, table)
        objective(x, table, y)
        for j in range(y.shape[0]):
            if not math.isfinite(y[j]):
                return -1 - done
        observe(at, x, y, ticket)
    return evaluations


@cache
def compiled_run(state_type: object) -> Callable[..., int]:
    """Compile the loop once for all objectives.

    The loop returns the number of evaluations made: fewer than asked when the state
    has no room, and -1 minus their number when ``x`` has a value that is not finite.
    """
    floats = typeof(np.empty(1))
    integers = typeof(np.empty(1, np.int64))
    functions = (OBJECTIVE, REPAIR, INSTANCE_TABLE)
    arrays = (integers, floats, integers, int64)
    return lean_kernel(_run, int64(*functions, state_type, *arrays))


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
    state: DifferenceState,
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
