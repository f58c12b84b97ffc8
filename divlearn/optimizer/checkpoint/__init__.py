"""State files: everything a search remembers, in one NumPy archive without pickle.

A file may come from anyone. Before a kernel sees it, every array is compared with the
state that the problem and the settings imply, and every number that could do harm
has a rule (:mod:`divlearn.optimizer.checkpoint.rules`).

Names are loaded when they are first used: who only reads settings needs no kernels.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from divlearn.optimizer.checkpoint.file import load, pack, save, unpack

__all__ = ["load", "pack", "save", "unpack"]


def __getattr__(name: str) -> Any:
    """Load a name from where it lives."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from divlearn.optimizer.checkpoint import file

    return getattr(file, name)
