"""Two methods on the same instances."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from divlearn.basics.checks import require_number, require_one_of
from divlearn.basics.errors import InputError
from divlearn.basics.typing import Floats
from divlearn.metrics.dominance import SIGNS
from divlearn.metrics.statistics.summary import (
    counted,
    interval_text,
    mean_and_interval,
    read_values,
    require_some,
    rounded_text,
)
from divlearn.metrics.statistics.wilcoxon import wilcoxon_signed_rank


@dataclass(frozen=True, repr=False)
class Comparison:
    """Two methods on the same instances.

    Attributes
    ----------
    mean_difference
        Mean of first minus second.
    standard_error
        Standard deviation of that mean; NaN if there is only one pair.
    interval
        Student's interval for it, ``(low, high)``; NaN if there is only one pair.
    p_value
        p-value of the signed-rank test, two-sided.
    wins, ties, losses
        Number of instances on which the first is better than, as good as, worse than
        the second.
    count
        Number of pairs.
    missing
        Number of pairs that lack a value and are left out.
    level
        Probability that the interval is made for.
    """

    mean_difference: float
    standard_error: float
    interval: tuple[float, float]
    p_value: float
    wins: int
    ties: int
    losses: int
    count: int
    missing: int = 0
    level: float = 0.95

    def __str__(self) -> str:
        interval = interval_text(self.standard_error, *self.interval, self.level)
        difference = rounded_text(self.mean_difference, self.standard_error, "+")
        return (
            f"{difference}{interval}, p = {self.p_value:.3g}, "
            f"{counted(self.wins, 'win')}, {counted(self.ties, 'tie')}, "
            f"{counted(self.losses, 'loss', 'es')} in {counted(self.count, 'pair')}"
        ) + (f", {self.missing:,} incomplete" if self.missing else "")

    def __repr__(self) -> str:
        return f"<Comparison: {self}>"


def compare(
    first: ArrayLike,
    second: ArrayLike,
    *,
    sense: str = "max",
    level: float = 0.95,
    tolerance: float = 1e-9,
) -> Comparison:
    """Compare two methods on the same instances, pair by pair.

    Parameters
    ----------
    first, second
        One number per instance, in the same order of instances, shape (n,) both. Pairs
        with a missing value (NaN or None) are left out and counted.
    sense
        ``"max"`` if more is better, as for the hypervolume, otherwise ``"min"``.
    level
        Probability that the interval is made for.
    tolerance
        Values that differ by no more than this share of the greater one count as equal:
        a tie, and no difference in the signed-rank test. So the last digits of a float
        do not decide.

    Examples
    --------
    >>> from divlearn.metrics import compare
    >>> ours, theirs = [0.62, 0.64, 0.61, 0.66, 0.60], [0.60, 0.61, 0.60, 0.61, 0.60]
    >>> result = compare(ours, theirs)
    >>> result.wins, result.ties, result.losses, result.p_value
    (4, 1, 0, 0.125)
    """
    sign = -SIGNS[require_one_of("sense", sense, SIGNS)]
    tolerance = require_number("tolerance", tolerance, least=0.0)
    pairs = _read_pairs(first, second)
    kept = pairs[:, ~np.isnan(pairs).any(axis=0)]
    require_some("first and second", kept.shape[1], pairs.shape[1])
    differences = kept[0] - kept[1]
    mean, error, interval = mean_and_interval(differences, level)
    equal = np.abs(differences) <= tolerance * np.abs(kept).max(axis=0)
    decided = np.where(equal, 0.0, sign * differences)
    return Comparison(
        mean,
        error,
        interval,
        wilcoxon_signed_rank(decided),
        wins=int((decided > 0).sum()),
        ties=int((decided == 0).sum()),
        losses=int((decided < 0).sum()),
        count=len(differences),
        missing=pairs.shape[1] - kept.shape[1],
        level=float(level),
    )


def _read_pairs(first: Any, second: Any) -> Floats:
    """Both rows, shape (2, n)."""
    rows = [read_values("first", first), read_values("second", second)]
    if len(rows[0]) != len(rows[1]):
        raise InputError(
            "first and second need one value per instance, in the same order, got "
            f"{len(rows[0])} and {len(rows[1])} values; put NaN where one is missing."
        )
    return np.array(rows)
