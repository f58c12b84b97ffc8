"""Choices of columns under rows that must be covered, or may be used once only.

The table of such a problem has two parts, both as wide as the longest line needs:

- 0 .. n - 1: what each column costs or is worth, one number per objective;
- n ...: per row its number of columns, then these columns.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from divlearn.basics.checks import require_one_of, require_whole
from divlearn.basics.errors import InputError
from divlearn.basics.typing import Codes, Floats
from divlearn.kernels.jit import kernel
from divlearn.problems.built_in.arrays import read_numbers
from divlearn.problems.built_in.base import BuiltIn

#: How rows become constraints: a raw value for each, or how many are violated.
FORMS = ("rows", "count")


def read_rows(members: Any, n: int) -> Floats:
    """Check which columns belong to which row, shape (rows, n), 0 or 1."""
    text = f"an array of shape (rows, {n}): 1 where a column belongs to a row, else 0"
    read = read_numbers("members", members, ("rows", n), text)
    if not np.isin(read, (0.0, 1.0)).all():
        raise InputError(
            f"members must hold 0 and 1 only, got {read[~np.isin(read, (0, 1))][0]:g}."
        )
    return read


def row_constraints(form: str, count: int) -> list[str]:
    """Names of the constraints of ``count`` rows."""
    require_one_of("form", form, FORMS)
    if form == "count":
        return ["violated rows"]
    return [f"row {r + 1}" for r in range(count)]


def row_table(numbers: Floats, members: Floats) -> Floats:
    """Lay out numbers of columns, shape (n, m), and rows as objectives read them."""
    (n, m), lengths = numbers.shape, members.sum(axis=1).astype(int)
    table = np.zeros((n + len(members), max(m, 1 + int(lengths.max()))))
    table[:n, :m] = numbers
    table[n:, 0] = lengths
    for r, row in enumerate(members):
        table[n + r, 1 : 1 + lengths[r]] = np.flatnonzero(row)
    return table


@kernel
def add_chosen(x: Codes, table: Floats, m: int, y: Floats) -> None:
    """Write the m sums over the columns that ``x`` chooses."""
    for k in range(m):
        y[k] = 0.0
        for j in range(x.shape[0]):
            y[k] += x[j] * table[j, k]


@kernel
def chosen_in_row(x: Codes, table: Floats, r: int) -> int:
    """How many columns of row ``r`` the choice ``x`` holds."""
    line, count = table[x.shape[0] + r], 0
    for c in range(1, 1 + int(line[0])):
        count += x[int(line[c])]
    return count


def draw_edges(rng: np.random.Generator, n: int, degree: float) -> Floats:
    """Draw the edges of a random graph on n nodes, one row of two columns each."""
    pairs = np.column_stack(np.triu_indices(n, 1))
    count = min(len(pairs), max(1, round(n * degree / 2.0)))
    drawn = pairs[np.sort(rng.choice(len(pairs), count, replace=False))]
    members = np.zeros((count, n))
    members[np.arange(count)[:, None], drawn] = 1.0
    return members


def draw_rows(rng: np.random.Generator, n: int, count: int, density: float) -> Floats:
    """Draw rows that hold each column with some probability, two at least."""
    members = (rng.random((count, n)) < density).astype(float)
    for row in members:
        row[rng.choice(n, min(2, n), replace=False)] = 1.0
    return members


def require_rows(rows: int | None, n: int, usual: int) -> int:
    """Check a number of rows; ``usual`` where it is None."""
    return usual if rows is None else require_whole("rows", rows, 1, 10 * n)


def set_greedy_points(problem: BuiltIn, found: Floats, ideal: Floats) -> BuiltIn:
    """Let the reference be the worst of greedy choices in every objective.

    Parameters
    ----------
    problem
        The problem, which is changed and returned.
    found
        Objectives of a greedy choice for each objective, shape (m, m).
    ideal
        The ideal point, shape (m,).
    """
    signed = found * problem.sign
    worst, spread = signed.max(axis=0), np.ptp(signed, axis=0)
    spread[spread == 0.0] = 1.0
    problem.reference = problem.sign * (worst + SLACK * spread)
    problem.ideal = ideal
    return problem


#: By how much of their spread the reference is worse than all greedy choices.
SLACK = 0.1
