"""How fast sums grow with the number of rounds: exponents and their intervals."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from divlearn.basics.typing import Floats, Integers

#: Exponents are fitted on the last nine tenths of the rounds, without the beginning.
FITTED_FROM = 0.1
RESAMPLES = 1_000
MARKS = 80


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


def marks(rounds: int, count: int = MARKS) -> Integers:
    """Numbers of rounds evenly spaced in their logarithm, first and last included.

    Examples
    --------
    >>> marks(100, 5)
    array([  1,   3,  10,  32, 100])
    """
    return np.unique(np.geomspace(1, rounds, count).round().astype(np.int64))


def slope(rounds: Integers, values: Floats) -> Floats:
    """Exponents of curves whose values are positive, shape (..., k) -> (...).

    Examples
    --------
    >>> round(float(slope(marks(1000), np.sqrt(marks(1000)))), 3)
    0.5
    """
    steps = np.log(rounds) - np.log(rounds).mean()
    return np.asarray(np.log(values) @ steps / (steps @ steps))


def exponent(rounds: Integers, curves: Floats, seed: int = 0) -> Exponent:
    """Exponent of the mean of curves, with an interval over the curves.

    Parameters
    ----------
    rounds
        Numbers of rounds at which the curves are known, shape (k,), such as
        :func:`marks`: evenly spaced in log T, so that late rounds count no more.
    curves
        Sums until then, shape (runs, k). Where they are 0, nothing has grown.
    seed
        Of the resampling.
    """
    late = rounds >= FITTED_FROM * rounds[-1]
    known, values = rounds[late], curves[:, late]
    drawn = np.random.default_rng(seed).integers(
        len(values), size=(RESAMPLES, len(values))
    )
    means = values[drawn].mean(axis=1)
    means, whole = means[(means > 0.0).all(axis=1)], values.mean(axis=0)
    if not len(means) or not (whole > 0.0).all():
        return Exponent(0.0, 0.0, 0.0)
    low, high = np.quantile(slope(known, means), [0.025, 0.975])
    return Exponent(float(slope(known, whole)), float(low), float(high))
