"""Whether paired differences lean to one side: Wilcoxon's signed-rank test."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from divlearn.basics.errors import InputError
from divlearn.basics.typing import Floats

#: Up to this many differences the p-value is exact.
MOST_EXACT = 50


def wilcoxon_signed_rank(differences: ArrayLike) -> float:
    """Two-sided p-value of the hypothesis that differences are symmetric around 0.

    Differences of 0 are left out, and equal sizes share their mean rank. For up to 50
    differences the p-value is exact, even with equal sizes (by counting the signs that
    give each sum of ranks). Above that it comes from the normal approximation,
    corrected for ties and continuity. Without any difference it is 1.

    Parameters
    ----------
    differences
        One number per pair, shape (n,).

    References
    ----------
    F. Wilcoxon: Individual comparisons by ranking methods. Biometrics Bulletin 1
    (1945). W. J. Conover: Practical Nonparametric Statistics, 3rd edition (1999),
    section 5.7.

    Examples
    --------
    >>> from divlearn.metrics import wilcoxon_signed_rank
    >>> wilcoxon_signed_rank([1, 2, 3, 4, 5])  # 2 of 32 signs are as extreme
    0.0625
    """
    given = _read(differences)
    nonzero = given[given != 0]
    if not len(nonzero):
        return 1.0
    ranks = _mean_ranks(np.abs(nonzero))
    positive = float(ranks[nonzero > 0].sum())
    extreme = min(positive, float(ranks.sum()) - positive)
    one_sided = _exact if len(ranks) <= MOST_EXACT else _approximate
    return min(1.0, 2.0 * one_sided(ranks, extreme))


def _mean_ranks(sizes: Floats) -> Floats:
    """Rank the sizes from 1; equal ones share the mean of their ranks."""
    _, inverse, counts = np.unique(sizes, return_inverse=True, return_counts=True)
    return np.asarray((np.cumsum(counts) - (counts - 1) / 2.0)[inverse])


def _exact(ranks: Floats, extreme: float) -> float:
    """Probability of a sum of ranks up to ``extreme`` if signs are coin flips."""
    doubled = (2 * ranks).astype(np.int64)  # mean ranks are whole or halves
    ways = np.zeros(int(doubled.sum()) + 1)  # at most 2**50 each: exact
    ways[0] = 1.0
    for rank in doubled:
        ways[rank:] += ways[:-rank].copy()
    return float(ways[: int(2 * extreme) + 1].sum()) / 2.0 ** len(ranks)


def _approximate(ranks: Floats, extreme: float) -> float:
    """The same by the normal distribution; the sum of squares accounts for ties."""
    deviation = math.sqrt(float((ranks**2).sum()) / 4.0)
    distance = float(ranks.sum()) / 2.0 - extreme
    return math.erfc(max(0.0, distance - 0.5) / deviation / math.sqrt(2.0)) / 2.0


def _read(differences: Any) -> Floats:
    """Check the differences."""
    try:
        array = np.array(differences, np.float64)
    except (TypeError, ValueError):
        array = np.empty((0, 0))
    if array.ndim != 1 or not np.isfinite(array).all():
        raise InputError(
            "differences needs one finite number per pair, shape (n,), "
            f"got {differences!r}."
        )
    return array
