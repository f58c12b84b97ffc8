"""Reading the numbers of an instance, or saying what is wrong with them."""

from __future__ import annotations

from collections.abc import Sequence
from reprlib import repr as short
from typing import Any

import numpy as np

from divlearn.basics.errors import InputError
from divlearn.basics.typing import Floats

#: With more indices a problem declares no distance, which would be n * n numbers.
MAX_DISTANCE_SIZE = 5_000


def read_numbers(
    argument: str,
    values: Any,
    shape: Sequence[int | str],
    text: str,
    least: float | None = None,
) -> Floats:
    """Copy ``values`` into an array of finite numbers.

    Parameters
    ----------
    argument
        Name of the argument, for messages.
    values
        What the user gave.
    shape
        Expected length of each axis; a name for any length of at least 1, which is
        the same wherever the name is.
    text
        The expected shape in words.
    least
        Smallest number allowed; None for no limit.
    """
    try:
        array = np.array(values)
    except ValueError:  # rows of different lengths
        raise InputError(
            f"{argument} must be {text}, got rows of different lengths in "
            f"{short(values)}."
        ) from None
    if array.dtype.kind not in "biuf":
        raise InputError(f"{argument} must be {text}, got {short(values)}.")
    last = dict(zip(shape, array.shape, strict=False))
    fits = len(shape) == array.ndim and all(
        0 < have == last[want] if isinstance(want, str) else have == want
        for have, want in zip(array.shape, shape, strict=False)
    )
    if not fits:
        raise InputError(f"{argument} must be {text}, got shape {array.shape}.")
    numbers = array.astype(np.float64)
    _refuse(argument, numbers, ~np.isfinite(numbers), "finite numbers")
    if least is not None:
        _refuse(argument, numbers, numbers < least, f"numbers of at least {least:g}")
    return numbers


def read_capacity(capacity: Any) -> float:
    """Check one positive number."""
    read = float(read_numbers("capacity", capacity, (), "one number"))
    if read <= 0.0:
        raise InputError(f"capacity must be positive, got {capacity!r}.")
    return read


def _refuse(argument: str, numbers: Floats, wrong: Any, expected: str) -> None:
    """Raise at the first wrong number."""
    if wrong.any():
        index = tuple(int(i) for i in np.argwhere(wrong)[0])
        where = f"[{', '.join(map(str, index))}]" if index else ""
        raise InputError(
            f"{argument} must hold {expected} only, "
            f"got {argument}{where} = {numbers[index]}."
        )


def between_points(points: Floats) -> Floats:
    """Euclidean distances between points, shape (n, d), as a matrix of shape (n, n)."""
    squares = np.zeros((len(points), len(points)))
    with np.errstate(over="ignore"):
        for axis in points.T:
            squares += np.square(axis[:, None] - axis[None, :])
    if not np.isfinite(squares).all():
        raise InputError(
            "coordinates must be near enough for their distances to be finite, got "
            f"numbers up to {np.abs(points).max():g}; use a larger unit."
        )
    return np.sqrt(squares)


def both_directions(ways: Floats) -> Floats | None:
    """How far apart indices are, whatever the direction; None if there are too many."""
    return None if len(ways) > MAX_DISTANCE_SIZE else (ways + ways.T) / 2.0
