"""One step of the search by differences, cut where the evaluation happens.

``propose`` writes a candidate and its ticket, the arm that made it and the number of
its parent; ``observe`` takes the answer to any ticket, in any order, late or never.
How candidates are made and what answers teach depends on the space: these parts are
called by their address (:mod:`divlearn.methods.dl.kernels.parts`).
"""

from __future__ import annotations

from divlearn.basics.typing import Codes, Floats, Integers
from divlearn.kernels import archive as _archive
from divlearn.kernels.jit import lean_kernel
from divlearn.kernels.layout import sample
from divlearn.kernels.scale import tame, total_excess
from divlearn.methods.dl.kernels.arms.bandit import (
    ADDED,
    EXPLORE,
    KERNEL,
    REPEAT,
    SAMPLE,
    WALK,
    credit_arm,
)
from divlearn.methods.dl.kernels.front import gain
from divlearn.methods.dl.kernels.memory import (
    find_parent,
    hash_solution,
    mark_seen,
    remember_parent,
)
from divlearn.methods.dl.kernels.models.additive import quality
from divlearn.methods.dl.kernels.models.quadratic.values import (
    describes_space,
    unexplained,
)
from divlearn.methods.dl.kernels.parts import (
    LEARN,
    NO_PART,
    PROPOSE,
    PROPOSE_REPEAT,
    WEIGH,
    call_part,
)
from divlearn.methods.dl.kernels.state import OF_WALK, DifferenceState

TICKET_SIZE = 2


@lean_kernel
def propose(state: DifferenceState, x: Codes, ticket: Integers) -> None:
    """Write the next candidate into ``x``, shape (n,), and its ticket."""
    control = state.control[0]
    control.proposed += 1
    if state.parts[PROPOSE_REPEAT] != NO_PART:
        call_part(state.parts[PROPOSE_REPEAT], state, x, ticket)
        if ticket[0] >= 0:
            return
    chosen = describes_space(state.values)
    known = control.observed if chosen else control.archive_size
    if control.proposed <= control.num_initial or known == 0:
        sample(state.layout, state.words, x)
        ticket[0], ticket[1] = SAMPLE, control.last_sample
    else:
        call_part(state.parts[PROPOSE], state, x, ticket)
    _mark(state, x)


@lean_kernel
def _mark(state: DifferenceState, x: Codes) -> None:
    """Remember that ``x`` was proposed, also as a cycle."""
    control = state.control[0]
    if mark_seen(state.seen, hash_solution(state.layout, x, False)):
        control.num_seen += 1
    if state.near.shape[0] == 0:
        return
    if mark_seen(state.seen, hash_solution(state.layout, x, True)):
        control.num_seen += 1


# --- answers


@lean_kernel
def observe(state: DifferenceState, x: Codes, answer: Floats, ticket: Integers) -> bool:
    """Take in the answer to a candidate.

    Parameters
    ----------
    state
        Its archive must have a free slot, and its set of seen solutions two.
    x
        Codes as they were evaluated, shape (n,).
    answer
        Objectives in the user's senses, then constraints, shape (m + c,).
    ticket
        What ``propose`` wrote with the candidate.

    Returns
    -------
    Whether ``x`` entered the archive.
    """
    control, y, kind = state.control[0], state.outputs, ticket[0]
    for j in range(y.shape[0]):
        y[j] = answer[j]
    for j in range(state.objectives.shape[0]):
        y[j] *= state.objectives[j].sign
    control.observed += 1
    _mark(state, x)
    if state.parts[WEIGH] != NO_PART:
        call_part(state.parts[WEIGH], state, x, ticket)
        gained = control.gained
    else:
        gained = take_in(state, x, y)
        credit_arm(state.arms, kind, gained)
    tame(y, y)  # from here on all is learning
    if kind == REPEAT:
        return bool(gained >= 0.0)
    row = find_parent(state.parents, ticket[1])
    call_part(state.parts[LEARN], state, x, ticket)
    if control.observed >= control.next_log:
        _log_quality(state)
    if kind in (SAMPLE, ADDED, KERNEL):
        control.last_parent += 1
        remember_parent(state.parents, control.last_parent, x, y)
        control.last_sample = control.last_parent
    elif kind in (WALK, EXPLORE) and ticket[1] == control.walk_parent and row >= 0:
        _step_on(state, x, y, row)
    return bool(gained >= 0.0)


@lean_kernel
def _log_quality(state: DifferenceState) -> None:
    """Note how much of every output is unexplained by now."""
    control, values = state.control[0], state.values
    control.next_log += 10 + control.next_log // 3
    if control.logged == state.log.shape[0]:
        return
    row = state.log[control.logged]
    row[0] = control.observed
    for j in range(row.shape[0] - 1):
        if describes_space(values):
            row[1 + j] = unexplained(values, j)
        else:
            row[1 + j] = quality(state.tables, state.tables.chosen[j], j)
    control.logged += 1


@lean_kernel
def _step_on(state: DifferenceState, x: Codes, y: Floats, row: int) -> None:
    """Let the walk go to ``x`` if that is no worse than its parent in ``row``.

    Steps to one as good cross plateaus, but the walk's patience does not wait for them.
    """
    control, before = state.control[0], state.parents.outputs[row]
    change = _compare(y, before, state.weights[OF_WALK], state.low)
    if change <= 0.0:
        control.last_parent += 1
        remember_parent(state.parents, control.last_parent, x, y)
        control.walk_parent = control.last_parent
    if change < 0.0:
        control.walk_failures = 0


@lean_kernel
def _compare(y: Floats, than: Floats, weights: Floats, low: Floats) -> float:
    """Change from ``than`` to ``y`` of the violation, or of the cost if that is none.

    Negative is better.
    """
    excess, cost = 0.0, 0.0
    for j in range(y.shape[0]):
        if j < low.shape[0]:
            cost += weights[j] * (y[j] - than[j])
        else:
            excess += max(0.0, y[j]) - max(0.0, than[j])
    return excess if excess != 0.0 else cost


@lean_kernel
def take_in(state: DifferenceState, x: Codes, y: Floats) -> float:
    """Put ``x`` with outputs ``y``, as they were measured, into the archive.

    Returns
    -------
    Its gain, negative if it did not enter.
    """
    control, m, told = state.control[0], state.low.shape[0], state.told
    tame(y, told)
    excess = total_excess(y, m)
    if excess < control.least_violation:
        control.least_violation = excess
        for i in range(x.shape[0]):
            state.least_violating[i] = x[i]
        for j in range(y.shape[0]):
            state.least_outputs[j] = told[j]
    if excess > 0.0:
        return -1.0
    for j in range(m):
        objective = state.objectives[j]
        objective.low = min(objective.low, told[j])
        objective.high = max(objective.high, told[j])
    gained = gain(state.archive, control.archive_size, told, state.low, state.high)
    slot = state.archive.order[control.archive_size]
    size = _archive.insert(state.archive, control.archive_size, x, y)
    if size < 0:
        return -1.0
    control.archive_size = size
    state.open[slot] = 0
    control.archive_pause = min(control.archive_pause, 8)
    return gained
