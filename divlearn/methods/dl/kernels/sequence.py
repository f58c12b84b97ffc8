"""One candidate on a space with permutations, and what its answer teaches.

Exploring and blind steps first, then whatever gained most of late: search inside the
tables, neighbours of members of the archive, blind steps.
"""

from __future__ import annotations

import math

from divlearn.basics.typing import Codes, Integers
from divlearn.kernels.jit import lean_kernel
from divlearn.kernels.random import below
from divlearn.methods.dl.kernels.arms.bandit import (
    ARCHIVE,
    EXPLORE,
    TABLES,
    WALK,
    choose_arm,
)
from divlearn.methods.dl.kernels.front import best_member, measure_front
from divlearn.methods.dl.kernels.memory import find_parent, hash_solution, is_seen
from divlearn.methods.dl.kernels.models.additive import (
    EXPECTED,
    chosen_quality,
    is_described,
    learn_difference,
    replay,
    weighted_quality,
)
from divlearn.methods.dl.kernels.models.geometry import (
    ADMITTED,
    ADMITTED_LATER,
    EXACT,
    LATER,
    fit_all,
)
from divlearn.methods.dl.kernels.moves import perturb, step_uncertainty
from divlearn.methods.dl.kernels.parents import adopt, take_difference
from divlearn.methods.dl.kernels.parts import (
    LEARN_PAIRING,
    NO_PART,
    PROPOSE_PAIRING,
    call_part,
)
from divlearn.methods.dl.kernels.search.cycles import are_cycles
from divlearn.methods.dl.kernels.search.inside import (
    choose_values,
    improve_cycle,
    improve_sequence,
    improve_steps,
    neighbour_of_member,
    screen,
    update_lists,
)
from divlearn.methods.dl.kernels.state import OF_TABLES, OF_WALK, DifferenceState
from divlearn.methods.dl.kernels.weights import draw_weights

#: Exploring steps that are compared by their uncertainty.
NUM_UNCERTAIN = 8
#: Weight vectors tried for one candidate from the tables, and candidates per vector.
NUM_WEIGHTS = 4
MOST_TRIES = 3
#: Fits of points before the table is left to itself.
MOST_FITS = 6
#: Differences per item without which a fit is not tried.
LEAST_ROWS = 3
#: Longest pause of an arm that found nothing, and of one that searches by random steps.
LONGEST_WAIT, LONGEST_WAIT_OF_OWN = 4096, 64


@lean_kernel
def propose_sequence(state: DifferenceState, x: Codes, ticket: Integers) -> None:
    """Write the next candidate into ``x``, shape (n,), and its ticket."""
    if state.parts[PROPOSE_PAIRING] != NO_PART:
        call_part(state.parts[PROPOSE_PAIRING], state, x, ticket)
        if ticket[0] >= 0:
            return
    _prepare(state)
    _propose_by_arm(state, x, ticket)


@lean_kernel
def learn_sequence(state: DifferenceState, x: Codes, ticket: Integers) -> None:
    """Credit a difference to the actions that changed, and replay past ones."""
    control, ring = state.control[0], state.ring
    if state.parts[LEARN_PAIRING] != NO_PART:
        call_part(state.parts[LEARN_PAIRING], state, x, ticket)
    place = take_difference(state, x, ticket)
    if place < 0:
        return
    parent = state.parents.solutions[find_parent(state.parents, ticket[1])]
    judged = ticket[0] in (WALK, EXPLORE)
    surprise = learn_difference(
        state.tables, state.layout, state.changes, parent, x, ring.deltas[place], judged
    )
    # Tables that predicted this exactly have nothing to gain from the past.
    if surprise < EXPECTED and control.differences > ring.deltas.shape[0] // 16:
        return
    replay(
        state.tables,
        state.layout,
        state.changes,
        ring,
        min(control.differences, ring.deltas.shape[0]),
        control.replays,
        state.words,
    )


@lean_kernel
def _prepare(state: DifferenceState) -> None:
    """Do what is due now and then: fit points, list near items."""
    control = state.control[0]
    control.table_pause -= 1
    control.archive_pause -= 1
    due = control.observed >= control.next_fit and control.fits < MOST_FITS
    due = due and control.differences >= LEAST_ROWS * state.near.shape[0]
    if control.use_latent == 1 and due:
        control.next_fit = control.observed + max(50, control.observed // 3)
        control.fits += 1
        if control.fitted > EXACT:
            control.fitted = fit_all(
                state.tables,
                state.layout,
                state.layout.places[control.first].offset,
                state.ring,
                control.differences,
                state.latent,
                state.changes,
                state.points,
                ADMITTED if control.fits < LATER else ADMITTED_LATER,
                state.words,
            )
            control.next_lists = control.observed
    if control.observed >= control.next_lists:
        control.next_lists = control.observed + max(100, state.near.shape[0])
        measure_front(state.archive, control.archive_size, state.low, state.high)
        if state.near.shape[0] > 3 and are_cycles(state.tables):
            update_lists(state)


@lean_kernel
def _propose_by_arm(state: DifferenceState, x: Codes, ticket: Integers) -> None:
    """Choose how to make the next candidate; steps without tables never fail."""
    control = state.control[0]
    q = min(control.fitted, chosen_quality(state.tables, state.low.shape[0]))
    arm = choose_arm(control, state.arms, q, state.words)
    slot = -1
    if arm == TABLES:
        slot = _search_tables(state, x)
        if slot < 0:
            longest = LONGEST_WAIT if _is_described(state) else LONGEST_WAIT_OF_OWN
            control.table_wait = min(longest, 2 * control.table_wait + 8)
            control.table_pause = control.table_wait
            arm = ARCHIVE
        else:
            control.table_wait = 0
    if arm == ARCHIVE and slot < 0 and control.archive_pause <= 0:
        slot = _search_archive(state, x)
        if slot < 0:
            control.archive_wait = min(LONGEST_WAIT, 2 * control.archive_wait + 8)
            control.archive_pause = control.archive_wait
        else:
            control.archive_wait = 0
    if slot < 0:
        _walk(state, x, ticket, arm == EXPLORE)
        return
    ticket[0], ticket[1] = arm, adopt(state, slot)


@lean_kernel
def _walk(state: DifferenceState, x: Codes, ticket: Integers, exploring: bool) -> None:
    """Perturb the walk's solution inside a window."""
    control, n = state.control[0], x.shape[0]
    row = find_parent(state.parents, control.walk_parent)
    if row < 0 or control.walk_failures > 10 + n // 4:
        draw_weights(state, OF_WALK)
        slot = best_member(state.archive, control.archive_size, state.weights[OF_WALK])
        control.walk_parent = adopt(state, slot)
        control.walk_failures = 0
        row = find_parent(state.parents, control.walk_parent)
    control.walk_failures += 1
    source = state.parents.solutions[row]
    moves = control.exploring_moves if exploring else 1
    tries = NUM_UNCERTAIN if exploring and control.use_uncertainty == 1 else 1
    largest = -1.0
    for attempt in range(tries):
        for _ in range(4):
            for i in range(n):
                state.trial[i] = source[i]
            perturb(
                state.layout,
                state.trial,
                control.window,
                moves,
                state.shares,
                state.words,
                state.subset,
                state.scratch,
            )
            key = hash_solution(state.layout, state.trial, False)
            if not is_seen(state.seen, key):
                break
        value = 0.0
        if tries > 1:
            value = step_uncertainty(
                state.tables, state.layout, state.changes, source, state.trial
            )
        if attempt == 0 or value > largest:
            largest = value
            for i in range(n):
                x[i] = state.trial[i]
    ticket[0] = EXPLORE if exploring else WALK
    ticket[1] = control.walk_parent


@lean_kernel
def _is_described(state: DifferenceState) -> bool:
    """Whether the longest permutation can be searched by what encodings mean."""
    return state.near.shape[0] > 3 and is_described(state.tables)


@lean_kernel
def _search_tables(state: DifferenceState, x: Codes) -> int:
    """Search under some weights; return the member it began with, -1 for nothing."""
    control, n = state.control[0], state.near.shape[0]
    described = _is_described(state)
    cycles = described and are_cycles(state.tables)
    weights = state.weights[OF_TABLES]
    for _ in range(NUM_WEIGHTS):
        if control.table_tries % MOST_TRIES == 0:
            draw_weights(state, OF_TABLES)
        control.table_tries += 1
        slot = best_member(state.archive, control.archive_size, weights)
        source = state.archive.solutions[slot]
        for i in range(x.shape[0]):
            x[i] = source[i]
        q = min(control.fitted, weighted_quality(state.tables, weights))
        trust = int(0.5 / q) + 1 if q > 0.01 else 20 * x.shape[0]
        if cycles:
            kicks = int(control.kicks * math.sqrt(n)) if q < 0.3 else 0
            found = improve_cycle(state, weights, kicks, source, x)
        elif described:
            kicks = 10 if q < 0.1 else 0
            found = improve_sequence(state, weights, kicks, trust, source, x)
            if n < x.shape[0] and below(state.words, 2) == 0:
                found += choose_values(state, weights, x)
        else:
            kicks = 30 if q < 0.1 else 0
            found = improve_steps(state, weights, kicks, trust, slot, x)
        key = hash_solution(state.layout, x, cycles)
        if found > 1e-9 and not is_seen(state.seen, key):
            return int(slot)
        control.table_tries = 0
    return -1


@lean_kernel
def _search_archive(state: DifferenceState, x: Codes) -> int:
    """Look around members; return the one a candidate was found for, -1 for none."""
    control = state.control[0]
    size = control.archive_size
    if state.near.shape[0] > 3 and are_cycles(state.tables):
        for _ in range(4):
            slot = _open_member(state)
            if slot < 0:
                break
            if neighbour_of_member(state, slot, x, False):
                return slot
        draw_weights(state, OF_TABLES)
        control.table_tries = 0
        slot = best_member(state.archive, size, state.weights[OF_TABLES])
        return slot if neighbour_of_member(state, slot, x, True) else -1
    for _ in range(4):
        slot = int(state.archive.order[below(state.words, size)])
        if screen(state, slot, x):
            return slot
    return -1


@lean_kernel
def _open_member(state: DifferenceState) -> int:
    """A member of the archive whose neighbours were not all looked at; -1 for none."""
    size, n = state.control[0].archive_size, state.near.shape[0]
    first = below(state.words, size)
    for k in range(size):
        slot = state.archive.order[(first + k) % size]
        if state.open[slot] < n:
            return int(slot)
    return -1
