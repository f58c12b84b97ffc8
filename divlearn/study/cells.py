"""From a row of a table to a design and its values.

The columns are those that tables of results have (:mod:`divlearn.result.table`): one
per knob, or one per knob and position. A whole knob may stand in one column, as JSON.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from divlearn.basics.errors import InputError
from divlearn.basics.text import one_line
from divlearn.basics.typing import Value
from divlearn.problems import Problem
from divlearn.spaces import Composite, If, Space, Subset

#: What a cell says of a choice between false and true.
_FLAGS = {"true": True, "yes": True, "false": False, "no": False}


class BadCell(InputError):
    """A column of a row is not what it should be.

    Parameters
    ----------
    column
        Which one.
    message
        What was expected, and what came.
    """

    def __init__(self, column: str, message: str) -> None:
        super().__init__(f"column {column}: {message}")


@dataclass(frozen=True)
class Part:
    """A knob that is not divided any further.

    Attributes
    ----------
    path
        Names that lead to it; none if it is the whole design.
    space
        What it may be.
    length
        Positions of the longest value; None if a value has none.
    optional
        Whether there are designs without it.
    short
        Whether its columns may go without the names of what it is a part of.
    """

    path: tuple[str, ...]
    space: Space
    length: int | None
    optional: bool
    short: bool = True

    @property
    def name(self) -> str:
        """The column that may hold all of it."""
        return (self.path[-1] if self.path else "x") if self.short else self._key

    @property
    def titles(self) -> tuple[str, ...]:
        """Its columns: one, or one per position."""
        if self.length is None:
            return (self.name,)
        form = f"{self.name}{{}}" if self.short else f"{self.name}[{{}}]"
        return tuple(form.format(i) for i in range(self.length))

    @property
    def _key(self) -> str:
        """The name of its column where a shorter one would be taken."""
        return ".".join(("x", *self.path))

    def columns(self, table: Collection[str]) -> tuple[str, ...]:
        """Those of its columns that a table has; none if it has none of them."""
        for part in (replace(self, short=False), self) if self.short else (self,):
            if self.length is not None and part.name in table:
                return (part.name,)
            if found := tuple(title for title in part.titles if title in table):
                return found
        return ()


class Columns:
    """Which columns of a table say what of a problem.

    Parameters
    ----------
    problem
        The problem.
    """

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self._metrics = (*problem.outputs, *problem.extras)
        parts = list(_parts(problem.space))
        names = [title for part in parts for title in {part.name, *part.titles}]
        taken = {name for name in names if names.count(name) > 1}.union(self._metrics)
        self.parts: list[Part] = [
            replace(part, short=taken.isdisjoint({part.name, *part.titles}))
            for part in parts
        ]

    @property
    def names(self) -> list[str]:
        """All names that a column may have."""
        knobs = [title for part in self.parts for title in (part.name, *part.titles)]
        return list(dict.fromkeys([*knobs, *self._metrics, *self.problem.measured]))

    def missing(self, table: Collection[str]) -> list[str]:
        """What a table must have and has not."""
        missing = [
            listed(part.titles)
            for part in self.parts
            if not part.optional and not part.columns(table)
        ]
        given = self.problem.completed(dict.fromkeys(table, 0.0))
        return missing + [name for name in self.problem.outputs if name not in given]

    def used(self, table: Collection[str]) -> set[str]:
        """Columns of a table that are read."""
        knobs = {title for part in self.parts for title in part.columns(table)}
        return knobs.union(self._metrics, self.problem.measured)

    def design(self, row: Mapping[str, Any]) -> Value:
        """The design of a row; raises BadCell."""
        found: dict[str, Any] = {}
        for part in self.parts:
            titles = part.columns(row)
            cells = [row[title] for title in titles]
            if all(map(is_empty, cells)) and (part.optional or not _is_set(part.space)):
                if part.optional:
                    continue
                text = f"expected a value of {part.space!r}, got an empty cell"
                raise BadCell(listed(titles), text)
            value = _read(part, titles, cells)
            if not part.path:
                return value
            _put(found, part.path, value)
        return found

    def values(self, row: Mapping[str, Any]) -> dict[str, Any] | None:
        """Objectives, constraints and extra metrics; None if there are no objectives.

        Raises BadCell.
        """
        problem = self.problem
        names = dict.fromkeys((*self._metrics, *problem.measured))
        given = {name: row[name] for name in names if not is_empty(row.get(name))}
        if not any(name in given for name in problem.objectives):
            return None
        numbers = {*problem.outputs, *problem.measured}
        for name, cell in given.items():
            given[name] = _number(name, cell) if name in numbers else plain(cell)
        values = problem.completed(given)
        for name in problem.outputs:
            if name not in values:
                raise BadCell(name, "expected a number, got an empty cell")
        return values


def is_empty(cell: Any) -> bool:
    """Whether a cell holds nothing: None, NaN, or blanks."""
    if isinstance(cell, str):
        return not cell.strip()
    if cell is None:
        return True
    try:
        return bool(cell != cell)
    except (TypeError, ValueError):  # an array, or what pandas calls missing
        return not hasattr(cell, "__len__")


def plain(cell: Any) -> Any:
    """What a cell says: a number where it is one, otherwise as it is."""
    if not isinstance(cell, str):
        return cell.item() if isinstance(cell, np.generic) else cell
    text = cell.strip()
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def _parts(
    space: Space, path: tuple[str, ...] = (), optional: bool = False
) -> Iterator[Part]:
    """The knobs of a space."""
    if isinstance(space, Composite):
        for name, part in space.parts.items():
            inside = part.then if isinstance(part, If) else part
            yield from _parts(inside, (*path, name), optional or part is not inside)
        return
    sample, length = space.sample(), None
    if isinstance(sample, (np.ndarray, list)):
        length = max(len(sample), getattr(space, "max", 0) if _is_set(space) else 0)
    yield Part(path, space, length, optional)


def _is_set(space: Space) -> bool:
    """Whether values of a space differ in length."""
    return isinstance(space, Subset)


def _read(part: Part, titles: tuple[str, ...], cells: list[Any]) -> Value:
    """The value of a knob."""
    value: Any
    if part.length is None:
        value = _entry(part.space, cells[0])
    elif titles == (part.name,) or titles == (replace(part, short=False).name,):
        value = _listed_in(part, cells[0])
    else:
        cells = list(cells)
        while cells and is_empty(cells[-1]):
            cells.pop()
        value = [_entry(part.space, cell) for cell in cells]
    try:
        part.space.encode(value)
    except InputError as error:
        raise BadCell(listed(titles), str(error).rstrip(".")) from None
    return value


def _listed_in(part: Part, cell: Any) -> list[Any]:
    """A whole list in one cell: JSON, or anything with entries."""
    if isinstance(cell, str):
        try:
            cell = json.loads(cell)
        except ValueError:
            cell = cell.replace(",", " ").replace(";", " ").split()
    if isinstance(cell, (str, bytes)) or not hasattr(cell, "__iter__"):
        text = f"expected a list for {part.space!r}, got {one_line(repr(cell), 80)}"
        raise BadCell(part.name, text)
    return [_entry(part.space, entry) for entry in cell]


def _entry(space: Space, cell: Any) -> Any:
    """One entry of a knob, by what it may be: cells of a file are texts."""
    allowed = getattr(space, "values", None)
    if isinstance(allowed, list):
        return _one_of(allowed, cell)
    value = plain(cell)
    return _FLAGS.get(value.lower(), value) if isinstance(value, str) else value


def _one_of(allowed: Sequence[Any], cell: Any) -> Any:
    """The value among those allowed that a cell means; the cell if it means none."""
    value = plain(cell)
    text = cell.strip() if isinstance(cell, str) else None
    for one in allowed:
        if text is not None and str(one) == text:
            return one
    for one in allowed:
        same = isinstance(one, bool) == isinstance(value, bool) and one == value
        flag = isinstance(one, bool) and text is not None
        if same or (flag and _FLAGS.get(text.lower(), value) in (one,)):  # type: ignore[union-attr]
            return one
    return value


def _number(name: str, cell: Any) -> float:
    """A number in a cell."""
    value = plain(cell)
    if isinstance(value, (str, bool)) or not np.isscalar(value):
        raise BadCell(name, f"expected a number, got {one_line(repr(cell), 80)}")
    return float(value)  # type: ignore[arg-type]


def _put(found: dict[str, Any], path: tuple[str, ...], value: Value) -> None:
    """Put a value into nested dicts."""
    *outer, name = path
    for key in outer:
        found = found.setdefault(key, {})
    found[name] = value


def listed(titles: Sequence[str]) -> str:
    """Columns of a knob in words."""
    return titles[0] if len(titles) == 1 else f"{titles[0]} to {titles[-1]}"
