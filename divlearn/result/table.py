"""A front as rows with named columns."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from divlearn.basics.errors import MissingExtra
from divlearn.basics.typing import Objectives, Value

#: Title of the column with the number of a solution in its study.
TRIAL = "trial"
#: Title of the column that says where a solution that was known before comes from.
SOURCE = "source"


def to_rows(
    solutions: Sequence[Value],
    outputs: Objectives,
    names: Sequence[str],
    trials: Sequence[int] | None = None,
    extras: Mapping[str, Sequence[Any]] | None = None,
    whole: Value = None,
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
    trials
        Numbers of the solutions in a study, for a column before all others.
    extras
        Extra metrics by name, for columns after all others.
    whole
        A value with all parts, also those that exist only sometimes; each of them has a
        column, even if no solution has it. None if there are no such parts.
    """
    cells = [dict(_cells("x", "x", x)) for x in solutions]
    first = [] if whole is None else [dict(_cells("x", "x", whole))]
    keys = _merged([*first, *cells])
    more = extras or {}
    before = [TRIAL] if trials is not None and TRIAL not in {*names, *more} else []
    titles = _titles(keys, [*before, *names, *more])
    return [
        ({TRIAL: trials[i]} if trials is not None and before else {})
        # Sets of different size leave the last columns empty, and what a solution
        # lacks its own.
        | {titles[key]: row.get(key) for key in keys}
        | dict(zip(names, values.tolist(), strict=True))
        | {name: entries[i] for name, entries in more.items()}
        for i, (row, values) in enumerate(zip(cells, outputs, strict=True))
    ]


def column_paths(solutions: Sequence[Value], whole: Value = None) -> dict[str, str]:
    """Where in a solution each column of x comes from, by title.

    Examples
    --------
    >>> column_paths([{"left": {"width": 3}, "pitch": [2, 5]}])
    {'width': 'left.width', 'pitch0': 'pitch[0]', 'pitch1': 'pitch[1]'}
    """
    given = [whole, *solutions[:1]] if whole is not None else solutions[:1]
    keys = _merged([dict(_cells("x", "x", x)) for x in given])
    titles = _titles(keys, [])
    return {titles[key]: key[0].removeprefix("x.") for key in keys}


def with_sources(
    extras: Mapping[str, Sequence[Any]], sources: Sequence[str | None] | None
) -> dict[str, Sequence[Any]]:
    """Columns after all others: extra metrics, and sources if there are any."""
    if sources is None:
        return dict(extras)
    title = SOURCE if SOURCE not in extras else f"trial {SOURCE}"
    return {**extras, title: sources}


def _merged(rows: Sequence[Mapping[Any, Any]]) -> list[Any]:
    """Keys of all rows; one that some rows lack stands where the others have it.

    Examples
    --------
    >>> _merged([{"kind": 1, "speed": 2}, {"kind": 1, "cache": 8, "speed": 2}])
    ['kind', 'cache', 'speed']
    """
    keys: list[Any] = []
    known: set[Any] = set()
    for row in rows:
        new: list[Any] = []
        for key in row:
            if key not in known:
                new.append(key)
            elif new:
                place = keys.index(key)
                keys[place:place] = new
                known.update(new)
                new = []
        keys += new
        known.update(new)
    return keys


def to_csv_text(columns: Sequence[str], rows: Sequence[dict[str, Any]]) -> str:
    """Write rows as comma-separated values with a header."""
    text = io.StringIO()
    writer = csv.DictWriter(text, columns, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def dataframe(data: Any, **options: Any) -> Any:
    """Make a pandas DataFrame.

    Raises
    ------
    MissingExtra
        If pandas is not installed.
    """
    try:
        import pandas as pd
    except ImportError as error:
        raise MissingExtra(
            'to_dataframe needs pandas: pip install "divlearn[dataframe]"; '
            "to_csv(path) works without it."
        ) from error
    return pd.DataFrame(data, **options)


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
    """Choose column names; use the long key if a short title is taken."""
    short = [title for _, title in keys]
    taken = {title for title in short if short.count(title) > 1} | set(outputs)
    return {(key, title): key if title in taken else title for key, title in keys}
