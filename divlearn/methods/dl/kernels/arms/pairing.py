"""The pair model in a search: what it asks for, learns and proposes."""

from __future__ import annotations

from divlearn.basics.typing import Codes, Integers
from divlearn.kernels.jit import lean_kernel
from divlearn.kernels.layout import sample
from divlearn.kernels.random import below
from divlearn.methods.dl.kernels.answers import adopt
from divlearn.methods.dl.kernels.arms.bandit import (
    ADDED,
    ARCHIVE,
    LONGEST_WAIT,
    PAIRING,
    SAMPLE,
    TABLES,
    give_way,
    model_is_next,
    rest,
)
from divlearn.methods.dl.kernels.front import best_member, measure_front
from divlearn.methods.dl.kernels.models.pairing.fit import fit_model
from divlearn.methods.dl.kernels.models.pairing.model import (
    EXACT,
    IN_USE,
    NO_MODEL,
    PROBING,
    SAMPLING,
)
from divlearn.methods.dl.kernels.models.pairing.probe import (
    asks_for_solution,
    take_answer,
    write_probe,
)
from divlearn.methods.dl.kernels.models.pairing.products import nearest_row, worth_of
from divlearn.methods.dl.kernels.search.swaps import best_neighbour, improve_swaps
from divlearn.methods.dl.kernels.state import OF_TABLES, DifferenceState
from divlearn.methods.dl.kernels.variation import copy_codes
from divlearn.methods.dl.kernels.weights import draw_weights

#: Weight vectors tried for one candidate.
NUM_WEIGHTS = 2
#: Steps per item under one weight vector, and how often they double after failures.
STEPS, MOST_DOUBLED = 12, 2
#: Members tried for one candidate.
NUM_MEMBERS = 8
#: Mark of a member whose neighbours promise nothing.
CLOSED = 1 << 40


@lean_kernel
def propose_pairing(state: DifferenceState, x: Codes, ticket: Integers) -> None:
    """Write a candidate and its ticket, whose kind is -1 if there is none."""
    record = state.pairing.record[0]
    state.arms[PAIRING].pause -= 1
    if record.next_fit > 0 and record.stored >= record.next_fit:
        fit_model(state)
    ticket[0], ticket[1] = -1, 0
    if wants_sample(state, x):
        ticket[0] = SAMPLE
        if record.phase == PROBING:  # steps from one to the next teach the tables
            ticket[1] = state.control[0].last_sample
    elif record.phase == IN_USE and model_is_next(state, PAIRING):
        slot = _search(state, x)
        if slot >= 0:
            ticket[0], ticket[1] = PAIRING, adopt(state, slot)


@lean_kernel
def wants_sample(state: DifferenceState, x: Codes) -> bool:
    """Write a solution that the model needs to see next into ``x``; False for none."""
    probes, record = state.pairing.probes, state.pairing.record[0]
    if not asks_for_solution(state):
        return False
    if record.phase == SAMPLING:
        sample(state.layout, state.rng, x)
        return True
    if record.handed == 0:
        write_probe(state)
    copy_codes(probes[record.handed], x)
    record.handed += 1
    return True


@lean_kernel
def learn_pairing(state: DifferenceState, x: Codes, ticket: Integers) -> None:
    """Take in the answer to a candidate, which is in the state's outputs."""
    pairing, record = state.pairing, state.pairing.record[0]
    if record.phase == IN_USE and ticket[0] in (TABLES, ARCHIVE):
        give_way(state.arms, ticket[0])
    if record.phase == NO_MODEL or record.error < EXACT:
        return
    if record.phase == PROBING and record.handed > 0:
        take_answer(state, x, state.outputs)
    row, at_random = record.stored, ticket[0] in (SAMPLE, ADDED)
    if row >= pairing.line.shape[0]:
        return
    nearest = -1 if at_random else nearest_row(pairing.solutions, row, x)
    worth = 1.0 if nearest < 0 else worth_of(x, pairing.solutions[nearest])
    if worth == 0.0:  # a solution that is there already
        return
    pairing.parents[row], pairing.worths[row] = nearest, worth
    for i in range(x.shape[0]):
        pairing.solutions[row, i] = x[i]
        pairing.inverses[row, x[i]] = i
    for k in range(pairing.values.shape[0]):
        pairing.values[k, row] = state.outputs[k]
    record.stored += 1
    record.sampled += int(nearest < 0)


@lean_kernel
def _search(state: DifferenceState, x: Codes) -> int:
    """Search inside the model; return the member it began with, -1 for nothing."""
    record, size = state.pairing.record[0], state.control[0].archive_size
    measure_front(state.archive, size, state.low, state.high)
    record.turn += 1
    slot = -1
    if record.turn % 2 == 0:
        slot = _from_weights(state, x)
    left, first = NUM_MEMBERS if slot < 0 else 0, below(state.rng, size)
    for k in range(size):
        if left == 0:
            break
        member = state.archive.order[(first + k) % size]
        if state.open[member] == CLOSED:
            continue
        left -= 1
        if best_neighbour(state, member, x):
            slot, left = int(member), 0
        else:
            state.open[member] = CLOSED
    record.failures = 0 if slot >= 0 else record.failures + 1
    # One turn of either kind before there is a pause.
    rest(state.arms, PAIRING, slot >= 0, record.failures // 2, LONGEST_WAIT)
    return slot


@lean_kernel
def _from_weights(state: DifferenceState, x: Codes) -> int:
    """Search from the best member under some weights."""
    control, weights = state.control[0], state.weights[OF_TABLES]
    control.table_tries = 0
    steps = STEPS * x.shape[0] << min(MOST_DOUBLED, state.pairing.record[0].failures)
    for _ in range(NUM_WEIGHTS):
        draw_weights(state, OF_TABLES)
        slot = best_member(state.archive, control.archive_size, weights)
        for k in range(state.pairing.weights.shape[0]):
            state.pairing.weights[k] = weights[k]
        if improve_swaps(state, slot, x, steps):
            return int(slot)
    return -1
