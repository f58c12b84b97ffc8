"""Checks and tidying of what a result is made from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from divlearn.errors import InputError
from divlearn.metrics.dominance import SIGNS, refuse_non_finite
from divlearn.typing import Objectives, Value

HISTORY = ("evaluations", "seconds", "front_size", "hypervolume")


def read_objectives(objectives: Any) -> dict[str, str]:
    """Return names with senses; a plain list of names means all are minimised."""
    if isinstance(objectives, Mapping):
        named = dict(objectives)
    else:
        named = dict.fromkeys(objectives, "min")
    if not named or any(sense not in SIGNS for sense in named.values()):
        raise InputError(
            'objectives must map names to "min" or "max", such as {"cost": "min"}, '
            f"got {objectives!r}."
        )
    return named


def read_matrix(name: str, values: Any, rows: int, columns: int) -> Objectives:
    """Copy values into an array of shape (rows, columns)."""
    matrix = np.array([] if values is None else values, np.float64)
    if matrix.size == 0 and rows * columns == 0:
        return matrix.reshape(rows, columns)
    if matrix.shape != (rows, columns):
        raise InputError(
            f"{name} needs one row per solution and one column per name, shape "
            f"({rows}, {columns}), got shape {matrix.shape}."
        )
    refuse_non_finite(name, matrix)
    return matrix


def read_history(history: Mapping[str, Sequence[Any]]) -> dict[str, list[Any]]:
    """Return the lists of the history, empty where there are none."""
    lists = {name: list(history.get(name, ())) for name in HISTORY}
    lengths = {name: len(entries) for name, entries in lists.items()}
    if len(set(lengths.values())) > 1:
        raise InputError(f"the lists of history must have equal length, got {lengths}.")
    return lists


def stacked(values: list[Value]) -> Any:
    """Join arrays of numbers of equal length into one; leave other values a list."""
    first = values[0]
    if not isinstance(first, np.ndarray) or first.dtype.kind not in "biuf":
        return values
    alike = all(
        isinstance(v, np.ndarray) and (v.shape, v.dtype) == (first.shape, first.dtype)
        for v in values
    )
    return np.stack(values) if alike and first.ndim == 1 else values
