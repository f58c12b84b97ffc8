"""Weight vectors for methods that solve one weighted sum after another."""

from __future__ import annotations

import numpy as np

from divlearn.basics.typing import Floats
from divlearn.methods.paper.scalarization import simplex_lattice


def spread_weights(num_objectives: int, at_least: int) -> Floats:
    """Weight vectors of a lattice, in an order whose every initial part is spread out.

    Corners come first, then always the vector farthest from those before it. So a run
    that is stopped early has seen all of the front, if coarsely.

    Parameters
    ----------
    num_objectives
        m, at least 1.
    at_least
        The coarsest lattice with at least this many vectors is used.

    Returns
    -------
    Weights, shape (W, m).

    Examples
    --------
    >>> from divlearn.lab.baselines.weights import spread_weights
    >>> spread_weights(2, 5)[:, 0]
    array([0.  , 1.  , 0.5 , 0.25, 0.75])
    """
    lattice = simplex_lattice(num_objectives, at_least)
    order = np.flatnonzero(lattice.max(axis=1) == 1.0).tolist()
    gaps = np.full(len(lattice), np.inf)
    for chosen in order:
        gaps = np.minimum(gaps, np.abs(lattice - lattice[chosen]).sum(axis=1))
    while len(order) < len(lattice):
        chosen = int(np.argmax(gaps))
        order.append(chosen)
        gaps = np.minimum(gaps, np.abs(lattice - lattice[chosen]).sum(axis=1))
    weights: Floats = lattice[order]
    return weights
