"""Free questions: what a repair, or ``valid``, makes of a solution.

Such a question costs no evaluation. Candidates are compared with what was seen, and
judged, as they would be evaluated; and what is left alone and what is not tells of a
constraint that nobody stated (:mod:`divlearn.methods.dl.kernels.models.hidden`). Per
candidate there are a number of questions, since a repair may take its time.
"""

from __future__ import annotations

import math

from divlearn.basics.typing import Codes
from divlearn.kernels.cells import code_in, row_of
from divlearn.kernels.jit import lean_kernel
from divlearn.kernels.random import below, uniform
from divlearn.kernels.repairs import NO_REPAIR, REFUSED, call_repair
from divlearn.methods.dl.kernels.models.hidden import (
    GIVEN_UP,
    excess_of,
    is_learning,
    is_trusted,
    judge,
    learn_answer,
    weight_of,
)
from divlearn.methods.dl.kernels.state import DifferenceState
from divlearn.methods.dl.kernels.variation import copy_codes, is_free

#: Questions that are left for candidates while the border is explored, one over this,
#: and questions about the border once that is known.
RESERVED, LATER = 2, 4
#: Share of the positions that a question changes at most before it turns to the
#: border, and attempts per position to reach that.
FARTHEST, ATTEMPTS = 0.5, 4
#: Changes that bring a solution as close to the border as they can.
CLOSER = 2


@lean_kernel
def is_repaired(state: DifferenceState) -> bool:
    """Whether something may happen to candidates before they are evaluated."""
    return bool(state.repairer.where[0] != NO_REPAIR)


@lean_kernel
def may_ask(state: DifferenceState) -> bool:
    """Whether this candidate has questions left."""
    return is_repaired(state) and bool(state.control[0].questions > 0)


@lean_kernel
def become_repaired(state: DifferenceState, x: Codes) -> bool:
    """Let ``x`` become what would be evaluated, while there are questions left.

    Returns
    -------
    False if it may not be tried at all; it is then unchanged.
    """
    if not may_ask(state):
        return True
    hidden, repairer, layout = state.hidden, state.repairer, state.layout
    state.control[0].questions -= 1
    copy_codes(x, hidden.kept)
    call_repair(repairer.where[0], x, repairer.table)
    usable = x[0] != REFUSED
    if not usable:
        copy_codes(hidden.kept, x)
    if is_trusted(hidden):  # else only what is about the border teaches
        alone = usable and _are_same(x, hidden.kept)
        learn_answer(hidden, layout, hidden.kept, alone)
    return bool(usable)


@lean_kernel
def stays_same(state: DifferenceState, x: Codes) -> bool:
    """Whether ``x`` would be evaluated as it is, or nobody knows; it is not changed."""
    if not may_ask(state):
        return True
    copy_codes(x, state.hidden.x)
    return become_repaired(state, state.hidden.x) and _are_same(x, state.hidden.x)


@lean_kernel
def is_left_alone(state: DifferenceState, x: Codes) -> bool:
    """Whether ``x``, which is expected to be allowed, would be evaluated as it is.

    The answer counts for how well the constraint is known.
    """
    asked = may_ask(state)
    alone = stays_same(state, x)
    if asked and state.hidden.mean.shape[0] > 0:
        judge(state.hidden, alone)
    return alone


@lean_kernel
def _are_same(x: Codes, y: Codes) -> bool:
    """Whether two solutions have the same codes."""
    same = True
    for i in range(x.shape[0]):
        same = same and x[i] == y[i]
    return same


# --- exploring the border


@lean_kernel
def explore_border(state: DifferenceState) -> None:
    """Spend questions of this candidate on the border; some even if it is known."""
    control, hidden = state.control[0], state.hidden
    unknown = hidden.record[0].stage == GIVEN_UP or control.archive_size == 0
    if unknown or not is_repaired(state):
        return
    for k in range(control.num_questions - control.num_questions // RESERVED):
        if k >= LATER and not is_learning(hidden):
            break
        slot = state.archive.order[below(state.rng, control.archive_size)]
        copy_codes(state.archive.solutions[slot], state.trial)
        predicted = _go_to_border(state, state.trial) <= 0.0
        learning = is_learning(hidden)
        alone = stays_same(state, state.trial)
        if learning:
            learn_answer(hidden, state.layout, state.trial, alone)
        judge(hidden, predicted == alone)


@lean_kernel
def _go_to_border(state: DifferenceState, x: Codes) -> float:
    """Change ``x`` until it is as close to the border as it seems to get.

    Returns
    -------
    By how much it is then expected to violate the constraint.
    """
    hidden, layout, rng, n = state.hidden, state.layout, state.rng, x.shape[0]
    g = excess_of(hidden, layout, x)
    # Few changes say much about a member, many of them something about everything.
    power = uniform(rng) * math.log(max(1.0, FARTHEST * n))
    for _ in range(int(math.exp(power))):
        i = below(rng, n)
        if is_free(layout, x, i):
            g += _change(state, x, i, other_action(state, x, i))
    outside = g > 0.0
    for _ in range(ATTEMPTS * n):
        i = below(rng, n)
        if not is_free(layout, x, i):
            continue
        row = other_action(state, x, i)
        step = weight_of(hidden, row) - weight_of(hidden, row_of(layout, i, x[i]))
        if (step > 0.0) == outside:
            continue
        g += _change(state, x, i, row)
        if (g > 0.0) != outside:
            break
    for _ in range(CLOSER):
        g = _come_closer(state, x, g)
    return g


@lean_kernel
def other_action(state: DifferenceState, x: Codes, i: int) -> int:
    """Another action of position ``i``, at random."""
    place = state.layout.places[i]
    own, arity = row_of(state.layout, i, x[i]) - place.offset, place.values
    arity = min(arity, place.arity)
    if arity < 2:
        return int(place.offset + own)
    return int(place.offset + (own + 1 + below(state.rng, arity - 1)) % arity)


@lean_kernel
def _change(state: DifferenceState, x: Codes, i: int, row: int) -> float:
    """Give position ``i`` an action; return what that adds to the excess."""
    old = row_of(state.layout, i, x[i])
    x[i] = code_in(state.layout, i, row - state.layout.places[i].offset, x[i])
    return weight_of(state.hidden, row) - weight_of(state.hidden, old)


@lean_kernel
def _come_closer(state: DifferenceState, x: Codes, g: float) -> float:
    """Make the change of one position that leads closest to the border, if any."""
    hidden, layout, least = state.hidden, state.layout, math.fabs(g)
    spot, action = -1, -1
    for i in range(x.shape[0]):
        place = layout.places[i]
        old = weight_of(hidden, row_of(layout, i, x[i]))
        for row in range(place.offset, place.offset + min(place.values, place.arity)):
            after = math.fabs(g + weight_of(hidden, row) - old)
            if after < least and is_free(layout, x, i):
                spot, action, least = i, row, after
    if spot < 0:
        return g
    return g + _change(state, x, spot, action)
