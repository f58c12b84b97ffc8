"""Loops around a step: for ask, a whole compiled run, a replay; one for all methods.

A loop knows a search by the addresses of the three functions of its step, and by that
of the frame of its state (:mod:`divlearn.kernels.views`). So it is compiled once,
whatever the method, the objective and the repair.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numba import boolean, float64, int64, typeof, types, uint64, void
from numba.extending import intrinsic

from divlearn.basics.typing import Codes, Floats, Integers, Words
from divlearn.kernels.addresses import address_of, emit_call, listed_function
from divlearn.kernels.jit import (
    INSTANCE_TABLE,
    JIT_DISABLED,
    OBJECTIVE,
    REPAIR,
    are_cached,
    is_cached,
    lean_kernel,
)

#: Number of a run's ticket that is 1 while the objective or the repair is at work, so
#: that an exception is attributed correctly; the others are those of a candidate.
EVALUATING = 2
#: First number of a ticket with which no candidate came: the search has ended.
ENDED = -1
#: Places of the addresses of a step.
PROPOSE, OBSERVE, HAS_ROOM = 0, 1, 2


class Step(NamedTuple):
    """One step of a search, cut where the evaluation happens: three kernels.

    Attributes
    ----------
    propose
        ``propose(state, x, ticket)`` writes the next candidate, shape (n,), and its
        ticket, shape (2,), whose first number is ``ENDED`` where there is none.
    observe
        ``observe(state, x, answer, ticket)`` takes in the answer to a candidate, shape
        (m + c,); returns whether it entered the archive.
    has_room
        ``has_room(state)`` says whether one more candidate fits into the arrays.
    """

    propose: Callable[..., None]
    observe: Callable[..., bool]
    has_room: Callable[..., bool]

    def addresses(self, state: Any) -> Words:
        """Compile all three for states like ``state``; return where they are."""
        if JIT_DISABLED:
            return np.array([address_of(part, None) for part in self], np.uint64)
        kind, codes = typeof(state), int64[::1]
        signatures = (
            void(kind, codes, codes),
            boolean(kind, codes, float64[::1], codes),
            boolean(kind),
        )
        parts = zip(self, signatures, strict=True)
        return np.array([address_of(*part) for part in parts], np.uint64)

    def is_cached(self) -> bool:
        """Whether all three are compiled, in this process or on disk."""
        return are_cached(*self)


if JIT_DISABLED:

    def _propose(address: Any, state: Any, x: Codes, ticket: Integers) -> None:
        """Call ``propose`` of a step."""
        listed_function(address)(state, x, ticket)

    def _observe(
        address: Any, state: Any, x: Codes, answer: Floats, ticket: Integers
    ) -> bool:
        """Call ``observe`` of a step."""
        return bool(listed_function(address)(state, x, answer, ticket))

    def _has_room(address: Any, state: Any) -> bool:
        """Call ``has_room`` of a step."""
        return bool(listed_function(address)(state))

    def _frame(state: Any) -> Any:
        """What loops know a state by."""
        return state

else:
    from divlearn.kernels.views import View

    #: A state of whatever kind: all are passed as the address of their frame.
    _ANY = View("any")

    def _call(returned: Any, *kinds: Any) -> Any:
        """Signature and code of an intrinsic that calls a part of a step."""

        def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            address, frame, *rest = arguments
            pointer = context.get_value_type(_ANY)
            called = returned(uint64, _ANY, *kinds)
            state = builder.inttoptr(frame, pointer)
            words = [address, state, *rest]
            return emit_call(context, builder, called, words)  # type: ignore[no-untyped-call]

        return returned(uint64, uint64, *kinds), code

    @intrinsic
    def _propose(typing_context, address, frame, x, ticket):  # type: ignore[no-untyped-def]
        """Call ``propose`` of a step."""
        return _call(types.none, x, ticket)

    @intrinsic
    def _observe(typing_context, address, frame, x, answer, ticket):  # type: ignore[no-untyped-def]
        """Call ``observe`` of a step."""
        return _call(types.boolean, x, answer, ticket)

    @intrinsic
    def _has_room(typing_context, address, frame):  # type: ignore[no-untyped-def]
        """Call ``has_room`` of a step."""
        return _call(types.boolean)

    def _frame(state: Any) -> Any:
        """What loops know a state by."""
        return state.address


@lean_kernel
def _propose_many(step: Words, state: Any, solutions: Codes, tickets: Integers) -> None:
    for row in range(solutions.shape[0]):
        _propose(step[PROPOSE], state, solutions[row], tickets[row])


def _run(
    objective: Callable[[Codes, Floats, Floats], None],
    repair: Callable[[Codes, Floats], None],
    table: Floats,
    step: Words,
    state: Any,
    x: Codes,
    y: Floats,
    ticket: Integers,
    evaluations: int,
) -> int:
    for done in range(evaluations):
        if not _has_room(step[HAS_ROOM], state):
            return done
        _propose(step[PROPOSE], state, x, ticket)
        if ticket[0] == ENDED:
            return done
        ticket[EVALUATING] = 1
        repair(x, table)
        objective(x, table, y)
        ticket[EVALUATING] = 0
        for j in range(y.shape[0]):
            if not math.isfinite(y[j]):
                return -1 - done
        _observe(step[OBSERVE], state, x, y, ticket)
    return evaluations


def _replay(
    repair: Callable[[Codes, Floats], None],
    table: Floats,
    step: Words,
    state: Any,
    events: Integers,
    codes: Codes,
    answers: Floats,
    tickets: Integers,
    x: Codes,
) -> int:
    for done in range(len(events)):
        if not _has_room(step[HAS_ROOM], state):
            return done
        row = events[done]
        if row < 0:
            row = -1 - row
            _observe(step[OBSERVE], state, codes[row], answers[row], tickets[row])
            continue
        _propose(step[PROPOSE], state, x, tickets[row])
        if tickets[row, 0] == ENDED:
            return -1 - done
        repair(x, table)
        for i in range(x.shape[0]):
            if x[i] != codes[row, i]:
                return -1 - done
    return len(events)


_SIGNATURES = {
    _run: int64(
        *(OBJECTIVE, REPAIR, INSTANCE_TABLE, uint64[::1], uint64),
        *(int64[::1], float64[::1], int64[::1], int64),
    ),
    _replay: int64(
        *(REPAIR, INSTANCE_TABLE, uint64[::1], uint64, int64[::1]),
        *(int64[:, ::1], float64[:, ::1], int64[:, ::1], int64[::1]),
    ),
}
_compiled: dict[Callable[..., int], Callable[..., int]] = {}


def _loop(function: Callable[..., int]) -> Callable[..., int]:
    """Compile a loop, or return what was compiled before."""
    if function not in _compiled:
        _compiled[function] = lean_kernel(function, _SIGNATURES[function])
    return _compiled[function]


def loops_are_cached(compiled: bool) -> bool:
    """Whether the loop of a run is there, or that of ask."""
    if not compiled:
        return are_cached(_propose_many)
    return _run in _compiled or JIT_DISABLED or is_cached(lean_kernel(_run))


def propose_many(step: Words, state: Any, solutions: Codes, tickets: Integers) -> None:
    """Fill the rows of ``solutions``, shape (q, n), and ``tickets``, shape (q, 2)."""
    _propose_many(step, _frame(state), solutions, tickets)


def run(
    objective: Callable[..., None],
    repair: Callable[..., None],
    table: Floats,
    step: Words,
    state: Any,
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
    The number of evaluations made: fewer than asked when the arrays are full or the
    search has ended, and -1 minus their number when ``x`` has a value that is not
    finite.
    """
    functions = objective, repair, table, step, _frame(state)
    return int(_loop(_run)(*functions, x, y, ticket, evaluations))


class Conversation(NamedTuple):
    """What a search was asked and told, a row per candidate."""

    #: What happened, in order: row r asked for, or, as -1 - r, its answer told.
    events: Integers
    #: The candidates as they were evaluated, shape (r, n).
    codes: Codes
    #: Their answers, as far as they are told, shape (r, m + c).
    answers: Floats
    #: Of candidates asked for before; the others are filled, shape (r, 2).
    tickets: Integers


def replay(
    repair: Callable[..., None],
    table: Floats,
    step: Words,
    state: Any,
    known: Conversation,
    x: Codes,
) -> int:
    """Ask and tell again what is known, without Python in between.

    Parameters
    ----------
    repair, table, step, state
        As of :func:`run`.
    known
        What was asked and told; its tickets are filled.
    x
        Room for a candidate; afterwards the last one asked for.

    Returns
    -------
    The number of events done: fewer than there are when the arrays are full, and -1
    minus their number when the next one asks for another candidate than it did, or
    for one where the search has ended.
    """
    functions = repair, table, step, _frame(state)
    return int(_loop(_replay)(*functions, *known, x))
