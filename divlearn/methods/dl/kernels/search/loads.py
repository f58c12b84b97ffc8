"""Walks under a constraint that is learned from a repair, and what a repair makes.

The *load* is by how much the solution in view is expected to violate the constraint.
"""

from __future__ import annotations

from divlearn.kernels.cells import row_of
from divlearn.kernels.jit import lean_kernel
from divlearn.methods.dl.kernels.models.hidden import is_trusted, weight_of
from divlearn.methods.dl.kernels.models.quadratic.view import take
from divlearn.methods.dl.kernels.search.scratch import LOAD, PRICE
from divlearn.methods.dl.kernels.state import DifferenceState
from divlearn.methods.dl.kernels.variation import copy_codes


@lean_kernel
def move_on(state: DifferenceState, i: int, new: int) -> None:
    """Give position ``i`` of the solution in view the action ``new``."""
    walk, old = state.inside, state.inside.view.actions[i]
    take(walk.view, state.values, state.layout, i, new)
    if is_trusted(state.hidden):
        step = weight_of(state.hidden, new) - weight_of(state.hidden, old)
        walk.limit[LOAD] += step


@lean_kernel
def view_trial(state: DifferenceState) -> None:
    """Look at ``trial``, what a repair has made of a candidate, for a while."""
    walk, view = state.inside, state.inside.view
    copy_codes(view.actions, state.trial)
    for k in range(view.outputs.shape[0]):
        walk.points[3, k] = view.outputs[k]
    for i in range(state.trial.shape[0]):
        row = row_of(state.layout, i, walk.trial[i])
        if row != view.actions[i]:
            take(view, state.values, state.layout, i, row)


@lean_kernel
def view_back(state: DifferenceState) -> None:
    """Look at what was in view before :func:`view_trial`."""
    walk, view = state.inside, state.inside.view
    for i in range(state.trial.shape[0]):
        if state.trial[i] != view.actions[i]:
            take(view, state.values, state.layout, i, state.trial[i])
    for k in range(view.outputs.shape[0]):
        view.outputs[k] = walk.points[3, k]


@lean_kernel
def list_load(state: DifferenceState) -> None:
    """Let the last constraint of the relaxation be what a repair leaves alone."""
    relax, view, hidden = state.inside.relax, state.inside.view, state.hidden
    last, trusted = relax.base.shape[0] - 1, is_trusted(state.hidden)
    relax.base[last] = state.inside.limit[LOAD]
    relax.price[relax.price.shape[0] - 1] = 0.0
    for i in range(state.layout.places.shape[0]):
        place, old = state.layout.places[i], weight_of(hidden, view.actions[i])
        for a in range(place.offset, place.offset + place.arity):
            relax.table[a, last] = weight_of(hidden, a) - old if trusted else 0.0


@lean_kernel
def cost_of_load(state: DifferenceState, new: int, old: int) -> float:
    """Price of what the learned constraint is then violated by."""
    hidden, limit = state.hidden, state.inside.limit
    load = limit[LOAD] + weight_of(hidden, new) - weight_of(hidden, old)
    return float(limit[PRICE] * max(0.0, load))
