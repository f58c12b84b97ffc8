"""Thompson sampling: a draw from what is believed of an action's mean."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

from divlearn.checks import require_number
from divlearn.experts.base import Expert


@dataclass(frozen=True)
class Thompson(Expert):
    """A normal draw around the running mean with the running variance over N + 1.

    Parameters
    ----------
    scale
        Factor on the standard deviation of the draw; 1 is the posterior's own.

    Examples
    --------
    >>> Thompson(scale=0).score(0.5, 1, 4, 0, 0, 9, 1, 9, 0, 0, 0.3, 0.3)
    0.5
    """

    scale: float = 1.0
    name: ClassVar[str] = "thompson"

    def __post_init__(self) -> None:
        require_number("scale", self.scale)

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
        """Box-Muller draw from the posterior of the mean."""
        normal = math.sqrt(-2.0 * math.log(1.0 - u)) * math.cos(2.0 * math.pi * v)
        return value + a * normal * math.sqrt(variance / (visits + 1.0))

    def parameters(self, num_positions: int) -> tuple[float, float]:
        """The scale."""
        return self.scale, 0.0
