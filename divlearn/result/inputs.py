"""Checks and tidying of what a result is made from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from divlearn.basics.checks import require_whole
from divlearn.basics.errors import InputError
from divlearn.basics.typing import Objectives, Value
from divlearn.metrics.dominance import SIGNS, refuse_non_finite
from divlearn.result.trace import Trace

HISTORY = ("evaluations", "seconds", "front_size", "hypervolume")


def read_objectives(objectives: Any) -> dict[str, str]:
    """Return names with senses; with a plain list of names, all are minimised."""
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


def read_units(units: Any) -> dict[str, str]:
    """Return units by name."""
    if not isinstance(units, Mapping) or not all(
        isinstance(text, str) for pair in units.items() for text in pair
    ):
        raise InputError(
            f'units must be texts by name, such as {{"cost": "EUR"}}, got {units!r}.'
        )
    return dict(units)


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
    """Return the lists of the history; missing ones are empty."""
    lists = {name: list(history.get(name, ())) for name in HISTORY}
    lengths = {name: len(entries) for name, entries in lists.items()}
    if len(set(lengths.values())) > 1:
        raise InputError(f"the lists of history must have equal length, got {lengths}.")
    return lists


def read_extras(extras: Mapping[str, Sequence[Any]], rows: int) -> dict[str, list[Any]]:
    """Return a list of numbers, texts or None per name, one entry per solution."""
    lists = {str(name): list(values) for name, values in dict(extras).items()}
    for name, values in lists.items():
        if len(values) != rows:
            raise InputError(
                f"extras needs one entry per solution, {rows}, got {len(values)} for "
                f"{name!r}."
            )
        if not all(v is None or isinstance(v, (int, float, str)) for v in values):
            raise InputError(
                f"extras must be numbers, texts or None, got {values!r} for {name!r}."
            )
    return lists


def read_trials(trials: Any, rows: int) -> list[int] | None:
    """Return the numbers of the solutions in a study."""
    if trials is None:
        return None
    numbers = [require_whole("trials", number) for number in trials]
    if len(numbers) != rows:
        raise InputError(
            f"trials needs one number per solution, {rows}, got {len(numbers)}."
        )
    return numbers


def read_sources(sources: Any, rows: int) -> list[str | None] | None:
    """Return where solutions come from, None for those that the search found."""
    texts = [] if sources is None else list(sources)
    if not any(text is not None for text in texts):
        return None
    if len(texts) != rows or not all(t is None or isinstance(t, str) for t in texts):
        raise InputError(
            f"sources needs a text or None per solution, {rows}, got {sources!r}."
        )
    return texts


def read_counts(counts: Any) -> dict[str, int]:
    """Return numbers of evaluations by how they ended."""
    return {str(name): require_whole("counts", n) for name, n in dict(counts).items()}


def read_failures(failures: Any) -> list[dict[str, Any]]:
    """Return the reasons of failures, each with all required fields."""
    try:
        return [
            {
                "kind": str(reason["kind"]),
                "count": require_whole("count in failures", reason["count"]),
                "message": str(reason["message"]),
            }
            for reason in failures
        ]
    except (KeyError, TypeError):
        raise InputError(
            "failures must be a list of reasons, each with kind, count and message, "
            f"got {failures!r}."
        ) from None


def read_trace(trace: Any) -> Trace | None:
    """Return the trace; columns by name become one."""
    return trace if trace is None or isinstance(trace, Trace) else Trace(trace)


def stacked(values: list[Value]) -> Any:
    """Join arrays of numbers of equal length into one; keep other values as a list."""
    first = values[0]
    if not isinstance(first, np.ndarray) or first.dtype.kind not in "biuf":
        return values
    alike = all(
        isinstance(v, np.ndarray) and (v.shape, v.dtype) == (first.shape, first.dtype)
        for v in values
    )
    return np.stack(values) if alike and first.ndim == 1 else values
