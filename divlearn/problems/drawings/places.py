"""Places that fit given distances, where nobody said where things are."""

from __future__ import annotations

import numpy as np

from divlearn.basics.typing import Floats

#: With more things, finding places takes too long.
MOST = 500
#: What is said of such places.
NOTE = "places are estimated from distances"


def places_of(distances: Floats) -> tuple[Floats, float] | None:
    """Places whose distances are nearest to given ones, by classical scaling.

    Parameters
    ----------
    distances
        Shape (n, n).

    Returns
    -------
    Places, shape (n, 2), and the share of the distances that a plane explains, 0 to 1;
    None if there are too many.

    Examples
    --------
    >>> line = np.abs(np.subtract.outer(np.arange(4.0), np.arange(4.0)))
    >>> places, share = places_of(line)
    >>> float(abs(places[3, 0] - places[0, 0]).round(6)), round(share, 6)
    (3.0, 1.0)
    """
    n = len(distances)
    if not 2 <= n <= MOST:
        return None
    centre = np.eye(n) - 1.0 / n
    squares = np.square((distances + distances.T) / 2.0)
    values, vectors = np.linalg.eigh(-centre @ squares @ centre / 2.0)
    largest = np.maximum(values[-2:][::-1], 0.0)
    total = np.abs(values).sum()
    places = vectors[:, -2:][:, ::-1] * np.sqrt(largest)
    return places, float(largest.sum() / total) if total > 0 else 0.0
