"""What the fields of a result in a file may be."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

#: Whole numbers that any program can read.
_MOST = 2**63


def _is_number(value: object) -> bool:
    """Whether this is a number, finite or not."""
    plain = isinstance(value, (int, float)) and not isinstance(value, bool)
    return plain and abs(value) <= _MOST if isinstance(value, int) else plain


def _is_count(value: object) -> bool:
    """Whether this is a number of something."""
    return isinstance(value, int) and _is_number(value) and value >= 0


def _is_time(value: object) -> bool:
    """Whether this is a number of seconds."""
    return _is_number(value) and 0 <= value < math.inf  # type: ignore[operator]


def _is_text(value: object) -> bool:
    """Whether this is text."""
    return isinstance(value, str)


def _is_named(value: object) -> bool:
    """Whether this is a dict whose keys are names."""
    return isinstance(value, Mapping) and all(map(_is_text, value))


def _are_texts(value: object) -> bool:
    """Whether all values, by name or in a list, are text."""
    listed = value.values() if isinstance(value, Mapping) else value
    return isinstance(listed, (list, tuple, type({}.values()))) and all(
        map(_is_text, listed)
    )


def _is_listed(value: object) -> bool:
    """Whether this is a list or an array with rows."""
    return isinstance(value, list) or (isinstance(value, np.ndarray) and value.ndim > 0)


def _is_matrix(value: object) -> bool:
    """Whether this is an array of numbers, whose shape is compared elsewhere."""
    return isinstance(value, np.ndarray) and value.dtype.kind in "biuf"


def _is_history(value: object) -> bool:
    """Whether these are lists of numbers by name."""
    return _is_named(value) and all(
        isinstance(row, list) and all(map(_is_number, row))
        for row in value.values()  # type: ignore[attr-defined]
    )


def _are_counts(value: object) -> bool:
    """Whether these are numbers of something by name."""
    return _is_named(value) and all(map(_is_count, value.values()))  # type: ignore[attr-defined]


def _are_reasons(value: object) -> bool:
    """Whether these are kinds and messages with a count."""
    return isinstance(value, list) and all(
        _is_named(reason)
        and _is_count(reason.get("count"))
        and _are_texts([reason.get("kind"), reason.get("message")])
        for reason in value
    )


def _are_extras(value: object) -> bool:
    """Whether these are lists of numbers and texts by name."""
    return _is_named(value) and all(
        isinstance(row, list)
        and all(v is None or _is_text(v) or _is_number(v) for v in row)
        for row in value.values()  # type: ignore[attr-defined]
    )


def _are_trials(value: object) -> bool:
    """Whether these are numbers of trials, or none."""
    return value is None or (isinstance(value, list) and all(map(_is_count, value)))


def _are_sources(value: object) -> bool:
    """Whether these are texts or None, or none at all."""
    return value is None or (
        isinstance(value, list) and all(v is None or _is_text(v) for v in value)
    )


def _is_trace(value: object) -> bool:
    """Whether these are columns of numbers by name, or none."""
    return value is None or (
        _is_named(value) and all(map(_is_matrix, value.values()))  # type: ignore[attr-defined]
    )


#: Which values each field may have, and how to say so.
_KINDS: dict[str, tuple[Callable[[object], bool], str]] = {
    "X": (_is_listed, "a list of solutions"),
    "F": (_is_matrix, "an array of numbers"),
    "G": (_is_matrix, "an array of numbers"),
    "objectives": (lambda v: _is_named(v) and _are_texts(v), "names with senses"),
    "constraints": (_are_texts, "a list of names"),
    "evaluations": (_is_count, "a whole number"),
    "seconds": (_is_time, "a time"),
    "seed": (lambda v: v is None or _is_count(v), "a whole number"),
    "method": (_is_text, "text"),
    "stopped": (_is_text, "text"),
    "history": (_is_history, "lists of numbers by name"),
    "problem": (_is_text, "text"),
    "reference": (lambda v: v is None or _is_matrix(v), "a point"),
    "ideal": (lambda v: v is None or _is_matrix(v), "a point"),
    "settings": (_is_named, "values by name"),
    "versions": (lambda v: _is_named(v) and _are_texts(v), "versions by name"),
    "learned": (_is_named, "values by name"),
    "insights": (_is_named, "values by name"),
    "drawing": (lambda v: v is None or _is_named(v), "values by name"),
    "units": (lambda v: _is_named(v) and _are_texts(v), "units by name"),
    "counts": (_are_counts, "numbers by name"),
    "failures": (_are_reasons, "a list of reasons"),
    "extras": (_are_extras, "lists of numbers and texts by name"),
    "trials": (_are_trials, "a list of whole numbers"),
    "sources": (_are_sources, "a list of texts"),
    "trace": (_is_trace, "columns of numbers by name"),
}


def require_kinds(fields: Mapping[str, Any]) -> None:
    """Refuse a field that is not of the kind a result has.

    Raises
    ------
    ValueError
        Names the field, and what it should be.
    """
    for name, value in fields.items():
        fits, expected = _KINDS.get(name, (lambda value: True, ""))
        if not fits(value):
            raise ValueError(f"its {name} is not {expected}")
