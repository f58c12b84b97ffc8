"""One step of the search, cut where the evaluation happens.

``propose`` advances the cursor through the nested loops of Algorithm 1 and writes a
candidate and its ticket; ``observe`` takes the answer to any ticket, in any order,
late or never. The compiled loop and ask/tell call the same two functions.
"""

from __future__ import annotations

from divlearn.basics.typing import Codes, Floats, Integers
from divlearn.kernels import archive as _archive
from divlearn.kernels.jit import lean_kernel
from divlearn.kernels.layout import sample
from divlearn.kernels.loops import ENDED
from divlearn.kernels.scale import tame, tamed, total_excess
from divlearn.kernels.structure import settle
from divlearn.methods.paper.kernels.bests import note_best, note_visit
from divlearn.methods.paper.kernels.local_refine import (
    BETTER,
    adapt_radius,
    keeps,
    local_refine,
)
from divlearn.methods.paper.kernels.scalarization import INITIAL, better
from divlearn.methods.paper.kernels.schedule import (
    PER_EVALUATION,
    end_iteration,
    learn,
)
from divlearn.methods.paper.kernels.select_action import construct
from divlearn.methods.paper.kernels.state import SearchState
from divlearn.methods.paper.kernels.trace import OFF

# A ticket says what a candidate is: its kind, and the weight it was made for.
# A filler is a construction made while the answer to another one is awaited.
SAMPLE, CONSTRUCTION, REFINEMENT, ADDED, FILLER = 0, 1, 2, 3, 4


@lean_kernel
def has_room(state: SearchState) -> bool:
    """Whether the archive can take one more solution, and the trace one more row."""
    control = state.control[0]
    if control.tracing != OFF and control.traced >= state.trace.rows.shape[0]:
        return False
    return bool(control.archive_size < state.archive.order.shape[0])


@lean_kernel
def propose(state: SearchState, x: Codes, ticket: Integers) -> None:
    """Write the next candidate into ``x``, shape (n,), and its ticket.

    Where the schedule has ended, the ticket says so and ``x`` stays as it is.
    """
    control = state.control[0]
    if control.end_of_iteration == 1 and control.ended == 0:
        end_iteration(state)
    if control.ended == 1:
        ticket[0], ticket[1] = ENDED, 0
        return
    control.proposed += 1
    w = control.weight
    ticket[1] = w
    if control.proposed <= control.num_initial:
        sample(state.layout, state.words, x)
        ticket[0] = SAMPLE
    elif control.construct_next == 1 or state.known[w] == 0:
        construct(state, x)
        ticket[0] = CONSTRUCTION if control.construct_next == 1 else FILLER
        control.construct_next = 0
        if control.refine_steps == 0:
            control.end_of_iteration = 1
    else:
        local_refine(state, x)
        ticket[0] = REFINEMENT
    settle(state.layout, x, state.words)


@lean_kernel
def observe(state: SearchState, x: Codes, answer: Floats, ticket: Integers) -> bool:
    """Take in the answer to a candidate.

    Parameters
    ----------
    state
        Its archive must have a free slot.
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
    control, y = state.control[0], state.outputs
    for j in range(y.shape[0]):
        y[j] = answer[j]
    for j in range(state.objectives.shape[0]):
        y[j] *= state.objectives[j].sign
    control.observed += 1
    kind, w = ticket[0], ticket[1]
    entered = _archive_feasible(state, x, y, kind == SAMPLE)
    tame(y, y)
    if kind == SAMPLE:
        control.sampled += 1
    elif kind == REFINEMENT:
        control.refined += 1
        _take_refinement(state, x, y, w)
    elif kind in (CONSTRUCTION, FILLER):
        control.constructed += 1
        must_win = kind == FILLER or control.keep_better == 1
        _take_construction(state, x, y, w, must_win)
    else:
        control.added += 1
        for other in range(state.weights.shape[0]):
            _take_added(state, x, y, other)
            if state.bests.known.shape[0] > 0 and note_best(state, x, y, answer, other):
                entered = True
    if kind not in (SAMPLE, ADDED):
        if control.by_best == 1 and w == control.weight:
            note_visit(state, y)
        if state.bests.known.shape[0] > 0:
            entered = note_best(state, x, y, answer, w)
    current = w == control.weight or control.share_tables == 1
    if control.update == PER_EVALUATION and kind != ADDED and current:
        learn(state, x, y, w)
    return entered


@lean_kernel
def _archive_feasible(state: SearchState, x: Codes, y: Floats, initial: bool) -> bool:
    """Widen the bounds and insert into the archive what was measured, if feasible.

    ``initial`` says whether it is one of the random solutions that come first.
    """
    control = state.control[0]
    excess = total_excess(y, state.objectives.shape[0])
    if excess < control.least_violation:
        control.least_violation = excess
        for i in range(x.shape[0]):
            state.least_violating[i] = x[i]
    if excess > 0.0:
        return False
    for j in range(state.objectives.shape[0]):
        objective, value = state.objectives[j], tamed(y[j])
        # Initial solutions that are all alike, or infeasible, bound nothing.
        fixed = control.normalisation == INITIAL and objective.high > objective.low
        if initial or not fixed:
            objective.low = min(objective.low, value)
            objective.high = max(objective.high, value)
    if state.bests.known.shape[0] > 0:
        return False
    size = _archive.insert(state.archive, control.archive_size, x, y)
    if size < 0:
        return False
    control.archive_size = size
    return True


@lean_kernel
def _set_incumbent(state: SearchState, x: Codes, y: Floats, w: int) -> None:
    """Continue weight ``w`` from ``x``."""
    for i in range(x.shape[0]):
        state.incumbents[w, i] = x[i]
    for j in range(y.shape[0]):
        state.incumbent_outputs[w, j] = y[j]
    if state.known[w] == 0:
        state.known[w] = 1


@lean_kernel
def _take_refinement(state: SearchState, x: Codes, y: Floats, w: int) -> None:
    """Keep a refinement that improves; widen or narrow the step."""
    control = state.control[0]
    if control.accept == BETTER:
        kept = better(state, w, y, state.incumbent_outputs[w])
    else:
        kept = keeps(state, w, y)
    if kept:
        _set_incumbent(state, x, y, w)
        control.kept_refinements += 1
        if w == control.weight and control.by_best == 0:
            control.improved = 1
    if control.adaptive_radius == 1:
        adapt_radius(state, kept)


@lean_kernel
def _take_construction(
    state: SearchState, x: Codes, y: Floats, w: int, must_win: bool
) -> None:
    """Continue from a construction: always, or only from a better one."""
    control = state.control[0]
    rivalled = must_win and state.known[w] > 0
    if rivalled and not better(state, w, y, state.incumbent_outputs[w]):
        return
    _set_incumbent(state, x, y, w)
    control.kept_constructions += 1
    if w == control.weight and control.by_best == 0:
        control.improved = 1


@lean_kernel
def _take_added(state: SearchState, x: Codes, y: Floats, w: int) -> None:
    """Start weight ``w`` from a solution found elsewhere, if it is better."""
    if state.known[w] == 0 or better(state, w, y, state.incumbent_outputs[w]):
        _set_incumbent(state, x, y, w)
        current = w == state.control[0].weight
        state.known[w] = 1 if current else 2
        if current:
            state.control[0].construct_next = 0
