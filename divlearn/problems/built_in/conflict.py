"""Distances at whose borders two objectives want opposite things."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from divlearn.basics.checks import require_number, require_whole
from divlearn.basics.typing import Codes, Floats
from divlearn.problems.built_in.arrays import between_points

#: Of either region at a border, one city in this many lies at the border.
CITIES_PER_BORDER_CITY = 4


def conflicting_distances(
    rng: np.random.Generator, n: int, regions: int, alpha: float
) -> Floats:
    """Draw distances between n cities for two objectives, in conflict at borders.

    All cities lie on one map, and regions are its vertical strips with equally many
    cities. At each border between two strips, a quarter of the cities of either strip,
    those nearest to the border and at least one, are border cities. Ways from a
    border city into the right strip are ``alpha`` times as long for objective 1, and
    ways into the left strip for objective 2.

    Parameters
    ----------
    rng
        Source of the places, ``rng.random((n, 2))``.
    n
        Number of cities.
    regions
        Number of strips, from 2 to n.
    alpha
        Strength of the conflict; with 1 there is none.

    Returns
    -------
    Symmetric matrices, array of shape (2, n, n).
    """
    regions = require_whole("regions", regions, 2, n)
    alpha = require_number("alpha", alpha, least=1.0)
    places = rng.random((n, 2))
    strips = np.array_split(np.argsort(places[:, 0], kind="stable"), regions)
    dear = np.zeros((2, n, n), bool)
    for left, right in pairwise(strips):
        cities = _at_border(left, right)
        dear[0][np.ix_(cities, right)] = True
        dear[1][np.ix_(cities, left)] = True
    dear |= dear.transpose(0, 2, 1)
    return np.where(dear, alpha, 1.0) * between_points(places)


def _at_border(left: Codes, right: Codes) -> Codes:
    """Return the cities nearest to the border of two strips, sorted from left."""
    before, after = (max(1, len(s) // CITIES_PER_BORDER_CITY) for s in (left, right))
    return np.concatenate([left[-before:], right[:after]])
