"""Costs of placing facilities at locations, with several flows between them.

The table has a row per ordered pair, ``i * n + j``. Column 0 holds the distance from
location i to location j, column k the k-th flow from facility i to facility j.
"""

from __future__ import annotations

from divlearn.basics.typing import Codes, Floats
from divlearn.kernels.jit import kernel


@kernel
def assignment_costs(x: Codes, table: Floats, y: Floats) -> None:
    """Write the sum of flow times distance, where facility i is at ``x[i]``."""
    n = x.shape[0]
    for k in range(y.shape[0]):
        total = 0.0
        for i in range(n):
            start, place = i * n, x[i] * n
            for j in range(n):
                total += table[start + j, k + 1] * table[place + x[j], 0]
        y[k] = total
