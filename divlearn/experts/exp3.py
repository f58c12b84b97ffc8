"""EXP3: actions drawn by multiplicative weights, safe against adversaries."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

from divlearn.experts.base import Expert


@dataclass(frozen=True)
class EXP3(Expert):
    """Draws an action with probability proportional to ``W^(1 / temperature)``.

    The draw is the highest of log-weights with Gumbel noise, which is the same as
    drawing from their softmax. Learning rate and clipping belong to the update of the
    weights, see :class:`divlearn.experts.Learning`.

    Examples
    --------
    >>> round(EXP3().score(0, 1, 1, -2.0, 0, 9, 1.0, 9, 0, 0, 0.36787944, 0), 6)
    -2.0
    """

    name: ClassVar[str] = "exp3"

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
        """Log-weight over temperature plus Gumbel noise."""
        return log_weight / temperature - math.log(-math.log(max(u, 1e-300)))
