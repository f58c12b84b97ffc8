"""Upper confidence bound: the best that an action may still turn out to be."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

from divlearn.basics.checks import require_number
from divlearn.methods.paper.experts.base import Expert
from divlearn.methods.paper.kernels.known import Known


@dataclass(frozen=True)
class UCB(Expert):
    """``V + c sqrt(log t / N)``; actions never tried come first.

    Parameters
    ----------
    coefficient
        c; the paper uses 3.

    Examples
    --------
    >>> UCB.score(Known(value=0.5, visits=4.0, updates=1.0), UCB())  # log 1 = 0
    0.5
    """

    coefficient: float = 3.0
    name: ClassVar[str] = "ucb"

    def __post_init__(self) -> None:
        require_number("coefficient", self.coefficient)

    @staticmethod
    def score(known: Known, options: UCB) -> float:
        """Mean plus bonus."""
        if known.visits == 0.0:
            return math.inf
        bonus = math.sqrt(math.log(known.updates) / known.visits)
        return known.value + options.coefficient * bonus
