"""Reference and ideal points, fixed before any optimizer was run on the problem.

They follow a rule, from 20,000 random designs of each space, which
``benchmarks/codesign_points.py`` draws again. The reference is 0.9 for the error, which
is chance, and the 99 % quantile of each cost, rounded up to a tenth of a decade. The
ideal is 0 for the error and the smallest of each cost minus 0.3 decades, rounded down.
"""

from __future__ import annotations

from typing import NamedTuple


class Points(NamedTuple):
    """Error, and log10 of energy in uJ, delay in us and area in mm2."""

    reference: tuple[float, float, float, float]
    ideal: tuple[float, float, float, float]


POINTS = {
    "paper": Points(reference=(0.9, 1.6, 3.2, 0.9), ideal=(0.0, -2.3, 0.3, -1.2)),
    "large": Points(reference=(0.9, 1.1, 2.8, 0.5), ideal=(0.0, -3.3, -1.8, -2.0)),
}
