"""Quantiles of Student's t distribution."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache

import numpy as np

from divlearn.basics.checks import require_number, require_whole
from divlearn.basics.errors import InputError

#: From here an expansion around the normal distribution is exact to 12 digits.
MANY_DEGREES = 10_000


def student_quantile(probability: float, degrees: int) -> float:
    """The value below which Student's t stays with the given probability.

    Parameters
    ----------
    probability
        Between 0 and 1, both excluded.
    degrees
        Degrees of freedom: for the mean of n values n - 1.

    References
    ----------
    M. Abramowitz, I. A. Stegun: Handbook of Mathematical Functions, formulas 26.7.3,
    26.7.4 (the distribution for whole degrees) and 26.7.5 (many degrees).

    Examples
    --------
    >>> from divlearn.metrics import student_quantile
    >>> f"{student_quantile(0.975, 4):.4f}"
    '2.7764'
    """
    degrees = require_whole("degrees", degrees, least=1)
    probability = require_share("probability", probability)
    central = abs(2.0 * probability - 1.0)
    quantile = _upper_limit(central, degrees)
    return quantile if probability >= 0.5 else -quantile


def require_share(name: str, value: object) -> float:
    """Check that ``value`` lies strictly between 0 and 1."""
    share = require_number(name, value, 0.0, 1.0)
    if share in (0.0, 1.0):
        raise InputError(
            f"{name} must be between 0 and 1, such as 0.95, and neither of the two, "
            f"got {value!r}."
        )
    return share


@lru_cache(maxsize=256)
def _upper_limit(central: float, degrees: int) -> float:
    """Value t such that Student's t lies in -t .. t with probability ``central``."""
    if degrees > MANY_DEGREES:
        return _near_normal(central, degrees)
    share = _central_share(degrees)
    low, high = 0.0, math.pi / 2
    for _ in range(64):  # down to the last digit of a float
        middle = (low + high) / 2
        low, high = (middle, high) if share(middle) < central else (low, middle)
    return math.sqrt(degrees) * math.tan(low)


def _central_share(degrees: int) -> Callable[[float], float]:
    """Probability of -t .. t as a function of the angle arctan(t / sqrt(degrees))."""
    odd = degrees % 2
    steps = np.arange(1, (degrees - odd) // 2)
    ratios = (2 * steps) / (2 * steps + 1) if odd else (2 * steps - 1) / (2 * steps)
    coefficients = np.cumprod(np.concatenate([[1.0], ratios]))
    powers = np.arange(len(coefficients))

    def share(angle: float) -> float:
        sine, cosine = math.sin(angle), math.cos(angle)
        series = sine * float(coefficients @ cosine ** (2.0 * powers))
        if not odd:
            return series
        rest = cosine * series if degrees > 1 else 0.0
        return 2.0 / math.pi * (angle + rest)

    return share


def _near_normal(central: float, degrees: int) -> float:
    """First terms of the expansion in powers of 1 / degrees."""
    from statistics import NormalDist  # slow to import and seldom needed

    z = NormalDist().inv_cdf((1.0 + central) / 2.0)
    first = (z**3 + z) / 4.0
    second = (5.0 * z**5 + 16.0 * z**3 + 3.0 * z) / 96.0
    return z + first / degrees + second / degrees**2
