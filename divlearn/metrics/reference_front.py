"""How far a front is from a reference front, such as the best one known."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from divlearn.basics.errors import InputError
from divlearn.basics.typing import Objectives
from divlearn.metrics.dominance import read_points, read_signs

#: Numbers between the inverse of this power of two and itself can be squared.
USUAL_BITS = 400


def inverted_generational_distance(
    F: ArrayLike,  # noqa: N803 - the public name
    reference_front: ArrayLike,
    senses: Sequence[str] | None = None,
) -> float:
    """Mean distance from each point of the reference front to the nearest of F.

    0 if every reference point was found; less is better. Objectives are taken as they
    are: scale both sets first if units differ. An empty set is infinitely far away.

    The measure does not respect dominance: a set may be nowhere worse than another
    and still be farther away. :func:`additive_epsilon` has no such case.

    Parameters
    ----------
    F
        Objective values, shape (q, m).
    reference_front
        Points to be reached, shape (r, m), r at least 1.
    senses
        ``"min"`` or ``"max"`` per objective; all minimised if None.

    References
    ----------
    C. A. Coello Coello, M. Reyes Sierra: A study of the parallelization of a
    coevolutionary multi-objective evolutionary algorithm. MICAI 2004. Computed by
    moocore.

    Examples
    --------
    >>> from divlearn.metrics import inverted_generational_distance
    >>> inverted_generational_distance([[0, 4], [3, 4]], [[0, 1], [3, 0]])  # 3 and 4
    3.5
    """
    return _measured("igd", F, reference_front, senses)


def additive_epsilon(
    F: ArrayLike,  # noqa: N803 - the public name
    reference_front: ArrayLike,
    senses: Sequence[str] | None = None,
) -> float:
    """How much every point of F must improve for F to cover the reference front.

    The least number which, added as an improvement to all objectives of all points of
    F, makes some point of F at least as good as each reference point. 0 if F covers the
    reference front exactly, negative if F is better everywhere; less is better.
    Objectives are taken as they are: scale both sets first if units differ. An empty
    set needs an infinite improvement.

    Parameters
    ----------
    F, reference_front, senses
        As for :func:`inverted_generational_distance`.

    References
    ----------
    E. Zitzler, L. Thiele, M. Laumanns, C. M. Fonseca, V. Grunert da Fonseca:
    Performance assessment of multiobjective optimizers: an analysis and review. IEEE
    Transactions on Evolutionary Computation 7 (2003). Computed by moocore.

    Examples
    --------
    >>> from divlearn.metrics import additive_epsilon
    >>> additive_epsilon([[2, 5], [4, 3]], [[1, 4], [4, 1]])
    2.0
    >>> additive_epsilon([[5]], [[7]], senses=["max"])
    2.0
    """
    return _measured("epsilon_additive", F, reference_front, senses)


def _measured(
    name: str,
    F: ArrayLike,  # noqa: N803 - the public name
    reference_front: ArrayLike,
    senses: Sequence[str] | None,
) -> float:
    """Let a function of moocore compare two fronts; infinite without any point."""
    points, targets = _read(F, reference_front, senses)
    if not len(points):
        return math.inf
    import moocore

    points, targets, unit = _in_units(points, targets)
    return float(getattr(moocore, name)(points, ref=targets)) * unit


def _in_units(
    points: Objectives, targets: Objectives
) -> tuple[Objectives, Objectives, float]:
    """Divide by a power of two if squares would be too large or too small.

    Returns
    -------
    Both sets and the unit, which is 1 if numbers have a usual size.
    """
    largest = max(np.abs(points).max(), np.abs(targets).max())
    exponent = int(np.frexp(largest)[1])
    if largest == 0.0 or abs(exponent) <= USUAL_BITS:
        return points, targets, 1.0
    exponent = min(exponent, 1023)
    unit = math.ldexp(1.0, exponent)
    return np.ldexp(points, -exponent), np.ldexp(targets, -exponent), unit


def _read(
    F: ArrayLike,  # noqa: N803 - the public name
    reference_front: ArrayLike,
    senses: Sequence[str] | None,
) -> tuple[Objectives, Objectives]:
    """Check both sets and turn every objective into one that is minimised."""
    points = read_points(F)
    targets = read_points(reference_front, "reference_front")
    if not len(targets):
        raise InputError(
            "reference_front needs at least one point to measure from, got none."
        )
    if len(points) and points.shape[1] != targets.shape[1]:
        raise InputError(
            "reference_front needs as many columns as F has objectives, "
            f"{points.shape[1]}, got {targets.shape[1]}."
        )
    sign = read_signs(senses, targets.shape[1])
    return (points * sign if len(points) else points), targets * sign
