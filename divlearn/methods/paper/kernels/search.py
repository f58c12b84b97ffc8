"""One step of the search, cut where the evaluation happens.

``propose`` advances the cursor through the nested loops of Algorithm 1 and writes a
candidate and its ticket; ``observe`` takes the answer to any ticket, in any order,
late or never. The compiled loop and ask/tell call the same two functions.
"""

from __future__ import annotations

import math

from divlearn.basics.typing import Codes, Floats, Integers
from divlearn.kernels import archive as _archive
from divlearn.kernels.jit import lean_kernel
from divlearn.kernels.layout import sample
from divlearn.kernels.moves import random_move
from divlearn.kernels.random import below, uniform
from divlearn.kernels.scale import tame, tamed, total_excess
from divlearn.methods.paper.kernels.dual_update import penalty, update_duals
from divlearn.methods.paper.kernels.learning import (
    construct,
    reset_tables,
    update_experts,
)
from divlearn.methods.paper.kernels.scalarization import better, scalarize, violation
from divlearn.methods.paper.kernels.state import SearchState
from divlearn.methods.paper.kernels.windows import (
    lay_windows,
    list_positions,
    num_subproblems,
)

# A ticket says what a candidate is: its kind, and the weight it was made for.
# A filler is a construction made while the answer to another one is awaited.
SAMPLE, CONSTRUCTION, REFINEMENT, ADDED, FILLER = 0, 1, 2, 3, 4
TICKET_SIZE = 2

NEVER, PER_ITERATION, PER_EVALUATION = 0, 1, 2

# A success widens the step, four failures undo that: the one-fifth rule.
WIDEN, NARROW = 1.5, 1.5**-0.25


@lean_kernel
def start_search(state: SearchState) -> None:
    """Put the cursor before the first candidate."""
    control = state.control[0]
    control.radius = 1.0
    control.least_violation = math.inf
    for objective in state.objectives:
        objective.low = math.inf
        objective.high = -math.inf
    begin_weight(state, 0)


@lean_kernel
def begin_weight(state: SearchState, w: int) -> None:
    """Start on weight ``w``: fresh tables, and a first solution by the experts."""
    control = state.control[0]
    control.weight = w
    control.stagnation = 0
    if control.share_tables == 0 or control.proposed == 0:
        reset_tables(state)
    # A solution given from outside is a better start than a construction.
    control.construct_next = 0 if state.known[w] == 2 else 1
    if state.known[w] == 2:
        state.known[w] = 1
    begin_iteration(state, 1)


@lean_kernel
def begin_iteration(state: SearchState, t: int) -> None:
    """Start iteration ``t`` at the first subproblem."""
    control = state.control[0]
    control.iteration = t
    control.subproblem = 0
    control.step = 0
    control.improved = 0
    control.end_of_iteration = 0
    lay_windows(state)
    draw_centre(state)


@lean_kernel
def draw_centre(state: SearchState) -> None:
    """Choose the index around which a neighbour subproblem lies."""
    control = state.control[0]
    if control.subproblem >= control.num_windows and state.neighbours.shape[0] > 0:
        control.centre = below(state.words, state.neighbours.shape[0])


@lean_kernel
def propose(state: SearchState, x: Codes, ticket: Integers) -> None:
    """Write the next candidate into ``x``, shape (n,), and its ticket."""
    control = state.control[0]
    if control.end_of_iteration == 1:
        end_iteration(state)
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
        refine(state, x)
        ticket[0] = REFINEMENT


@lean_kernel
def refine(state: SearchState, x: Codes) -> None:
    """LocalRefine: perturb the incumbent inside the current subproblem."""
    control = state.control[0]
    incumbent = state.incumbents[control.weight]
    for i in range(x.shape[0]):
        x[i] = incumbent[i]
    # A subproblem in which nothing can move is passed over.
    for _ in range(num_subproblems(state)):
        if perturb(state, x):
            break
        control.step = 0
        control.subproblem = (control.subproblem + 1) % num_subproblems(state)
        draw_centre(state)
    advance(state)


@lean_kernel
def perturb(state: SearchState, x: Codes) -> bool:
    """Make the moves of one step inside the current subproblem; False if none."""
    control = state.control[0]
    count = list_positions(state, x)
    whole = int(control.radius)
    extra = 1 if uniform(state.words) < control.radius - whole else 0
    moved = False
    for _ in range(whole + extra):
        if random_move(
            state.layout,
            x,
            state.subset,
            count,
            state.shares,
            state.words,
            state.scratch,
        ):
            moved = True
    return moved


@lean_kernel
def advance(state: SearchState) -> None:
    """Go to the next step, subproblem or end of the iteration."""
    control = state.control[0]
    control.step += 1
    if control.step >= control.refine_steps:
        control.step = 0
        control.subproblem += 1
        draw_centre(state)
        if control.subproblem >= num_subproblems(state):
            control.end_of_iteration = 1


@lean_kernel
def end_iteration(state: SearchState) -> None:
    """Learn from where the iteration ended and decide how to go on."""
    control = state.control[0]
    w = control.weight
    if state.known[w] > 0:
        if control.update == PER_ITERATION:
            learn(state, state.incumbents[w], state.incumbent_outputs[w], w)
        if control.coordinate == 1:
            update_duals(state, state.incumbents[w])
    control.temperature = max(0.01, control.temperature * control.temperature_decay)
    control.stagnation = 0 if control.improved == 1 else control.stagnation + 1
    t = control.iteration + 1
    if t > control.iterations:
        begin_weight(state, (w + 1) % state.weights.shape[0])
        return
    begin_iteration(state, t)
    due = control.construct_every > 0 and t % control.construct_every == 0
    if due or control.stagnation >= control.patience or control.refine_steps == 0:
        control.construct_next = 1
        control.stagnation = 0


@lean_kernel
def learn(state: SearchState, x: Codes, y: Floats, w: int) -> None:
    """Turn outputs ``y`` into a reward in [-1, 1] and tell it to all experts."""
    cost = scalarize(state, w, y)
    if violation(state, y) > 0.0:
        cost = 1.0
    reward = 1.0 - 2.0 * cost
    if state.control[0].coordinate == 1:
        reward -= penalty(state, x)
    update_experts(state, x, min(1.0, max(-1.0, reward)))


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
    entered = _archive_feasible(state, x, y)
    tame(y, y)
    kind, w = ticket[0], ticket[1]
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
    current = w == control.weight or control.share_tables == 1
    if control.update == PER_EVALUATION and kind != ADDED and current:
        learn(state, x, y, w)
    return entered


@lean_kernel
def _archive_feasible(state: SearchState, x: Codes, y: Floats) -> bool:
    """Widen the bounds and insert into the archive what was measured, if feasible."""
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
        objective.low = min(objective.low, value)
        objective.high = max(objective.high, value)
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
    kept = better(state, w, y, state.incumbent_outputs[w])
    if kept:
        _set_incumbent(state, x, y, w)
        control.kept_refinements += 1
        if w == control.weight:
            control.improved = 1
    if control.adaptive_radius == 1:
        factor = WIDEN if kept else NARROW
        control.radius = min(control.max_radius, max(1.0, control.radius * factor))


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
    if w == control.weight:
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
