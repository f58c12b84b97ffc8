"""Values and load of chosen items, where some pairs earn more together.

With n items, m values each and p pairs, the table has m + 2 columns:

- 0 .. n - 1: an item's values, then its weight;
- n: the capacity in column 0;
- n + 1 .. n + p: the bonuses of a pair, then its two items.
"""

from __future__ import annotations

from divlearn.basics.typing import Codes, Floats
from divlearn.kernels.jit import kernel


@kernel
def values_and_load(x: Codes, table: Floats, y: Floats) -> None:
    """Write the m values of choice ``x`` with its bonuses, then load - capacity."""
    n = x.shape[0]
    m = y.shape[0] - 1
    for k in range(m + 1):
        y[k] = 0.0
        for j in range(n):
            y[k] += x[j] * table[j, k]
    y[m] -= table[n, 0]
    for row in range(n + 1, table.shape[0]):
        if x[int(table[row, m])] == 1 and x[int(table[row, m + 1])] == 1:
            for k in range(m):
                y[k] += table[row, k]
