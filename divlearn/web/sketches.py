"""Sketches of many designs in little room: each as what differs from the first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from divlearn.basics.errors import DivlearnError
from divlearn.problems.drawings import Drawing
from divlearn.web.view import as_text


def sketch_of(drawing: Drawing | None, x: Any) -> dict[str, Any] | None:
    """What a picture of a design is made of; None if it cannot be drawn."""
    if drawing is None or x is None:
        return None
    try:
        return drawing.sketch(x)
    except (DivlearnError, LookupError, TypeError, ValueError):
        return None


def sketches_of(
    drawing: Drawing | None, designs: Sequence[Any], most: int
) -> tuple[dict[str, Any] | None, list[Any] | None]:
    """The first sketch, and for every design what differs from it.

    Parameters
    ----------
    drawing
        How designs are drawn.
    designs
        Designs; None for one that is not known.
    most
        Bytes that all sketches may take; designs beyond have None.
    """
    base: dict[str, Any] | None = None
    changes: list[Any] = []
    for x in designs if drawing is not None else []:
        sketch = sketch_of(drawing, x) if most > 0 else None
        base = sketch if base is None else base
        change = None if sketch is None or base is None else changed(base, sketch)
        most -= len(as_text(change))
        changes.append(change)
    return base, changes if base is not None else None


def changed(base: Any, other: Any) -> Any:
    """What has to be changed in one sketch to get another one of the same kind.

    Examples
    --------
    >>> changed({"a": 1, "b": [{"c": 2, "d": 3}]}, {"a": 1, "b": [{"c": 4, "d": 3}]})
    {'b': [{'~': {'c': 4}}]}
    """
    if isinstance(base, dict) and isinstance(other, dict):
        pairs = ((name, base.get(name), part) for name, part in other.items())
        return {name: changed(old, new) for name, old, new in pairs if old != new}
    if _are_dicts(base) and _are_dicts(other) and len(base) == len(other):
        pairs_of = zip(base, other, strict=True)
        return [{"~": changed(old, new)} for old, new in pairs_of]
    return other


def _are_dicts(value: Any) -> bool:
    """Whether this is a list of dicts."""
    return isinstance(value, list) and all(isinstance(one, dict) for one in value)
