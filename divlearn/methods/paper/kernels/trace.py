"""The trace: one row per iteration, written where the iteration ends.

Nothing here changes the search: draws come from words of the trace's own.
"""

from __future__ import annotations

import math

from divlearn.basics.typing import Floats
from divlearn.kernels.cells import action_of
from divlearn.kernels.jit import lean_kernel
from divlearn.kernels.random import below
from divlearn.methods.paper.kernels.dual_update import value_variance, violation_among
from divlearn.methods.paper.kernels.scalarization import reward_of
from divlearn.methods.paper.kernels.select_action import select_action
from divlearn.methods.paper.kernels.state import SearchState
from divlearn.methods.paper.kernels.windows import num_holding, num_subproblems

#: Columns of every trace; a share per expert and the outputs of the solution follow.
COLUMNS = (
    "weight",
    "iteration",
    "evaluations",
    "told",
    "overlap",
    "subproblems",
    "shared",
    "multiplicity",
    "violation",
    "price_mean",
    "price_max",
    "overlap_variance",
    "disagreement",
    "clips",
    "clip_bias",
)
_WEIGHT, _ITERATION, _EVALUATIONS, _TOLD, _OVERLAP, _SUBPROBLEMS = 0, 1, 2, 3, 4, 5
_SHARED, _MULTIPLICITY, _VIOLATION, _PRICE_MEAN, _PRICE_MAX = 6, 7, 8, 9, 10
_VARIANCE, _DISAGREEMENT, _CLIPS, _CLIP_BIAS, _SHARES = 11, 12, 13, 14, 15
#: Whether there is a trace: not, one that costs little, one with all disagreements.
OFF, ON, FULL = 0, 1, 2
#: Evaluations for each score of an action that only a trace wants to know.
EVALUATIONS_PER_SCORE = 10


@lean_kernel
def record_iteration(state: SearchState) -> None:
    """Write the row of the iteration that ends; there must be room for it."""
    control = state.control[0]
    row = state.trace.rows[control.traced]
    control.traced += 1
    row[_WEIGHT] = control.weight
    row[_ITERATION] = control.iteration
    row[_EVALUATIONS] = control.observed
    row[_TOLD] = control.told
    row[_OVERLAP] = control.window - control.stride
    row[_SUBPROBLEMS] = num_subproblems(state)
    row[_CLIPS] = control.clips
    row[_CLIP_BIAS] = control.clip_bias
    shared = record_overlaps(state, row)
    record_shares(state, row)
    record_outputs(state, row)
    row[_DISAGREEMENT] = disagreement(state, shared)
    for expert in range(state.trace.choices.shape[0]):
        state.trace.choices[expert] = 0


@lean_kernel
def record_overlaps(state: SearchState, row: Floats) -> int:
    """Measure positions that several subproblems share, and list them in ``subset``.

    Returns
    -------
    Their number.
    """
    w, n = state.control[0].weight, state.positions.shape[0]
    shared, count, violation = 0, 0, 0.0
    prices, highest, variance = 0.0, 0.0, 0.0
    for i in range(n):
        code = state.incumbents[w, i]
        k = num_holding(state, i, code)
        count += k
        if k < 2:
            continue
        violation += violation_among(state, i, action_of(state.layout, i, code), k)
        variance += value_variance(state, i)
        price = state.positions[i].dual
        prices += price
        highest = max(highest, price)
        state.subset[shared] = i
        shared += 1
    row[_SHARED] = shared
    row[_MULTIPLICITY] = count / n
    row[_VIOLATION] = violation
    row[_PRICE_MAX] = highest
    row[_PRICE_MEAN] = prices / shared if shared > 0 else 0.0
    row[_VARIANCE] = variance / shared if shared > 0 else 0.0
    return shared


@lean_kernel
def record_shares(state: SearchState, row: Floats) -> None:
    """Write which share of the choices each expert made; NaN where there were none."""
    choices = state.trace.choices
    total = 0
    for expert in range(choices.shape[0]):
        total += choices[expert]
    for expert in range(choices.shape[0]):
        row[_SHARES + expert] = choices[expert] / total if total > 0 else math.nan


@lean_kernel
def record_outputs(state: SearchState, row: Floats) -> None:
    """Write the outputs of the solution at which the iteration ended; NaN for none."""
    w, first = state.control[0].weight, _SHARES + state.trace.choices.shape[0]
    for j in range(state.incumbent_outputs.shape[1]):
        known = state.known[w] > 0
        row[first + j] = state.incumbent_outputs[w, j] if known else math.nan


@lean_kernel
def disagreement(state: SearchState, shared: int) -> float:
    """Share of looked-at positions where two subproblems would choose differently.

    Two subproblems that know nothing of each other choose among all actions, by the
    tables that both of them use. A full trace looks at all shared positions, another
    one at a random one now and then, since that is slow; NaN where none is looked at.
    """
    control = state.control[0]
    full = control.tracing == FULL
    cost = 2 * state.layout.places[state.subset[0]].arity * EVALUATIONS_PER_SCORE
    if shared == 0 or not (full or control.observed >= control.looked + cost):
        return math.nan
    control.looked = control.observed
    looked_at, different = shared if full else 1, 0
    swap_words(state)
    for j in range(looked_at):
        i = state.subset[j if full else below(state.words, shared)]
        if choice_among_all(state, i) != choice_among_all(state, i):
            different += 1
    swap_words(state)
    return different / looked_at


@lean_kernel
def choice_among_all(state: SearchState, i: int) -> int:
    """SelectAction at position ``i`` as if all of its actions were available."""
    arity = state.layout.places[i].arity
    for action in range(arity):
        state.scratch[action] = action
    return select_action(state, i, arity)


@lean_kernel
def swap_words(state: SearchState) -> None:
    """Exchange the random words of the search and of the trace."""
    for j in range(4):
        words, own = state.words, state.trace.words
        words[j], own[j] = own[j], words[j]


@lean_kernel
def rewards_of_rows(state: SearchState, rewards: Floats) -> None:
    """Reward of every row, by the bounds of the objectives as they are now."""
    rows, first = state.trace.rows, _SHARES + state.trace.choices.shape[0]
    for r in range(rewards.shape[0]):
        rewards[r] = reward_of(state, int(rows[r, _WEIGHT]), rows[r, first:])
