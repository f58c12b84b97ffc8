"""A search that is asked and told, saved and loaded, and when it stops.

``Optimizer`` is loaded when it is first used: criteria to stop by need no compiler.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from divlearn.optimizer.candidates import Candidate
    from divlearn.optimizer.optimizer import Optimizer

__all__ = ["Candidate", "Optimizer"]


def __getattr__(name: str) -> Any:
    """Load a public name from its module."""
    if name == "Optimizer":
        from divlearn.optimizer.optimizer import Optimizer

        return Optimizer
    if name == "Candidate":
        from divlearn.optimizer.candidates import Candidate

        return Candidate
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
