"""Small matrices without BLAS, whose threads wait for each other on a busy machine.

The matrices of a surrogate are so small that NumPy's loops are quick enough; what they
give is the same everywhere, to the last bit.
"""

from __future__ import annotations

import numpy as np

from divlearn.basics.typing import Floats

#: Least pivot of a matrix that is positive definite but for rounding.
LEAST_PIVOT = 1e-12


def inverse_of(matrix: Floats) -> tuple[Floats, float]:
    """Inverse and logarithm of the determinant of a positive definite matrix.

    Every row and column is swept in turn (the sweep operator).

    Examples
    --------
    >>> inverse, log_det = inverse_of(np.array([[2.0, 1.0], [1.0, 2.0]]))
    >>> inverse.round(3).tolist(), round(log_det, 3)
    ([[0.667, -0.333], [-0.333, 0.667]], 1.099)
    """
    swept, log_det = matrix.copy(), 0.0
    for k in range(len(swept)):
        pivot = max(float(swept[k, k]), LEAST_PIVOT)
        log_det += float(np.log(pivot))
        row = swept[k].copy()
        scaled = row / pivot
        swept -= row[:, None] * scaled
        swept[k] = swept[:, k] = scaled
        swept[k, k] = -1.0 / pivot
    return -swept, log_det


def times(matrix: Floats, vector: Floats) -> Floats:
    """The product of a matrix, shape (a, b), and a vector, shape (b,)."""
    return np.asarray((matrix * vector).sum(axis=1))


def product(a: Floats, b: Floats) -> Floats:
    """Inner products of all rows, shapes (p, w) and (q, w) to (p, q)."""
    return np.asarray(np.einsum("iw,jw->ij", a, b))
