"""``Expert``: a rule that scores actions by the statistics all experts share."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, ClassVar

from divlearn.methods.paper.kernels.known import Known


class Expert(ABC):
    """A rule to choose an action at a position: the highest score wins.

    An expert of one's own derives from this class and writes ``score`` as a plain
    function of what is known, which is compiled when a search starts. Check it with
    :func:`divlearn.testing.check_expert`.

    Examples
    --------
    >>> from divlearn.methods.paper.experts import Expert
    >>> class Greedy(Expert):
    ...     name = "greedy"
    ...
    ...     @staticmethod
    ...     def score(known):
    ...         return known.value
    >>> Greedy().describe()
    {'expert': 'greedy'}
    """

    name: ClassVar[str]

    @staticmethod
    @abstractmethod
    def score(known: Known) -> float:
        """Score one action of one position; must compile, so plain arithmetic only.

        Parameters
        ----------
        known
            What is known of the action: ``known.value``, ``known.visits`` and so on,
            see :class:`Known`.
        """

    def parameters(self, num_positions: int) -> tuple[float, float]:
        """Two numbers that ``score`` gets as ``known.a`` and ``known.b``."""
        return 0.0, 0.0

    def describe(self) -> dict[str, Any]:
        """Name and settings as plain data."""
        return {"expert": self.name, **vars(self)}
