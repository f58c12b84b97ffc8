"""Which points no other point dominates, and the checks that all metrics share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from divlearn.basics.checks import require_whole
from divlearn.basics.errors import InputError
from divlearn.basics.typing import Floats, Objectives

#: Signs that turn an objective into one that is minimised.
SIGNS = {"min": 1.0, "max": -1.0}
#: With this many decimals or more, small numbers keep significant digits.
FULL_DECIMALS = 9
SMALL = 2.0**-10
#: Differences of numbers up to this one are finite.
LARGE = 2.0**1022


def non_dominated(
    F: ArrayLike,  # noqa: N803 - the public name
    senses: Sequence[str] | None = None,
    decimals: int = 9,
) -> NDArray[np.bool_]:
    """Mark the points that no other point dominates.

    A point dominates another if it is nowhere worse and somewhere better. Values are
    compared after rounding, so noise in the last digits makes no difference.

    Parameters
    ----------
    F
        Objective values, shape (q, m).
    senses
        ``"min"`` or ``"max"`` per objective; all minimised if None.
    decimals
        Decimals that count; with nine or more, numbers below 1/1024 are rounded to nine
        significant digits instead.

    Returns
    -------
    A mask of shape (q,). Of points that are equal after rounding, only the first is
    marked.

    Examples
    --------
    >>> from divlearn.metrics import non_dominated
    >>> non_dominated([[1, 3], [2, 2], [2, 3], [1, 3]])
    array([ True,  True, False, False])
    >>> non_dominated([[1, 3], [2, 2], [2, 3]], senses=["max", "max"])
    array([False, False,  True])
    """
    return undominated(minimised(F, senses, decimals))


def minimised(
    points: ArrayLike, senses: Sequence[str] | None, decimals: int, argument: str = "F"
) -> Objectives:
    """Round the points and turn every objective into one that is minimised."""
    array = read_points(points, argument)
    sign = read_signs(senses, array.shape[1])
    return _rounded(array, require_whole("decimals", decimals, most=300)) * sign


def undominated(points: Objectives, keep_equal: bool = False) -> NDArray[np.bool_]:
    """Mark the non-dominated rows, all minimised; of equal rows only the first.

    With ``keep_equal`` all equal rows are marked.
    """
    if not len(points):
        return np.zeros(0, np.bool_)
    import moocore

    mask = moocore.is_nondominated(points, keep_weakly=keep_equal)
    return np.asarray(mask, np.bool_)


def eased(points: Objectives, *others: Floats) -> tuple[Floats, ...]:
    """Divide objectives by 4 if their differences might exceed any float.

    Parameters
    ----------
    points
        Points, shape (q, m).
    others
        Points, shape (q, m) or (m,), that are compared with them.

    Returns
    -------
    All of them; ratios of differences are unchanged, to the last bit.
    """
    rows = np.vstack([points, *others])
    factor = np.where(np.abs(rows).max(axis=0, initial=0.0) > LARGE, 0.25, 1.0)
    return tuple(array * factor for array in (points, *others))


def read_points(points: Any, argument: str = "F") -> Objectives:
    """Turn ``points`` into an array of shape (q, m), or say what is wrong with it."""
    try:
        array = np.array(points, np.float64)
    except (TypeError, ValueError):
        raise InputError(
            f"{argument} needs one row of numbers per point, all rows of equal length, "
            f"got {points!r}."
        ) from None
    if array.shape in ((0,), (0, 0)):  # no points, so the number of columns is unknown
        return np.empty((0, 0))
    if array.ndim != 2 or array.shape[1] == 0:
        raise InputError(
            f"{argument} needs one row per point and one column per objective, "
            f"shape (q, m), got shape {array.shape}."
        )
    refuse_non_finite(argument, array)
    return array


def read_point(point: Any, num_objectives: int, argument: str) -> Floats:
    """Turn ``point`` into an array of shape (m,), or say what is wrong with it."""
    try:
        array = np.array(point, np.float64)
    except (TypeError, ValueError):
        array = np.empty(0)
    if array.shape != (num_objectives,) or not np.isfinite(array).all():
        raise InputError(
            f"{argument} needs one finite number per objective, {num_objectives} in "
            f"all, got {point!r}."
        )
    return array


def read_signs(senses: Sequence[str] | None, num_objectives: int) -> Floats:
    """Turn senses into 1 for minimised and -1 for maximised, shape (m,)."""
    if senses is None:
        return np.ones(num_objectives)
    wrong = isinstance(senses, str) or not isinstance(senses, Sequence)
    if wrong or any(not isinstance(s, str) or s not in SIGNS for s in senses):
        raise InputError(
            'senses needs "min" or "max" for each objective, such as ("min", "max"), '
            f"got {senses!r}."
        )
    # A set without points does not say how many objectives it has.
    if num_objectives and len(senses) != num_objectives:
        raise InputError(
            f"senses needs one entry for each of the {num_objectives} objectives, "
            f"got {len(senses)}: {senses!r}."
        )
    return np.array([SIGNS[sense] for sense in senses][:num_objectives])


def refuse_non_finite(argument: str, array: Floats) -> None:
    """Raise if a value is NaN or infinite."""
    if np.isfinite(array).all():
        return
    row, column = np.argwhere(~np.isfinite(array))[0]
    raise InputError(
        f"{argument} needs finite numbers, got {array[row, column]} in row {row}, "
        f"column {column}; leave out points that have no value."
    )


def _rounded(points: Objectives, decimals: int) -> Objectives:
    """Round, except numbers that are too large to have that many decimals.

    With nine decimals or more, numbers below 1/1024 keep nine significant digits, as in
    the archive, so that small units make no difference.
    """
    large = np.abs(points) >= 2.0**53 / 10.0**decimals
    rounded = np.where(large, points, np.round(np.where(large, 0.0, points), decimals))
    if decimals < FULL_DECIMALS:
        return rounded
    small = np.abs(points) < SMALL
    mantissa, exponent = np.frexp(np.where(small, points, 0.0))
    significant = np.ldexp(np.floor(mantissa * 2.0**30 + 0.5) / 2.0**30, exponent)
    return np.where(small, significant, rounded)
