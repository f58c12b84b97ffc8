"""LocalRefine: random moves of the incumbent inside the current subproblem."""

from __future__ import annotations

import math

from divlearn.basics.typing import Codes, Floats
from divlearn.kernels.custom_moves import any_move
from divlearn.kernels.jit import lean_kernel
from divlearn.kernels.moves import MAX_BLOCK
from divlearn.kernels.random import uniform
from divlearn.methods.paper.kernels.scalarization import better, scalarize, violation
from divlearn.methods.paper.kernels.schedule import advance, draw_centre
from divlearn.methods.paper.kernels.state import SearchState
from divlearn.methods.paper.kernels.windows import list_positions, num_subproblems

#: Which perturbations are kept: those that improve, those that a gradient step reaches,
#: or all.
BETTER, GRADIENT, ALWAYS = 0, 1, 2
# A success widens the step, four failures undo that: the one-fifth rule.
WIDEN, NARROW = 1.5, 1.5**-0.25


@lean_kernel
def local_refine(state: SearchState, x: Codes) -> None:
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
        if any_move(
            state.layout,
            x,
            state.subset,
            count,
            state.shares,
            MAX_BLOCK,
            state.custom_moves,
            state.words,
            state.scratch,
        ):
            moved = True
    return moved


@lean_kernel
def keeps(state: SearchState, w: int, y: Floats) -> bool:
    """Whether weight ``w`` goes on from a perturbation with outputs ``y``.

    GRADIENT follows the paper's estimator g = (f(x + u) - f(x)) / sigma along a unit
    move u: the step eta_t g is a fraction of that move, and is rounded at random, so
    that its mean is right. Where g is negative the step leaves the solutions, and
    projection leads back. eta_t / sigma = eta_0 sqrt(T / t).
    """
    control, than = state.control[0], state.incumbent_outputs[w]
    if control.accept == BETTER:
        return better(state, w, y, than)
    mine, other = violation(state, y), violation(state, than)
    if mine != other:
        return bool(mine < other)
    if control.accept == ALWAYS:
        return True
    step = control.rate * math.sqrt(control.iterations / control.iteration)
    gain = scalarize(state, w, than) - scalarize(state, w, y)
    return bool(uniform(state.words) < step * gain)


@lean_kernel
def adapt_radius(state: SearchState, kept: bool) -> None:
    """Widen the step after a success, narrow it after a failure."""
    control = state.control[0]
    factor = WIDEN if kept else NARROW
    control.radius = min(control.max_radius, max(1.0, control.radius * factor))
