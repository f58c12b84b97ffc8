"""``Course``: how numbers of a search changed while it ran."""

from __future__ import annotations

from typing import Any

#: Name of the number of evaluations in a row.
EVALUATIONS = "evaluations"


class Course:
    """Rows of numbers, in dicts by name, taken where the history gets its rows.

    Parameters
    ----------
    rows
        What was taken before.

    Examples
    --------
    >>> course = Course()
    >>> course.add(10, {"tries": {"walk": 7}})
    >>> course.add(20, {"tries": {"walk": 9, "tables": 8}})
    >>> course.told()["course"]
    {'evaluations': [10, 20], 'tries': {'walk': [7, 9], 'tables': [None, 8]}}
    """

    def __init__(self, rows: list[dict[str, Any]] | None = None) -> None:
        self.rows: list[dict[str, Any]] = [] if rows is None else rows

    def add(self, evaluations: int, gauges: dict[str, Any]) -> None:
        """Take a row; where there is nothing to tell, nothing is kept."""
        if gauges:
            self.rows.append({EVALUATIONS: evaluations, **gauges})

    def told(self) -> dict[str, Any]:
        """All rows as lists by name, None where a name was not known yet."""
        return {"course": _columns(self.rows)} if self.rows else {}


def _columns(rows: list[Any]) -> Any:
    """Dicts of numbers as one dict of lists."""
    dicts = [row for row in rows if isinstance(row, dict)]
    if not dicts:
        return rows
    names = dict.fromkeys(name for row in dicts for name in row)
    return {
        name: _columns([row.get(name) if row else None for row in rows])
        for name in names
    }


def is_course(rows: Any, depth: int = 0) -> bool:
    """Whether these are rows of numbers of evaluations, with numbers by name."""
    if depth == 0:
        return isinstance(rows, list) and all(
            isinstance(row, dict)
            and isinstance(row.get(EVALUATIONS), int)
            and is_course(row, 1)
            for row in rows
        )
    if isinstance(rows, dict):
        return depth < 4 and all(is_course(value, depth + 1) for value in rows.values())
    return isinstance(rows, (int, float)) and not isinstance(rows, bool)
