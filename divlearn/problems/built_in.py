"""``BuiltIn``: a problem that is made of numbers, and can be made of them again."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

from divlearn.problems.base import Problem


class BuiltIn(Problem, ABC):
    """What the problems of this library have in common.

    Attributes
    ----------
    instance
        Number of the random instance, or None if it is not one.
    """

    instance: int | None = None

    @abstractmethod
    def arguments(self) -> dict[str, Any]:
        """Return the arguments that make this instance again."""
