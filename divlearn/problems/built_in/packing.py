"""Set packing: every row allows one of its columns; independent sets are a case of it.

The table is explained in :mod:`divlearn.problems.built_in.rows`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from divlearn.basics.checks import require_number
from divlearn.basics.typing import Codes, Floats
from divlearn.kernels.jit import kernel
from divlearn.problems.built_in.arrays import read_numbers
from divlearn.problems.built_in.base import BuiltIn, Family, Fields
from divlearn.problems.built_in.rows import (
    add_chosen,
    chosen_in_row,
    draw_edges,
    draw_rows,
    read_rows,
    require_rows,
    row_constraints,
    row_table,
    set_greedy_points,
)
from divlearn.problems.compiled import Compiled
from divlearn.problems.drawings import Drawing
from divlearn.problems.drawings.rows import drawing_of_rows
from divlearn.spaces import Binary


class SetPacking(BuiltIn):
    """Choose columns of much value, of which each row may hold one.

    Objective k, ``value k``, is the sum of the k-th values of the chosen columns, to be
    maximised. With rows of two columns, the edges of a graph, choices are independent
    sets.

    Parameters
    ----------
    members
        Array of shape (rows, n), 1 where a column belongs to a row, else 0.
    values
        Array of shape (n, m); not negative.
    form
        ``"rows"``: a constraint per row, its chosen columns minus 1. ``"count"``: one
        constraint, the number of rows that hold more than one, from which far less is
        learned.
    reference, ideal, name
        As for :class:`divlearn.Problem`.

    Attributes
    ----------
    members, values, form
        The instance.

    Examples
    --------
    >>> from divlearn.problems import SetPacking
    >>> problem = SetPacking([[1, 1, 0], [0, 1, 1]], [[2, 1], [5, 5], [1, 3]])
    >>> problem.evaluate([True, False, True])  # values, then chosen - 1 of each row
    array([3., 4., 0., 0.])
    >>> problem.evaluate([True, True, False])
    array([7., 6., 1., 0.])
    """

    members: Floats
    form: str

    fields: ClassVar[Fields] = Fields(("members", "values"), ("form",))

    def __init__(
        self,
        members: Any,
        values: Any,
        form: str = "rows",
        *,
        reference: Sequence[float] | None = None,
        ideal: Sequence[float] | None = None,
        name: str | None = None,
    ) -> None:
        text = "an array of shape (n, m): a row of values per column"
        self.values: Floats = read_numbers(
            "values", values, ("n", "m"), text, least=0.0
        )
        n, m = self.values.shape
        self.members, self.form = read_rows(members, n), form
        objective = values_and_rows if form == "rows" else values_and_count
        super().__init__(
            Binary(n),
            None,
            {f"value {k + 1}": "max" for k in range(m)},
            constraints=row_constraints(form, len(self.members)),
            reference=reference,
            ideal=ideal,
            name=name or f"set-packing-{n}",
            compiled=Compiled(objective, row_table(self.values, self.members)),
        )

    @property
    def drawing(self) -> Drawing | None:
        """Chosen columns and the rows that hold them; of a graph, nodes and edges."""
        return drawing_of_rows(self.members, asks="apart")


@kernel
def values_and_rows(x: Codes, table: Floats, y: Floats) -> None:
    """Write the values of choice ``x``, then the chosen columns of each row minus 1."""
    rows = table.shape[0] - x.shape[0]
    m = y.shape[0] - rows
    add_chosen(x, table, m, y)
    for r in range(rows):
        y[m + r] = chosen_in_row(x, table, r) - 1.0


@kernel
def values_and_count(x: Codes, table: Floats, y: Floats) -> None:
    """Write the values of choice ``x``, then the number of rows that hold too many."""
    m = y.shape[0] - 1
    add_chosen(x, table, m, y)
    y[m] = 0.0
    for r in range(table.shape[0] - x.shape[0]):
        y[m] += chosen_in_row(x, table, r) > 1


def _greedy_packing(members: Floats, values: Floats) -> Floats:
    """Choose by the greatest value per column that is then excluded."""
    conflicts = members.T @ members > 0.0
    np.fill_diagonal(conflicts, val=True)
    chosen, free = np.zeros(len(values)), np.ones(len(values), bool)
    while free.any():
        excluded = np.maximum(1, conflicts[:, free].sum(axis=1))
        best = np.argmax(np.where(free, values / excluded, -1.0))
        chosen[best] = 1.0
        free &= ~conflicts[best]
    return chosen


def _with_points(members: Floats, values: Floats, form: str, name: str) -> BuiltIn:
    """Make a problem with points from greedy choices; ideal: half as much again."""
    problem = SetPacking(members, values, form, name=name)
    found = np.array([_greedy_packing(members, value) @ values for value in values.T])
    ideal = np.minimum(values.sum(axis=0), 1.5 * found.max(axis=0))
    return set_greedy_points(problem, found, ideal)


def _independent(
    rng: np.random.Generator,
    n: int,
    name: str,
    form: str = "rows",
    degree: float = 10.0,
    rows: int | None = None,
    density: float = 0.02,
) -> BuiltIn:
    """Draw a random graph, or ``rows`` with some of the columns, and whole values."""
    if rows is None:
        members = draw_edges(rng, n, require_number("degree", degree, 0.0))
    else:
        density = require_number("density", density, 0.0, 1.0)
        members = draw_rows(rng, n, require_rows(rows, n, n), density)
    values = rng.integers(1, 101, (n, 2)).astype(float)
    return _with_points(members, values, form, name)


FAMILIES = {
    "bimis": Family(
        _independent, 2, 1_000, options=("form", "degree", "rows", "density")
    ),
}
