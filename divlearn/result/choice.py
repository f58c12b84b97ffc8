"""Which solution of a front to take."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from divlearn.basics.errors import InputError
from divlearn.basics.typing import Floats, Objectives, Value
from divlearn.basics.units import measured, unit_of
from divlearn.metrics.dominance import eased

#: A smaller bulge of a front is only rounding.
SMALLEST_BULGE = 1e-9
#: Larger numbers cannot safely be squared and added.
LARGEST_SQUARED = 1e150


@dataclass(frozen=True, repr=False, eq=False)
class Choice:
    """One solution of a front.

    Attributes
    ----------
    x
        The solution as the user declared it.
    f
        Objective values by name, in the user's senses.
    g
        Constraint values by name; feasible is <= 0.
    index
        Row of the solution in the front.
    extras
        Extra metrics by name; None if the solution has none.
    trial
        Number of the solution in its study; None without a study.
    source
        Where it comes from if it was known before; None if the search found it.
    units
        Units by name.

    Examples
    --------
    >>> from divlearn import Result
    >>> result = Result(["a", "b"], [[1, 5], [3, 2]], objectives=["cost", "time"])
    >>> choice = result.best("time")
    >>> choice.x, choice.f["cost"], choice.index
    ('b', 3.0, 1)
    >>> choice
    solution 1 of the front: cost = 3, time = 2
    x = 'b'
    """

    x: Value
    f: dict[str, float]
    g: dict[str, float]
    index: int
    extras: dict[str, Any] = field(default_factory=dict)
    trial: int | None = None
    source: str | None = None
    units: dict[str, str] = field(default_factory=dict)

    def __repr__(self) -> str:
        values = {**self.f, **self.g, **self.extras}
        said = {
            n: measured(_number(v), unit_of(self.units, n)) for n, v in values.items()
        }
        numbers = ", ".join(f"{name} = {text}" for name, text in said.items())
        about = [] if self.trial is None else [f"trial {self.trial}"]
        about += [] if self.source is None else [f"known from {self.source}"]
        which = f" ({', '.join(about)})" if about else ""
        return f"solution {self.index} of the front{which}: {numbers}\n{_show(self.x)}"


def losses(front: Objectives, sign: Floats) -> Objectives:
    """Scale each objective to 0 for the front's best and 1 for its worst value."""
    (signed,) = eased(front * sign)
    best = signed.min(axis=0)
    scaled: Objectives = (signed - best) / _spans_of(signed)
    return scaled


def closest_index(front: Objectives, point: Floats) -> int:
    """Row that is nearest to a point, in units of the front's range per objective."""
    front, point = eased(front, point)
    steps = np.abs(front - point) / _spans_of(front)
    steps /= 1.0 if steps.max() < LARGEST_SQUARED else steps.max()
    return int(np.argmin((steps**2).sum(axis=1)))


def _spans_of(front: Objectives) -> Floats:
    """Range of each objective over the front; 1 if all values are equal."""
    spans = np.ptp(front, axis=0)
    return np.where(spans > 0, spans, 1.0)


def knee_index(front: Objectives, sign: Floats) -> int:
    """Row of the knee, see :meth:`Result.knee`."""
    loss = losses(front, sign)
    total, worst = loss.sum(axis=1), loss.max(axis=1)
    # Rounding makes points that tie in exact arithmetic tie here, for the next key.
    total, worst = np.round(total, 12), np.round(worst, 12)
    ends = [np.lexsort((total, column))[0] for column in loss.T]
    if total.min() < total[ends].min() - SMALLEST_BULGE:
        return int(np.lexsort((worst, total))[0])
    return int(np.lexsort((total, worst))[0])


def cheapest_index(
    column: Floats, inside: np.typing.NDArray[np.bool_], total: Floats
) -> int:
    """Row of the least entry of ``column`` among those inside; ties by ``total``."""
    rows = np.flatnonzero(inside)
    return int(rows[np.lexsort((total[rows], column[rows]))[0]])


def read_limits(
    given: Mapping[str, Any], ranges: Mapping[str, Floats]
) -> dict[str, tuple[float, float]]:
    """Check limits ``name -> (low, high)``, None for an open side."""
    limits = {}
    for name, pair in given.items():
        if name not in ranges:
            raise InputError(
                f"limits must name objectives or constraints ({', '.join(ranges)}), "
                f"got {name!r}."
            )
        limits[name] = _read_pair(name, pair)
    return limits


def _read_pair(name: str, pair: Any) -> tuple[float, float]:
    """Check one pair of limits."""
    try:
        low, high = pair
        low = -np.inf if low is None else float(low)
        high = np.inf if high is None else float(high)
    except (TypeError, ValueError):
        low = high = np.nan
    if isinstance(pair, str) or not low <= high:
        raise InputError(
            f"the limits of {name} must be (low, high) with low <= high and None for "
            f"an open side, such as (None, 100), got {pair!r}."
        )
    return low, high


def limits_mask(
    limits: Mapping[str, tuple[float, float]], columns: Mapping[str, Floats], rows: int
) -> np.typing.NDArray[np.bool_]:
    """Mark the rows within all limits; raises InputError if there are none."""
    inside = np.ones(rows, np.bool_)
    for name, (low, high) in limits.items():
        inside &= (columns[name] >= low) & (columns[name] <= high)
    if not inside.any():
        ranges = "; ".join(
            f"{name} lies between {columns[name].min():.6g} and "
            f"{columns[name].max():.6g}, asked for {low:g} to {high:g}"
            for name, (low, high) in limits.items()
        )
        raise InputError(
            f"no solution of the front is within all limits ({ranges}); "
            "widen a limit or search longer."
        )
    return inside


def _number(value: Any) -> str:
    """Write a number; an extra metric may be a text, or missing."""
    return f"{value:.6g}" if isinstance(value, (int, float)) else str(value)


def _show(x: Value) -> str:
    """Write a solution in as few lines as possible."""
    if isinstance(x, dict):
        return "\n".join(f"x[{name!r}] = {_brief(value)}" for name, value in x.items())
    return f"x = {_brief(x)}"


def _brief(value: Value) -> str:
    """Write one value; a long array is shortened to its two ends."""
    if isinstance(value, np.ndarray):
        return np.array2string(value, separator=", ", threshold=200)
    return repr(value)
