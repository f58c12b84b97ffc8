"""Options of objects from other packages as plain data."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def plain(options: Mapping[str, Any]) -> dict[str, Any]:
    """Keep what can be written and compared; of anything else, the class name.

    Examples
    --------
    >>> plain({"size": 3, "part": object(), "_cache": 1})
    {'size': 3, 'part': 'object'}
    """
    return {
        name: _plain(value)
        for name, value in options.items()
        if not name.startswith("_")
    }


def _plain(value: Any) -> Any:
    """One value."""
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, (list, tuple)):
        return [_plain(entry) for entry in value]
    return getattr(value, "__name__", type(value).__name__)
