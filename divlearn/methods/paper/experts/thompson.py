"""Thompson sampling: a draw from what is believed of an action's mean."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

from divlearn.basics.checks import require_number
from divlearn.methods.paper.experts.base import Expert
from divlearn.methods.paper.kernels.known import Known


@dataclass(frozen=True)
class Thompson(Expert):
    """A normal draw around the running mean with the running variance over N + 1.

    Parameters
    ----------
    scale
        Factor on the standard deviation of the draw; 1 is the posterior's own.

    Examples
    --------
    >>> Thompson.score(Known(value=0.5, visits=4.0), Thompson(scale=0))
    0.5
    """

    scale: float = 1.0
    name: ClassVar[str] = "thompson"
    noise: ClassVar[str] = "normal"

    def __post_init__(self) -> None:
        require_number("scale", self.scale)

    @staticmethod
    def score(known: Known, options: Thompson) -> float:
        """Box-Muller draw from the posterior of the mean."""
        radius = math.sqrt(-2.0 * math.log(1.0 - known.u))
        normal = radius * math.cos(2.0 * math.pi * known.v)
        deviation = math.sqrt(known.variance / (known.visits + 1.0))
        return known.value + options.scale * normal * deviation
