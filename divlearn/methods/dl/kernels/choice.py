"""One candidate on a space without permutations.

Unknown actions are tried first; exact tables plan the whole front; otherwise arms
share the candidates by what they gained: walks inside the tables, neighbours of
archive members, and blind steps, which are also what the tables learn from.
"""

from __future__ import annotations

import math

from divlearn.basics.typing import Codes, Integers
from divlearn.kernels.jit import lean_kernel
from divlearn.kernels.random import below, uniform
from divlearn.methods.dl.kernels.arms.bandit import ARCHIVE, EXPLORE, TABLES, WALK
from divlearn.methods.dl.kernels.crossover import mix
from divlearn.methods.dl.kernels.front import best_member
from divlearn.methods.dl.kernels.memory import (
    find_parent,
    hash_solution,
    is_seen,
    remember_parent,
)
from divlearn.methods.dl.kernels.models.quadratic.singles import (
    explore_values,
    was_right,
)
from divlearn.methods.dl.kernels.models.quadratic.values import (
    learn_values,
    replay_values,
)
from divlearn.methods.dl.kernels.moves import perturb
from divlearn.methods.dl.kernels.parents import adopt, take_difference
from divlearn.methods.dl.kernels.search.nearby import Front
from divlearn.methods.dl.kernels.search.neighbours import refine_values
from divlearn.methods.dl.kernels.search.planning import is_planning, plan_values
from divlearn.methods.dl.kernels.search.tabu import mend_values, propose_values
from divlearn.methods.dl.kernels.state import OF_TABLES, DifferenceState
from divlearn.methods.dl.kernels.weights import draw_weights

#: Steps of a walk, and the fewest positions that it may change.
STEPS, LEAST_RADIUS = 100, 3
#: Walks, members and blind steps tried for one candidate.
NUM_WALKS, NUM_MEMBERS, NUM_BLIND = 4, 3, 8
#: Usual errors by which each further walk hopes to be surprised.
HOPE = 0.7
#: Chance that a blind step mixes two members, and that it makes one more move.
MIX, MORE, MOST_MOVES = 0.35, 0.4, 6
#: Least share of an arm, by that of the best: tables and archive, blind steps.
LEAST_SHARE, LEAST_BLIND = 0.1, 0.3
#: Longest pause of an arm that found nothing.
LONGEST_WAIT = 256


@lean_kernel
def propose_choice(state: DifferenceState, x: Codes, ticket: Integers) -> None:
    """Write the next candidate into ``x``, shape (n,), and its ticket."""
    control = state.control[0]
    control.table_pause -= 1
    control.archive_pause -= 1
    if control.archive_size == 0:
        _seek_feasible(state, x, ticket)
        return
    arm, slot, found = WALK, 0, -1
    if control.use_plans == 1 and is_planning(state.plan, state.values):
        # The plan knows better than any search; what is left are blind steps.
        if state.low.shape[0] != 2:
            draw_weights(state, OF_TABLES)
        slot = state.archive.order[below(state.words, control.archive_size)]
    else:
        draw_weights(state, OF_TABLES)
        weights = state.weights[OF_TABLES]
        slot = best_member(state.archive, control.archive_size, weights)
        arm = _draw_arm(state)
    if _try_unknown(state, state.archive.solutions[slot], x):
        arm, found = EXPLORE, slot
    elif _follow_plan(state, x):
        arm, found = TABLES, slot
    elif arm == TABLES:
        found = _search_inside(state, slot, x)
    elif arm == ARCHIVE:
        found = _search_around(state, slot, x)
    if found < 0:
        arm, found = WALK, slot
        _step_blindly(state, slot, x)
    ticket[0], ticket[1] = arm, adopt(state, found)


@lean_kernel
def _try_unknown(state: DifferenceState, source: Codes, x: Codes) -> bool:
    """While it pays: the change that is least known.

    One after the other as long as sums over positions explain everything, since
    nothing else makes the tables exact; later every second time.
    """
    control = state.control[0]
    if control.observed >= control.exploration:
        return False
    if control.use_uncertainty == 0 or control.use_tables == 0:
        return False
    if control.proposed % 2 == 1 and not was_right(state.values.singles):
        return False
    if not explore_values(state.values.singles, state.layout, state.words, source, x):
        return False
    return not is_seen(state.seen, hash_solution(state.layout, x, False))


@lean_kernel
def _follow_plan(state: DifferenceState, x: Codes) -> bool:
    """Write the next planned solution, where the tables are exact."""
    control = state.control[0]
    if control.use_plans == 0:
        return False
    return plan_values(
        state.plan,
        state.values,
        state.layout,
        state.archive,
        control.archive_size,
        state.weights[OF_TABLES],
        state.seen,
        x,
    )


@lean_kernel
def _seek_feasible(state: DifferenceState, x: Codes, ticket: Integers) -> None:
    """Start from the solution of least violation, by what is known or unknown."""
    control, source, n = state.control[0], state.least_violating, x.shape[0]
    control.last_parent += 1
    remember_parent(state.parents, control.last_parent, source, state.least_outputs)
    ticket[0], ticket[1] = EXPLORE, control.last_parent
    if control.use_tables == 1:
        singles = state.values.singles
        found = explore_values(singles, state.layout, state.words, source, x)
        if found and not is_seen(state.seen, hash_solution(state.layout, x, False)):
            return
        ticket[0] = TABLES
        found = mend_values(
            state.values,
            state.layout,
            state.inside,
            state.weights[OF_TABLES],
            source,
            state.least_outputs,
            x,
        )
        if found and not is_seen(state.seen, hash_solution(state.layout, x, False)):
            return
    ticket[0] = WALK
    for _ in range(NUM_BLIND):
        for i in range(n):
            x[i] = source[i]
        _move(state, x)
        if not is_seen(state.seen, hash_solution(state.layout, x, False)):
            return


@lean_kernel
def _draw_arm(state: DifferenceState) -> int:
    """Share candidates by recent gain; arms that pause have nothing to offer."""
    control, arms = state.control[0], state.arms
    if control.use_tables == 0 or uniform(state.words) < control.walk_share:
        return WALK
    inside, around = arms[TABLES].recent, arms[ARCHIVE].recent
    blind = arms[WALK].recent
    largest = max(inside, around, blind)
    if largest <= 0.0:
        inside = around = blind = largest = 1.0
    inside, around = (
        max(inside, LEAST_SHARE * largest),
        max(around, LEAST_SHARE * largest),
    )
    blind = max(blind, LEAST_BLIND * largest)
    if control.table_pause > 0:
        inside = 0.0
    if control.archive_pause > 0 or control.use_refinement == 0:
        around = 0.0
    u = uniform(state.words) * (inside + around + blind)
    if u < inside:
        return TABLES
    return ARCHIVE if u < inside + around else WALK


@lean_kernel
def _search_inside(state: DifferenceState, slot: int, x: Codes) -> int:
    """Walk inside the tables; return the member it began with, -1 for nothing."""
    control, weights, n = state.control[0], state.weights[OF_TABLES], x.shape[0]
    for k in range(NUM_WALKS):
        if k > 0:
            draw_weights(state, OF_TABLES)
            slot = best_member(state.archive, control.archive_size, weights)
        front = Front(
            state.archive, control.archive_size, state.low, state.high, state.seen
        )
        power = uniform(state.words) * math.log(max(1.0, n / LEAST_RADIUS))
        gained = propose_values(
            state.values,
            state.layout,
            state.inside,
            weights,
            front,
            state.words,
            slot,
            STEPS,
            int(LEAST_RADIUS * math.exp(power)),
            HOPE * k,
            x,
        )
        if gained > 0.0:
            control.table_wait = 0
            return int(slot)
    control.table_wait = min(LONGEST_WAIT, 2 * control.table_wait + 1)
    control.table_pause = control.table_wait
    return -1


@lean_kernel
def _search_around(state: DifferenceState, slot: int, x: Codes) -> int:
    """Look around members; return the one a candidate was found for, -1 for none."""
    control, size = state.control[0], state.control[0].archive_size
    front = Front(state.archive, size, state.low, state.high, state.seen)
    for _ in range(NUM_MEMBERS):
        gained = refine_values(
            state.values,
            state.layout,
            state.inside,
            state.weights[OF_TABLES],
            front,
            slot,
            x,
        )
        if gained > 0.0:
            control.archive_wait = 0
            return int(slot)
        slot = state.archive.order[below(state.words, size)]
    control.archive_wait = min(LONGEST_WAIT, 2 * control.archive_wait + 1)
    control.archive_pause = control.archive_wait
    return -1


@lean_kernel
def _step_blindly(state: DifferenceState, slot: int, x: Codes) -> None:
    """Move from a member, or mix it with another one where no window forbids that."""
    source, size = state.archive.solutions[slot], state.control[0].archive_size
    mixable = size > 1 and state.control[0].window >= x.shape[0]
    for _ in range(NUM_BLIND):
        mixed = mixable and uniform(state.words) < MIX
        if mixed:
            other = state.archive.order[below(state.words, size)]
            mix(state.layout, state.words, source, state.archive.solutions[other], x)
        else:
            for i in range(x.shape[0]):
                x[i] = source[i]
        if not mixed or uniform(state.words) < 0.5:
            _move(state, x)
        if not is_seen(state.seen, hash_solution(state.layout, x, False)):
            return


@lean_kernel
def _move(state: DifferenceState, x: Codes) -> None:
    """Make one random move or a few."""
    moves = 1
    while moves < MOST_MOVES and uniform(state.words) < MORE:
        moves += 1
    perturb(
        state.layout,
        x,
        state.control[0].window,
        moves,
        state.shares,
        state.words,
        state.subset,
        state.scratch,
    )


@lean_kernel
def learn_choice(state: DifferenceState, x: Codes, ticket: Integers) -> None:
    """Credit a difference to the values that changed, and replay past ones."""
    control, ring = state.control[0], state.ring
    place = take_difference(state, x, ticket)
    if place < 0:
        return
    values, layout = state.values, state.layout
    parent = state.parents.solutions[find_parent(state.parents, ticket[1])]
    judged = ticket[0] in (WALK, EXPLORE)
    learn_values(values, layout, parent, x, ring.deltas[place], judged)
    filled = min(control.differences, ring.deltas.shape[0])
    replay_values(values, layout, ring, filled, control.replays, state.words)
