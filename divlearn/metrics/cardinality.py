"""How many solutions a front has."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from divlearn.basics.errors import InputError
from divlearn.basics.typing import Value
from divlearn.metrics.dominance import minimised, undominated
from divlearn.spaces import Space


def num_non_dominated(
    F: Any,  # noqa: N803 - the public name
    senses: Sequence[str] | None = None,
    *,
    X: Sequence[Value] | None = None,  # noqa: N803 - the public name
    problem: Any = None,
    decimals: int = 9,
) -> int:
    """Count the solutions that no other dominates, each once.

    Objective values are compared after rounding. Without solutions, points with equal
    values count as one. With solutions and their problem, different solutions in
    canonical form are counted: one tour from two starts is one solution, two tours of
    equal lengths are two.

    Parameters
    ----------
    F
        Objective values, shape (q, m), or a :class:`divlearn.Result`, which brings its
        senses and, if ``problem`` is given, its solutions.
    senses
        ``"min"`` or ``"max"`` per objective; all minimised if None.
    X
        The q solutions, as the user declared them; needs ``problem``.
    problem
        Problem or space whose ``canonical`` says which solutions are equal.
    decimals
        Decimals that count.

    Examples
    --------
    >>> from divlearn.metrics import num_non_dominated
    >>> num_non_dominated([[1, 3], [2, 2], [2, 3], [1, 3 + 1e-12]])
    2
    >>> from divlearn.problems import TSP
    >>> problem = TSP([[[0, 0], [0, 1], [1, 1], [1, 0]]])
    >>> tours = [[0, 1, 2, 3], [2, 3, 0, 1], [0, 3, 2, 1], [0, 2, 1, 3]]
    >>> lengths = [problem.evaluate(x) for x in tours]
    >>> num_non_dominated(lengths, X=tours, problem=problem)
    1
    """
    if hasattr(F, "F") and hasattr(F, "objectives"):
        senses = tuple(F.objectives.values()) if senses is None else senses
        X = F.X if X is None and problem is not None else X  # noqa: N806
        F = F.F  # noqa: N806
    points = minimised(F, senses, decimals)
    if X is None and problem is None:
        return int(undominated(points).sum())
    solutions = _read_solutions(X, problem, len(points))
    kept = np.flatnonzero(undominated(points, keep_equal=True))
    return len({_key(problem, solutions[i]) for i in kept})


def _read_solutions(
    X: Sequence[Value] | None,  # noqa: N803 - the public name
    problem: Any,
    count: int,
) -> list[Value]:
    """Check that there is a solution for every point, and a problem."""
    space = getattr(problem, "space", problem)
    if X is None or not isinstance(space, Space):
        raise InputError(
            "X and problem go together: the solutions of F and the problem or space "
            f"that they belong to, got X = {X!r} and problem = {problem!r}."
        )
    if len(X) != count:
        raise InputError(
            f"X needs a solution for each of the {count} rows of F, got {len(X)}."
        )
    return list(X)


def _key(problem: Any, x: Value) -> bytes:
    """Bytes that are the same for all solutions with the same canonical form."""
    space: Space = getattr(problem, "space", problem)
    return space.encode(problem.canonical(x)).tobytes()
