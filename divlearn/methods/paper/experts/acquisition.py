"""Acquisition functions of Bayesian optimization, as further first experts.

All believe what :class:`Thompson` draws from: the mean reward of an action is normal
around V with variance s^2 = Var / (N + 1).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

from divlearn.basics.checks import require_number
from divlearn.methods.paper.experts.base import Expert
from divlearn.methods.paper.kernels.known import Known


@dataclass(frozen=True)
class EI(Expert):
    """Expected improvement over the best mean of the actions that are available.

    ``d Phi(d / s) + s phi(d / s)`` with ``d = V - best``.

    Examples
    --------
    >>> round(EI.score(Known(value=0.5, best=0.5, visits=3.0), None), 6)
    0.199471
    """

    name: ClassVar[str] = "ei"

    @staticmethod
    def score(known: Known, options: Any) -> float:
        """Mean of what is gained, where losses count as 0."""
        difference = known.value - known.best
        deviation = math.sqrt(known.variance / (known.visits + 1.0))
        if deviation == 0.0:
            return max(difference, 0.0)
        z = difference / deviation
        below = 0.5 * math.erfc(-z / math.sqrt(2.0))
        density = math.exp(-0.5 * z * z) / math.sqrt(2.0 * math.pi)
        return difference * below + deviation * density


@dataclass(frozen=True)
class PI(Expert):
    """Probability of an improvement over the best mean by more than a margin.

    The score is ``(V - best - margin) / s``, of which the probability is a rising
    function; it still tells actions apart where the probability is 0 in a computer.

    Parameters
    ----------
    margin
        How much better than the best mean counts as better. With 0 the best action
        itself is better with probability 1/2, which few others reach.

    Examples
    --------
    >>> PI.score(Known(value=0.5, best=0.5, visits=3.0), PI(margin=0.25))
    -0.5
    """

    margin: float = 0.01
    name: ClassVar[str] = "pi"

    def __post_init__(self) -> None:
        require_number("margin", self.margin, 0)

    @staticmethod
    def score(known: Known, options: PI) -> float:
        """By how many standard deviations the mean would have to be better."""
        difference = known.value - known.best - options.margin
        deviation = math.sqrt(known.variance / (known.visits + 1.0))
        if deviation == 0.0:
            return 0.0 if difference == 0.0 else math.copysign(math.inf, difference)
        return difference / deviation


@dataclass(frozen=True)
class KG(Expert):
    """Knowledge gradient: how much one more reward would raise the best mean.

    ``w (z Phi(z) + phi(z))`` with ``z = -|V - rival| / w``, where rival is the best
    mean of the other actions and ``w^2 = Var / (N + 1) - Var / (N + 2)`` is the
    variance that the reward would take away.

    Examples
    --------
    >>> round(KG.score(Known(value=0.5, rival=0.5, visits=0.0), None), 6)
    0.282095
    """

    name: ClassVar[str] = "kg"

    @staticmethod
    def score(known: Known, options: Any) -> float:
        """Mean of the rise, which is 0 if the order of the means stays."""
        gone = known.variance / ((known.visits + 1.0) * (known.visits + 2.0))
        if gone == 0.0:
            return 0.0
        z = -abs(known.value - known.rival) / math.sqrt(gone)
        below = 0.5 * math.erfc(-z / math.sqrt(2.0))
        density = math.exp(-0.5 * z * z) / math.sqrt(2.0 * math.pi)
        return math.sqrt(gone) * max(0.0, z * below + density)
