"""Facilities at locations, with several flows between them to keep cheap."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from divlearn.errors import InputError
from divlearn.problems.arrays import read_numbers
from divlearn.problems.built_in import BuiltIn
from divlearn.problems.compiled import Compiled
from divlearn.spaces import Permutation


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

    def __init__(
        self,
        distances: Any,
        flows: Any,
        *,
        reference: Sequence[float] | None = None,
        ideal: Sequence[float] | None = None,
        name: str | None = None,
    ) -> None:
        from divlearn.kernels.objectives.assignment import assignment_costs

        text = "a square matrix, shape (n, n): from location to location"
        self.distances = read_numbers("distances", distances, (None, None), text)
        n = len(self.distances)
        if self.distances.shape != (n, n):
            raise InputError(
                f"distances must be {text}, got shape {self.distances.shape}."
            )
        text = f"an array of shape (m, {n}, {n}): as many facilities as locations"
        self.flows = read_numbers("flows", flows, (None, n, n), text)
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

    def arguments(self) -> dict[str, Any]:
        """Return the arguments that recreate this instance."""
        return {"distances": self.distances, "flows": self.flows}
