"""The one model of a study that page and report show: plain data, column by column."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from divlearn.basics.text import as_json
from divlearn.basics.units import unit_of


def objectives_of(
    objectives: Iterable[Sequence[str]], units: Mapping[str, str]
) -> list[dict[str, str]]:
    """Objectives as the page has them, from pairs of names and senses."""
    return [
        {"name": name, "sense": sense, "unit": unit_of(units, name)}
        for name, sense in objectives
    ]


def units_of(names: Iterable[str], units: Mapping[str, str]) -> dict[str, str]:
    """Units of columns by name, as far as they have one."""
    found = {name: unit_of(units, name) for name in names}
    return {name: unit for name, unit in found.items() if unit}


def turned(rows: Sequence[Mapping[str, Any]]) -> dict[str, list[Any]]:
    """Rows with names as columns; None where a row lacks one.

    Examples
    --------
    >>> turned([{"a": 1}, {"b": 2}])
    {'a': [1, None], 'b': [None, 2]}
    """
    names = dict.fromkeys(name for row in rows for name in row)
    return {name: [row.get(name) for row in rows] for name in names}


def as_text(view: Any) -> str:
    """Write plain data as JSON; what is no number becomes null."""
    try:
        return as_json(view, default=_plain, separators=(",", ":"), allow_nan=False)
    except ValueError:  # a result may hold NaN and infinities
        finite = _finite(view)
        return as_json(finite, default=_plain, separators=(",", ":"), allow_nan=False)


def _plain(value: Any) -> Any:
    """Turn arrays and NumPy numbers into lists and numbers."""
    if hasattr(value, "tolist"):
        return value.tolist()
    return list(value) if isinstance(value, (set, tuple)) else str(value)


def _finite(value: Any) -> Any:
    """The same without numbers that JSON has no word for."""
    if isinstance(value, Mapping):
        return {str(key): _finite(part) for key, part in value.items()}
    if isinstance(value, np.ndarray):
        return _finite(value.tolist())
    if isinstance(value, (list, tuple)):
        return [_finite(part) for part in value]
    if isinstance(value, (float, np.floating)):
        return float(value) if np.isfinite(value) else None
    return value


def plain_design(x: Any) -> Any:
    """A design as JSON knows it.

    Examples
    --------
    >>> plain_design({"order": np.array([1, 0]), "kind": np.str_("a")})
    {'order': [1, 0], 'kind': 'a'}
    """
    if isinstance(x, Mapping):
        return {str(name): plain_design(part) for name, part in x.items()}
    if isinstance(x, (np.ndarray, np.generic)):
        return plain_design(x.tolist())
    if isinstance(x, (list, tuple, set, frozenset)):
        return [plain_design(part) for part in x]
    if x is None or isinstance(x, (bool, int, float, str)):
        return x
    return str(x)
