"""How densely a front fills objective space."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from divlearn.basics.checks import require_number
from divlearn.basics.typing import Floats
from divlearn.metrics.dominance import eased, minimised, undominated


def coverage(
    F: ArrayLike,  # noqa: N803 - the public name
    senses: Sequence[str] | None = None,
    *,
    alpha: float = 5.0,
    decimals: int = 9,
) -> float:
    """Measure how small the gaps between neighbouring points of a front are.

    1 / (1 + alpha * g), where g is the mean of the :func:`consecutive_gaps`: the
    paper's Coverage (appendix on sample diversity). Between 0 and 1, more is denser.

    A front of fewer than two points has no gaps. The paper does not say what its
    Coverage is; here it is 0, less than that of any two points.

    Parameters
    ----------
    F
        Objective values, shape (q, m). Dominated and repeated points are left out.
    senses
        ``"min"`` or ``"max"`` per objective; all minimised if None.
    alpha
        How much a gap counts; the paper's 5.
    decimals
        Decimals that count, as in
        :func:`~divlearn.metrics.non_dominated`.

    Examples
    --------
    >>> from divlearn.metrics import coverage
    >>> f"{coverage([[0, 10], [3, 6], [6, 2]]):.4f}"  # 2 gaps, each half the diagonal
    '0.2205'
    """
    alpha = require_number("alpha", alpha, least=0.0)
    gaps = consecutive_gaps(F, senses, decimals)
    return 1.0 / (1.0 + alpha * float(gaps.mean())) if len(gaps) else 0.0


def consecutive_gaps(
    F: ArrayLike,  # noqa: N803 - the public name
    senses: Sequence[str] | None = None,
    decimals: int = 9,
) -> Floats:
    """Distances from point to point along a front, the basis of other metrics.

    Dominated and repeated points are left out, every objective is scaled to 0 .. 1,
    and the points are sorted by the first objective. The paper does not say how it
    scales; here the range of the front itself is used, which fits the numbers of its
    table. An objective that is the same everywhere becomes 0. Points with the same
    first objective, which is possible with three or more objectives, are sorted by the
    second, then the third.

    Parameters
    ----------
    F, senses, decimals
        As in :func:`coverage`.

    Returns
    -------
    Euclidean distances of neighbours, shape (k - 1,) for the k remaining points; empty
    if there are fewer than two.

    Examples
    --------
    >>> from divlearn.metrics.coverage import consecutive_gaps
    >>> consecutive_gaps([[0, 10], [5, 9], [10, 0], [10, 10]]).round(3)
    array([0.51, 1.03])
    """
    points = minimised(F, senses, decimals)
    front = points[undominated(points)]
    if len(front) < 2:
        return np.empty(0)
    (front,) = eased(front[np.lexsort(front.T[::-1])])
    low = front.min(axis=0)
    span = front.max(axis=0) - low
    scaled = (front - low) / np.where(span > 0, span, 1.0)
    return np.sqrt((np.diff(scaled, axis=0) ** 2).sum(axis=1))  # type: ignore[no-any-return]
