"""Symmetric positive definite matrices: factor, inverse factor, inverse.

All inner loops add a multiple of one row to another, which compilers turn into vector
instructions without changing a single bit of the result.
"""

from __future__ import annotations

import math

from divlearn.basics.typing import Floats
from divlearn.kernels.jit import lean_kernel

LEAST_PIVOT = 1e-10


@lean_kernel
def factorize(a: Floats, size: int) -> float:
    """Replace the upper triangle of ``a[:size, :size]`` by U with U'U = a.

    Returns
    -------
    The logarithm of the determinant.
    """
    log_det = 0.0
    for j in range(size):
        row = a[j]
        pivot = math.sqrt(max(row[j], LEAST_PIVOT))
        log_det += 2.0 * math.log(pivot)
        for k in range(j, size):
            row[k] = row[k] / pivot
        row[j] = pivot
        for i in range(j + 1, size):
            factor = row[i]
            target = a[i]
            for k in range(i, size):
                target[k] -= factor * row[k]
    return log_det


@lean_kernel
def invert_factor(u: Floats, size: int, v: Floats) -> None:
    """Write the inverse of U' into the lower triangle of ``v``, row by row."""
    for i in range(size):
        row = v[i]
        for k in range(i + 1):
            row[k] = 0.0
        for j in range(i):
            factor = u[j, i]
            source = v[j]
            for k in range(j + 1):
                row[k] -= factor * source[k]
        row[i] = 1.0
        pivot = u[i, i]
        for k in range(i + 1):
            row[k] = row[k] / pivot


@lean_kernel
def invert(v: Floats, size: int, inverse: Floats) -> None:
    """Write V'V, the inverse of the matrix, into the lower triangle of ``inverse``."""
    for i in range(size):
        for k in range(i + 1):
            inverse[i, k] = 0.0
    for j in range(size):
        source = v[j]
        for i in range(j + 1):
            factor = source[i]
            row = inverse[i]
            for k in range(i + 1):
                row[k] += factor * source[k]


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
    for k in range(size):
        work[k] = 0.0
    for j in range(size):
        covariance, source = row[j], factor[j]
        for k in range(j, size):
            work[k] += covariance * source[k]
    left = diagonal
    for k in range(size):
        left -= work[k] * work[k]
    pivot = math.sqrt(max(left, LEAST_PIVOT))
    for j in range(size):
        source, total = factor[j], 0.0
        for k in range(j, size):
            total += work[k] * source[k]
        source[size] = -total / pivot
    factor[size, size] = 1.0 / pivot
