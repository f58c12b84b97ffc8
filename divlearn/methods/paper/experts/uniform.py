"""The control: chooses at random and so shows what learning is worth."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from divlearn.methods.paper.experts.base import Expert
from divlearn.methods.paper.kernels.known import Known


@dataclass(frozen=True)
class Uniform(Expert):
    """Every available action with the same probability, whatever was learned.

    Examples
    --------
    >>> Uniform.score(Known(value=9.9, u=0.25), None)
    0.25
    """

    name: ClassVar[str] = "uniform"
    noise: ClassVar[str] = "uniform"

    @staticmethod
    def score(known: Known, options: Any) -> float:
        """A random number."""
        return known.u
