"""Quadratic functions of yes/no decisions.

The table has a row per pair of decisions, ``i * n + j`` with i <= j, and a column per
objective: what is earned where both are yes. Rows with i > j are not read.
"""

from __future__ import annotations

import numpy as np

from divlearn.basics.typing import Codes, Floats
from divlearn.kernels.jit import kernel


@kernel
def quadratic_values(x: Codes, table: Floats, y: Floats) -> None:
    """Write the sum over all pairs of decisions that are both yes in ``x``."""
    n = x.shape[0]
    chosen = np.empty(n, np.int64)
    count = 0
    for i in range(n):
        if x[i] == 1:
            chosen[count] = i
            count += 1
    for k in range(y.shape[0]):
        total = 0.0
        for a in range(count):
            row = chosen[a] * n
            for b in range(a, count):
                total += table[row + chosen[b], k]
        y[k] = total
