"""The one way in which checks fail."""

from __future__ import annotations


def require(holds: object, message: str) -> None:
    """Raise AssertionError even if ``assert`` is switched off (``python -O``)."""
    if not holds:
        raise AssertionError(message)
