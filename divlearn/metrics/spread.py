"""How evenly a front is spaced."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from divlearn.metrics.coverage import consecutive_gaps


def spread(
    F: ArrayLike,  # noqa: N803 - the public name
    senses: Sequence[str] | None = None,
    *,
    saturate: bool = True,
    decimals: int = 9,
) -> float:
    """Measure how unequal the gaps between neighbouring points of a front are.

    The mean of abs(gap - mean gap), divided by the mean gap: the paper's Spread
    (appendix on sample diversity), which is that of NSGA-II without the distances to
    the ends of the true front. 0 is perfectly even, less is better. The gaps are those
    of :func:`~divlearn.metrics.coverage.consecutive_gaps`.

    The paper states the range 0 .. 1 and that values saturate at 1, while its formula
    comes close to 2 for very unequal gaps. So values above 1 are cut to 1 unless
    ``saturate`` is False.

    Two points have one gap and Spread 0. Fewer than two have none; the result is NaN,
    because neither 0 nor 1 would be true.

    Parameters
    ----------
    F
        Objective values, shape (q, m). Dominated and repeated points are left out.
    senses
        ``"min"`` or ``"max"`` per objective; all minimised if None.
    saturate
        Whether values above 1 become 1.
    decimals
        Decimals that count, as in
        :func:`~divlearn.metrics.non_dominated`.

    References
    ----------
    K. Deb, A. Pratap, S. Agarwal, T. Meyarivan: A fast and elitist multiobjective
    genetic algorithm: NSGA-II. IEEE Transactions on Evolutionary Computation 6 (2002).

    Examples
    --------
    >>> from divlearn.metrics import spread
    >>> spread([[0, 4], [1, 3], [2, 2], [4, 0]])  # gaps of 1, 1 and 2 steps
    0.3333333333333333
    """
    gaps = consecutive_gaps(F, senses, decimals)
    if not len(gaps):
        return math.nan
    mean = gaps.mean()
    value = float(np.abs(gaps - mean).mean() / mean)
    return min(value, 1.0) if saturate else value
