"""A probe: whether pairs explain the problem where none of the encodings can.

Swap two items at positions i < j, two at positions k < l to the right of them, or do
both: the mixed second difference of the four values belongs to pairs of one position
from either side. Whatever counts positions, neighbours or precedence gives 0, as long
as none of the positions are next to one another. Whatever sums over pairs gives the
same again when all other items are placed anew. If a swap alone is worth the same
again, and there is no second difference, positions are all that counts.
"""

from __future__ import annotations

from divlearn.basics.typing import Codes, Floats, Words
from divlearn.kernels.jit import lean_kernel
from divlearn.kernels.random import below, shuffle
from divlearn.methods.dl.kernels.models.pairing.model import (
    FIRST_FIT,
    NO_MODEL,
    NUM_PROBES,
    PROBING,
    SAMPLING,
    SEARCHED,
    SEARCHED_BEFORE_PROBES,
    per_pair,
)
from divlearn.methods.dl.kernels.state import DifferenceState
from divlearn.methods.dl.kernels.variation import copy_codes

#: Probes passed before solutions are sampled for a fit.
NUM_PASSED = 3
#: Share of the second differences that pairs may leave unexplained.
MOST_UNLIKE = 0.1
#: Second differences below this share of the first ones, squared, are rounding.
ROUNDING = 1e-9
#: Probes without any second difference; one may be by chance.
MOST_EMPTY = 2


@lean_kernel
def asks_for_solution(state: DifferenceState) -> bool:
    """Whether the model wants to see a solution of its own next.

    An ordinary search comes first, which is good after few evaluations, and whose
    steps tell the model as much. Once a fit has failed, both take turns.
    """
    pairing, record = state.pairing, state.pairing.record[0]
    if record.phase == PROBING:
        late = state.control[0].proposed >= per_pair(pairing, SEARCHED_BEFORE_PROBES)
        return bool(late and record.handed < NUM_PROBES)
    if record.phase != SAMPLING or record.stored < per_pair(pairing, SEARCHED):
        return False
    turn = record.fits == 0 or record.stored % 2 == 0
    return bool(turn and record.sampled < record.limit)


@lean_kernel
def write_probe(state: DifferenceState) -> None:
    """Write eight solutions: two orders, each as it is and with one or both swaps."""
    pairing, rng = state.pairing, state.rng
    probes, places, n = pairing.probes, pairing.kept[0], pairing.probes.shape[1]
    for i in range(n):
        probes[0, i] = i
    shuffle(rng, probes[0], 0, n)
    _draw_places(rng, places, n)
    _rearrange_others(rng, places, pairing.kept[1], probes[0], probes[4])
    for row in range(NUM_PROBES):
        if row % 4 > 0:
            copy_codes(probes[0] if row < 4 else probes[4], probes[row])
        pairing.answered[row] = 0
    for row in range(NUM_PROBES):
        x, i, j = probes[row], places[0], places[1]
        if row % 2 == 1:
            x[i], x[j] = x[j], x[i]
        i, j = places[2], places[3]
        if row % 4 >= 2:
            x[i], x[j] = x[j], x[i]


@lean_kernel
def _draw_places(rng: Words, places: Codes, n: int) -> None:
    """Draw four places, in order, none next to another, not even around a cycle.

    They are four of n - 4, made wider by one each.
    """
    for i in range(n - 4):
        places[i] = i
    shuffle(rng, places, 0, n - 4)
    for a in range(4):
        for b in range(a + 1, 4):
            if places[b] < places[a]:
                places[a], places[b] = places[b], places[a]
    for a in range(4):
        places[a] += a


@lean_kernel
def _rearrange_others(
    rng: Words, places: Codes, others: Codes, x: Codes, y: Codes
) -> None:
    """Write ``x`` into ``y`` with the items shuffled that stand elsewhere."""
    count, a = 0, 0
    for i in range(x.shape[0]):
        y[i] = x[i]
        if a < 4 and places[a] == i:
            a += 1
        else:
            others[count] = i
            count += 1
    for b in range(count - 1, 0, -1):
        c = below(rng, b + 1)
        y[others[b]], y[others[c]] = y[others[c]], y[others[b]]


@lean_kernel
def take_answer(state: DifferenceState, x: Codes, y: Floats) -> None:
    """Keep ``y`` if ``x`` belongs to the probe; judge the probe once it is complete."""
    pairing = state.pairing
    complete = True
    for row in range(NUM_PROBES):
        same = True
        for i in range(x.shape[0]):
            if pairing.probes[row, i] != x[i]:
                same = False
                break
        if same:
            pairing.answered[row] = 1
            for k in range(pairing.answers.shape[1]):
                pairing.answers[row, k] = y[k]
        if pairing.answered[row] == 0:
            complete = False
    if complete:
        _judge_probe(state)


@lean_kernel
def _judge_probe(state: DifferenceState) -> None:
    """Go on to the next probe, to sampling, or give the model up."""
    pairing = state.pairing
    record, v = pairing.record[0], pairing.answers
    worst, mixed, placed = 0.0, False, True
    for k in range(v.shape[1]):
        one = v[0, k] - v[1, k] - v[2, k] + v[3, k]
        two = v[4, k] - v[5, k] - v[6, k] + v[7, k]
        both, size = one * one + two * two, 0.0
        for row in range(1, NUM_PROBES):
            size += (v[row, k] - v[0, k]) ** 2
        first, other = v[1, k] - v[0, k], v[2, k] - v[0, k]
        moved = (v[5, k] - v[4, k] - first) ** 2 + (v[6, k] - v[4, k] - other) ** 2
        placed = placed and moved <= ROUNDING * size
        if both > ROUNDING * size:
            mixed = True
            pairing.mixed[k] += 1
            worst = max(worst, (one - two) ** 2 / both)
    record.unlike = max(record.unlike, worst)
    record.passed += 1
    record.empty += 0 if mixed else 1
    record.placed += 1 if placed and not mixed else 0
    if worst > MOST_UNLIKE or record.empty >= MOST_EMPTY:
        record.phase = NO_MODEL
    elif record.passed < NUM_PASSED:
        record.handed = 0
    else:
        record.phase = SAMPLING
        record.next_fit = per_pair(pairing, FIRST_FIT)
        if record.next_fit > pairing.line.shape[0]:  # so many are never kept
            record.phase = NO_MODEL
        for k in range(v.shape[1]):
            if pairing.mixed[k] == 0:
                record.phase = NO_MODEL
