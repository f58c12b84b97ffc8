"""NK landscapes: every bit contributes by its own value and that of K other bits.

With n bits and P = 2^(K+1) patterns, the table has n + n * P rows:

- i, for each bit: the numbers of the K bits that it depends on;
- n + i * P + pattern: the contributions of bit i to the objectives. Bit i is the
  lowest binary digit of the pattern, the bits it depends on follow in order.
"""

from __future__ import annotations

from divlearn.basics.typing import Codes, Floats
from divlearn.kernels.jit import kernel


@kernel
def mean_contributions(x: Codes, table: Floats, y: Floats) -> None:
    """Write the mean over all bits of what each contributes to the objectives."""
    n = x.shape[0]
    patterns = table.shape[0] // n - 1
    for k in range(y.shape[0]):
        y[k] = 0.0
    for i in range(n):
        pattern, digit, link = x[i], 2, 0
        while digit < patterns:
            pattern += digit * x[int(table[i, link])]
            digit *= 2
            link += 1
        row = n + i * patterns + pattern
        for k in range(y.shape[0]):
            y[k] += table[row, k]
    for k in range(y.shape[0]):
        y[k] /= n
