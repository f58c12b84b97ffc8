"""A row of numbers as a line of bars, one character each."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

BARS = "▁▂▃▄▅▆▇█"


def sparkline(numbers: Sequence[float], width: int = 24) -> str:
    """Draw numbers as bars, from the smallest to the largest of them.

    Parameters
    ----------
    numbers
        What to draw, in order; those that are not finite are left out. Of more than
        ``width``, that many are drawn, at equal distances, the last one among them.
    width
        Most characters.

    Returns
    -------
    A character per number; "" if there are fewer than two.

    Examples
    --------
    >>> sparkline([0.1, 0.4, 0.7, 0.8])
    '▁▄▇█'
    """
    values = np.asarray(numbers, np.float64)
    values = values[np.isfinite(values)]
    if len(values) < 2:
        return ""
    kept = min(len(values), width)
    values = values[np.linspace(0, len(values) - 1, kept).round().astype(int)] / 2
    span = values.max() - values.min()
    heights = np.zeros(kept) if span == 0 else (values - values.min()) / span
    return "".join(BARS[round(float(h) * (len(BARS) - 1))] for h in heights)
