"""The laboratory: methods to compare with, benchmarks, the co-design model, training.

Nothing outside imports it; it plugs in by the entry points of pyproject.toml.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

__all__ = ["baselines", "bench", "codesign"]


def __getattr__(name: str) -> Any:
    """Load a room when it is first entered."""
    if name in __all__:
        return import_module(f"divlearn.lab.{name}")
    raise AttributeError(f"module 'divlearn.lab' has no attribute {name!r}")
