"""Noise: solutions are measured again, and their measurements pooled.

Where a problem is declared noisy, one measurement does not displace several. A
candidate that would displace members measured more often becomes a contender: it is
measured again until its mean is clearly good, is dominated, or was taken as often.
Members of the archive are measured again now and then, the least measured first; the
archive is put in order with their new mean, and they may fall out of it. Only plain
means of measurements are compared, never what a model makes of them.
"""

from __future__ import annotations

import math

from divlearn.basics.typing import Codes, Floats, Integers
from divlearn.kernels.archive import insert, remove
from divlearn.kernels.jit import lean_kernel
from divlearn.kernels.random import uniform
from divlearn.kernels.scale import tame, tamed
from divlearn.methods.dl.kernels.answers import enter_archive
from divlearn.methods.dl.kernels.arms.bandit import ADDED, REPEAT, credit
from divlearn.methods.dl.kernels.front import is_covered
from divlearn.methods.dl.kernels.state import DifferenceState
from divlearn.methods.dl.kernels.variation import copy_codes

#: Measurements of a contender: at least, and as many as those it displaces, at most.
LEAST_MEASURED, MOST_MEASURED = 1, 20
#: Standard errors by which a contender must be better to be believed at once.
CLEARLY = 4.0
#: Share of candidates that measure a member of the archive again.
SHARE = 0.1
#: Answers about one member that may be missing before it is left alone.
MOST_WAITING = 8
#: Measurements of a solution, and errors, from which errors tell how large they are:
#: the first measurement of a contender was chosen for being good.
NOTED_FROM, LEAST_NOTED = 2, 3


# --- which solution is measured again


@lean_kernel
def propose_repeat(state: DifferenceState, x: Codes, ticket: Integers) -> None:
    """Write a solution that is to be measured again, or -1 into the ticket."""
    control, repeats = state.control[0], state.repeats
    ticket[0] = -1
    if control.archive_size == 0 or control.proposed < control.gp_candidates:
        return
    row = _waiting_contender(state)
    if row >= 0:
        repeats.contenders[row].asked += 1
        ticket[0], ticket[1] = REPEAT, repeats.contenders[row].serial
        copy_codes(repeats.solutions[row], x)
        return
    made = control.observed - state.arms[ADDED].tries  # what was known cost nothing
    final = made >= control.final_from
    if not final and uniform(state.rng) >= SHARE:
        return
    slot = _least_asked(state)
    if slot >= 0:
        repeats.asked[slot] += 1
        ticket[0], ticket[1] = REPEAT, -1 - slot
        copy_codes(state.archive.solutions[slot], x)


@lean_kernel
def _waiting_contender(state: DifferenceState) -> int:
    """The earliest contender without a measurement under way; -1 for none."""
    contenders = state.repeats.contenders
    best = -1
    for row in range(contenders.shape[0]):
        contender = contenders[row]
        if contender.serial == 0 or contender.asked > contender.count:
            continue
        if best < 0 or contender.serial < contenders[best].serial:
            best = row
    return best


@lean_kernel
def _least_asked(state: DifferenceState) -> int:
    """The member with the fewest measurements; -1 if answers of all are missing."""
    control, repeats, best = state.control[0], state.repeats, -1
    for rank in range(control.archive_size):
        slot = state.archive.order[rank]
        asked = repeats.asked[slot]
        if asked - repeats.counts[slot] >= MOST_WAITING:
            continue
        if best < 0 or asked < repeats.asked[best]:
            best = slot
    return best


# --- what an answer changes


@lean_kernel
def weigh_answer(state: DifferenceState, x: Codes, ticket: Integers) -> None:
    """Take in the outputs of ``x``, and note what they gained.

    The state's ``outputs`` are those of this measurement; ``control.gained`` is what
    ``x`` added to the front, negative if it did not enter it now.
    """
    control, y, kind = state.control[0], state.outputs, ticket[0]
    control.gained = -1.0
    if kind == REPEAT:
        state.arms[REPEAT].tries += 1
        if ticket[1] > 0:
            _pool_contender(state, x, ticket[1])
        else:
            _pool_member(state, x, -1 - ticket[1])
        return
    if kind == ADDED:
        slot = _same_member(state, x)
        if slot >= 0:
            credit(state, kind, -1.0)
            _pool_member(state, x, slot)
            return
    early = control.observed <= control.num_initial
    early = early or control.proposed < control.gp_candidates or kind == ADDED
    if early or _num_needed(state, y) < 2 or not _is_doubtful(state, y, 1):
        _enter(state, x, y, kind, 1)
    else:
        _challenge(state, x, y, ticket)


@lean_kernel
def _enter(state: DifferenceState, x: Codes, y: Floats, kind: int, count: int) -> None:
    """Put ``x`` into the archive, if ``y`` is good enough, and credit its arm."""
    control, repeats = state.control[0], state.repeats
    slot = state.archive.order[control.archive_size]
    control.gained = enter_archive(state, x, y)
    credit(state, kind, control.gained)
    if control.gained >= 0.0:
        repeats.counts[slot] = repeats.asked[slot] = count


@lean_kernel
def _is_doubtful(state: DifferenceState, y: Floats, count: int) -> bool:
    """Whether the mean of ``count`` measurements enters, but only by a likely error."""
    control, repeats, m = state.control[0], state.repeats, state.low.shape[0]
    margin = repeats.margin
    for j in range(m, y.shape[0]):
        if y[j] > 0.0:
            return False
    tame(y, state.told)
    for j in range(m):
        margin[j] = 0.0
    if is_covered(state.archive, control.archive_size, state.told, margin):
        return False
    for j in range(m):
        margin[j] = math.inf
        if control.noted >= LEAST_NOTED:
            variance = repeats.squares[j] / control.noted
            margin[j] = CLEARLY * math.sqrt(variance / count)
    return is_covered(state.archive, control.archive_size, state.told, margin)


@lean_kernel
def _challenge(state: DifferenceState, x: Codes, y: Floats, ticket: Integers) -> None:
    """Make ``x`` a contender; one that waited too long enters as it is."""
    control, repeats = state.control[0], state.repeats
    control.last_contender += 1
    row = control.last_contender % repeats.contenders.shape[0]
    if repeats.contenders[row].serial > 0:
        _settle(state, row)
    state.arms[ticket[0]].tries += 1
    contender = repeats.contenders[row]
    contender.serial = control.last_contender
    contender.count = contender.asked = 1
    copy_codes(x, repeats.solutions[row])
    for j in range(y.shape[0]):
        repeats.outputs[row, j] = y[j]
    for j in range(2):
        repeats.tickets[row, j] = ticket[j]


@lean_kernel
def _settle(state: DifferenceState, row: int) -> None:
    """End the race of a contender: it enters, or it does not."""
    arms, repeats = state.arms, state.repeats
    contender, kind = repeats.contenders[row], repeats.tickets[row, 0]
    contender.serial = 0
    arms[kind].tries -= 1  # it was counted when the race began
    _enter(state, repeats.solutions[row], repeats.outputs[row], kind, contender.count)


@lean_kernel
def _pool_contender(state: DifferenceState, x: Codes, serial: int) -> None:
    """Pool a measurement with the earlier ones of a contender."""
    repeats = state.repeats
    row = serial % repeats.contenders.shape[0]
    contender = repeats.contenders[row]
    if contender.serial != serial or not _are_equal(x, repeats.solutions[row]):
        return
    mean = repeats.outputs[row]
    _pool(state, mean, contender.count)
    contender.count += 1
    enough = contender.count >= _num_needed(state, mean)
    if enough or not _is_doubtful(state, mean, contender.count):
        _settle(state, row)


@lean_kernel
def _num_needed(state: DifferenceState, y: Floats) -> int:
    """Measurements after which ``y`` is believed: as many as those it displaces had."""
    control, archive = state.control[0], state.archive
    most = LEAST_MEASURED
    tame(y, state.told)
    for rank in range(control.archive_size):
        slot = archive.order[rank]
        worse = True
        for j in range(archive.keys.shape[1]):
            if archive.keys[slot, j] < state.told[j]:
                worse = False
                break
        if worse:
            most = max(most, state.repeats.counts[slot])
    return int(min(most, MOST_MEASURED))


@lean_kernel
def _pool_member(state: DifferenceState, x: Codes, slot: int) -> None:
    """Pool a measurement with those of a member, and put the archive in order."""
    control, archive, repeats = state.control[0], state.archive, state.repeats
    size, rank = control.archive_size, 0
    while rank < size and archive.order[rank] != slot:
        rank += 1
    if rank == size or not _are_equal(x, archive.solutions[slot]):
        return
    mean = archive.outputs[slot]
    _pool(state, mean, repeats.counts[slot])
    repeats.counts[slot] += 1
    repeats.asked[slot] = max(repeats.asked[slot], repeats.counts[slot])
    size = remove(archive, size, rank)
    control.archive_size = size
    for j in range(state.low.shape[0], mean.shape[0]):
        if mean[j] > 0.0:
            return
    size = insert(archive, size, archive.solutions[slot], mean)
    if size >= 0:
        control.archive_size = size


@lean_kernel
def _pool(state: DifferenceState, mean: Floats, count: int) -> None:
    """Take the measured outputs into a mean of ``count``, and note their error.

    The mean is that of what was measured; the error is one that is learned from.
    """
    control, y, squares = state.control[0], state.outputs, state.repeats.squares
    noted = count >= NOTED_FROM
    if noted:
        control.noted += 1
    for j in range(y.shape[0]):
        if noted:
            error = tamed(y[j]) - tamed(mean[j])
            squares[j] += error * error * count / (count + 1)
        step = y[j] - mean[j]
        if math.isfinite(step):
            mean[j] += step / (count + 1)
        else:
            mean[j] = mean[j] / (count + 1) * count + y[j] / (count + 1)


@lean_kernel
def _same_member(state: DifferenceState, x: Codes) -> int:
    """Slot of the member that is ``x``; -1 for none."""
    for rank in range(state.control[0].archive_size):
        slot = state.archive.order[rank]
        if _are_equal(x, state.archive.solutions[slot]):
            return int(slot)
    return -1


@lean_kernel
def _are_equal(x: Codes, y: Codes) -> bool:
    """Whether two solutions have the same codes."""
    i = 0
    while i < x.shape[0] and x[i] == y[i]:
        i += 1
    return bool(i == x.shape[0])
