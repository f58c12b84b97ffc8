"""Effects of choices, the obvious way."""

import math


def values(codes, effects, interactions, scale, bend):
    """Each objective: its scale times the exponential of its bent sum."""
    return [
        factor
        * math.exp(
            bend
            * (
                sum(table[code][k] for table, code in zip(effects, codes, strict=True))
                + sum(t[codes[i]][codes[j]][k] for i, j, t in interactions)
            )
        )
        for k, factor in enumerate(scale)
    ]
