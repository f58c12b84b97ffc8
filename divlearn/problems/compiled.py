"""``Compiled``: an objective that runs without Python in between."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from divlearn.basics.errors import InputError
from divlearn.basics.typing import Floats


@dataclass(frozen=True)
class Compiled:
    """An objective that the compiled loop can call.

    Parameters
    ----------
    objective
        ``objective(x, table, y)``: reads codes ``x``, shape (n,), and the instance
        ``table``, and writes objective values, then constraint values, into ``y``,
        shape (m + c,). A function compiled by ``numba.njit``.
    table
        The instance as one float64 matrix, whose rows the problem explains.
    repair
        ``repair(x, table)``: makes codes ``x`` feasible in place; None for no repair.
        It must depend on nothing but ``x`` and ``table``.

    Examples
    --------
    Jobs in an order, with their hours and due dates as the two rows of the table:

    >>> import numba
    >>> import divlearn as dl
    >>> @numba.njit
    ... def lateness(order, table, y):
    ...     done, y[0], y[1] = 0.0, 0.0, 0.0
    ...     for job in order:
    ...         done += table[0, job]
    ...         y[0] += done
    ...         y[1] = max(y[1], done - table[1, job])
    >>> compiled = dl.Compiled(lateness, [[3, 1, 2], [3, 6, 4]])
    >>> names = ["total completion", "worst delay"]
    >>> problem = dl.Problem(dl.Permutation(3), None, names, compiled=compiled)
    >>> problem.evaluate([1, 2, 0]).tolist()
    [10.0, 3.0]
    """

    objective: Callable[..., None]
    table: Floats
    repair: Callable[..., None] | None = None

    def __post_init__(self) -> None:
        for name in ("objective", "repair"):
            function = getattr(self, name)
            if not callable(function) and (function is not None or name == "objective"):
                raise InputError(
                    f"{name} must be a function compiled by numba.njit, "
                    f"got {function!r}."
                )
        try:
            table = np.ascontiguousarray(self.table, np.float64)
        except (TypeError, ValueError):
            raise InputError(
                f"table must be a matrix of numbers, got {self.table!r}."
            ) from None
        if table.ndim != 2:
            raise InputError(
                f"table must be a matrix of two dimensions, got {table.ndim}; "
                "reshape the instance into rows."
            )
        object.__setattr__(self, "table", table)

    @property
    def digest(self) -> str:
        """Short hash of the instance, by which a state file recognises its problem."""
        functions = [
            getattr(function, "__name__", "")
            for function in (self.objective, self.repair)
        ]
        text = repr((self.table.shape, functions)).encode()
        return hashlib.sha256(text + self.table.tobytes()).hexdigest()[:16]
