"""The two stages of a search by differences: few evaluations, then many.

At first the similarity expert proposes, which takes milliseconds per candidate; then
the compiled step takes over. Ask and tell and the compiled loop go through the same
stages, candidate by candidate.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from divlearn.basics.typing import Codes, Floats, Integers
from divlearn.kernels.loops import EVALUATING
from divlearn.methods.dl.kernels import drivers
from divlearn.methods.dl.kernels.arms.gp import is_small, propose_small, take_answer
from divlearn.methods.dl.kernels.state import DifferenceState


def propose_many(state: DifferenceState, solutions: Codes, tickets: Integers) -> None:
    """Fill the rows of ``solutions``, shape (q, n), and ``tickets``."""
    row = 0
    while row < len(solutions) and is_small(state):
        if not propose_small(state, solutions[row], tickets[row]):
            drivers.propose_many(
                state, solutions[row : row + 1], tickets[row : row + 1]
            )
        row += 1
    if row < len(solutions):
        drivers.propose_many(state, solutions[row:], tickets[row:])


def observe(state: DifferenceState, x: Codes, answer: Floats, ticket: Integers) -> bool:
    """Take in the answer to a candidate; True if it entered the archive."""
    if is_small(state):
        take_answer(state, x, answer)
    return bool(drivers.observe_one(state, x, answer, ticket))


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
    done = 0
    while done < evaluations and is_small(state):
        control, order = state.control[0], state.archive.order
        if not drivers.has_room(control, order, state.seen, 1):
            return done
        propose_many(state, x[None], ticket[None])
        ticket[EVALUATING] = 1
        repair(x, table)
        objective(x, table, y)
        ticket[EVALUATING] = 0
        if not np.isfinite(y).all():
            return -1 - done
        observe(state, x, y, ticket)
        done += 1
    rest = drivers.run(
        objective, repair, table, state, x, y, ticket, evaluations - done
    )
    return rest - done if rest < 0 else rest + done


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
    done = 0
    while done < len(events) and is_small(state):
        control, order = state.control[0], state.archive.order
        if not drivers.has_room(control, order, state.seen, 1):
            return done
        row = int(events[done])
        if row < 0:
            row = -1 - row
            observe(state, codes[row], answers[row], tickets[row])
        else:
            propose_many(state, x[None], tickets[row : row + 1])
            repair(x, table)
            if not np.array_equal(x, codes[row]):
                return -1 - done
        done += 1
    rest = drivers.replay(
        repair, table, state, events[done:], codes, answers, tickets, x
    )
    return rest - done if rest < 0 else rest + done
