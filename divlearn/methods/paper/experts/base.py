"""``Expert``: a rule that scores actions by the statistics all experts share."""

from __future__ import annotations

from abc import ABC, abstractmethod
from types import SimpleNamespace
from typing import Any, ClassVar

from divlearn.basics.checks import require_one_of
from divlearn.basics.errors import InputError
from divlearn.methods.paper.kernels.known import Known

#: What random numbers may do to a score; kernels know them by their place.
NOISES = ("none", "gumbel", "normal", "uniform")


class Expert(ABC):
    """A rule to choose an action at a position: the highest score wins.

    An expert of one's own derives from this class and writes ``score`` as a plain
    function of what is known, which is compiled when a search starts. Check it with
    :func:`divlearn.testing.check_expert`.

    Attributes
    ----------
    name
        What files and users call it.
    noise
        What the random numbers ``known.u`` and ``known.v`` do to a score, from which
        follows how probable each action is: ``"none"`` where they are not used;
        ``"gumbel"`` where ``-log(-log(u))`` is added; ``"normal"`` where
        ``sqrt(-2 log(1 - u)) cos(2 pi v)`` is, times any number; ``"uniform"`` where
        nothing else counts. Only ``Learning(probability="mixture")`` asks for it.

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
    noise: ClassVar[str] = "none"

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

    def require_noise(self, num_positions: int) -> None:
        """Raise InputError if random numbers change a score that has no noise."""
        require_one_of(f"noise of {self!r}", self.noise, NOISES)
        if self.noise != "none":
            return
        options = SimpleNamespace(**self.options(num_positions))
        for known in (Known(updates=2.0), Known(0.5, 0.3, 4.0, -1.0, 3.0, 9.0)):
            drawn = (known._replace(u=u, v=v) for u, v in ((0.2, 0.7), (0.8, 0.1)))
            scores = [type(self).score(one, options) for one in drawn]
            if scores[0] != scores[1]:
                raise InputError(
                    f"noise of {self!r} must be one of {', '.join(NOISES[1:])}, since "
                    "its score uses known.u or known.v and probability='mixture' needs "
                    "to know how; or pass probability='own'."
                )

    def describe(self) -> dict[str, Any]:
        """Name and options as plain data."""
        from divlearn.methods.paper.experts.by_name import EXPERTS

        plain = {"expert": self.name, **vars(self)}
        if EXPERTS.get(self.name, type(self)) is not type(self):
            # A class derived from a built-in expert may have inherited its name.
            plain["class"] = type(self).__qualname__
        return plain
