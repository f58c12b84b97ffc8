"""Facilities at locations, with several flows between them to keep cheap.

The table has a row per ordered pair, ``i * n + j``. Column 0 holds the distance from
location i to location j, column k the k-th flow from facility i to facility j.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from divlearn.basics.typing import Codes, Floats
from divlearn.kernels.jit import kernel
from divlearn.problems import drawings
from divlearn.problems.built_in.arrays import read_numbers
from divlearn.problems.built_in.base import BuiltIn, Family, Fields
from divlearn.problems.built_in.drawing import growing_reach, set_points
from divlearn.problems.compiled import Compiled
from divlearn.problems.drawings import Drawing
from divlearn.problems.drawings.assignment import strongest
from divlearn.problems.drawings.places import NOTE, places_of
from divlearn.spaces import Permutation

#: Flows in a picture for each facility, the strongest ones.
LINKS_SHOWN = 2


class QuadraticAssignment(BuiltIn):
    """Place facilities so that the flows between them have short ways.

    A solution is a permutation ``x``: facility i is at location ``x[i]``.
    Objective k, ``cost k``, is the sum over all ordered pairs of facilities of the
    k-th flow from i to j times the distance from ``x[i]`` to ``x[j]``, minimised.

    Parameters
    ----------
    distances
        Array of shape (n, n): the way from location to location.
    flows
        Array of shape (m, n, n), or a list of m matrices: ``flows[k][i][j]`` flows
        from facility i to facility j. Neither needs to be symmetric.
    reference, ideal, name
        As for :class:`divlearn.Problem`.

    Attributes
    ----------
    distances, flows
        The instance, shapes (n, n) and (m, n, n).

    Examples
    --------
    >>> from divlearn.problems import QuadraticAssignment
    >>> line = [[0, 1, 2], [1, 0, 1], [2, 1, 0]]
    >>> flow = [[0, 5, 0], [0, 0, 1], [0, 0, 0]]
    >>> problem = QuadraticAssignment(line, [flow])
    >>> problem.evaluate([0, 1, 2]), problem.evaluate([0, 2, 1])
    (array([6.]), array([11.]))
    """

    fields: ClassVar[Fields] = Fields(("distances", "flows"))

    def __init__(
        self,
        distances: Any,
        flows: Any,
        *,
        reference: Sequence[float] | None = None,
        ideal: Sequence[float] | None = None,
        name: str | None = None,
    ) -> None:
        text = "a square matrix, shape (n, n): from location to location"
        self.distances: Floats = read_numbers("distances", distances, ("n", "n"), text)
        n = len(self.distances)
        text = f"an array of shape (m, {n}, {n}): as many facilities as locations"
        self.flows: Floats = read_numbers("flows", flows, ("m", n, n), text)
        m = len(self.flows)
        pairs = np.concatenate([self.distances[None], self.flows])
        super().__init__(
            Permutation(n),
            None,
            [f"cost {k + 1}" for k in range(m)],
            reference=reference,
            ideal=ideal,
            name=name or f"assignment-{n}",
            compiled=Compiled(
                assignment_costs, pairs.transpose(1, 2, 0).reshape(n * n, m + 1)
            ),
            distance=(self.distances + self.distances.T) / 2.0,
        )

    @property
    def drawing(self) -> Drawing | None:
        """What is where, with the strongest flows; None if there are too many."""
        found = places_of(self.distances)
        if found is None:
            return None
        links = strongest(self.flows.sum(axis=0), LINKS_SHOWN * len(self.distances))
        return drawings.Assignment(found[0], links, note=NOTE)


@kernel
def assignment_costs(x: Codes, table: Floats, y: Floats) -> None:
    """Write the sum of flow times distance, where facility i is at ``x[i]``."""
    n = x.shape[0]
    for k in range(y.shape[0]):
        total = 0.0
        for i in range(n):
            start, place = i * n, x[i] * n
            for j in range(n):
                total += table[start + j, k + 1] * table[place + x[j], 0]
        y[k] = total


#: Standard deviations, per root of N, from random assignments to the ideal point.
REACH = 2.0


def _assignment(rng: np.random.Generator, n: int, name: str) -> BuiltIn:
    """Make symmetric distances and two symmetric flows of whole numbers."""
    distances, first, second = _mirrored(rng.integers(1, 100, (3, n, n)))
    problem = QuadraticAssignment(distances, [first, second], name=name)
    return set_points(problem, growing_reach(n, REACH))


def _mirrored(matrices: np.ndarray[tuple[int, ...], np.dtype[np.int64]]) -> Floats:
    """Mirror the upper triangles onto the lower ones."""
    upper = np.triu(matrices, 1)
    return (upper + upper.transpose(0, 2, 1)).astype(np.float64)


FAMILIES = {"qap": Family(_assignment, 2, 1_000)}
