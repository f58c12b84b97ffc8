"""Reading what the ways between cities are: coordinates or distances."""

from __future__ import annotations

from typing import Any

import numpy as np

from divlearn.basics.errors import InputError
from divlearn.basics.typing import Floats
from divlearn.problems.built_in.arrays import (
    MAX_DISTANCE_SIZE,
    between_points,
    read_numbers,
)


def read_ways(coordinates: Any, distances: Any) -> tuple[Floats | None, Floats | None]:
    """Return coordinates, shape (n, m, 2), if given, and distances, (m, n, n).

    Of too many places there are no distances: they are computed as they are needed.
    """
    if (coordinates is None) == (distances is None):
        raise InputError(
            "tours need coordinates of shape (n, m, 2) or distances= of shape "
            "(m, n, n): give one of the two."
        )
    if distances is not None:
        return None, _read_distances(distances)
    read = _read_coordinates(coordinates)
    places = read.transpose(1, 0, 2)
    if len(read) > MAX_DISTANCE_SIZE:
        _require_finite(places)
        return read, None
    return read, np.array([between_points(points) for points in places])


def _read_coordinates(coordinates: Any) -> Floats:
    """Return the coordinates as one array of shape (n, m, 2)."""
    if not isinstance(coordinates, (list, tuple)):
        text = "an array of shape (n, m, 2) or a list of arrays of shape (n, 2)"
        read = read_numbers("coordinates", coordinates, ("n", "m", 2), text)
        _require_two(len(read))
        return read
    if not coordinates:
        raise InputError("coordinates must hold at least one set of cities, got none.")
    sets = [
        read_numbers(f"coordinates[{k}]", points, ("n", 2), "an array of shape (n, 2)")
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
    read = read_numbers("distances", distances, ("m", "n", "n"), text)
    _require_two(read.shape[1])
    return read


def _require_finite(places: Floats) -> None:
    """Refuse places, shape (m, n, 2), that are too far apart for their squares."""
    for points in places:
        between_points(np.stack([points.min(axis=0), points.max(axis=0)]))


def _require_two(n: int) -> None:
    """Refuse a tour without an edge."""
    if n < 2:
        raise InputError(f"a tour needs at least 2 cities, got {n}.")
