"""Main effects and pair interactions of choices, through an exponential.

With n positions, p interacting pairs and m objectives, the table has max(m, 4)
columns:

- 0: n, p and the bend in columns 0 to 2;
- 1: the scale of each objective;
- 2 .. n + 1: for each position, the row of its first effect in column 0;
- n + 2 .. n + p + 1: for each pair, its two positions, the number of values at the
  second one, and the row of its first interaction;
- then effects, a row per value of a position, and interactions, a row per pair of
  values, each with a column per objective.
"""

from __future__ import annotations

import math

from divlearn.basics.typing import Codes, Floats
from divlearn.kernels.jit import kernel


@kernel
def design_values(x: Codes, table: Floats, y: Floats) -> None:
    """Write scale * exp(bend * (sum of effects and interactions)) into ``y``."""
    n, pairs, bend = int(table[0, 0]), int(table[0, 1]), table[0, 2]
    m = y.shape[0]
    for k in range(m):
        y[k] = 0.0
    for i in range(n):
        row = int(table[2 + i, 0]) + x[i]
        for k in range(m):
            y[k] += table[row, k]
    for pair in range(n + 2, n + 2 + pairs):
        first, second = x[int(table[pair, 0])], x[int(table[pair, 1])]
        row = int(table[pair, 3]) + first * int(table[pair, 2]) + second
        for k in range(m):
            y[k] += table[row, k]
    for k in range(m):
        y[k] = table[1, k] * math.exp(bend * y[k])
