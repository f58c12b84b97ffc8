"""Designs from tables, studies, results and lists of pairs, checked row by row.

Every row is checked before any is taken, and what is wrong with which is told together.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any

from divlearn.basics.checks import require_one_of
from divlearn.basics.errors import InputError
from divlearn.problems import Problem
from divlearn.result.tally import KNOWN, OK
from divlearn.study.cells import Columns
from divlearn.study.known import Design, read_known, read_queued
from divlearn.study.tables import Row, rows_of
from divlearn.study.trial import STATES

#: What to do with rows that cannot be read.
REFUSE, SKIP = "refuse", "skip"
#: Rows with mistakes that a message lists.
MOST_TOLD = 20
#: What is said where a number such as 2,5 was refused.
COMMA = " Numbers have a decimal point, as in 2.5."
_COMMA = re.compile(r"got '-?\d+,\d+'")


class BadRows(InputError):
    """Rows that are no designs of the problem; nothing was taken.

    Attributes
    ----------
    errors
        What is wrong, a text per row.
    """

    def __init__(self, name: str, errors: Sequence[str], rows: int) -> None:
        lines = [f"  {error}" for error in errors[:MOST_TOLD]]
        if len(errors) > MOST_TOLD:
            lines.append(f"  ... and {len(errors) - MOST_TOLD:,} more")
        are, them = ("is", "it") if len(errors) == 1 else ("are", "them")
        super().__init__(
            f"{len(errors):,} of {rows:,} rows {are} wrong in {name}, so nothing was "
            "taken:\n" + "\n".join(lines) + f"\nMend {them}, or leave such rows out "
            'with on_error="skip".' + (COMMA if any(map(_COMMA.search, errors)) else "")
        )
        self.errors: list[str] = list(errors)


@dataclass
class Reading:
    """Designs that were read.

    Attributes
    ----------
    name
        What they were read from.
    designs
        What can be taken.
    errors
        What is wrong with the others, a text per row.
    without
        Rows of a study whose evaluation had given no values.
    unused
        Columns that say nothing about the problem.
    """

    name: str
    designs: list[Design] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    without: int = 0
    unused: list[str] = field(default_factory=list)


def read_designs(
    problem: Problem,
    source: Any,
    *,
    columns: Mapping[str, str] | None = None,
    on_error: str = REFUSE,
    name: str = "",
) -> Reading:
    """Read designs from elsewhere, see :meth:`divlearn.Study.add_from`.

    Raises
    ------
    BadRows
        If a row is wrong, unless ``on_error`` is ``"skip"``.
    """
    require_one_of("on_error", on_error, (REFUSE, SKIP))
    usual, rows = rows_of(source)
    reading = Reading(name or usual)
    if any(row.is_of_table for row in rows):
        read = _reader_of_cells(problem, rows, columns, reading)
    else:
        read = _reader_of_values(problem, columns, reading)
    rows = [row for row in rows if not row.is_head]
    for row in rows:
        try:
            _require_right(row)
            design = read(row)
        except InputError as error:
            reading.errors.append(f"{row.label}, {str(error).rstrip('.')}")
            continue
        if design is None:
            reading.without += 1
        else:
            reading.designs.append(design)
    if reading.errors and on_error == REFUSE:
        raise BadRows(usual, reading.errors, len(rows))
    return reading


def _require_right(row: Row) -> None:
    """Refuse a row that is none."""
    if row.wrong:
        raise InputError(row.wrong)


# --- what a row says


def _reader_of_cells(
    problem: Problem,
    rows: Sequence[Row],
    mapping: Mapping[str, str] | None,
    reading: Reading,
) -> Callable[[Row], Design | None]:
    """How the rows of a table are read, by its columns."""
    known, table = Columns(problem), list(rows[0].cells)
    ours = _renamed(table, mapping, known.names)
    names = [ours[title] for title in table]
    if missing := known.missing(names):
        raise InputError(
            f"{reading.name} must have columns for {', '.join(missing)}, but has "
            f"{', '.join(map(repr, table)) or 'none'}; say which is which by "
            'columns={"theirs": "ours"}.'
        )
    used = known.used(names)
    tells_state = "state" not in used and "state" in names
    aside = {"state"} if tells_state else set()
    reading.unused = [title for title in table if ours[title] not in used | aside]

    def read(row: Row) -> Design | None:
        cells = {ours[title]: cell for title, cell in row.cells.items()}
        if tells_state and cells["state"] in set(STATES) - {OK, KNOWN}:
            return None  # a study had no values of it
        x, values = known.design(cells), known.values(cells)
        if values is None:
            return read_queued(problem, x, reading.name)
        return read_known(problem, x, values, reading.name)

    return read


def _renamed(
    table: Sequence[str], mapping: Mapping[str, str] | None, names: Sequence[str]
) -> dict[str, str]:
    """Our name of every column, as ``columns`` says; its own where it says nothing."""
    mapping = _checked_mapping(mapping)
    for theirs, ours in mapping.items():
        if theirs not in table:
            raise InputError(
                f"columns must name columns of the table ({', '.join(table)}), got "
                f"{theirs!r}."
            )
        if ours not in names:
            near = get_close_matches(ours, names, 1)
            hint = f"; did you mean {near[0]!r}?" if near else "."
            raise InputError(
                f"columns must say which of {', '.join(names)} a column is, got "
                f"{ours!r} for {theirs!r}{hint}"
            )
    renamed = {title: mapping.get(title, title) for title in table}
    for ours in mapping.values():
        same = [title for title in table if renamed[title] == ours]
        if len(same) > 1:
            raise InputError(
                f"columns must leave one column for {ours!r}, got "
                f"{' and '.join(map(repr, same))}."
            )
    return renamed


def _checked_mapping(mapping: Any) -> dict[str, str]:
    """Names of theirs with names of ours."""
    good = mapping is None or (
        isinstance(mapping, Mapping)
        and all(isinstance(word, str) for pair in mapping.items() for word in pair)
    )
    if not good:
        raise InputError(
            'columns must be names by name, such as {"Cost [EUR]": "cost"}, got '
            f"{mapping!r}."
        )
    return dict(mapping or {})


def _reader_of_values(
    problem: Problem, mapping: Mapping[str, str] | None, reading: Reading
) -> Callable[[Row], Design | None]:
    """How designs are read that are values already, as in a study."""
    ours = _checked_mapping(mapping)

    def renamed(value: Any) -> Any:
        if not ours or not isinstance(value, Mapping):
            return value
        return {ours.get(name, name): part for name, part in value.items()}

    wanted = {*problem.outputs, *problem.extras, *problem.measured}

    def read(row: Row) -> Design | None:
        x, values = renamed(row.x), renamed(row.values)
        if row.cells.get("state", OK) not in (OK, KNOWN):
            return None
        if values is None:
            return read_queued(problem, x, reading.name)
        if row.cells and isinstance(values, Mapping):  # it may have metrics of its own
            values = {name: v for name, v in values.items() if name in wanted}
            values = problem.completed(values)
        return read_known(problem, x, values, reading.name)

    return read
