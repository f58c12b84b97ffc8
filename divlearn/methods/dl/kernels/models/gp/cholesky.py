"""Symmetric positive definite matrices: factor, inverse factor, inverse.

All inner loops add multiples of rows to another one, which compilers turn into vector
instructions without changing a single bit of the result. Four rows are added at a time,
one after the other: the sums are the same, and are read and written four times less.
"""

from __future__ import annotations

import math

from divlearn.basics.typing import Floats
from divlearn.kernels.jit import lean_kernel

LEAST_PIVOT = 1e-10
#: Rows that are added at a time.
_AT_ONCE = 4


@lean_kernel
def factorize(a: Floats, size: int) -> float:
    """Replace the upper triangle of ``a[:size, :size]`` by U with U'U = a.

    Returns
    -------
    The logarithm of the determinant.
    """
    log_det = 0.0
    for i in range(size):
        target, whole = a[i], i // _AT_ONCE
        for block in range(whole):
            j = _AT_ONCE * block
            r, s, t, u = a[j], a[j + 1], a[j + 2], a[j + 3]
            f, g, h, e = r[i], s[i], t[i], u[i]
            for k in range(i, size):
                target[k] = target[k] - f * r[k] - g * s[k] - h * t[k] - e * u[k]
        for j in range(_AT_ONCE * whole, i):
            row = a[j]
            f = row[i]
            for k in range(i, size):
                target[k] -= f * row[k]
        pivot = math.sqrt(max(target[i], LEAST_PIVOT))
        log_det += 2.0 * math.log(pivot)
        for k in range(i, size):
            target[k] = target[k] / pivot
        target[i] = pivot
    return log_det


@lean_kernel
def invert_factor(u: Floats, size: int, v: Floats) -> None:
    """Write the inverse of U' into the lower triangle of ``v``, row by row.

    What ``v`` has above its diagonal is overwritten with zeros.
    """
    for i in range(size):
        row, whole = v[i], i // _AT_ONCE
        for k in range(size):
            row[k] = 0.0
        for block in range(whole):
            j = _AT_ONCE * block
            o, p, q, r = v[j], v[j + 1], v[j + 2], v[j + 3]
            f, g, h, e = u[j, i], u[j + 1, i], u[j + 2, i], u[j + 3, i]
            for k in range(j + _AT_ONCE):
                row[k] = row[k] - f * o[k] - g * p[k] - h * q[k] - e * r[k]
        for j in range(_AT_ONCE * whole, i):
            f, o = u[j, i], v[j]
            for k in range(j + 1):
                row[k] -= f * o[k]
        row[i] = 1.0
        pivot = u[i, i]
        for k in range(i + 1):
            row[k] = row[k] / pivot


@lean_kernel
def invert(v: Floats, size: int, inverse: Floats) -> None:
    """Write V'V, the inverse of the matrix, into the lower triangle of ``inverse``."""
    whole = size // _AT_ONCE
    for i in range(size):
        row = inverse[i]
        for k in range(i + 1):
            row[k] = 0.0
        for j in range(i, min(size, _AT_ONCE * (i // _AT_ONCE + 1))):
            f, o = v[j, i], v[j]
            for k in range(i + 1):
                row[k] += f * o[k]
        for block in range(i // _AT_ONCE + 1, whole):
            j = _AT_ONCE * block
            o, p, q, r = v[j], v[j + 1], v[j + 2], v[j + 3]
            f, g, h, e = o[i], p[i], q[i], r[i]
            for k in range(i + 1):
                row[k] = row[k] + f * o[k] + g * p[k] + h * q[k] + e * r[k]
        for j in range(max(_AT_ONCE * whole, _AT_ONCE * (i // _AT_ONCE + 1)), size):
            f, o = v[j, i], v[j]
            for k in range(i + 1):
                row[k] += f * o[k]


@lean_kernel
def whiten(factor: Floats, vector: Floats, size: int, total: Floats) -> None:
    """Write V times ``vector`` into ``total``, all but the first ``size`` left alone.

    Parameters
    ----------
    factor
        Upper triangle V', of V = inverse of U', shape (M, M).
    vector
        Shape (M,).
    size
        Rows that count.
    total
        Output, shape (M,).
    """
    whole = size // _AT_ONCE
    for i in range(size):
        total[i] = 0.0
    for block in range(whole):
        j = _AT_ONCE * block
        o, p, q, r = factor[j], factor[j + 1], factor[j + 2], factor[j + 3]
        f, g, h, e = vector[j], vector[j + 1], vector[j + 2], vector[j + 3]
        total[j] += f * o[j]
        total[j + 1] = total[j + 1] + f * o[j + 1] + g * p[j + 1]
        total[j + 2] = total[j + 2] + f * o[j + 2] + g * p[j + 2] + h * q[j + 2]
        for i in range(j + 3, size):
            total[i] = total[i] + f * o[i] + g * p[i] + h * q[i] + e * r[i]
    for j in range(_AT_ONCE * whole, size):
        f, o = vector[j], factor[j]
        for i in range(j, size):
            total[i] += f * o[i]


@lean_kernel
def unwhiten(factor: Floats, vector: Floats, size: int, total: Floats) -> None:
    """Write V' times ``vector`` into ``total``, see :func:`whiten`."""
    for j in range(size):
        total[j] = dot(factor[j], vector, j, size)


@lean_kernel
def dot(a: Floats, b: Floats, start: int, stop: int) -> float:
    """Sum of products from ``start`` on, by four sums at a time."""
    f, g, h, e, whole = 0.0, 0.0, 0.0, 0.0, (stop - start) // _AT_ONCE
    for block in range(whole):
        i = start + _AT_ONCE * block
        f += a[i] * b[i]
        g += a[i + 1] * b[i + 1]
        h += a[i + 2] * b[i + 2]
        e += a[i + 3] * b[i + 3]
    for i in range(start + _AT_ONCE * whole, stop):
        f += a[i] * b[i]
    return (f + g) + (h + e)


@lean_kernel
def extend_factor(
    factor: Floats, row: Floats, size: int, diagonal: float, work: Floats
) -> None:
    """Make the inverse factor of ``size`` rows, transposed, that of one row more.

    Parameters
    ----------
    factor
        Upper triangle V', of V = inverse of U'; its next column is written.
    row
        Covariances of the new row with the others.
    size
        Rows so far.
    diagonal
        Covariance of the new row with itself, noise included.
    work
        Scratch of so many numbers.
    """
    whiten(factor, row, size, work)
    left = diagonal
    for k in range(size):
        left -= work[k] * work[k]
    pivot = math.sqrt(max(left, LEAST_PIVOT))
    for j in range(size):
        factor[j, size] = -dot(factor[j], work, j, size) / pivot
    factor[size, size] = 1.0 / pivot
