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
    ...     def score(known, options):
    ...         return known.value
    >>> Greedy().describe()
    {'expert': 'greedy'}
    """

    name: ClassVar[str]

    @staticmethod
    @abstractmethod
    def score(known: Known, options: Any) -> float:
        """Score one action of one position; must compile, so plain arithmetic only.

        Parameters
        ----------
        known
            What is known of the action: ``known.value``, ``known.visits`` and so on,
            see :class:`Known`.
        options
            What :meth:`options` returns, by name: ``options.coefficient``.
        """

    def options(self, num_positions: int) -> dict[str, float]:
        """Numbers that ``score`` gets by name; unless overridden, all attributes."""
        return {name: float(value) for name, value in vars(self).items()}

    def describe(self) -> dict[str, Any]:
        """Name and options as plain data."""
        from divlearn.methods.paper.experts.by_name import EXPERTS

        plain = {"expert": self.name, **vars(self)}
        if EXPERTS.get(self.name, type(self)) is not type(self):
            # A class derived from a built-in expert may have inherited its name.
            plain["class"] = type(self).__qualname__
        return plain
