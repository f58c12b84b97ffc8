"""Tours with several lengths to minimise, or with the longer of two of them.

The table has a row per ordered pair of cities, ``i * n + j``, and a column per
length: the lengths of one edge lie side by side in memory, and an unsigned index
needs no check for negative numbers. Where cities are many, it holds their places
(:mod:`divlearn.problems.built_in.tour_points`).
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from typing import Any, ClassVar

import numpy as np

from divlearn.basics.checks import require_number
from divlearn.basics.errors import InputError
from divlearn.basics.typing import Codes, Floats, Value
from divlearn.kernels.jit import kernel
from divlearn.problems import drawings
from divlearn.problems.built_in.arrays import MAX_DISTANCE_SIZE, both_directions
from divlearn.problems.built_in.base import BuiltIn, Family, Fields
from divlearn.problems.built_in.conflict import conflicting_distances
from divlearn.problems.built_in.drawing import interpolate, set_points
from divlearn.problems.built_in.tour_points import longer_on_maps, point_lengths
from divlearn.problems.built_in.ways import read_ways
from divlearn.problems.compiled import Compiled
from divlearn.problems.drawings import Drawing
from divlearn.problems.drawings.places import NOTE, places_of
from divlearn.problems.noisy import Noisy
from divlearn.spaces import Permutation
from divlearn.spaces.base import MAX_ITEMS

#: Share of the distances that a plane must explain for a map to be of use.
WORTH_DRAWING = 0.5

#: Names of objectives, and functions that compute them by a table of edges and of maps.
Count = tuple[list[str], Callable[..., None], Callable[..., None]]


class Tour(BuiltIn):
    """A closed tour of n cities with m lengths; subclasses say what these count.

    Attributes
    ----------
    label
        What the problem is called, before its size.
    """

    coordinates: Floats | None

    tours = True
    fields: ClassVar[Fields] = Fields(("coordinates", "distances"))
    label: str

    def __init__(
        self,
        coordinates: Any = None,
        *,
        distances: Any = None,
        reference: Sequence[float] | None = None,
        ideal: Sequence[float] | None = None,
        name: str | None = None,
    ) -> None:
        self.coordinates, self._distances = read_ways(coordinates, distances)
        between, places = self._distances, self.coordinates
        self.symmetric: bool = between is None or np.array_equal(
            between, between.transpose(0, 2, 1)
        )
        if between is None:
            assert places is not None
            n, m, _ = places.shape
            table, distance = places.reshape(n, 2 * m), None
        else:
            m, n, _ = between.shape
            table = between.transpose(1, 2, 0).reshape(n * n, m)
            distance = both_directions(between.mean(axis=0))
        names, of_edges, on_maps = self._count(m)
        super().__init__(
            Permutation(n),
            None,
            names,
            reference=reference,
            ideal=ideal,
            name=name or f"{self.label}-{n}",
            compiled=Compiled(on_maps if between is None else of_edges, table),
            distance=distance,
        )

    @property
    def distances(self) -> Floats:
        """Ways between all cities, shape (m, n, n); refused where they are too many."""
        if self._distances is None:
            raise InputError(
                f"{self.name} has {self.space.num_positions:,} cities and no table of "
                f"all distances, of which there is one up to {MAX_DISTANCE_SIZE:,} "
                "cities; use a method that needs evaluations alone, such as 'dl'."
            )
        return self._distances

    @abstractmethod
    def _count(self, m: int) -> Count:
        """Return names of what m lengths give, and objectives of edges and of maps."""

    def arguments(self) -> dict[str, Any]:
        """Return the arguments that recreate this instance."""
        if self.coordinates is None:
            return {"distances": self.distances}
        return {"coordinates": self.coordinates}

    @property
    def drawing(self) -> Drawing | None:
        """The tour on every map; None without places, or distances that fit some."""
        if self.coordinates is not None:
            maps = list(self.coordinates.transpose(1, 0, 2))
            titles = [f"map of length {k + 1}" for k in range(len(maps))]
            return drawings.Tour(maps, titles if len(maps) > 1 else None)
        found = places_of(self.distances.mean(axis=0))
        if found is None or found[1] < WORTH_DRAWING:
            return None
        return drawings.Tour(found[0], note=NOTE)

    def canonical(self, x: Value) -> Value:
        """Return the same tour from city 0, in a fixed direction.

        If every distance matrix is symmetric, both directions are the same tour, and
        the smaller neighbour of city 0 comes second.
        """
        return self.space.decode(canonical_tour(self.space.encode(x), self.symmetric))


class TSP(Tour):
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
        Array of shape (m, n, n). Places of more than 5,000 cities have none: distances
        are then computed whenever a tour is evaluated.
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

    label = "tsp"

    def _count(self, m: int) -> Count:
        return [f"length {k + 1}" for k in range(m)], tour_lengths, point_lengths


class MaxTSP(Tour):
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

    label = "max-tsp"

    def _count(self, m: int) -> Count:
        if m < 3:
            raise InputError(
                "MaxTSP needs at least 3 sets of coordinates or distances, two for "
                f"the longer length and one more, got {m}."
            )
        names = ["longer", *(f"length {k + 1}" for k in range(2, m))]
        return names, longer_and_others, longer_on_maps


def canonical_tour(codes: Codes, symmetric: bool) -> Codes:
    """Rotate a tour to start at city 0, and orient it if both directions are equal."""
    codes = np.roll(codes, -int(np.argmin(codes)))
    if symmetric and codes[1] > codes[-1]:
        codes[1:] = codes[:0:-1].copy()
    return codes


_ONE, _TWO = np.uint64(1), np.uint64(2)


@kernel
def tour_lengths(x: Codes, table: Floats, y: Floats) -> None:
    """Write the length of tour ``x`` under each of the m matrices into ``y``."""
    n = np.uint64(x.shape[0])
    m = table.shape[1]
    if m == 3:
        y[0], y[1], y[2] = three_lengths(x, table, n)
        return
    for k in range(0, m - 1, 2):
        y[k], y[k + 1] = two_lengths(x, table, n, np.uint64(k))
    if m % 2 == 1:
        y[m - 1] = one_length(x, table, n, np.uint64(m - 1))


@kernel
def longer_and_others(x: Codes, table: Floats, y: Floats) -> None:
    """Write the larger of the first two lengths, then the third, the fourth, ..."""
    n = np.uint64(x.shape[0])
    first, second = two_lengths(x, table, n, np.uint64(0))
    y[0] = max(first, second)
    for k in range(1, y.shape[0]):
        y[k] = one_length(x, table, n, np.uint64(k + 1))


# The sums are local numbers, which stay in registers; sums kept in ``y`` would go
# through memory at every edge. Starting from the last city closes the tour without a
# special case.


@kernel
def one_length(x: Codes, table: Floats, n: np.uint64, k: np.uint64) -> float:
    """Length in column ``k``."""
    total = 0.0
    start = np.uint64(x[x.shape[0] - 1]) * n
    for i in range(x.shape[0]):
        city = np.uint64(x[i])
        total += table[start + city, k]
        start = city * n
    return total


@kernel
def two_lengths(
    x: Codes, table: Floats, n: np.uint64, k: np.uint64
) -> tuple[float, float]:
    """Lengths in columns ``k`` and ``k + 1``."""
    first, second = 0.0, 0.0
    start = np.uint64(x[x.shape[0] - 1]) * n
    for i in range(x.shape[0]):
        city = np.uint64(x[i])
        edge = start + city
        first += table[edge, k]
        second += table[edge, k + _ONE]
        start = city * n
    return first, second


@kernel
def three_lengths(x: Codes, table: Floats, n: np.uint64) -> tuple[float, float, float]:
    """Lengths in the first three columns."""
    first, second, third = 0.0, 0.0, 0.0
    start = np.uint64(x[x.shape[0] - 1]) * n
    for i in range(x.shape[0]):
        city = np.uint64(x[i])
        edge = start + city
        first += table[edge, np.uint64(0)]
        second += table[edge, _ONE]
        third += table[edge, _TWO]
        start = city * n
    return first, second, third


#: Size and number at the paper's sizes.
REFERENCE = ((20, 20.0), (50, 35.0), (100, 65.0))


def _on_maps(num_objectives: int) -> Callable[..., BuiltIn]:
    """Make a builder for tours with this many lengths."""

    def build(rng: np.random.Generator, n: int, name: str) -> BuiltIn:
        reference = interpolate(n, REFERENCE)
        return TSP(
            rng.random((n, num_objectives, 2)),
            reference=[reference] * num_objectives,
            ideal=[0.0] * num_objectives,
            name=name,
        )

    return build


def _without_geometry(rng: np.random.Generator, n: int, name: str) -> BuiltIn:
    """Make a tour with independent distances there and back."""
    distances = rng.random((2, n, n))
    distances[:, np.arange(n), np.arange(n)] = 0.0
    problem = set_points(TSP(distances=distances, name=name), reach=0.0)
    problem.ideal = np.zeros(2)
    return problem


def _on_matrices(rng: np.random.Generator, n: int, name: str) -> BuiltIn:
    """Make a tour with two symmetric matrices of random distances."""
    upper = np.triu(rng.random((2, n, n)), 1)
    return TSP(
        distances=upper + upper.transpose(0, 2, 1),
        reference=[interpolate(n, REFERENCE)] * 2,
        ideal=[0.0] * 2,
        name=name,
    )


def _in_conflict(
    rng: np.random.Generator, n: int, name: str, regions: int = 5, alpha: float = 4.0
) -> BuiltIn:
    """Make a tour whose two lengths want opposite things at borders of regions."""
    distances = conflicting_distances(rng, n, regions, alpha)
    problem = set_points(TSP(distances=distances, name=name), reach=0.0)
    problem.ideal = np.zeros(2)
    return problem


def _longer(rng: np.random.Generator, n: int, name: str) -> BuiltIn:
    """Make a tour on three maps, two of which count by the longer length."""
    reference = interpolate(n, REFERENCE)
    return MaxTSP(
        rng.random((n, 3, 2)), reference=[reference] * 2, ideal=[0.0] * 2, name=name
    )


def _with_noise(
    rng: np.random.Generator, n: int, name: str, noise: float = 0.05
) -> BuiltIn:
    """Make a tour on two maps whose lengths are measured with an error."""
    level = require_number("noise", noise, least=0.0)
    exact = _on_maps(2)(rng, n, name)
    return Noisy(exact, level, seed=int(rng.integers(2**31)), name=name)


FAMILIES = {
    "bitsp": Family(_on_maps(2), 2, MAX_ITEMS),
    "tritsp": Family(_on_maps(3), 2, MAX_ITEMS),
    "bitsp-matrix": Family(_on_matrices, 2),
    "conflicttsp": Family(_in_conflict, 5, options=("regions", "alpha")),
    "biatsp": Family(_without_geometry, 2),
    "maxtsp": Family(_longer, 2, MAX_ITEMS),
    "noisytsp": Family(_with_noise, 2, MAX_ITEMS, options=("noise",)),
}
