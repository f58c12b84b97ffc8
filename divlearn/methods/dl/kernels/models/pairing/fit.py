"""Fit the pair model: a spectral start, then one matrix after the other by ridge.

The value of solution x is c + sum_{i<j} A[i, j] B[x_i, x_j], see ``model.py``. Given B
it is linear in A: a ridge regression with a row per solution, whose entries B[x_i, x_j]
are never written down, solved by a few steps of conjugate gradients. Seen through the
inverse of x (the position of each item) the same holds for B given A, so that both are
fitted in turns (alternating least squares) while the ridge decays. Solutions that are
not random are rows by their difference to an earlier one, see ``products.py``; the
spectral start needs random ones.
"""

from __future__ import annotations

import math

from divlearn.basics.typing import Floats, Words
from divlearn.kernels.jit import lean_kernel
from divlearn.kernels.random import uniform
from divlearn.methods.dl.kernels.models.pairing.model import (
    ADMITTED,
    EXACT,
    GOOD,
    IN_USE,
    ITEMS_SHARED,
    NO_MODEL,
    NOTHING_SHARED,
    POSITIONS_SHARED,
    SAMPLING,
    SEARCHED,
    Pairing,
    per_pair,
)
from divlearn.methods.dl.kernels.models.pairing.products import (
    Rows,
    add_pairs,
    add_products,
    is_held_out,
    level,
    sum_pairs,
)
from divlearn.methods.dl.kernels.state import DifferenceState

#: Steps of the spectral start.
NUM_POWER = 40
#: Alternations, and steps of the ridge regression in each half of one.
NUM_ROUNDS, NUM_INNER = 60, 4
#: Ridge at first, its decay per round, and the least ridge.
FIRST_RIDGE, DECAY, LEAST_RIDGE = 0.3, 0.8, 1e-7
#: Ridge at first and rounds where the matrices are known from an earlier fit.
LATER_RIDGE, LATER_ROUNDS = 1e-4, 24
#: A fit that leaves more than this after so many rounds is hopeless.
HOPELESS, ROUNDS_OF_HOPE = 0.75, 12
#: Starts of a first fit, while all before were hopeless.
NUM_STARTS = 2
#: Growth of what is stored from fit to fit: before a model is in use, before it is good
#: and from then on.
GROWTH, NEXT_GROWTH, LATER_GROWTH = 1.2, 1.1, 1.4
#: Solutions per pair from which on objectives may have nothing in common.
ENOUGH_ALONE = 2.8


@lean_kernel
def fit_model(state: DifferenceState) -> None:
    """Fit the model to what is stored; use it if it explains what was held out.

    A model in use is fitted further. Otherwise objectives are supposed to have the
    matrix of items in common, then that of positions, then nothing.
    """
    pairing, record = state.pairing, state.pairing.record[0]
    m, rows = pairing.values.shape[0], record.stored
    anew = record.phase == SAMPLING
    record.fits += 1
    record.next_fit = int(GROWTH * rows)
    for mode in range(record.mode, NOTHING_SHARED + 1):
        alone = mode == NOTHING_SHARED
        _set_targets(state, anew)
        for k in range(m if alone else 1):
            stop = k + 1 if alone else m
            for _ in range(NUM_STARTS if anew else 1):
                _alternate(state, k, stop, mode == POSITIONS_SHARED, anew)
                if _worst_error(pairing, k, stop) < HOPELESS:
                    break
        record.mode, record.error = mode, _worst_error(pairing, 0, m)
        enough = mode == ITEMS_SHARED or rows >= per_pair(pairing, ENOUGH_ALONE)
        if not anew or record.error < ADMITTED or m == 1 or not enough:
            break
    if record.error < ADMITTED:
        record.phase = IN_USE
        growth = LATER_GROWTH if record.error < GOOD else NEXT_GROWTH
        record.next_fit = int(growth * rows)
        for slot in range(state.open.shape[0]):
            state.open[slot] = 0
        return
    record.phase, record.mode, record.error = SAMPLING, ITEMS_SHARED, 1.0
    if record.next_fit > record.limit + per_pair(pairing, SEARCHED):
        record.phase = NO_MODEL


@lean_kernel
def _worst_error(pairing: Pairing, first: int, stop: int) -> float:
    """The largest error of objectives ``first`` to ``stop``."""
    worst = 0.0
    for k in range(first, stop):
        worst = max(worst, pairing.errors[k])
    return worst


@lean_kernel
def _set_targets(state: DifferenceState, anew: bool) -> None:
    """Write stored values, in units of how random ones deviate from their mean."""
    pairing, rows = state.pairing, state.pairing.record[0].stored
    for k in range(pairing.values.shape[0]):
        source, target = pairing.values[k], pairing.targets[k]
        if anew:
            mean, square, count = 0.0, 0.0, 0
            for s in range(rows):
                count += int(pairing.parents[s] < 0)
            for s in range(rows):
                if pairing.parents[s] < 0:
                    mean += source[s] / count
            for s in range(rows):
                if pairing.parents[s] < 0:
                    square += (source[s] - mean) ** 2 / count
            pairing.centres[k] = mean
            pairing.scales[k] = math.sqrt(square) if square > 0.0 else 1.0
        for s in range(rows):
            target[s] = (source[s] - pairing.centres[k]) / pairing.scales[k]


@lean_kernel
def _alternate(
    state: DifferenceState, first: int, stop: int, swapped: bool, anew: bool
) -> None:
    """Fit objectives ``first`` to ``stop`` with one matrix in common.

    That is the one of items, or of positions if ``swapped``: then orders and their
    inverses change places.
    """
    pairing = state.pairing
    orders, inverses = pairing.solutions, pairing.inverses
    many, ones = pairing.positions, pairing.items
    if swapped:
        orders, inverses, many, ones = inverses, orders, ones, many
    worth, one = _total_worth(pairing), ones[first]
    if anew:
        _start(state, orders, inverses, many, one, first, stop)
    ridge = FIRST_RIDGE if anew else LATER_RIDGE
    last = (NUM_ROUNDS if anew else LATER_ROUNDS) - 1
    goal = GOOD if anew else EXACT
    for turn in range(last + 1):
        size = level(one, False)
        square, worst = 0.0, 0.0
        _multiply(one, 1.0 / size if size > 0.0 else 1.0)
        for k in range(first, stop):
            _multiply(many[k], size)
            _ridge(state, orders, ones[first:], k, 1, many[k], ridge * worth)
            square += level(many[k], False) ** 2
            worst = max(worst, _judge(state, orders, many[k], one, k))
        hopeless = anew and turn >= ROUNDS_OF_HOPE and worst > HOPELESS
        if worst < goal or hopeless or turn == last:
            break
        common = ridge * worth * square
        _ridge(state, inverses, many[first:], first, stop - first, one, common)
        ridge = max(LEAST_RIDGE, ridge * DECAY)
    for k in range(first + 1, stop):
        for i in range(one.shape[0]):
            for j in range(one.shape[0]):
                ones[k, i, j] = one[i, j]


@lean_kernel
def _rows_of(pairing: Pairing, orders: Words) -> Rows:
    """What is stored, as orders or as their inverses."""
    stored = pairing.record[0].stored
    return Rows(orders, pairing.parents, pairing.worths, stored)


@lean_kernel
def _total_worth(pairing: Pairing) -> float:
    """Sum of the weights of all rows."""
    total = 0.0
    for s in range(pairing.record[0].stored):
        total += pairing.worths[s]
    return total


@lean_kernel
def _multiply(a: Floats, factor: float) -> None:
    """Multiply a matrix by a number."""
    for i in range(a.shape[0]):
        for j in range(a.shape[0]):
            a[i, j] *= factor


@lean_kernel
def _start(
    state: DifferenceState,
    orders: Words,
    inverses: Words,
    many: Floats,
    one: Floats,
    first: int,
    stop: int,
) -> None:
    """Power iteration on the moments of values and pairs.

    Averaged over random solutions, a value times the presence of items a, b at
    positions i, j is A[i, j] B[a, b] up to a factor, but for what rows have in
    common. The pair of singular vectors with the largest value is the start.
    """
    pairing, n = state.pairing, one.shape[0]
    straight, back = _rows_of(pairing, orders), _rows_of(pairing, inverses)
    for i in range(n):
        for j in range(i + 1, n):
            one[i, j] = uniform(state.rng) - 0.5
    for _ in range(NUM_POWER):
        size = level(one, True)
        _multiply(one, 1.0 / size if size > 0.0 else 1.0)
        for k in range(first, stop):
            _multiply(many[k], 0.0)
            add_pairs(straight, one, pairing.targets[k], many[k])
            level(many[k], True)
        _multiply(one, 0.0)
        for k in range(first, stop):
            add_pairs(back, many[k], pairing.targets[k], one)
    _draw_rows(state, one, level(one, True))
    for k in range(first, stop):
        _multiply(many[k], 0.0)


@lean_kernel
def _draw_rows(state: DifferenceState, one: Floats, size: float) -> None:
    """Add to the rows of a matrix what they might have in common, at random.

    As much as means of so many entries of this ``size`` deviate. Of what the rows of
    both matrices have in common only the product counts: where one has nothing, the
    other has no reason to get something, and for dozens of rounds neither does.
    """
    n = one.shape[0]
    for i in range(n):
        # A uniform number from -1 to 1 deviates by the root of a third.
        row = size * math.sqrt(3.0 / n) * (2.0 * uniform(state.rng) - 1.0)
        for j in range(n):
            one[i, j] += row
            one[j, i] += row
    for i in range(n):
        one[i, i] = 0.0


@lean_kernel
def _ridge(
    state: DifferenceState,
    orders: Words,
    known: Floats,
    target: int,
    count: int,
    a: Floats,
    ridge: float,
) -> None:
    """Improve ``a`` by conjugate gradients on a ridge regression.

    Rows of the regression are random solutions that are not held out, and differences
    of others from those that are most like them, for each of the first ``count`` known
    matrices with the targets from ``target`` on.
    """
    pairing, n = state.pairing, a.shape[0]
    rest, step, image = pairing.work[0], pairing.work[1], pairing.work[2]
    square = _set_rest(state, orders, known, target, count, a, ridge)
    for _ in range(NUM_INNER):
        if square <= 0.0:
            return
        curvature = _set_image(state, orders, known, count, ridge)
        if curvature <= 0.0:
            return
        length, before = square / curvature, square
        square = 0.0
        for i in range(n):
            for j in range(i + 1, n):
                a[i, j] += length * step[i, j]
                rest[i, j] -= length * image[i, j]
                square += rest[i, j] * rest[i, j]
        for i in range(n):
            for j in range(i + 1, n):
                step[i, j] = rest[i, j] + square / before * step[i, j]


@lean_kernel
def _set_rest(
    state: DifferenceState,
    orders: Words,
    known: Floats,
    target: int,
    count: int,
    a: Floats,
    ridge: float,
) -> float:
    """Write the negative gradient at ``a`` as rest and first step; its square."""
    pairing, n = state.pairing, a.shape[0]
    rows = _rows_of(pairing, orders)
    rest, step, square = pairing.work[0], pairing.work[1], 0.0
    _multiply(rest, 0.0)
    for c in range(count):
        targets = pairing.targets[target + c]
        add_products(rows, a, known[c], targets, True, pairing, rest)
    for i in range(n):
        for j in range(i + 1, n):
            rest[i, j] -= ridge * a[i, j]
            step[i, j] = rest[i, j]
            square += rest[i, j] * rest[i, j]
    return square


@lean_kernel
def _set_image(
    state: DifferenceState, orders: Words, known: Floats, count: int, ridge: float
) -> float:
    """Write the image of the step under the normal equations; return its curvature."""
    pairing, rows = state.pairing, _rows_of(state.pairing, orders)
    step, image, curvature = pairing.work[1], pairing.work[2], 0.0
    _multiply(image, 0.0)
    for c in range(count):
        targets = pairing.line  # they are not asked for
        add_products(rows, step, known[c], targets, False, pairing, image)
    for i in range(step.shape[0]):
        for j in range(i + 1, step.shape[0]):
            image[i, j] += ridge * step[i, j]
            curvature += step[i, j] * image[i, j]
    return curvature


@lean_kernel
def _judge(
    state: DifferenceState, orders: Words, a: Floats, b: Floats, k: int
) -> float:
    """Level the targets of objective ``k``; return the error on held-out rows."""
    pairing = state.pairing
    rows, line, targets = pairing.record[0].stored, pairing.line, pairing.targets[k]
    sum_pairs(_rows_of(pairing, orders), a, b, line)
    mean, used, error, held = 0.0, 0, 0.0, 0
    for s in range(rows):
        if pairing.parents[s] < 0 and not is_held_out(pairing.parents, s):
            mean += targets[s] - line[s]
            used += 1
    mean /= max(1, used)
    pairing.centres[k] += mean * pairing.scales[k]
    for s in range(rows):
        targets[s] -= mean
        if is_held_out(pairing.parents, s):
            error += (targets[s] - line[s]) ** 2
            held += 1
    pairing.errors[k] = error / max(1, held)
    return float(pairing.errors[k])
