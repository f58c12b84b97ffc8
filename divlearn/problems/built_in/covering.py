"""Set covering: every row needs one of its columns; vertex cover is a case of it.

The table is explained in :mod:`divlearn.problems.built_in.rows`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from divlearn.basics.checks import require_number
from divlearn.basics.errors import InputError
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


class SetCovering(BuiltIn):
    """Choose columns that cover all rows, at little cost.

    Objective k, ``cost k``, is the sum of the k-th costs of the chosen columns. A row
    is covered if one of its columns is chosen.

    Parameters
    ----------
    members
        Array of shape (rows, n), 1 where a column belongs to a row, else 0.
    costs
        Array of shape (n, m); not negative.
    form
        ``"rows"``: a constraint per row, 1 minus its chosen columns. ``"count"``: one
        constraint, the number of rows that are not covered, from which far less is
        learned.
    reference, ideal, name
        As for :class:`divlearn.Problem`.

    Attributes
    ----------
    members, costs, form
        The instance.

    Examples
    --------
    >>> from divlearn.problems import SetCovering
    >>> problem = SetCovering([[1, 1, 0], [0, 1, 1]], [[2, 1], [5, 5], [1, 3]])
    >>> problem.evaluate([True, False, True])  # costs, then 1 - chosen of each row
    array([3., 4., 0., 0.])
    >>> problem.evaluate([True, False, False])
    array([2., 1., 0., 1.])
    """

    members: Floats
    form: str

    fields: ClassVar[Fields] = Fields(("members", "costs"), ("form",))

    def __init__(
        self,
        members: Any,
        costs: Any,
        form: str = "rows",
        *,
        reference: Sequence[float] | None = None,
        ideal: Sequence[float] | None = None,
        name: str | None = None,
    ) -> None:
        text = "an array of shape (n, m): a row of costs per column"
        self.costs: Floats = read_numbers("costs", costs, ("n", "m"), text, least=0.0)
        n, m = self.costs.shape
        self.members, self.form = read_rows(members, n), form
        empty = np.flatnonzero(~self.members.any(axis=1))
        if len(empty):
            raise InputError(
                f"members must give every row a column, got none in row {empty[0]}; "
                "nothing covers it."
            )
        objective = costs_and_rows if form == "rows" else costs_and_count
        super().__init__(
            Binary(n),
            None,
            {f"cost {k + 1}": "min" for k in range(m)},
            constraints=row_constraints(form, len(self.members)),
            reference=reference,
            ideal=ideal,
            name=name or f"set-covering-{n}",
            compiled=Compiled(objective, row_table(self.costs, self.members)),
        )

    @property
    def drawing(self) -> Drawing | None:
        """Chosen columns and what they cover; of a graph, its nodes and edges."""
        return drawing_of_rows(self.members, asks="one")


@kernel
def costs_and_rows(x: Codes, table: Floats, y: Floats) -> None:
    """Write the costs of choice ``x``, then 1 minus the chosen columns of each row."""
    rows = table.shape[0] - x.shape[0]
    m = y.shape[0] - rows
    add_chosen(x, table, m, y)
    for r in range(rows):
        y[m + r] = 1.0 - chosen_in_row(x, table, r)


@kernel
def costs_and_count(x: Codes, table: Floats, y: Floats) -> None:
    """Write the costs of choice ``x``, then the number of rows not covered."""
    m = y.shape[0] - 1
    add_chosen(x, table, m, y)
    y[m] = 0.0
    for r in range(table.shape[0] - x.shape[0]):
        y[m] += chosen_in_row(x, table, r) == 0


def _greedy_cover(members: Floats, costs: Floats) -> Floats:
    """Cover rows by the least cost per new row; then drop what is not needed."""
    chosen, open_rows = np.zeros(len(costs)), np.ones(len(members), bool)
    while open_rows.any():
        new = members[open_rows].sum(axis=0)
        rate = np.where(new > 0, (costs + 1e-9) / np.maximum(new, 1), np.inf)
        best = np.argmin(rate)
        chosen[best] = 1.0
        open_rows &= members[:, best] == 0.0
    for j in np.argsort(-costs * chosen, kind="stable"):
        if chosen[j] == 1.0 and (members @ chosen - members[:, j] > 0).all():
            chosen[j] = 0.0
    return chosen


def _with_points(members: Floats, costs: Floats, form: str, name: str) -> BuiltIn:
    """Make a problem with points from greedy covers; ideal: half of the best."""
    problem = SetCovering(members, costs, form, name=name)
    found = np.array([_greedy_cover(members, cost) @ costs for cost in costs.T])
    return set_greedy_points(problem, found, 0.5 * found.min(axis=0))


def _covering(
    rng: np.random.Generator,
    n: int,
    name: str,
    form: str = "rows",
    rows: int | None = None,
    density: float = 0.1,
) -> BuiltIn:
    """Draw rows with a tenth of the columns each, and whole costs from 1 to 100."""
    density = require_number("density", density, 0.0, 1.0)
    members = draw_rows(rng, n, require_rows(rows, n, max(10, n // 10)), density)
    costs = rng.integers(1, 101, (n, 2)).astype(float)
    return _with_points(members, costs, form, name)


def _vertex_cover(
    rng: np.random.Generator, n: int, name: str, form: str = "rows", degree: float = 6.0
) -> BuiltIn:
    """Draw a random graph, each edge a row of two nodes, and whole costs of nodes."""
    members = draw_edges(rng, n, require_number("degree", degree, 0.0))
    costs = rng.integers(1, 101, (n, 2)).astype(float)
    return _with_points(members, costs, form, name)


FAMILIES = {
    "biscp": Family(_covering, 2, 2_000, options=("form", "rows", "density")),
    "vcover": Family(_vertex_cover, 2, 1_000, options=("form", "degree")),
}
