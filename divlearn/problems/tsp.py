"""The travelling salesperson problem with several lengths to minimise."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from divlearn.basics.typing import Codes, Floats, Value
from divlearn.errors import InputError
from divlearn.problems.arrays import (
    MAX_DISTANCE_SIZE,
    between_points,
    read_numbers,
)
from divlearn.problems.built_in import BuiltIn
from divlearn.problems.compiled import Compiled
from divlearn.spaces import Permutation


class TSP(BuiltIn):
    """Order cities so that the closed tour is short in several senses at once.

    The same n cities have a place, or a distance to each other, for each of the m
    objectives; objective k is the length of the tour under the k-th. All are
    minimised and named ``length 1``, ``length 2`` and so on.

    Parameters
    ----------
    coordinates
        Array of shape (n, m, 2): the place of each city for each objective. Or a list
        of m arrays of shape (n, 2), one set of places per objective.
    distances
        Instead of coordinates: array of shape (m, n, n), or a list of m matrices;
        ``distances[k][i][j]`` is the way from i to j. They need not be symmetric.
    reference, ideal, name
        As for :class:`divlearn.Problem`.

    Attributes
    ----------
    coordinates
        Array of shape (n, m, 2), or None.
    distances
        Array of shape (m, n, n).
    symmetric
        Whether every way is as long as the way back.
    tours
        True: solutions are closed tours, which are compared by their edges.

    Examples
    --------
    >>> import numpy as np
    >>> from divlearn.problems import TSP
    >>> corners = [[0, 0], [0, 1], [1, 1], [1, 0]]
    >>> problem = TSP([corners, 2 * np.array(corners)])
    >>> problem.evaluate([0, 1, 2, 3])
    array([4., 8.])
    >>> problem.canonical([2, 1, 0, 3])
    array([0, 1, 2, 3])
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
        from divlearn.kernels.objectives.tsp import tour_lengths

        self.coordinates, self.distances = read_ways(coordinates, distances)
        self.symmetric = is_symmetric(self.distances)
        m, n, _ = self.distances.shape
        super().__init__(
            Permutation(n),
            None,
            [f"length {k + 1}" for k in range(m)],
            reference=reference,
            ideal=ideal,
            name=name or f"tsp-{n}",
            compiled=Compiled(
                tour_lengths, self.distances.transpose(1, 2, 0).reshape(n * n, m)
            ),
            distance=mean_distance(self.distances),
        )

    def arguments(self) -> dict[str, Any]:
        """Return the arguments that recreate this instance."""
        if self.coordinates is None:
            return {"distances": self.distances}
        return {"coordinates": self.coordinates}

    def canonical(self, x: Value) -> Value:
        """Return the same tour from city 0, in a fixed direction.

        If every distance matrix is symmetric, both directions are the same tour, and
        the smaller neighbour of city 0 comes second.
        """
        return self.space.decode(canonical_tour(self.space.encode(x), self.symmetric))


def canonical_tour(codes: Codes, symmetric: bool) -> Codes:
    """Rotate a tour to start at city 0, and orient it if both directions are equal."""
    codes = np.roll(codes, -int(np.argmin(codes)))
    if symmetric and codes[1] > codes[-1]:
        codes[1:] = codes[:0:-1].copy()
    return codes


def is_symmetric(distances: Floats) -> bool:
    """Whether every way is as long as the way back, shape (m, n, n)."""
    return bool(np.array_equal(distances, distances.transpose(0, 2, 1)))


def read_ways(coordinates: Any, distances: Any) -> tuple[Floats | None, Floats]:
    """Return coordinates, shape (n, m, 2), if given, and distances, (m, n, n)."""
    if (coordinates is None) == (distances is None):
        raise InputError(
            "tours need coordinates of shape (n, m, 2) or distances= of shape "
            "(m, n, n): give one of the two."
        )
    if distances is not None:
        return None, _read_distances(distances)
    read = _read_coordinates(coordinates)
    places = read.transpose(1, 0, 2)
    return read, np.array([between_points(points) for points in places])


def _read_coordinates(coordinates: Any) -> Floats:
    """Return the coordinates as one array of shape (n, m, 2)."""
    if not isinstance(coordinates, (list, tuple)):
        text = "an array of shape (n, m, 2) or a list of arrays of shape (n, 2)"
        read = read_numbers("coordinates", coordinates, (None, None, 2), text)
        _require_two(len(read))
        return read
    if not coordinates:
        raise InputError("coordinates must hold at least one set of cities, got none.")
    sets = [
        read_numbers(f"coordinates[{k}]", points, (None, 2), "an array of shape (n, 2)")
        for k, points in enumerate(coordinates)
    ]
    for k, points in enumerate(sets):
        if len(points) != len(sets[0]):
            raise InputError(
                "all sets of coordinates must have the same number of cities, got "
                f"{len(sets[0])} in coordinates[0] and {len(points)} in "
                f"coordinates[{k}]."
            )
    _require_two(len(sets[0]))
    return np.stack(sets, axis=1)


def _read_distances(distances: Any) -> Floats:
    """Return the distances as one array of shape (m, n, n)."""
    text = "an array of shape (m, n, n): a square matrix per objective"
    read = read_numbers("distances", distances, (None, None, None), text)
    if read.shape[1] != read.shape[2]:
        raise InputError(f"distances must be {text}, got shape {read.shape}.")
    _require_two(read.shape[1])
    return read


def _require_two(n: int) -> None:
    """Refuse a tour without an edge."""
    if n < 2:
        raise InputError(f"a tour needs at least 2 cities, got {n}.")


def mean_distance(distances: Floats) -> Floats | None:
    """How far apart cities are over all objectives and both directions."""
    if distances.shape[1] > MAX_DISTANCE_SIZE:
        return None
    mean = distances.mean(axis=0)
    return (mean + mean.T) / 2.0  # type: ignore[no-any-return]
