"""Sums over pairs: what two matrices say of solutions, and the way back."""

from __future__ import annotations

import math
from typing import NamedTuple

from divlearn.basics.typing import Codes, Floats, Integers, Words
from divlearn.kernels.jit import lean_kernel
from divlearn.methods.dl.kernels.models.pairing.model import Pairing

#: Every so many-th solution is held out, if it is a random one.
HELD_OUT = 10


class Rows(NamedTuple):
    """Rows of a regression: a random order, or how an order differs from another.

    An ordinary search makes steps from solution to solution. Each value alone tells
    mostly what the one before told; their difference belongs to the few pairs that
    changed.
    """

    orders: Words  # (N, n) permutations
    parents: Integers  # (N,) row of the other order; -1 for none
    worths: Floats  # (N,) weights
    used: int  # rows in use


@lean_kernel
def is_held_out(parents: Integers, row: int) -> bool:
    """Whether a row only judges the fit; such are random solutions."""
    return bool(parents[row] < 0 and row % HELD_OUT == 0)


@lean_kernel
def nearest_row(orders: Words, rows: int, x: Codes) -> int:
    """The row of ``orders`` that has most positions in common with ``x``; -1 for none.

    The latest of several.
    """
    nearest, most = -1, -1
    for s in range(rows):
        other, same = orders[s], 0
        for i in range(x.shape[0]):
            same += int(other[i] == x[i])
        if same >= most:
            nearest, most = s, same
    return nearest


@lean_kernel
def worth_of(x: Integers, y: Integers) -> float:
    """Weight of a difference: one over its variance were all pairs independent.

    In units of the variance of a value, that is twice the share of pairs that changed;
    0 if none did.
    """
    n, same = x.shape[0], 0
    for i in range(n):
        same += int(x[i] == y[i])
    if same == n:
        return 0.0
    return float(0.5 / (1.0 - same * (same - 1.0) / (n * (n - 1.0))))


@lean_kernel
def sum_pairs(rows: Rows, a: Floats, b: Floats, out: Floats) -> None:
    """Write the sum over i < j of ``a[i, j] * b[x_i, x_j]`` for every random order x.

    Parameters
    ----------
    rows
        Orders; those that are compared with others are left out.
    a, b
        Matrices, shape (n, n): of ``a`` only what is above the diagonal is read,
        ``b`` is symmetric.
    out
        Sums, shape (N,); written.
    """
    for s in range(rows.used):
        if rows.parents[s] < 0:
            out[s] = sum_of_pairs(rows.orders[s], a, b)


@lean_kernel
def sum_of_pairs(x: Integers, a: Floats, b: Floats) -> float:
    """Sum over i < j of ``a[i, j] * b[x_i, x_j]`` for one order x, see above."""
    n = a.shape[0]
    # Four sums, since an addition waits for the one before it.
    s0, s1, s2, s3 = 0.0, 0.0, 0.0, 0.0
    for i in range(n - 1):
        left, right = a[i], b[x[i]]
        j = i + 1
        while j + 3 < n:
            s0 += left[j] * right[x[j]]
            s1 += left[j + 1] * right[x[j + 1]]
            s2 += left[j + 2] * right[x[j + 2]]
            s3 += left[j + 3] * right[x[j + 3]]
            j += 4
        while j < n:
            s0 += left[j] * right[x[j]]
            j += 1
    return (s0 + s1) + (s2 + s3)


@lean_kernel
def add_pairs(rows: Rows, b: Floats, factors: Floats, a: Floats) -> None:
    """Add ``factors[s] * b[x_i, x_j]`` to ``a[i, j]``, i < j, for every random order x.

    Orders that are held out add nothing.
    """
    n = a.shape[0]
    for s in range(rows.used):
        if rows.parents[s] >= 0 or is_held_out(rows.parents, s):
            continue
        x, factor = rows.orders[s], factors[s]
        for i in range(n - 1):
            target, source = a[i], b[x[i]]
            for j in range(i + 1, n):
                target[j] += factor * source[x[j]]


@lean_kernel
def add_products(
    rows: Rows,
    a: Floats,
    b: Floats,
    targets: Floats,
    less: bool,
    pairing: Pairing,
    out: Floats,
) -> None:
    """Add, for every row that is not held out, its sum times its pairs.

    That is ``sum_pairs`` and ``add_pairs`` in one, which looks up ``b`` once; of an
    order that is compared with another it is the difference.

    Parameters
    ----------
    rows, a, b
        As in ``sum_pairs``.
    targets
        Shape (N,), read if ``less``: then a sum is replaced by its target less itself.
    less
        Whether that is wanted.
    pairing
        Where there is room to work.
    out
        Matrix, shape (n, n); what is above its diagonal is added to.
    """
    n, known, totals = a.shape[0], pairing.pairs[0], pairing.pairs[1]
    whole, changed = pairing.squares[0], pairing.squares[2]
    for i in range(n):
        whole[i, i] = 0.0
        for j in range(n):
            changed[i, j] = 0.0
            if j > i:
                whole[i, j] = whole[j, i] = a[i, j]
    _pack(out, totals)
    for s in range(rows.used):
        p = rows.parents[s]
        if is_held_out(rows.parents, s):
            continue
        if p >= 0:
            target = targets[s] - targets[p] if less else 0.0
            _add_difference(rows, s, b, target, less, pairing)
            continue
        factor = _look_up(rows.orders[s], a, b, known)
        if less:
            factor = targets[s] - factor
        for q in range(n * (n - 1) // 2):
            totals[q] += factor * known[q]
    q = 0
    for i in range(n):
        for j in range(i + 1, n):
            out[i, j] = totals[q] + changed[i, j] + changed[j, i]
            q += 1


@lean_kernel
def _add_difference(
    rows: Rows, s: int, b: Floats, target: float, less: bool, pairing: Pairing
) -> None:
    """The same of a row that is compared with another, by what changed only.

    A pair of positions that both changed is met twice and counts half each time.
    """
    whole, known, changed = pairing.squares[0], pairing.squares[1], pairing.squares[2]
    x, y, halves = rows.orders[s], rows.orders[rows.parents[s]], pairing.halves
    n, total = x.shape[0], 0.0
    for i in range(n):
        halves[i] = 1.0 if x[i] == y[i] else 0.5
    for i in range(n):
        if x[i] != y[i]:
            new, old, line = b[x[i]], b[y[i]], known[i]
            for j in range(n):
                line[j] = halves[j] * (new[x[j]] - old[y[j]])
            total += _product(whole[i], line)
    factor = rows.worths[s] * (target - total if less else total)
    for i in range(n):
        if x[i] != y[i]:
            line, out = known[i], changed[i]
            for j in range(n):
                out[j] += factor * line[j]


@lean_kernel
def _product(a: Floats, b: Floats) -> float:
    """Inner product of two vectors."""
    n, i = a.shape[0], 0
    # Four sums, since an addition waits for the one before it.
    s0, s1, s2, s3 = 0.0, 0.0, 0.0, 0.0
    while i + 3 < n:
        s0 += a[i] * b[i]
        s1 += a[i + 1] * b[i + 1]
        s2 += a[i + 2] * b[i + 2]
        s3 += a[i + 3] * b[i + 3]
        i += 4
    while i < n:
        s0 += a[i] * b[i]
        i += 1
    return (s0 + s1) + (s2 + s3)


@lean_kernel
def _pack(a: Floats, line: Floats) -> None:
    """Write what is above the diagonal of a matrix, row by row."""
    p = 0
    for i in range(a.shape[0]):
        for j in range(i + 1, a.shape[0]):
            line[p] = a[i, j]
            p += 1


@lean_kernel
def _look_up(x: Words, a: Floats, b: Floats, known: Floats) -> float:
    """Write ``b[x_i, x_j]`` for all i < j; return their sum weighted by ``a``."""
    n, p = a.shape[0], 0
    # Four sums, since an addition waits for the one before it.
    s0, s1, s2, s3 = 0.0, 0.0, 0.0, 0.0
    for i in range(n - 1):
        left, right = a[i], b[x[i]]
        j = i + 1
        while j + 3 < n:
            b0, b1 = right[x[j]], right[x[j + 1]]
            b2, b3 = right[x[j + 2]], right[x[j + 3]]
            known[p], known[p + 1], known[p + 2], known[p + 3] = b0, b1, b2, b3
            s0 += left[j] * b0
            s1 += left[j + 1] * b1
            s2 += left[j + 2] * b2
            s3 += left[j + 3] * b3
            j += 4
            p += 4
        while j < n:
            known[p] = right[x[j]]
            s0 += left[j] * known[p]
            j += 1
            p += 1
    return (s0 + s1) + (s2 + s3)


@lean_kernel
def level(a: Floats, by_rows: bool) -> float:
    """Take the mean out of ``a``, and mirror what is above its diagonal.

    Parameters
    ----------
    a
        Matrix, shape (n, n).
    by_rows
        Take out what every row has in common too: the part that pairs do not need.

    Returns
    -------
    The root of the mean square that is left.
    """
    n = a.shape[0]
    total = 0.0
    for i in range(n):
        a[i, i] = 0.0
        for j in range(i + 1, n):
            a[j, i] = a[i, j]
            total += a[i, j]
    mean = 2.0 * total / (n * (n - 1.0))
    if by_rows:
        for i in range(n):
            row = 0.0
            for j in range(n):
                row += a[i, j]
            # The diagonal is free to hold what each row has too much.
            a[i, i] = (row - (n - 1.0) * mean) / (n - 2.0)
    square = 0.0
    for i in range(n):
        for j in range(i + 1, n):
            a[i, j] -= mean
            if by_rows:
                a[i, j] -= a[i, i] + a[j, j]
            a[j, i] = a[i, j]
            square += a[i, j] * a[i, j]
    for i in range(n):
        a[i, i] = 0.0
    return math.sqrt(2.0 * square / (n * (n - 1.0)))
