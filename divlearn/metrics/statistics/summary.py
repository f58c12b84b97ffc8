"""The mean of many runs, and how precisely it is known."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from divlearn.basics.errors import InputError
from divlearn.basics.typing import Floats
from divlearn.metrics.statistics.student import require_share, student_quantile

#: Larger numbers have squares that are not finite.
GREATEST = 1e150
#: Smaller numbers would have too many decimals to read.
LEAST_ERROR = 1e-10


@dataclass(frozen=True, repr=False)
class Summary:
    """Mean of some values, and how precisely it is known.

    Attributes
    ----------
    mean
        Their mean.
    standard_error
        Standard deviation of the mean; NaN if there is only one value.
    low, high
        Student's interval for the mean; NaN if there is only one value.
    count
        Number of values.
    missing
        Number of values that were NaN or None and are left out.
    level
        Probability that the interval is made for.
    """

    mean: float
    standard_error: float
    low: float
    high: float
    count: int
    missing: int = 0
    level: float = 0.95

    def __str__(self) -> str:
        interval = interval_text(self.standard_error, self.low, self.high, self.level)
        mean = rounded_text(self.mean, self.standard_error)
        return f"{mean}{interval}, {counted(self.count, 'value')}" + (
            f" and {self.missing:,} missing" if self.missing else ""
        )

    def __repr__(self) -> str:
        return f"<Summary: {self}>"


def summarize(values: ArrayLike, *, level: float = 0.95) -> Summary:
    """Give the mean of some values, its standard error and Student's interval.

    Parameters
    ----------
    values
        One number per run, shape (n,). NaN and None are missing: left out and counted.
    level
        Probability that the interval is made for.

    Examples
    --------
    >>> from divlearn.metrics import summarize
    >>> summarize([0.61, 0.63, 0.62, None])
    <Summary: 0.6200 ± 0.0058 (95 % interval 0.5952 to 0.6448), 3 values and 1 missing>
    >>> summarize([0.61, 0.63, 0.62]).mean
    0.62
    """
    given = read_values("values", values)
    kept = given[~np.isnan(given)]
    require_some("values", len(kept), len(given))
    mean, error, (low, high) = mean_and_interval(kept, level)
    return Summary(
        mean, error, low, high, len(kept), len(given) - len(kept), float(level)
    )


def mean_and_interval(
    values: Floats, level: float
) -> tuple[float, float, tuple[float, float]]:
    """Mean, standard error, and Student's interval for the mean."""
    level, count = require_share("level", level), len(values)
    mean = math.fsum(values) / count  # exact sums: equal values have no deviation
    if count == 1:
        return mean, math.nan, (math.nan, math.nan)
    variance = math.fsum((values - mean) ** 2) / (count - 1)
    error = math.sqrt(variance / count)
    reach = student_quantile((1.0 + level) / 2.0, count - 1) * error
    return mean, error, (mean - reach, mean + reach)


def read_values(argument: str, values: Any) -> Floats:
    """Turn numbers, with NaN or None for missing ones, into shape (n,)."""
    try:
        array = np.array(values, np.float64)
    except (TypeError, ValueError):
        array = np.empty((0, 0))
    if array.ndim != 1 or (np.abs(array) > GREATEST).any():
        raise InputError(
            f"{argument} needs one number per run, shape (n,), none of them infinite "
            f"(NaN or None where one is missing), got {values!r}."
        )
    return array


def require_some(argument: str, kept: int, given: int) -> None:
    """Raise if nothing is left to average."""
    if not kept:
        raise InputError(
            f"{argument} need at least one value that is not missing, got "
            f"{given} and none of them complete."
        )


def interval_text(error: float, low: float, high: float, level: float) -> str:
    """Write standard error and interval, if there are any."""
    if math.isnan(error):
        return ""
    error_text, low_text, high_text = (
        rounded_text(number, error) for number in (error, low, high)
    )
    return f" ± {error_text} ({100 * level:g} % interval {low_text} to {high_text})"


def rounded_text(number: float, error: float, sign: str = "-") -> str:
    """Write a number with enough decimals to show two digits of its error."""
    if not LEAST_ERROR < error < math.inf:
        return f"{number:{sign}.6g}"
    decimals = max(0, 1 - math.floor(math.log10(error)))
    return f"{number:{sign}.{decimals}f}"


def counted(count: int, noun: str, plural: str = "s") -> str:
    """Write a number with its noun."""
    return f"{count:,} {noun}{'' if count == 1 else plural}"
