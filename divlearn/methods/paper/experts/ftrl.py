"""Follow the regularised leader, in the two ways that the paper writes it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

from divlearn.basics.checks import require_number
from divlearn.methods.paper.experts.base import Expert
from divlearn.methods.paper.kernels.known import Known


@dataclass(frozen=True)
class FTRL(Expert):
    """``-L + gamma sqrt(N + 1)`` with cumulative losses L, as in Algorithm 2.

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


@dataclass(frozen=True)
class EntropicFTRL(Expert):
    """Draws an action with probability proportional to ``exp(-rate L)``.

    This is the distribution p that minimises ``<p, L> - H(p) / rate`` over the
    simplex, with the entropy H as regulariser: FTRL as the paper's text and its
    theorem describe it. The draw is by Gumbel noise, as that of :class:`EXP3`.

    Parameters
    ----------
    rate
        eta; None for the theorem's ``sqrt(2 log d / t)`` with d actions and t updates
        so far, so that the number of updates need not be known before.

    Examples
    --------
    >>> known = Known(loss=4.0, num_actions=math.e, updates=2.0, u=math.exp(-1.0))
    >>> round(EntropicFTRL.score(known, EntropicFTRL(rate=0.5)), 6)
    -2.0
    """

    rate: float | None = None
    name: ClassVar[str] = "ftrl-entropic"
    noise: ClassVar[str] = "gumbel"

    def __post_init__(self) -> None:
        if self.rate is not None:
            require_number("rate", self.rate, 0)

    @staticmethod
    def score(known: Known, options: Any) -> float:
        """Negative loss times the rate, plus Gumbel noise."""
        rate: float = options.rate
        if rate < 0.0:
            updates = max(known.updates, 1.0)
            rate = math.sqrt(2.0 * math.log(known.num_actions) / updates)
        noise = -math.log(-math.log(max(known.u, 1e-300)))
        return noise - rate * known.loss

    def options(self, num_positions: int) -> dict[str, float]:
        """The rate; -1 for that of the theorem."""
        return {"rate": -1.0 if self.rate is None else self.rate}
