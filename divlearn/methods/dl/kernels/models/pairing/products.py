"""Sums over pairs: what two matrices say of solutions, and the way back."""

from __future__ import annotations

import math

from divlearn.basics.typing import Floats, Integers, Words
from divlearn.kernels.jit import lean_kernel

#: Every so many-th solution is held out.
HELD_OUT = 10


@lean_kernel
def sum_pairs(orders: Words, rows: int, a: Floats, b: Floats, out: Floats) -> None:
    """Write the sum over i < j of ``a[i, j] * b[x_i, x_j]`` for every order x.

    Parameters
    ----------
    orders
        Permutations, shape (N, n), of which the first ``rows`` are used.
    rows
        Their number.
    a, b
        Matrices, shape (n, n): of ``a`` only what is above the diagonal is read,
        ``b`` is symmetric.
    out
        Sums, shape (N,); written.
    """
    for s in range(rows):
        out[s] = sum_of_pairs(orders[s], a, b)


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
def add_pairs(orders: Words, rows: int, b: Floats, factors: Floats, a: Floats) -> None:
    """Add ``factors[s] * b[x_i, x_j]`` to ``a[i, j]``, i < j, for every order x.

    Orders that are held out add nothing.
    """
    n = a.shape[0]
    for s in range(rows):
        if s % HELD_OUT == 0:
            continue
        x, factor = orders[s], factors[s]
        for i in range(n - 1):
            target, source = a[i], b[x[i]]
            for j in range(i + 1, n):
                target[j] += factor * source[x[j]]


@lean_kernel
def add_products(
    orders: Words,
    rows: int,
    a: Floats,
    b: Floats,
    targets: Floats,
    less: bool,
    pairs: Floats,
    out: Floats,
) -> None:
    """Add, for every order x that is not held out, its sum times its pairs.

    That is ``sum_pairs`` and ``add_pairs`` in one, which looks up ``b`` once.

    Parameters
    ----------
    orders, rows, a, b
        As in ``sum_pairs``.
    targets
        Shape (N,), read if ``less``: then a sum is replaced by its target less itself.
    less
        Whether that is wanted.
    pairs
        Room to work, shape (2, n (n - 1) / 2): pairs one after the other, which adds
        them faster.
    out
        Matrix, shape (n, n); what is above its diagonal is added to.
    """
    n, known, totals = a.shape[0], pairs[0], pairs[1]
    _pack(out, totals)
    for s in range(rows):
        if s % HELD_OUT == 0:
            continue
        factor = _look_up(orders[s], a, b, known)
        if less:
            factor = targets[s] - factor
        for p in range(n * (n - 1) // 2):
            totals[p] += factor * known[p]
    p = 0
    for i in range(n):
        for j in range(i + 1, n):
            out[i, j] = totals[p]
            p += 1


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
