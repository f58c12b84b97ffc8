"""The model of routes in a search: what it asks for, learns and proposes."""

from __future__ import annotations

from divlearn.basics.typing import Codes, Integers
from divlearn.kernels.jit import lean_kernel
from divlearn.kernels.layout import sample
from divlearn.kernels.random import below
from divlearn.methods.dl.kernels.answers import adopt
from divlearn.methods.dl.kernels.arms.bandit import (
    ADDED,
    ARCHIVE,
    FIRST_WAIT,
    LONGEST_WAIT,
    ROUTES,
    SAMPLE,
    TABLES,
    give_way,
    model_is_next,
    rest,
)
from divlearn.methods.dl.kernels.models.routes.fit import (
    NO_FIT,
    fit_routes,
    note_limit,
)
from divlearn.methods.dl.kernels.models.routes.loads import (
    learn_heavy,
    learn_loads,
    note_routes,
    num_heavy,
)
from divlearn.methods.dl.kernels.models.routes.model import (
    IN_USE,
    NO_MODEL,
    NUM_PROBES,
    PROBING,
    SAMPLING,
    WAITING,
)
from divlearn.methods.dl.kernels.search.routes import (
    read_codes,
    search_routes,
    write_codes,
)
from divlearn.methods.dl.kernels.state import DifferenceState
from divlearn.methods.dl.kernels.variation import copy_codes

#: One candidate of so many is a sample, until places are exact or there are enough.
SAMPLED = 2
#: How often a random order of samples is changed before there is another one.
CHANGES = 10
#: Outputs of an order that is driven backwards may differ by this share: rounding.
ALIKE = 1e-6
#: Solutions whose loads matter that are learned again after each answer, at most, and
#: how many of them as expected are enough.
REPLAYED, ENOUGH = 20, 4
#: Candidates in a row that did not enter after which a search inside the model that
#: finds another one counts as one that found nothing. The longest pause after such
#: searches: one over this of all evaluations so far, or as long as for other arms.
USELESS, REST_SHARE = 16, 100


@lean_kernel
def propose_routes(state: DifferenceState, x: Codes, ticket: Integers) -> None:
    """Write a candidate and its ticket, whose kind is -1 if there is none."""
    record = state.routes.record[0]
    ticket[0], ticket[1] = -1, 0
    state.arms[ROUTES].pause -= 1
    if record.phase == WAITING and state.control[0].observed >= record.begin:
        record.phase = PROBING
    if record.phase == PROBING and record.handed < NUM_PROBES:
        _write_probe(state, x)
        ticket[0] = SAMPLE
        return
    if record.stored >= record.next_fit and record.phase in (SAMPLING, IN_USE):
        fit_routes(state)
    if _wants_sample(state):
        _write_sample(state, x)
        ticket[0] = SAMPLE
    elif record.phase == IN_USE and model_is_next(state, ROUTES):
        slot = search_routes(state, x)
        useful = slot >= 0 and state.arms[ROUTES].idle < USELESS
        longest = max(LONGEST_WAIT, state.control[0].observed // REST_SHARE)
        rest(state.arms, ROUTES, useful, FIRST_WAIT, longest)
        if slot >= 0:
            ticket[0], ticket[1] = ROUTES, adopt(state, slot)


@lean_kernel
def _wants_sample(state: DifferenceState) -> bool:
    """Whether the next candidate is a sample: for the first fit or a better one."""
    record = state.routes.record[0]
    sampling = record.phase in (SAMPLING, IN_USE) and record.next_fit != NO_FIT
    return bool(sampling and below(state.rng, SAMPLED) == 0)


@lean_kernel
def _write_sample(state: DifferenceState, x: Codes) -> None:
    """Write a random order under the widest limit, or let two neighbours change places.

    The order is the latest sample. A change is not beside the one before, where it
    would be about the same items.
    """
    routes, record = state.routes, state.routes.record[0]
    base, n = routes.base, routes.loads.shape[0]
    if record.changed == 0:
        sample(state.layout, state.rng, x)
        read_codes(routes, x, base)
        base[n] = routes.limits.shape[0] - 1 if record.tighter > 0 else 0
        record.place = below(state.rng, n - 1)
    else:
        place = (record.place + 2 + below(state.rng, n - 4)) % (n - 1)
        base[place], base[place + 1] = base[place + 1], base[place]
        record.place = place
    record.changed = (record.changed + 1) % (CHANGES + 1)
    write_codes(routes, base, x)


@lean_kernel
def _write_probe(state: DifferenceState, x: Codes) -> None:
    """Write a random order, or the one before backwards, under one of two limits."""
    routes, record = state.routes, state.routes.record[0]
    n, probe = routes.loads.shape[0], routes.probes[record.handed]
    if record.handed == 0:
        sample(state.layout, state.rng, x)
        read_codes(routes, x, probe)
    else:
        there = routes.probes[record.handed - 1]
        for i in range(n):
            probe[i] = there[n - 1 - i]
    probe[n] = 0 if record.handed < NUM_PROBES // 2 else routes.limits.shape[0] - 1
    write_codes(routes, probe, x)
    record.handed += 1


@lean_kernel
def learn_routes(state: DifferenceState, x: Codes, ticket: Integers) -> None:
    """Take in the answer to a candidate, which is in the state's outputs."""
    routes, record, y = state.routes, state.routes.record[0], state.outputs
    if record.phase == NO_MODEL:
        return
    at_random = ticket[0] in (SAMPLE, ADDED)
    read_codes(routes, x, routes.seen)
    if record.phase == PROBING and at_random:
        _take_answer(state)
    if at_random and record.stored < routes.errors.shape[0]:
        copy_codes(routes.seen, routes.solutions[record.stored])
        routes.values[record.stored, 0] = y[0]
        routes.values[record.stored, 1] = y[1]
        record.stored += 1
    if record.phase in (SAMPLING, IN_USE):
        level = int(routes.seen[routes.loads.shape[0]])
        note_limit(routes, level, y[1 - record.total])
    if record.phase == IN_USE:
        if note_routes(routes, routes.seen, y):
            learn_loads(routes, routes.seen, y, state.rng)
        _replay(state)
        if ticket[0] in (TABLES, ARCHIVE):
            give_way(state.arms, ticket[0])


@lean_kernel
def _replay(state: DifferenceState) -> None:
    """Learn loads again from some solutions, until enough of them are as expected."""
    held, expected = num_heavy(state.routes), 0
    for _ in range(REPLAYED if held > 0 else 0):
        if not learn_heavy(state.routes, below(state.rng, held), state.rng):
            expected += 1
        if expected == ENOUGH:
            return


@lean_kernel
def _take_answer(state: DifferenceState) -> None:
    """Note the answer to a probe; with the last one the samples begin, or nothing."""
    routes, record, y = state.routes, state.routes.record[0], state.outputs
    known = 0
    for k in range(record.handed):
        same = True
        for i in range(routes.seen.shape[0]):
            same = same and routes.seen[i] == routes.probes[k, i]
        if same:
            routes.answered[k] = 1
            routes.answers[k, 0], routes.answers[k, 1] = y[0], y[1]
        known += routes.answered[k]
    if known < NUM_PROBES:
        return
    record.total = 0 if routes.answers[0, 0] >= routes.answers[0, 1] else 1
    record.phase = SAMPLING
    tight, wide = routes.answers[0, record.total], routes.answers[2, record.total]
    record.tighter = 1 if tight >= wide else -1
    for k in range(NUM_PROBES):
        total = routes.answers[k, record.total]
        longest = routes.answers[k, 1 - record.total]
        if not 0.0 < longest <= total:  # not the sum and the largest of some parts
            record.phase = NO_MODEL
        for j in range(2):
            there, back = routes.answers[k - k % 2, j], routes.answers[k, j]
            if abs(there - back) > ALIKE * abs(there):
                record.phase = NO_MODEL
