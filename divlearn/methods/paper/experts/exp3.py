"""EXP3: actions drawn by multiplicative weights, safe against adversaries."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

from divlearn.methods.paper.experts.base import Expert
from divlearn.methods.paper.kernels.known import Known


@dataclass(frozen=True)
class EXP3(Expert):
    """Draws an action with probability proportional to ``W^(1 / temperature)``.

    The draw is the highest of log-weights with Gumbel noise, which is the same as
    drawing from their softmax. Learning rate and clipping belong to the update of the
    weights, see :class:`divlearn.methods.paper.experts.Learning`.

    Examples
    --------
    >>> round(EXP3.score(Known(log_weight=-2.0, u=math.exp(-1.0)), None), 6)
    -2.0
    """

    name: ClassVar[str] = "exp3"
    noise: ClassVar[str] = "gumbel"

    @staticmethod
    def score(known: Known, options: Any) -> float:
        """Log-weight over temperature plus Gumbel noise."""
        noise = -math.log(-math.log(max(known.u, 1e-300)))
        return known.log_weight / known.temperature + noise
