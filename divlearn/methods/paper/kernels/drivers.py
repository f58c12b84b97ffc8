"""Drivers of the same step: ask, a whole compiled run, a run of which all is known."""

from __future__ import annotations

import math
from collections.abc import Callable

from divlearn.basics.typing import Codes, Floats, Integers
from divlearn.kernels.jit import are_cached, lean_kernel
from divlearn.kernels.loops import (
    EVALUATING,
    REPLAY,
    RUN,
    compiled_loop,
    loop_is_cached,
)
from divlearn.methods.paper.kernels.search import observe, propose
from divlearn.methods.paper.kernels.state import SearchState


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
    state: SearchState,
    events: Integers,
    codes: Codes,
    answers: Floats,
    tickets: Integers,
    x: Codes,
) -> int:
    control = state.control[0]
    slots = state.archive.order.shape[0]
    for done in range(len(events)):
        if control.archive_size >= slots:
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
    return loop_is_cached(_run) if compiled else are_cached(propose_many, observe)


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
    """Make evaluations in the compiled loop.

    Whatever is raised on the way, by the objective or by an expert of a user's own,
    reaches the caller; ``ticket``, shape (3,), says at its end whether an evaluation
    was under way. What was told before is in the state.

    Returns
    -------
    The number of evaluations made: fewer than asked when the archive is full, and -1
    minus their number when ``x`` has a value that is not finite.
    """
    loop = compiled_loop(_run, state, RUN)
    return int(loop(objective, repair, table, state, x, y, ticket, evaluations))


def replay(
    repair: Callable[..., None],
    table: Floats,
    state: SearchState,
    events: Integers,
    codes: Codes,
    answers: Floats,
    tickets: Integers,
    x: Codes,
) -> int:
    """Ask and tell again what is known, without Python in between.

    Parameters
    ----------
    repair, table, state
        As of :func:`run`.
    events
        What happened, in order: row r asked for, or, as -1 - r, its answer told.
    codes
        The candidates as they were evaluated, shape (r, n).
    answers
        Their answers, as far as they are told here, shape (r, m + c).
    tickets
        Of candidates asked for before; the others are filled, shape (r, 2).
    x
        Room for a candidate; afterwards the last one asked for.

    Returns
    -------
    The number of events done: fewer than there are when the archive is full, and -1
    minus their number when the next one asks for another candidate than it did.
    """
    loop = compiled_loop(_replay, state, REPLAY)
    return int(loop(repair, table, state, events, codes, answers, tickets, x))
