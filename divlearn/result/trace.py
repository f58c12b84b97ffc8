"""``Trace``: what happened in a search, iteration by iteration."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from divlearn.basics.checks import require_one_of
from divlearn.basics.errors import InputError
from divlearn.basics.files import write_atomically
from divlearn.basics.text import storable
from divlearn.result import table


class Trace:
    """Columns of equal length by name, a row per iteration.

    Methods that record nothing have none. ``DivideAndLearn(trace=True)`` has these:

    ==================  ============================================================
    weight              row of the weight vector
    iteration           t, from 1, on this weight
    evaluations         answers until the end of the iteration
    reward              r_t in [-1, 1] of the solution at its end, by bounds of the
                        objectives that are the same for all rows
    best_reward         best of the weight so far
    regret              what lacks to the best reward of all rows of the weight
    told                what the experts were told last: disturbed by a scenario,
                        less the price of disagreement, by the bounds of that time
    overlap             o_t, positions that neighbouring windows share
    subproblems         K
    shared              number of positions that more than one subproblem contains
    multiplicity        mean of k_i, the number of subproblems with position i
    violation           sum of the soft violations xi_i of shared positions
    price_mean          mean dual price of shared positions
    price_max           their largest one
    overlap_variance    mean over shared positions of the variance of values
    disagreement        share of looked-at shared positions where two subproblems
                        that choose independently choose different actions
    clips               probabilities that were clipped in this iteration
    clip_bias           sum of |r| (1 - p / p_min) over them
    share_...           share of choices by each expert; NaN if nothing was built
    objective_...       objectives of the solution at the end of the iteration
    constraint_...      and its constraint values
    ==================  ============================================================

    Parameters
    ----------
    columns
        Numbers by name, each of shape (r,).

    Examples
    --------
    >>> trace = Trace({"iteration": [1, 2], "reward": [0.5, 0.75]})
    >>> len(trace), trace["reward"].mean()
    (2, np.float64(0.625))
    >>> trace
    <Trace: 2 rows of iteration, reward>
    """

    def __init__(self, columns: Mapping[str, ArrayLike]) -> None:
        self.columns: dict[str, NDArray[Any]] = {
            str(name): np.asarray(c) for name, c in columns.items()
        }
        shapes = {name: c.shape for name, c in self.columns.items()}
        flat = all(len(shape) == 1 for shape in shapes.values())
        if not shapes or not flat or len(set(shapes.values())) > 1:
            raise InputError(
                "trace needs columns of equal length by name, such as "
                f'{{"iteration": [1, 2], "reward": [0.1, 0.3]}}, got shapes {shapes}.'
            )

    def __len__(self) -> int:
        return len(next(iter(self.columns.values())))

    def __getitem__(self, name: str) -> NDArray[Any]:
        """One column, shape (r,)."""
        require_one_of("column", name, list(self.columns))
        return self.columns[name]

    def __repr__(self) -> str:
        count = f"{len(self):,} row{'s' if len(self) != 1 else ''}"
        return f"<Trace: {count} of {', '.join(self.columns)}>"

    def starting(self, prefix: str) -> dict[str, NDArray[Any]]:
        """Columns whose names start so, by the rest of their names.

        Examples
        --------
        >>> Trace({"share_ucb": [1.0], "reward": [0.0]}).starting("share_")
        {'ucb': array([1.])}
        """
        named = self.columns.items()
        return {n.removeprefix(prefix): c for n, c in named if n.startswith(prefix)}

    def to_records(self) -> list[dict[str, Any]]:
        """Return one dict per row."""
        rows = zip(*(c.tolist() for c in self.columns.values()), strict=True)
        return [dict(zip(self.columns, row, strict=True)) for row in rows]

    def to_csv(self, path: str | Path) -> None:
        """Write all columns as comma-separated values with a header."""
        text = table.to_csv_text(list(self.columns), self.to_records())
        write_atomically(path, storable(text).encode())

    def to_dataframe(self) -> Any:
        """Return all columns as a pandas DataFrame.

        Raises
        ------
        MissingExtra
            If pandas is not installed.
        """
        return table.dataframe(self.columns)
