"""``BuiltIn``: a problem made from numbers, which can be recreated from them."""

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
        """Return the arguments that recreate this instance."""
