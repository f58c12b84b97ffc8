"""Follow the regularised leader, as the paper writes it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

from divlearn.basics.checks import require_number
from divlearn.methods.paper.experts.base import Expert
from divlearn.methods.paper.kernels.known import Known


@dataclass(frozen=True)
class FTRL(Expert):
    """``-L + gamma sqrt(N + 1)`` with cumulative losses L.

    Losses lie in [0, 2] before weighting and so can only grow: in effect this rule
    takes an action that was visited least, the one whose losses had no time to add
    up. The measured effect is that of exploration.

    Parameters
    ----------
    gamma
        Factor of the regularisation; None for ``1 / sqrt(n)``.

    Examples
    --------
    >>> FTRL.score(Known(visits=3.0, loss=5.0), FTRL(gamma=0.5))
    -4.0
    """

    gamma: float | None = None
    name: ClassVar[str] = "ftrl"

    def __post_init__(self) -> None:
        if self.gamma is not None:
            require_number("gamma", self.gamma)

    @staticmethod
    def score(known: Known, options: Any) -> float:
        """Regularised negative loss."""
        bonus: float = options.gamma * math.sqrt(known.visits + 1.0)
        return bonus - known.loss

    def options(self, num_positions: int) -> dict[str, float]:
        """The factor."""
        gamma = self.gamma if self.gamma is not None else num_positions**-0.5
        return {"gamma": gamma}
