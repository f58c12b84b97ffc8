"""Search inside the tables: a candidate that they predict to be better."""

from __future__ import annotations

import math

from divlearn.basics.typing import Codes
from divlearn.kernels.archive import MOST_LISTED, has_tree
from divlearn.kernels.jit import lean_kernel
from divlearn.kernels.random import below, uniform
from divlearn.methods.dl.kernels.answers import is_new
from divlearn.methods.dl.kernels.asking import is_repaired
from divlearn.methods.dl.kernels.front import best_member, measure_front
from divlearn.methods.dl.kernels.memory import lists_changes
from divlearn.methods.dl.kernels.models.additive import is_described, weighted_quality
from divlearn.methods.dl.kernels.models.geometry import (
    ADMITTED,
    ADMITTED_LATER,
    EXACT,
    LATER,
    fit_all,
    points_explain_all,
)
from divlearn.methods.dl.kernels.search.cycles import (
    are_cycles,
    first_action,
    update_lists,
)
from divlearn.methods.dl.kernels.search.hidden import plan_hidden
from divlearn.methods.dl.kernels.search.planning import plan_values
from divlearn.methods.dl.kernels.search.sequences import (
    choose_values,
    improve_cycle,
    improve_sequence,
    match_sequence,
    may_match,
)
from divlearn.methods.dl.kernels.search.steps import improve_steps, predicted_cost
from divlearn.methods.dl.kernels.search.tabu import mend_values, walk_values
from divlearn.methods.dl.kernels.state import OF_TABLES, SHORTEST, DifferenceState
from divlearn.methods.dl.kernels.variation import copy_codes
from divlearn.methods.dl.kernels.weights import draw_weights

#: Weight vectors tried for one candidate, and candidates per vector.
NUM_WEIGHTS, TRIES_PER_WEIGHTS = 4, 3
#: Moves that tables are trusted for: so many by what they leave unexplained, and so
#: many per position where that is nearly nothing.
TRUST, NEARLY_EXACT, TRUST_PER_POSITION = 0.5, 0.01, 20
#: Kicks are worth their time only where tables leave less than this unexplained:
#: cycles, orders and steps, and how many kicks of the latter two.
GOOD_FOR_CYCLES, GOOD_FOR_KICKS = 0.3, 0.1
KICKS_OF_ORDERS, KICKS_OF_STEPS = 10, 30
#: Predicted improvements below this are rounding.
LEAST_IMPROVEMENT = 1e-9
#: Fits of points before the table is left to itself, and differences per item without
#: which none is tried.
MOST_FITS, ROWS_FOR_FIT = 6, 3
#: Evaluations until points are fitted again: at least, and one over this share of all.
FIT_AFTER, FIT_SHARE = 50, 3
#: Evaluations until near items are listed again: at least, or one per item.
LIST_AFTER = 100
#: Steps of a walk inside tables of values, and the fewest positions it may change.
STEPS, LEAST_RADIUS = 100, 3
#: Walks tried for one candidate, and by how many usual errors each further one is more
#: optimistic.
NUM_WALKS, MORE_OPTIMISM = 4, 0.7


# --- with permutations


@lean_kernel
def _is_described(state: DifferenceState) -> bool:
    """Whether the longest permutation can be searched by what encodings mean."""
    return state.near.shape[0] >= SHORTEST and is_described(state.tables)


@lean_kernel
def search_tables(state: DifferenceState, x: Codes) -> int:
    """Search under some weights; return the member it began with, -1 for nothing."""
    control, weights = state.control[0], state.weights[OF_TABLES]
    cycles = _is_described(state) and are_cycles(state)
    for _ in range(NUM_WEIGHTS):
        if control.table_tries % TRIES_PER_WEIGHTS == 0:
            draw_weights(state, OF_TABLES)
        control.table_tries += 1
        slot = best_member(state.archive, control.archive_size, weights)
        copy_codes(state.archive.solutions[slot], x)
        improved = _improve(state, slot, cycles, x)
        if improved > LEAST_IMPROVEMENT and is_new(state, x, cycles):
            if not is_repaired(state):
                return int(slot)
            member = state.archive.solutions[slot]
            if predicted_cost(state, member, x, weights) < -LEAST_IMPROVEMENT:
                return int(slot)
        control.table_tries = 0
    return -1


@lean_kernel
def _improve(state: DifferenceState, slot: int, cycles: bool, x: Codes) -> float:
    """Improve ``x``, a copy of member ``slot``, inside the tables; return the gain."""
    control = state.control[0]
    weights, source = state.weights[OF_TABLES], state.archive.solutions[slot]
    q = min(control.fitted, weighted_quality(state.tables, weights))
    trust = int(TRUST / q) + 1 if q > NEARLY_EXACT else TRUST_PER_POSITION * x.shape[0]
    if cycles:
        kicks = _kicks_of_cycles(state) if q < GOOD_FOR_CYCLES else 0
        return improve_cycle(state, weights, kicks, source, x)
    if not _is_described(state) or state.order.items.shape[0] == 0:
        good = q < GOOD_FOR_KICKS and not lists_changes(state.ring)
        kicks = KICKS_OF_STEPS if good else 0
        return improve_steps(state, weights, kicks, trust, slot, x)
    if q <= NEARLY_EXACT and may_match(state):
        return match_sequence(state, weights, source, x)
    kicks = KICKS_OF_ORDERS if q < GOOD_FOR_KICKS else 0
    improved = improve_sequence(state, weights, kicks, trust, source, x)
    if state.near.shape[0] < x.shape[0] and below(state.rng, 2) == 0:
        improved += choose_values(state, weights, x)
    return improved


@lean_kernel
def _kicks_of_cycles(state: DifferenceState) -> int:
    """Kicks of a search inside the tables.

    The more members there are, the nearer one is to the best under any weights, and
    the less a long search finds that others do not find at once. Where only some pairs
    are known, there are none: most of what a kick leads to is not known.
    """
    if lists_changes(state.ring) and not points_explain_all(state):
        return 0
    control, kicks = state.control[0], math.sqrt(state.near.shape[0])
    if has_tree(state.archive, control.archive_size):
        kicks *= math.sqrt(MOST_LISTED / control.archive_size)
    return int(control.kicks * kicks)


@lean_kernel
def fit_is_due(state: DifferenceState) -> bool:
    """Whether points are fitted before the next candidate of the tables."""
    control, n = state.control[0], state.near.shape[0]
    due = control.observed >= control.next_fit and control.fits < MOST_FITS
    due = due and control.differences >= ROWS_FOR_FIT * n
    return bool(control.use_geometry == 1 and due)


@lean_kernel
def refresh_tables(state: DifferenceState) -> None:
    """Do what is due now and then: fit points, list near items."""
    control, n = state.control[0], state.near.shape[0]
    fitted = fit_is_due(state)
    if fitted:
        control.next_fit = control.observed + max(
            FIT_AFTER, control.observed // FIT_SHARE
        )
        control.fits += 1
        if control.fitted > EXACT:
            admitted = ADMITTED if control.fits < LATER else ADMITTED_LATER
            control.fitted = fit_all(state, first_action(state), admitted)
            control.next_lists = control.observed
    if control.observed >= control.next_lists:
        control.next_lists = control.observed + max(LIST_AFTER, n)
        measure_front(state.archive, control.archive_size, state.low, state.high)
        # Points stay where they are until the next fit.
        due = fitted or not points_explain_all(state)
        if due and n >= SHORTEST and are_cycles(state):
            update_lists(state)


# --- without permutations


@lean_kernel
def search_values(state: DifferenceState, slot: int, x: Codes) -> int:
    """Walk inside the tables; return the member it began with, -1 for nothing."""
    size, weights = state.control[0].archive_size, state.weights[OF_TABLES]
    for k in range(NUM_WALKS):
        if k > 0:
            draw_weights(state, OF_TABLES)
            slot = best_member(state.archive, size, weights)
        power = uniform(state.rng) * math.log(max(1.0, x.shape[0] / LEAST_RADIUS))
        radius = int(LEAST_RADIUS * math.exp(power))
        if walk_values(state, slot, STEPS, radius, MORE_OPTIMISM * k, x) > 0.0:
            return int(slot)
    return -1


@lean_kernel
def mend(state: DifferenceState, source: Codes, x: Codes) -> bool:
    """Lead the solution of least violation to where it is feasible; False if seen."""
    mended = mend_values(state, source, state.least_outputs, x)
    return mended and is_new(state, x, False)


@lean_kernel
def follow_plan(state: DifferenceState, x: Codes) -> bool:
    """Write the next planned solution, where the tables or the objectives are exact."""
    if state.control[0].use_plans == 0:
        return False
    return plan_values(state, x) or plan_hidden(state, x)
