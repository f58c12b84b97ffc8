"""Pairs behind a count: clauses of two bits, found by asking how many there are.

Edges of a graph of which an end must be chosen, or both must not, are clauses of two
members (:mod:`divlearn.methods.dl.kernels.models.clauses`). There the count says more
than whether a clause is violated. With e(U) the count where the bits U have their bad
value and all others their good one, the number of clauses between two sets is

    c(A, B)  =  e(A + B)  -  (clauses inside A and inside B)

So runs of bits are joined, two of one bit, two of two bits and so on: those inside each
run are known by then. A question asks for c(A, B). If it is not 0, the longer run is
cut in two halves, one question says how many of the clauses belong to the first, and
what is left belongs to the second. m clauses among P pairs of bits take about
m (log2(P / m) + 0.6) questions, and what is found is certain.

Whether all clauses are pairs is asked before. Bits are divided among three sets; then

    e(A + B + C)  =  e(A + B) + e(A + C) + e(B + C) - e(A) - e(B) - e(C)

and each clause with members in all three makes the left side larger by one.
"""

from __future__ import annotations

import math

from divlearn.basics.typing import Words
from divlearn.kernels.jit import lean_kernel
from divlearn.kernels.random import below
from divlearn.methods.dl.kernels.models.clauses import (
    NUM_TESTS,
    Clauses,
    add_clause,
    drop_bits,
    fill_bits,
    forget_clauses,
    num_explained,
    put_bit,
)

#: What became of the pairs: not asked for, tested for, looked for, checked, known, not
#: to be had.
IDLE, TESTING, JOINING, CHECKING, KNOWN, GIVEN_UP = 0, 1, 2, 3, 4, 5
#: Which of three sets of bits are bad in the first questions.
TESTED = (7, 3, 5, 6, 1, 2, 4)
#: Random solutions whose count must be as predicted in the end.
NUM_CHECKS = 3
#: Times that questions begin anew since a bit has another good value than was thought.
MOST_BEGINNINGS = 4
#: Rows of the same two bits that may be there.
MOST_COPIES = 4
#: Questions per clause beyond what telling pairs apart takes.
PER_CLAUSE = 0.6


@lean_kernel
def is_asking(clauses: Clauses) -> bool:
    """Whether pairs are being looked for."""
    stage = clauses.control[0].stage
    return bool(stage in (TESTING, JOINING, CHECKING))


@lean_kernel
def begin_pairs(clauses: Clauses) -> None:
    """Forget all clauses and begin with the questions, where some may be asked."""
    control = clauses.control[0]
    forget_clauses(clauses)
    control.step, control.first, control.width, control.cells = 0, 0, 1, 0
    control.begun += 1
    possible = control.most >= NUM_TESTS and control.begun <= MOST_BEGINNINGS
    control.stage, control.asking = TESTING if possible else GIVEN_UP, 0


@lean_kernel
def _give_up(clauses: Clauses) -> None:
    """Say that clauses are no pairs, or too many."""
    forget_clauses(clauses)
    clauses.control[0].stage, clauses.control[0].step = GIVEN_UP, 0


@lean_kernel
def choose_pairs(clauses: Clauses, rng: Words) -> bool:
    """Write the next question, a set of good bits; False if there is none left."""
    control, question, n = clauses.control[0], clauses.question, clauses.good.shape[0]
    fill_bits(question, n)
    if control.stage == TESTING:
        for i in range(n):
            if TESTED[control.step] >> (i % 3) & 1 == 1:
                drop_bits(question, i, i + 1)
        return True
    if control.stage == JOINING:
        if _find_open_cell(clauses):
            _ask_about_cell(clauses)
            return True
        if control.stage == JOINING:
            control.stage, control.step = CHECKING, 0
    if control.stage == CHECKING and control.step < NUM_CHECKS:
        for i in range(n):
            if below(rng, 2) == 0:
                drop_bits(question, i, i + 1)
        return True
    if control.stage == CHECKING:
        control.stage = KNOWN
    return False


@lean_kernel
def _find_open_cell(clauses: Clauses) -> bool:
    """Let the last cell be one to ask about; False if all pairs are known."""
    control, cells, n = clauses.control[0], clauses.cells, clauses.good.shape[0]
    while control.stage == JOINING:
        if control.cells == 0:
            first, width = control.first, control.width
            if first + width >= n:
                control.first, control.width = 0, 2 * width
                if 2 * width >= n:
                    return False
                continue
            middle, stop = first + width, min(n, first + 2 * width)
            _push(clauses, first, middle, middle, stop, -1)
            control.first = first + 2 * width
        cell = cells[control.cells - 1]
        single = cell[1] - cell[0] == 1 and cell[3] - cell[2] == 1
        if cell[4] > 0 and single:
            _add_pair(clauses, cell[0], cell[2], cell[4])
            control.cells -= 1
        elif cell[4] == 0:
            control.cells -= 1
        else:
            return True
    return False


@lean_kernel
def _push(clauses: Clauses, a: int, a_stop: int, b: int, b_stop: int, c: int) -> None:
    """Put two runs of bits, which ``c`` clauses join, on the stack."""
    control = clauses.control[0]
    cell = clauses.cells[control.cells]
    cell[0], cell[1], cell[2], cell[3], cell[4] = a, a_stop, b, b_stop, c
    control.cells += 1


@lean_kernel
def _add_pair(clauses: Clauses, i: int, j: int, copies: int) -> None:
    """Add the clauses of two bits; all else is known not to belong to them."""
    if copies > MOST_COPIES:
        _give_up(clauses)
        return
    here = clauses.here
    fill_bits(here, clauses.good.shape[0])
    drop_bits(here, i, i + 1)
    drop_bits(here, j, j + 1)
    for _ in range(copies):
        r = add_clause(clauses, here)
        if r < 0:
            _give_up(clauses)
            return
        put_bit(clauses.members[r], i)
        put_bit(clauses.members[r], j)


@lean_kernel
def _ask_about_cell(clauses: Clauses) -> None:
    """Let both runs of the last cell be bad, or only half of the longer one."""
    cell = clauses.cells[clauses.control[0].cells - 1]
    a_stop, b_stop = cell[1], cell[3]
    if cell[4] >= 0:
        if _cuts_first(clauses):
            a_stop = (cell[0] + cell[1]) // 2
        else:
            b_stop = (cell[2] + cell[3]) // 2
    drop_bits(clauses.question, cell[0], a_stop)
    drop_bits(clauses.question, cell[2], b_stop)


@lean_kernel
def _cuts_first(clauses: Clauses) -> bool:
    """Whether the first run of the last cell is cut in halves, not the second."""
    cell = clauses.cells[clauses.control[0].cells - 1]
    return bool(cell[1] - cell[0] >= cell[3] - cell[2])


@lean_kernel
def take_count(clauses: Clauses, count: int) -> None:
    """Take in what the question under way violates."""
    control = clauses.control[0]
    control.asking = 0
    if control.stage == TESTING:
        _take_test(clauses, count)
        return
    explained, _ = num_explained(clauses, clauses.question)
    if control.stage == CHECKING:
        control.step += 1
        if explained != count:
            _give_up(clauses)
        return
    cell = clauses.cells[control.cells - 1]
    joined, total = count - explained, cell[4]
    if joined < 0 or (total >= 0 and joined > total):
        _give_up(clauses)
    elif total < 0:
        cell[4] = joined
    else:
        a, a_stop, b, b_stop = cell[0], cell[1], cell[2], cell[3]
        cell[4] = total - joined
        if _cuts_first(clauses):
            middle = (a + a_stop) // 2
            cell[0] = middle
            _push(clauses, a, middle, b, b_stop, joined)
        else:
            middle = (b + b_stop) // 2
            cell[2] = middle
            _push(clauses, a, a_stop, b, middle, joined)


@lean_kernel
def _take_test(clauses: Clauses, count: int) -> None:
    """Take in an answer to the first questions: all must be pairs, and few."""
    control, sums, n = clauses.control[0], clauses.sums, clauses.good.shape[0]
    sums[control.step] = count
    control.step += 1
    if control.step == 1:
        pairs = 0.5 * n * (n - 1)
        fits = 0 < count <= min(clauses.price.shape[0], pairs)
        if fits:
            needed = count * (math.log2(pairs / count) + PER_CLAUSE)
            fits = needed <= control.most
        if not fits:
            _give_up(clauses)
    elif control.step == NUM_TESTS:
        excess = sums[0] - (sums[1] + sums[2] + sums[3])
        excess += sums[4] + sums[5] + sums[6]
        if excess == 0:
            control.stage, control.step = JOINING, 0
        else:
            _give_up(clauses)
