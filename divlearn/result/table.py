"""A front as rows with named columns."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from divlearn.typing import Objectives, Value


def to_rows(
    solutions: Sequence[Value],
    outputs: Objectives,
    names: Sequence[str],
) -> list[dict[str, Any]]:
    """Return one dict per solution: columns of x, then the outputs.

    Parameters
    ----------
    solutions
        Values as the user declared them.
    outputs
        Objectives and constraints, shape (k, m + c).
    names
        Their names.
    """
    cells = [dict(_cells("x", "x", x)) for x in solutions]
    keys = list(dict.fromkeys(key for row in cells for key in row))
    titles = _titles(keys, names)
    return [
        # Sets of different size leave the last columns empty.
        {titles[key]: row.get(key) for key in keys}
        | dict(zip(names, values.tolist(), strict=True))
        for row, values in zip(cells, outputs, strict=True)
    ]


def to_csv_text(columns: Sequence[str], rows: Sequence[dict[str, Any]]) -> str:
    """Write rows as comma-separated values with a header."""
    text = io.StringIO()
    writer = csv.DictWriter(text, columns, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def _cells(key: str, title: str, value: Value) -> Iterator[tuple[tuple[str, str], Any]]:
    """Yield the entries of a value, each with a unique key and a short title."""
    if isinstance(value, dict):
        for name, part in value.items():
            yield from _cells(f"{key}.{name}", str(name), part)
    elif isinstance(value, (np.ndarray, list)):
        for i, entry in enumerate(value):
            yield from _cells(f"{key}[{i}]", f"{title}{i}", entry)
    else:
        plain = value.item() if isinstance(value, np.generic) else value
        yield (key, title), plain


def _titles(
    keys: Sequence[tuple[str, str]], outputs: Sequence[str]
) -> dict[tuple[str, str], str]:
    """Choose column names; the long key where a short title is taken."""
    short = [title for _, title in keys]
    taken = {title for title in short if short.count(title) > 1} | set(outputs)
    return {(key, title): key if title in taken else title for key, title in keys}
