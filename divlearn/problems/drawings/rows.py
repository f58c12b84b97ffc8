"""Chosen columns, and the rows that they are in: coverings and packings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from divlearn.basics.checks import require_one_of
from divlearn.basics.errors import InputError
from divlearn.basics.typing import Floats, Value
from divlearn.problems.drawings.base import (
    Drawing,
    labels,
    read_chosen,
    read_names,
    set_fields,
)
from divlearn.problems.drawings.network import ASKS, Network
from divlearn.problems.drawings.places import NOTE_GRAPH, places_in_graph

#: Members of all rows together; more are too much to keep in every file.
MOST_MEMBERS = 20_000


@dataclass(frozen=True, eq=False)
class Rows(Drawing):
    """A design says which columns are chosen: a flag per column, or a set of numbers.

    Parameters
    ----------
    rows
        Numbers of the columns in each row, a list of lists.
    columns
        Number of columns.
    asks
        What every row asks: ``"one"`` of its columns or more, as of a covering, or
        ``"apart"``, one at most, as of a packing. Rows that do not get it are marked.
    names
        Names of the columns; their numbers by default.
    part
        Name of the part of a design that is drawn; the whole design if None.

    Examples
    --------
    >>> from divlearn.problems.drawings import Rows
    >>> sketch = Rows([[0, 1], [1, 2]], 3, "one").sketch([True, False, False])
    >>> [(row["marks"], row["bad"]) for row in sketch["rows"]]
    [([0], False), ([], True)]
    """

    kind: ClassVar[str] = "rows"

    rows: Any
    columns: int
    asks: str
    names: Any = None
    part: str | None = None

    def __post_init__(self) -> None:
        require_one_of("asks", self.asks, tuple(ASKS))
        rows = [np.array(row, np.int64) for row in self.rows]
        inside = (len(r) == 0 or 0 <= r.min() <= r.max() < self.columns for r in rows)
        if not rows or not all(inside):
            raise InputError(
                f"rows must list numbers of columns below {self.columns}, "
                f"got {self.rows!r}."
            )
        names = read_names("names", self.names, self.columns)
        set_fields(self, rows=rows, names=names)

    def sketch(self, x: Value) -> dict[str, Any]:
        """Return the chosen columns, and which of them every row holds."""
        chosen = read_chosen(x, self.part, self.columns)
        place = np.cumsum(chosen) - 1
        marks = [place[row[chosen[row]]].tolist() for row in self.rows]
        named = labels(self.names, self.columns)
        return {
            "kind": self.kind,
            "columns": [named[j] for j in np.flatnonzero(chosen)],
            "rows": [
                {"label": str(r), "marks": held, "bad": self._is_bad(len(held))}
                for r, held in enumerate(marks)
            ],
            "asks": ASKS[self.asks],
            "note": f"every row asks for {ASKS[self.asks]} of its columns",
        }

    def _is_bad(self, held: int) -> bool:
        """Whether a row with so many chosen columns does not get what it asks."""
        return held == 0 if self.asks == "one" else held > 1


def drawing_of_rows(members: Floats, asks: str) -> Drawing | None:
    """A drawing of rows; of a graph, where each row is an edge between two columns.

    Parameters
    ----------
    members
        Shape (rows, n), 1 where a column belongs to a row, else 0.
    asks
        What every row asks, see :class:`Rows`.

    Returns
    -------
    None if there is too much to draw.
    """
    n = members.shape[1]
    if (members.sum(axis=1) == 2).all():
        edges = np.argsort(-members, axis=1, kind="stable")[:, :2]
        places = places_in_graph(n, edges)
        return None if places is None else Network(places, edges, asks, note=NOTE_GRAPH)
    if members.sum() > MOST_MEMBERS:
        return None
    return Rows([np.flatnonzero(row) for row in members], n, asks)
