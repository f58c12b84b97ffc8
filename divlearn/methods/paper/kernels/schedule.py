"""The schedule: weights, iterations, subproblems and steps as a cursor in the state."""

from __future__ import annotations

import math

from divlearn.basics.typing import Codes, Floats
from divlearn.kernels.jit import lean_kernel
from divlearn.kernels.random import below
from divlearn.methods.paper.kernels.dual_update import penalty, update_duals
from divlearn.methods.paper.kernels.scalarization import reward_of
from divlearn.methods.paper.kernels.scenario import disturbed, largest_reward
from divlearn.methods.paper.kernels.state import SearchState
from divlearn.methods.paper.kernels.trace import OFF, record_iteration
from divlearn.methods.paper.kernels.update_experts import reset_tables, update_experts
from divlearn.methods.paper.kernels.windows import (
    forget_centres,
    lay_windows,
    note_centre,
    num_subproblems,
)

#: When the experts learn.
NEVER, PER_ITERATION, PER_EVALUATION = 0, 1, 2


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
    control.best_seen = -math.inf
    control.visit_known = 0
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
    forget_centres(state)
    draw_centre(state)


@lean_kernel
def draw_centre(state: SearchState) -> None:
    """Choose the index around which a neighbour subproblem lies."""
    control = state.control[0]
    if control.subproblem >= control.num_windows and state.neighbours.shape[0] > 0:
        control.centre = below(state.words, state.neighbours.shape[0])
        note_centre(state)


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
    if control.tracing != OFF:
        record_iteration(state)
    control.temperature = max(0.01, control.temperature * control.temperature_decay)
    control.stagnation = 0 if control.improved == 1 else control.stagnation + 1
    t = control.iteration + 1
    stuck = control.stagnation >= control.patience
    if t > control.iterations or (stuck and control.leave_weight == 1):
        end_visit(state)
        return
    begin_iteration(state, t)
    due = control.construct_every > 0 and t % control.construct_every == 0
    if due or stuck or control.refine_steps == 0:
        control.construct_next = 1
        if stuck or control.by_best == 0:
            control.stagnation = 0


@lean_kernel
def end_visit(state: SearchState) -> None:
    """Go to the next weight, or end the search where its schedule does."""
    control = state.control[0]
    control.visited += 1
    if control.visits > 0 and control.visited >= control.visits:
        control.ended = 1
        return
    begin_weight(state, (control.weight + 1) % state.weights.shape[0])


@lean_kernel
def learn(state: SearchState, x: Codes, y: Floats, w: int) -> None:
    """Turn outputs ``y`` into a reward in [-1, 1] and tell it to all experts."""
    control = state.control[0]
    reward = disturbed(state, reward_of(state, w, y))
    if control.coordinate == 1:
        reward -= penalty(state, x)
    limit = largest_reward(state)
    control.told = min(limit, max(-limit, reward))
    update_experts(state, x, control.told)
