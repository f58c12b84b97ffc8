"""How fast sums grow with the number of rounds: exponents and their intervals."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from divlearn.basics.typing import Floats, Integers

#: Exponents are fitted from this share of the rounds on: the beginning is a transient.
FITTED_FROM = 0.1
RESAMPLES = 1_000


@dataclass(frozen=True)
class Exponent:
    """The slope of a straight line through a curve on logarithmic axes.

    Attributes
    ----------
    value
        Of the mean of all curves.
    low, high
        95 % interval by resampling whole curves.
    """

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.value:.2f} ({self.low:.2f} to {self.high:.2f})"


def slope(curve: Floats, start: float = FITTED_FROM) -> float:
    """Exponent of one curve that is known at T = 1, 2, ..., shape (T,).

    Points are evenly spaced in log T, so that the last rounds do not outweigh the
    others. A curve that stays at 0 has the exponent 0.

    Examples
    --------
    >>> round(slope(np.sqrt(np.arange(1.0, 1001.0))), 3)
    0.5
    """
    rounds = marks(len(curve), start)
    values = curve[rounds - 1]
    if not (values > 0.0).all():
        return 0.0 if values[-1] <= 0.0 else float("nan")
    return float(np.polyfit(np.log(rounds), np.log(values), 1)[0])


def exponent(curves: Floats, start: float = FITTED_FROM, seed: int = 0) -> Exponent:
    """Exponent of the mean of curves, shape (runs, T), with an interval over runs."""
    rng = np.random.default_rng(seed)
    rounds = marks(curves.shape[1], start)
    drawn = rng.integers(len(curves), size=(RESAMPLES, len(curves)))
    means = curves[:, rounds - 1][drawn].mean(axis=1)
    means = means[(means > 0.0).all(axis=1)]
    steps = np.log(rounds) - np.log(rounds).mean()
    known = (np.log(means) @ steps) / (steps @ steps)
    low, high = np.quantile(known, [0.025, 0.975]) if len(known) else (0.0, 0.0)
    return Exponent(slope(curves.mean(axis=0), start), float(low), float(high))


def marks(rounds: int, start: float = 0.0, count: int = 60) -> Integers:
    """Numbers of rounds evenly spaced in their logarithm, the last one included."""
    first = max(1.0, start * rounds)
    spread = np.geomspace(first, rounds, count).round().astype(np.int64)
    return np.unique(np.clip(spread, 1, rounds))
