"""A tour whose longer length, of two, is to be short."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from divlearn.basics.typing import Value
from divlearn.errors import InputError
from divlearn.problems.built_in import BuiltIn
from divlearn.problems.compiled import Compiled
from divlearn.problems.tsp import (
    canonical_tour,
    is_symmetric,
    mean_distance,
    read_ways,
)
from divlearn.spaces import Permutation


class MaxTSP(BuiltIn):
    """Order cities so that the longer of two lengths of the tour is small.

    The same n cities have m >= 3 lengths of a tour, as in :class:`TSP`. The first
    objective, ``longer``, is the larger of the first two; ``length 3`` and so on are
    the others. All are minimised. The first one is not a sum over the edges of the
    tour: what an edge is worth depends on all the others.

    Parameters
    ----------
    coordinates
        Array of shape (n, m, 2), or a list of m arrays of shape (n, 2).
    distances
        Instead of coordinates: array of shape (m, n, n), or a list of m matrices.
    reference, ideal, name
        As for :class:`divlearn.Problem`.

    Attributes
    ----------
    coordinates, distances, symmetric, tours
        As for :class:`TSP`.

    Examples
    --------
    >>> import numpy as np
    >>> from divlearn.problems import MaxTSP
    >>> corners = np.array([[0, 0], [0, 1], [1, 1], [1, 0]])
    >>> MaxTSP([corners, 2 * corners, 3 * corners]).evaluate([0, 1, 2, 3])
    array([ 8., 12.])
    """

    tours = True

    def __init__(
        self,
        coordinates: Any = None,
        *,
        distances: Any = None,
        reference: Sequence[float] | None = None,
        ideal: Sequence[float] | None = None,
        name: str | None = None,
    ) -> None:
        from divlearn.kernels.objectives.max_tour import longer_and_others

        self.coordinates, self.distances = read_ways(coordinates, distances)
        self.symmetric = is_symmetric(self.distances)
        m, n, _ = self.distances.shape
        if m < 3:
            raise InputError(
                "MaxTSP needs at least 3 sets of coordinates or distances, two for "
                f"the longer length and one beside it, got {m}."
            )
        super().__init__(
            Permutation(n),
            None,
            ["longer", *(f"length {k + 1}" for k in range(2, m))],
            reference=reference,
            ideal=ideal,
            name=name or f"max-tsp-{n}",
            compiled=Compiled(
                longer_and_others, self.distances.transpose(1, 2, 0).reshape(n * n, m)
            ),
            distance=mean_distance(self.distances),
        )

    def arguments(self) -> dict[str, Any]:
        """Return the arguments that recreate this instance."""
        if self.coordinates is None:
            return {"distances": self.distances}
        return {"coordinates": self.coordinates}

    def canonical(self, x: Value) -> Value:
        """Return the same tour from city 0, as :meth:`TSP.canonical` does."""
        return self.space.decode(canonical_tour(self.space.encode(x), self.symmetric))
