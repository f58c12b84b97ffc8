"""Upper confidence bound: the best that an action may still turn out to be."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

from divlearn.checks import require_number
from divlearn.experts.base import Expert


@dataclass(frozen=True)
class UCB(Expert):
    """``V + c sqrt(log t / N)``; actions never tried come first.

    Parameters
    ----------
    coefficient
        c; the paper uses 3.

    Examples
    --------
    >>> UCB().score(0.5, 1, 4, 0, 0, 1, 1, 9, 3, 0, 0, 0)  # log 1 = 0
    0.5
    """

    coefficient: float = 3.0
    name: ClassVar[str] = "ucb"

    def __post_init__(self) -> None:
        require_number("coefficient", self.coefficient)

    @staticmethod
    def score(
        value: float,
        variance: float,
        visits: float,
        log_weight: float,
        loss: float,
        updates: float,
        temperature: float,
        num_actions: float,
        a: float,
        b: float,
        u: float,
        v: float,
    ) -> float:
        """Mean plus bonus."""
        if visits == 0.0:
            return math.inf
        return value + a * math.sqrt(math.log(updates) / visits)

    def parameters(self, num_positions: int) -> tuple[float, float]:
        """The coefficient."""
        return self.coefficient, 0.0
