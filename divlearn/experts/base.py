"""``Expert``: a rule that scores actions by the statistics all experts share."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, ClassVar


class Expert(ABC):
    """A rule to choose an action at a position: the highest score wins.

    An expert of one's own derives from this class and writes ``score`` as a plain
    function of numbers, which is compiled when a search starts. Check it with
    :func:`divlearn.testing.check_expert`.

    Examples
    --------
    >>> from divlearn.experts import Expert
    >>> class Greedy(Expert):
    ...     name = "greedy"
    ...
    ...     @staticmethod
    ...     def score(value, variance, visits, log_weight, loss, updates,
    ...               temperature, num_actions, a, b, u, v):
    ...         return value
    >>> Greedy().describe()
    {'expert': 'greedy'}
    """

    name: ClassVar[str]

    @staticmethod
    @abstractmethod
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
        """Score one action of one position; must compile, so plain arithmetic only.

        Parameters
        ----------
        value, variance
            Mean and variance of the normalised rewards, in [-1, 1], of solutions with
            this action; the variance is 1 before two visits.
        visits
            Number of those rewards.
        log_weight
            Logarithm of the share of EXP3's multiplicative weight.
        loss
            Cumulative importance-weighted loss.
        updates
            Number of rewards so far.
        temperature
            Falls from 1 with the iterations.
        num_actions
            Number of actions at the position.
        a, b
            What :meth:`parameters` returned.
        u, v
            Two independent random numbers in [0, 1), drawn for this call.
        """

    def parameters(self, num_positions: int) -> tuple[float, float]:
        """Two numbers passed to every call of ``score``."""
        return 0.0, 0.0

    def describe(self) -> dict[str, Any]:
        """Name and settings as plain data."""
        return {"expert": self.name, **vars(self)}
