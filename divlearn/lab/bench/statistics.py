"""How runs are spread: worst case, quartiles, variation, stability."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from divlearn.basics.typing import Floats

#: Costs that differ by no more than this share count as the same.
SAME_COST = 0.01


@dataclass(frozen=True)
class Spread:
    """What many runs of one kind are like; NaN where there are too few.

    Attributes
    ----------
    count
        Number of values.
    mean, deviation
        Mean, and standard deviation with count - 1 in the denominator.
    least, greatest
        The extremes; which of them is the worst case depends on the measure.
    median, low_quartile, high_quartile
        Quantiles, linear between values.
    """

    count: int
    mean: float
    deviation: float
    least: float
    greatest: float
    median: float
    low_quartile: float
    high_quartile: float

    @property
    def interquartile_range(self) -> float:
        """Distance of the quartiles."""
        return self.high_quartile - self.low_quartile

    @property
    def variation(self) -> float:
        """Coefficient of variation: standard deviation over the size of the mean."""
        return self.deviation / abs(self.mean) if self.mean else math.nan

    @property
    def stability(self) -> float:
        """Mean over standard deviation, as the paper takes it."""
        return self.mean / self.deviation if self.deviation else math.nan


def spread_of(values: ArrayLike) -> Spread:
    """Say how values are spread; those that are NaN are left out.

    Examples
    --------
    >>> spread = spread_of([1.0, 2.0, 3.0, 6.0])
    >>> spread.median, spread.interquartile_range, spread.least
    (2.5, 2.0, 1.0)
    >>> round(spread.stability, 3)
    1.389
    """
    numbers = np.asarray(values, np.float64)
    numbers = numbers[~np.isnan(numbers)]
    if not len(numbers):
        return Spread(0, *(7 * [math.nan]))
    low, median, high = np.quantile(numbers, (0.25, 0.5, 0.75))
    return Spread(
        len(numbers),
        float(numbers.mean()),
        float(numbers.std(ddof=1)) if len(numbers) > 1 else math.nan,
        float(numbers.min()),
        float(numbers.max()),
        float(median),
        float(low),
        float(high),
    )


def over_seeds(values: Mapping[tuple[int, int], float], statistic: str) -> Floats:
    """Take a statistic over the seeds of each instance, shape (instances,).

    Instances differ far more from each other than seeds do. So what a paper calls the
    worst case or the deviation of a method is taken for each instance by itself.

    Parameters
    ----------
    values
        By (instance, seed).
    statistic
        Name of an attribute of :class:`Spread`.

    Examples
    --------
    >>> values = {(0, 0): 1.0, (0, 1): 3.0, (1, 0): 10.0, (1, 1): 14.0}
    >>> over_seeds(values, "least")
    array([ 1., 10.])
    """
    groups: dict[int, list[float]] = {}
    for (instance, _), value in sorted(values.items()):
        groups.setdefault(instance, []).append(value)
    found = [getattr(spread_of(group), statistic) for group in groups.values()]
    return np.array(found, np.float64)


def marginal_efficiency(gains: ArrayLike, costs: ArrayLike) -> Floats:
    """Gain per unit of cost between neighbours of a sweep, the paper's eta.

    Parameters
    ----------
    gains, costs
        Quality and cost of each step of the sweep, shape (k,) both.

    Returns
    -------
    Differences of gains over differences of costs, shape (k - 1,); NaN where the cost
    stays the same but for 1 %.

    Examples
    --------
    >>> marginal_efficiency([0.4, 0.5, 0.5], [1.0, 3.0, 3.0])
    array([0.05,  nan])
    """
    more, dearer = np.diff(np.asarray(gains)), np.diff(np.asarray(costs))
    same = np.abs(dearer) <= SAME_COST * np.abs(np.asarray(costs))[:-1]
    return np.asarray(more / np.where(same, np.nan, dearer), np.float64)
