"""Drivers of a search by differences: ask and tell, a compiled run, a replay."""

from __future__ import annotations

import math
from collections.abc import Callable

from divlearn.basics.typing import Codes, Floats, Integers, Records, Words
from divlearn.kernels.jit import are_cached, lean_kernel
from divlearn.kernels.loops import (
    EVALUATING,
    REPLAY,
    RUN,
    compiled_loop,
    loop_is_cached,
)
from divlearn.methods.dl.kernels.state import DifferenceState
from divlearn.methods.dl.kernels.step import observe, propose


@lean_kernel
def propose_many(state: DifferenceState, solutions: Codes, tickets: Integers) -> None:
    """Fill the rows of ``solutions``, shape (q, n), and ``tickets``."""
    for row in range(solutions.shape[0]):
        propose(state, solutions[row], tickets[row])


@lean_kernel
def observe_one(
    state: DifferenceState, x: Codes, answer: Floats, ticket: Integers
) -> bool:
    """Take in one answer, see :func:`divlearn.methods.dl.kernels.step.observe`."""
    return observe(state, x, answer, ticket)


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
    control, order, seen = state.control[0], state.archive.order, state.seen
    for done in range(evaluations):
        if not has_room(control, order, seen, 1):
            return done
        propose(state, x, ticket)
        ticket[EVALUATING] = 1
        repair(x, table)
        objective(x, table, y)
        ticket[EVALUATING] = 0
        for j in range(y.shape[0]):
            if not math.isfinite(y[j]):
                return -1 - done
        observe(state, x, y, ticket)
    return evaluations


def _replay(
    repair: Callable[[Codes, Floats], None],
    table: Floats,
    state: DifferenceState,
    events: Integers,
    codes: Codes,
    answers: Floats,
    tickets: Integers,
    x: Codes,
) -> int:
    control, order, seen = state.control[0], state.archive.order, state.seen
    for done in range(len(events)):
        if not has_room(control, order, seen, 1):
            return done
        row = events[done]
        if row < 0:
            row = -1 - row
            observe(state, codes[row], answers[row], tickets[row])
            continue
        propose(state, x, tickets[row])
        repair(x, table)
        for i in range(x.shape[0]):
            if x[i] != codes[row, i]:
                return -1 - done
    return len(events)


def kernels_are_cached(compiled: bool) -> bool:
    """Whether a search starts at once: in the compiled loop, or by ask and tell."""
    return loop_is_cached(_run) if compiled else are_cached(propose_many, observe_one)


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
    """Make evaluations; see :func:`divlearn.methods.paper.kernels.drivers.run`."""
    loop = compiled_loop(_run, state, RUN)
    return int(loop(objective, repair, table, state, x, y, ticket, evaluations))


def replay(
    repair: Callable[..., None],
    table: Floats,
    state: DifferenceState,
    events: Integers,
    codes: Codes,
    answers: Floats,
    tickets: Integers,
    x: Codes,
) -> int:
    """Ask and tell again; see :func:`divlearn.methods.paper.kernels.drivers.replay`."""
    loop = compiled_loop(_replay, state, REPLAY)
    return int(loop(repair, table, state, events, codes, answers, tickets, x))
