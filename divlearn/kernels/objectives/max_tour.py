"""The longer of two lengths of a tour, and its further lengths.

The table is that of :mod:`divlearn.kernels.objectives.tsp`.
"""

from __future__ import annotations

import numpy as np

from divlearn.basics.typing import Codes, Floats
from divlearn.kernels.jit import kernel
from divlearn.kernels.objectives.tsp import one_length, two_lengths


@kernel
def longer_and_others(x: Codes, table: Floats, y: Floats) -> None:
    """Write the larger of the first two lengths, then the third, the fourth, ..."""
    n = np.uint64(x.shape[0])
    first, second = two_lengths(x, table, n, np.uint64(0))
    y[0] = max(first, second)
    for k in range(1, y.shape[0]):
        y[k] = one_length(x, table, n, np.uint64(k + 1))
