"""Distances between nodes as TSPLIB defines them.

G. Reinelt, "TSPLIB 95" (1995), section 2. Published optima depend on these definitions
to the last digit: pi has six decimals, and the nearest integer is ``int(x + 0.5)``.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from divlearn.basics.typing import Floats
from divlearn.problems.built_in.arrays import between_points

#: From points, or from lengths, to lengths.
Function = Callable[[Floats], Floats]

PI = 3.141592
EARTH_RADIUS = 6378.388

#: Forms of an explicit matrix, and which part of it they list row by row. A triangle
#: listed by columns is the other triangle listed by rows, of a symmetric matrix.
MATRIX_FORMATS = {
    "FULL_MATRIX": "full",
    "UPPER_ROW": "upper",
    "LOWER_ROW": "lower",
    "UPPER_DIAG_ROW": "upper with diagonal",
    "LOWER_DIAG_ROW": "lower with diagonal",
    "UPPER_COL": "lower",
    "LOWER_COL": "upper",
    "UPPER_DIAG_COL": "lower with diagonal",
    "LOWER_DIAG_COL": "upper with diagonal",
}


def num_entries(n: int, form: str) -> int:
    """Count the entries that a form lists for n nodes."""
    part = MATRIX_FORMATS[form]
    if part == "full":
        return n * n
    return n * (n + 1) // 2 if part.endswith("diagonal") else n * (n - 1) // 2


def fill_matrix(n: int, form: str, numbers: Floats) -> Floats:
    """Make the matrix, shape (n, n), of the numbers that a form lists.

    The diagonal is 0, whatever the file says, because nobody travels from a node to
    itself and files contain all kinds of numbers there.
    """
    part = MATRIX_FORMATS[form]
    if part == "full":
        matrix = numbers.reshape(n, n).copy()
    else:
        diagonal = 0 if part.endswith("diagonal") else 1
        upper = part.startswith("upper")
        matrix = np.zeros((n, n))
        entries = (
            np.triu_indices(n, diagonal) if upper else np.tril_indices(n, -diagonal)
        )
        matrix[entries] = numbers
        matrix += matrix.T
    np.fill_diagonal(matrix, 0.0)
    return matrix


def manhattan(points: Floats) -> Floats:
    """Lengths along the axes."""
    lengths: Floats = np.add.reduce([_differences(axis) for axis in points.T])
    return lengths


def maximum(points: Floats) -> Floats:
    """Largest difference along an axis."""
    lengths: Floats = np.maximum.reduce([_differences(axis) for axis in points.T])
    return lengths


def pseudo_euclidean(points: Floats) -> Floats:
    """Straight lines divided by the square root of 10 (ATT)."""
    squares: Floats = np.add.reduce([_differences(axis) ** 2 for axis in points.T])
    return np.sqrt(squares / 10.0)


def geographical(points: Floats) -> Floats:
    """Lengths on the earth in kilometres; 16.47 is 16 degrees and 47 minutes."""
    degrees = np.trunc(points)
    latitude, longitude = (PI * (degrees + 5.0 * (points - degrees) / 3.0) / 180.0).T
    q1 = np.cos(longitude[:, None] - longitude[None, :])
    q2 = np.cos(latitude[:, None] - latitude[None, :])
    q3 = np.cos(latitude[:, None] + latitude[None, :])
    cosine = 0.5 * ((1.0 + q1) * q2 - (1.0 - q1) * q3)
    lengths: Floats = EARTH_RADIUS * np.arccos(np.clip(cosine, -1.0, 1.0))
    return lengths


def _differences(axis: Floats) -> Floats:
    """Differences along an axis, shape (n, n)."""
    return np.abs(axis[:, None] - axis[None, :])


def nearest(lengths: Floats) -> Floats:
    """Round to the nearest integer, halves up."""
    return np.floor(lengths + 0.5)


def nearest_above(lengths: Floats) -> Floats:
    """Round to the nearest integer, and then up if that is less (ATT)."""
    whole = nearest(lengths)
    return np.where(whole < lengths, whole + 1.0, whole)


def next_above(lengths: Floats) -> Floats:
    """Round to the next larger integer, also if the length is one (GEO)."""
    return np.floor(lengths + 1.0)


#: Number of coordinates, definition and rounding by EDGE_WEIGHT_TYPE.
DEFINITIONS: dict[str, tuple[int, Function, Function]] = {
    "EUC_2D": (2, between_points, nearest),
    "EUC_3D": (3, between_points, nearest),
    "CEIL_2D": (2, between_points, np.ceil),
    "MAN_2D": (2, manhattan, nearest),
    "MAN_3D": (3, manhattan, nearest),
    "MAX_2D": (2, maximum, nearest),
    "MAX_3D": (3, maximum, nearest),
    "GEO": (2, geographical, next_above),
    "ATT": (2, pseudo_euclidean, nearest_above),
}


def measure(kind: str, points: Floats, rounded: bool) -> Floats:
    """Distances between points, shape (n, d), as a matrix of shape (n, n)."""
    _, measured, rounding = DEFINITIONS[kind]
    lengths = rounding(measured(points)) if rounded else measured(points)
    np.fill_diagonal(lengths, 0.0)
    return lengths
