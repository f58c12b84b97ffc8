"""Linkage: groups of positions are found, and changed as a whole.

Where nothing has entered the archive for a while, every second candidate is a question
(:mod:`divlearn.methods.dl.kernels.models.linkage`): others would not be missed. Once
groups are known, a candidate is a member of the archive in which a group has the values
of another member, other values, or any; these share by what they gain, as all arms do.
"""

from __future__ import annotations

from divlearn.basics.typing import Codes, Integers
from divlearn.kernels.jit import lean_kernel
from divlearn.kernels.random import below, uniform
from divlearn.kernels.scale import tame
from divlearn.methods.dl.kernels.answers import adopt, is_new
from divlearn.methods.dl.kernels.arms.bandit import (
    ARCHIVE,
    FIRST_WAIT_CHOICE,
    LEAST_SHARE,
    LINKAGE,
    LONGEST_WAIT_CHOICE,
    NUM_TRIALS,
    TABLES,
    WALK,
    is_resting,
    rest,
    share_of,
)
from divlearn.methods.dl.kernels.front import best_member
from divlearn.methods.dl.kernels.memory import hash_solution, is_seen
from divlearn.methods.dl.kernels.models.linkage import (
    ASKING,
    GIVEN_UP,
    IDLE,
    KNOWN,
    begin_asking,
    choose_question,
    take_outputs,
)
from divlearn.methods.dl.kernels.state import OF_TABLES, DifferenceState
from divlearn.methods.dl.kernels.variation import copy_codes
from divlearn.methods.dl.kernels.weights import draw_weights

#: Answers without anything new in the archive after which questions are asked: so many
#: and one more per position, but at least one over this share of all; and the share of
#: candidates that are questions then.
STALLED, SHARE_STALLED, SHARE_OF_QUESTIONS = 100, 8, 0.5
#: Candidates after which an answer is no longer waited for.
PATIENCE = 256
#: Attempts at a mixture that was never proposed before.
NUM_ATTEMPTS = 12
#: Ways to change a group: values of another member, other values, any values.
FROM_MEMBER, TO_OTHERS, NUM_WAYS = 0, 1, 3


@lean_kernel
def propose_linked(state: DifferenceState, x: Codes, ticket: Integers) -> None:
    """Write a question or a mixture, or -1 into the ticket if others are next."""
    ticket[0] = -1
    record = state.linkage.record[0]
    if record.stage == GIVEN_UP or is_resting(state.arms, LINKAGE):
        return
    if record.stage == KNOWN:
        if _mixing_is_next(state):
            slot = _mix(state, x)
            first, longest = FIRST_WAIT_CHOICE, LONGEST_WAIT_CHOICE
            rest(state.arms, LINKAGE, slot >= 0, first, longest)
            if slot >= 0:
                record.mixed += 1
                ticket[0], ticket[1] = LINKAGE, adopt(state, slot)
    elif _question_is_next(state) and _question(state, x):
        ticket[0], ticket[1] = LINKAGE, 0  # nothing is learned from its parent


# --- questions


@lean_kernel
def _question_is_next(state: DifferenceState) -> bool:
    """Whether a question is due: every second time, while nothing new is found."""
    control, n = state.control[0], state.trial.shape[0]
    least = max(STALLED + n, control.observed // SHARE_STALLED)
    stalled = control.observed - control.last_entered >= least
    return bool(stalled) and uniform(state.rng) < SHARE_OF_QUESTIONS


@lean_kernel
def _question(state: DifferenceState, x: Codes) -> bool:
    """Write the next question; False while one is under way, or for none."""
    control, linkage = state.control[0], state.linkage
    record = linkage.record[0]
    if record.stage == IDLE:
        draw_weights(state, OF_TABLES)
        slot = best_member(
            state.archive, control.archive_size, state.weights[OF_TABLES]
        )
        tame(state.archive.outputs[slot], state.told)
        anchor = state.archive.solutions[slot]
        begin_asking(linkage, state.layout, state.rng, anchor, state.told)
    if record.node > 0 and control.proposed - record.asked_at < PATIENCE:
        return False
    while choose_question(linkage):
        key = hash_solution(state.layout, linkage.question, False)
        if is_seen(state.seen, key) and _recall(state):
            take_outputs(linkage, state.told)
            continue
        copy_codes(linkage.question, x)
        record.asked_at = control.proposed
        record.questions += 1
        return True
    return False


@lean_kernel
def _recall(state: DifferenceState) -> bool:
    """Find the answer to a question among past differences from the anchor.

    It is written into ``told``, tamed; False if there is none.
    """
    linkage, ring = state.linkage, state.ring
    filled = min(state.control[0].differences, ring.deltas.shape[0])
    for row in range(filled):
        i, n = 0, linkage.anchor.shape[0]
        while i < n and ring.children[row, i] == linkage.question[i]:
            if ring.parents[row, i] != linkage.anchor[i]:
                break
            i += 1
        if i == n:
            for j in range(state.told.shape[0]):
                state.told[j] = linkage.base[j] + ring.deltas[row, j]
            return True
    return False


@lean_kernel
def learn_linked(state: DifferenceState, x: Codes, ticket: Integers) -> None:
    """Take in an answer; that to the question under way tells of a link."""
    linkage, i = state.linkage, 0
    if linkage.record[0].stage != ASKING or linkage.record[0].node == 0:
        return
    while i < x.shape[0] and x[i] == linkage.question[i]:
        i += 1
    if i == x.shape[0]:
        take_outputs(linkage, state.outputs)


# --- mixtures


@lean_kernel
def _mixing_is_next(state: DifferenceState) -> bool:
    """Whether a mixture is the next candidate, by its recent gain."""
    arms, record, others, best = state.arms, state.linkage.record[0], 0.0, 0.0
    for arm in (TABLES, ARCHIVE, WALK):
        others += arms[arm].recent
        best = max(best, arms[arm].recent)
    if record.mixed < NUM_TRIALS + record.groups:
        return bool(uniform(state.rng) < SHARE_OF_QUESTIONS)
    mine = share_of(arms, LINKAGE, best, LEAST_SHARE)
    return bool(uniform(state.rng) * (mine + others) < mine)


@lean_kernel
def _mix(state: DifferenceState, x: Codes) -> int:
    """Change a group of a member; return the member, -1 if nothing new was found."""
    size, rng, slot = state.control[0].archive_size, state.rng, -1
    draw_weights(state, OF_TABLES)
    best = best_member(state.archive, size, state.weights[OF_TABLES])
    for attempt in range(NUM_ATTEMPTS):
        slot = best if attempt % 2 == 0 else state.archive.order[below(rng, size)]
        copy_codes(state.archive.solutions[slot], x)
        _change_group(state, below(rng, state.linkage.record[0].groups), x)
        if is_new(state, x, False):
            return int(slot)
    return -1


@lean_kernel
def _change_group(state: DifferenceState, group: int, x: Codes) -> None:
    """Give the positions of a group other values, in one of several ways."""
    linkage, rng, size = state.linkage, state.rng, state.control[0].archive_size
    way = below(rng, NUM_WAYS)
    donor = state.archive.solutions[state.archive.order[below(rng, size)]]
    for k in range(linkage.starts[group], linkage.starts[group + 1]):
        i = linkage.members[k]
        values = state.layout.places[i].values
        if way == FROM_MEMBER:
            x[i] = donor[i]
        elif way == TO_OTHERS:
            x[i] = (x[i] + 1 + below(rng, values - 1)) % values
        else:
            x[i] = below(rng, values)
