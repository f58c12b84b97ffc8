"""How different the solutions of a front are from each other.

All are from the paper's appendix on sample diversity. Solutions are taken as given, so
leave out duplicates first if they should not count.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from divlearn.basics.checks import require_whole
from divlearn.basics.errors import InputError
from divlearn.basics.typing import Floats, Integers, Value
from divlearn.metrics.distance import solution_distance

#: Distances held at a time: few enough to stay in the processor's cache.
BLOCK = 2**18


def raw_diversity(
    X: Sequence[Value],  # noqa: N803 - the public name
    distance: Any,
    *,
    most: int = 5_000,
) -> float:
    """Mean distance over all pairs of solutions.

    The paper's RawDiv. It favours fronts of few solutions, which lie far apart: see
    :func:`adjusted_diversity`. A front of fewer than two solutions has no pairs and, by
    our convention, diversity 0.

    Parameters
    ----------
    X
        Solutions as the user declared them, such as ``result.X``.
    distance
        The problem, or the space, that the solutions belong to. Tours are then compared
        by their edges, everything else by the metric of the space as a share of its
        greatest value, see :func:`~divlearn.metrics.solution_distance`. Or a function
        of two solutions.
    most
        Up to this many solutions the value is exact; 3,000 tours of 100 cities take
        about a quarter of a second. If there are more, this many, evenly spaced in the
        order of X, are compared with all others: an estimate, but always the same one.

    Examples
    --------
    >>> from divlearn import Binary
    >>> from divlearn.metrics import raw_diversity
    >>> raw_diversity([[0, 0, 0, 0], [0, 0, 1, 1], [1, 1, 1, 1]], Binary(4))
    0.6666666666666666
    """
    solutions = _read_solutions(X)
    total, count = 0.0, 0
    for table, _ in _blocks(solutions, distance, most):
        total += float(table.sum())
        count += len(table)
    return total / (count * (len(solutions) - 1)) if len(solutions) > 1 else 0.0


def adjusted_diversity(
    X: Sequence[Value],  # noqa: N803 - the public name
    distance: Any,
    *,
    most: int = 5_000,
) -> float:
    """Raw diversity times log(1 + number of solutions).

    The paper's AdjDiv, with the natural logarithm: it rewards a front that is both
    diverse and large, and has no upper limit.

    Parameters
    ----------
    X, distance, most
        As in :func:`raw_diversity`.

    Examples
    --------
    >>> from divlearn import Binary
    >>> from divlearn.metrics import adjusted_diversity
    >>> f"{adjusted_diversity([[0, 0], [1, 1]], Binary(2)):.4f}"  # 1 * log 3
    '1.0986'
    """
    return raw_diversity(X, distance, most=most) * math.log1p(len(X))


def knn_diversity(
    X: Sequence[Value],  # noqa: N803 - the public name
    distance: Any,
    *,
    k: int = 3,
    most: int = 5_000,
) -> float:
    """Mean distance from each solution to its k nearest others.

    The paper's KNN-Div. Small values mean that every solution has similar neighbours,
    as expected of a dense front; alone it does not measure quality. If there are fewer
    than k others, all of them count; a front of fewer than two solutions has, by our
    convention, diversity 0. An equal solution is a neighbour at distance 0.

    Parameters
    ----------
    X, distance, most
        As in :func:`raw_diversity`.
    k
        Number of neighbours; the paper's 3.

    Examples
    --------
    >>> from divlearn import Integer
    >>> from divlearn.metrics import knn_diversity
    >>> knn_diversity([0, 1, 2, 10], Integer(0, 10), k=1)  # steps 1, 1, 1 and 8 of 10
    0.275
    """
    solutions = _read_solutions(X)
    neighbours = min(require_whole("k", k, least=1), len(solutions) - 1)
    total, count = 0.0, 0
    for table, chosen in _blocks(solutions, distance, most):
        table[np.arange(len(chosen)), chosen] = np.inf
        nearest = np.partition(table, neighbours - 1, axis=1)[:, :neighbours]
        total += float(nearest.mean(axis=1).sum())
        count += len(table)
    return total / count if len(solutions) > 1 else 0.0


def _read_solutions(solutions: Any) -> list[Value]:
    """Return the solutions as a list."""
    if isinstance(solutions, (str, bytes, dict)) or not hasattr(solutions, "__len__"):
        raise InputError(
            "X needs the solutions one after another, as a list or the rows of an "
            f"array, got {solutions!r}."
        )
    return list(solutions)


def _blocks(
    solutions: list[Value], distance: Any, most: int
) -> Iterator[tuple[Floats, Integers]]:
    """Yield distances to all solutions, shape (b, q), with the b indices.

    A solution is at distance 0 from itself. Yields nothing if there are no pairs.
    """
    measure = solution_distance(distance)
    size, most = len(solutions), require_whole("most", most, least=1)
    if not size:
        return
    prepared = measure.prepare(solutions)
    if size < 2:
        return
    chosen = np.linspace(0, size - 1, min(size, most)).round().astype(np.int64)
    for block in np.array_split(chosen, math.ceil(len(chosen) * size / BLOCK)):
        table = measure.rows(prepared, block)
        table[np.arange(len(block)), block] = 0.0
        yield table, block
