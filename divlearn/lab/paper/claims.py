"""What the paper claims, what was measured, and whether the one agrees with the other.

A claim is decided by the 95 % interval of a mean over independent runs. It holds if the
whole interval agrees with it, does not hold if the whole interval contradicts it, and
is not decided otherwise: more runs may decide it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from divlearn.basics.typing import Floats
from divlearn.metrics import summarize

HOLDS, FAILS, OPEN = "holds", "does not hold", "not decided"
VERDICTS = (HOLDS, FAILS, OPEN)
#: What a table shows where nothing was measured.
NOTHING = "-"


@dataclass(frozen=True)
class Claim:
    """A statement of the paper beside a measurement.

    Attributes
    ----------
    line
        Line of the paper's source where it stands.
    text
        The statement, in a sentence.
    paper, measured
        The paper's numbers and ours.
    verdict
        One of :data:`VERDICTS`.
    rule
        How the verdict follows from the numbers.
    """

    line: int
    text: str
    paper: str
    measured: str
    verdict: str
    rule: str


def interval(values: ArrayLike) -> tuple[float, float, float]:
    """Mean and Student's 95 % interval of values; NaN where there are too few.

    Examples
    --------
    >>> [round(number, 3) for number in interval([1.0, 2.0, 3.0])]
    [2.0, -0.484, 4.484]
    """
    known = _known(values)
    if not len(known):
        return math.nan, math.nan, math.nan
    summary = summarize(known)
    return summary.mean, summary.low, summary.high


def judge(
    values: ArrayLike, *, above: float | None = None, below: float | None = None
) -> str:
    """Decide whether a mean lies above one limit and below another.

    Parameters
    ----------
    values
        One number per independent run, such as a difference of two methods.
    above, below
        What the paper claims of their mean; at least one of the two.

    Examples
    --------
    >>> judge([0.2, 0.3, 0.25], above=0.0), judge([0.2, 0.3, 0.25], below=0.1)
    ('holds', 'does not hold')
    >>> judge([-1.0, 1.0], above=0.0), judge([0.5], above=0.0)
    ('not decided', 'not decided')
    >>> judge([0.0, 0.0, 0.0], above=0.0)
    'does not hold'
    """
    _, low, high = interval(values)
    least = -math.inf if above is None else above
    most = math.inf if below is None else below
    if low > least and high < most:
        return HOLDS
    return FAILS if high <= least or low >= most else OPEN


def all_of(verdicts: list[str]) -> str:
    """Verdict on a claim of several parts: it holds if all do, fails if one fails.

    Examples
    --------
    >>> all_of([HOLDS, OPEN]), all_of([HOLDS, OPEN, FAILS]), all_of([])
    ('not decided', 'does not hold', 'not decided')
    """
    if FAILS in verdicts:
        return FAILS
    return HOLDS if verdicts and set(verdicts) == {HOLDS} else OPEN


def said(values: ArrayLike, form: str = ".4f") -> str:
    """Write a mean with its interval.

    Examples
    --------
    >>> said([1.0, 2.0, 3.0], ".1f"), said([0.5], ".1f"), said([])
    ('2.0 (-0.5 to 4.5)', '0.5', '-')
    """
    mean, low, high = interval(values)
    if math.isnan(mean):
        return NOTHING
    if math.isnan(low):
        return f"{mean:{form}}"
    return f"{mean:{form}} ({low:{form}} to {high:{form}})"


def _known(values: ArrayLike) -> Floats:
    """Leave NaN out."""
    numbers = np.asarray(values, np.float64)
    return np.asarray(numbers[~np.isnan(numbers)])
