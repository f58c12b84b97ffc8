"""Distances between nodes as TSPLIB defines them.

G. Reinelt, "TSPLIB 95" (1995), section 2. Published optima depend on these definitions
to the last digit: pi has six decimals, and the nearest integer is ``int(x + 0.5)``.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from divlearn.basics.typing import Floats

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


def nearest(lengths: Floats) -> Floats:
    """Round to the nearest integer, halves up."""
    return np.floor(lengths + 0.5)


def euclidean(points: Floats, rounded: bool) -> Floats:
    """Lengths of straight lines."""
    lengths = np.sqrt(_squares(points))
    return nearest(lengths) if rounded else lengths


def ceiling(points: Floats, rounded: bool) -> Floats:
    """Lengths of straight lines, rounded up."""
    lengths = np.sqrt(_squares(points))
    return np.ceil(lengths) if rounded else lengths


def manhattan(points: Floats, rounded: bool) -> Floats:
    """Lengths along the axes."""
    lengths: Floats = np.add.reduce([_differences(axis) for axis in points.T])
    return nearest(lengths) if rounded else lengths


def maximum(points: Floats, rounded: bool) -> Floats:
    """Largest difference along an axis."""
    lengths: Floats = np.maximum.reduce([_differences(axis) for axis in points.T])
    return nearest(lengths) if rounded else lengths


def pseudo_euclidean(points: Floats, rounded: bool) -> Floats:
    """Straight lines divided by the square root of 10, rounded up (ATT)."""
    lengths = np.sqrt(_squares(points) / 10.0)
    if not rounded:
        return lengths
    whole = nearest(lengths)
    return np.where(whole < lengths, whole + 1.0, whole)


def geographical(points: Floats, rounded: bool) -> Floats:
    """Lengths on the earth in kilometres; 16.47 is 16 degrees and 47 minutes."""
    degrees = np.trunc(points)
    latitude, longitude = (PI * (degrees + 5.0 * (points - degrees) / 3.0) / 180.0).T
    q1 = np.cos(longitude[:, None] - longitude[None, :])
    q2 = np.cos(latitude[:, None] - latitude[None, :])
    q3 = np.cos(latitude[:, None] + latitude[None, :])
    cosine = 0.5 * ((1.0 + q1) * q2 - (1.0 - q1) * q3)
    lengths: Floats = EARTH_RADIUS * np.arccos(np.clip(cosine, -1.0, 1.0))
    return np.floor(lengths + 1.0) if rounded else lengths


def _squares(points: Floats) -> Floats:
    """Squares of the lengths of straight lines."""
    squares: Floats = np.add.reduce([_differences(axis) ** 2 for axis in points.T])
    return squares


def _differences(axis: Floats) -> Floats:
    """Differences along an axis, shape (n, n)."""
    return np.abs(axis[:, None] - axis[None, :])


#: Number of coordinates and definition by EDGE_WEIGHT_TYPE.
DEFINITIONS: dict[str, tuple[int, Callable[[Floats, bool], Floats]]] = {
    "EUC_2D": (2, euclidean),
    "EUC_3D": (3, euclidean),
    "CEIL_2D": (2, ceiling),
    "MAN_2D": (2, manhattan),
    "MAN_3D": (3, manhattan),
    "MAX_2D": (2, maximum),
    "MAX_3D": (3, maximum),
    "GEO": (2, geographical),
    "ATT": (2, pseudo_euclidean),
}


def measure(kind: str, points: Floats, rounded: bool) -> Floats:
    """Distances between points, shape (n, d), as a matrix of shape (n, n)."""
    lengths = DEFINITIONS[kind][1](points, rounded)
    np.fill_diagonal(lengths, 0.0)
    return lengths
