"""Random steps that any tables recommend, whatever their encodings mean."""

from __future__ import annotations

from divlearn.basics.typing import Codes, Floats
from divlearn.kernels.jit import lean_kernel
from divlearn.kernels.random import below
from divlearn.kernels.scale import tame, tamed
from divlearn.methods.dl.kernels.answers import is_new
from divlearn.methods.dl.kernels.asking import is_repaired
from divlearn.methods.dl.kernels.memory import lists_changes
from divlearn.methods.dl.kernels.models.additive import predict_step
from divlearn.methods.dl.kernels.moves import perturb
from divlearn.methods.dl.kernels.search.improvement import predicted_gain
from divlearn.methods.dl.kernels.state import OF_TABLES, DifferenceState
from divlearn.methods.dl.kernels.variation import copy_codes

#: Random neighbours that are compared by their predicted gain.
NUM_SCREENED = 24
#: Random steps looked at in tables whose structure is not known: per position, at most.
STEPS_PER_POSITION, MOST_STEPS = 8, 600
#: Random steps, or neighbours, where solutions are so long that each takes its time.
LONG_STEPS = 8
#: Moves of a kick there.
KICK_MOVES = 2
_LEAST_GAIN = 1e-10


@lean_kernel
def improve_steps(
    state: DifferenceState, weights: Floats, kicks: int, limit: int, slot: int, x: Codes
) -> float:
    """Improve ``x``, a copy of member ``slot``, by steps that any tables recommend.

    Nothing is known of their encodings but what they predict, so steps are random ones;
    at most ``limit`` of them are made between kicks, none towards a violation.
    """
    walker = state.changes.child
    total = _descend_steps(state, weights, limit, slot, x)
    for _ in range(kicks):
        copy_codes(x, walker)
        perturb(state, walker, KICK_MOVES)
        gained = -predicted_cost(state, x, walker, weights)
        gained += _descend_steps(state, weights, limit, slot, walker)
        if gained > _LEAST_GAIN:
            total += gained
            copy_codes(walker, x)
    return total


@lean_kernel
def predicted_cost(
    state: DifferenceState, x: Codes, y: Codes, weights: Floats
) -> float:
    """Predict all differences from ``x`` to ``y``; return their weighted sum."""
    cost = 0.0
    predict_step(state.tables, state.layout, state.changes, x, y, state.delta)
    for j in range(weights.shape[0]):
        cost += weights[j] * state.delta[j]
    return cost


@lean_kernel
def _descend_steps(
    state: DifferenceState, weights: Floats, limit: int, slot: int, x: Codes
) -> float:
    """Make up to ``limit`` random steps that are predicted to help; return the gain."""
    m, total = state.low.shape[0], 0.0
    predicted_cost(state, state.archive.solutions[slot], x, weights)
    for j in range(weights.shape[0]):
        state.outputs[j] = tamed(state.archive.outputs[slot, j]) + state.delta[j]
    most = LONG_STEPS if lists_changes(state.ring) else MOST_STEPS
    for _ in range(min(most, STEPS_PER_POSITION * x.shape[0])):
        copy_codes(x, state.trial)
        perturb(state, state.trial, 1)
        change = predicted_cost(state, x, state.trial, weights)
        if change > -_LEAST_GAIN or _violates(state.outputs, state.delta, m):
            continue
        total -= change
        for j in range(weights.shape[0]):
            state.outputs[j] += state.delta[j]
        copy_codes(state.trial, x)
        limit -= 1
        if limit <= 0:
            break
    return total


@lean_kernel
def _violates(y: Floats, delta: Floats, m: int) -> bool:
    """Whether ``delta`` leads from ``y`` to more violation of a constraint."""
    found = False
    for j in range(m, y.shape[0]):
        found = found or (delta[j] > 0.0 and y[j] + delta[j] > 0.0)
    return found


@lean_kernel
def screen(state: DifferenceState, slot: int, x: Codes) -> bool:
    """The one of several random neighbours of a member with most predicted gain."""
    source, trial, largest = state.archive.solutions[slot], state.trial, 0.0
    tame(state.archive.outputs[slot], state.told)
    for _ in range(LONG_STEPS if lists_changes(state.ring) else NUM_SCREENED):
        copy_codes(source, trial)
        perturb(state, trial, 1 + below(state.rng, 2))
        predict_step(
            state.tables, state.layout, state.changes, source, trial, state.delta
        )
        value = predicted_gain(state)
        if value > largest and is_new(state, trial, False):
            if is_repaired(state):  # judged as it would be evaluated
                predicted_cost(state, source, trial, state.weights[OF_TABLES])
                value = predicted_gain(state)
                if value <= largest:
                    continue
            largest = value
            copy_codes(trial, x)
    return largest > 0.0
