"""Problems: your own, and the built-in ones with their instances.

Built-in problems are loaded when they are first used, as in :mod:`divlearn`.
"""

from typing import TYPE_CHECKING, Any

from divlearn.problems.base import Problem
from divlearn.problems.built_in import HOMES, load
from divlearn.problems.catalogue import catalogue, get
from divlearn.problems.compiled import Compiled
from divlearn.problems.files import read, write
from divlearn.problems.noisy import Noisy

__all__ = ["Compiled", "Noisy", "Problem", "catalogue", "get", "read", "write"]

if TYPE_CHECKING:
    from divlearn.problems.built_in import *  # noqa: F403
else:
    __all__ = sorted([*__all__, *HOMES])

    def __getattr__(name: str) -> Any:
        """Load a built-in problem."""
        if name in HOMES:
            return load(name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    """List the public names."""
    return sorted(__all__)
