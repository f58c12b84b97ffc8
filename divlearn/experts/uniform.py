"""The control: chooses at random and so shows what learning is worth."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from divlearn.experts.base import Expert


@dataclass(frozen=True)
class Uniform(Expert):
    """Every available action with the same probability, whatever was learned.

    Examples
    --------
    >>> Uniform().score(9.9, 1, 1, 0, 0, 9, 1, 9, 0, 0, 0.25, 0)
    0.25
    """

    name: ClassVar[str] = "uniform"

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
        """A random number."""
        return u
