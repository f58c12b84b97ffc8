"""A corner of what counts, where a problem has no reference point.

The Gaussian process chooses what adds most to the hypervolume up to a corner. A front
of few members has ends that are far worse in some objective than anything is worth: a
corner beyond them leads the search there. What random solutions reach without any
search is a corner that anybody would agree on, and it is known before the model speaks.
"""

from __future__ import annotations

import numpy as np

from divlearn.methods.dl.kernels.models.gp.state import GaussianProcess

#: Answers without which nothing is guessed, however few of them are random.
LEAST_ANSWERS = 10


def guess_corner(gp: GaussianProcess) -> None:
    """Once, after the first answers: take their worst value of each objective.

    A reference point of the problem stays; a single objective needs no corner.
    """
    control = gp.control[0]
    m, enough = int(control.num_objectives), max(control.num_initial, LEAST_ANSWERS)
    if m < 2 or control.taken != enough or not np.isnan(gp.reference[0]):
        return
    gp.reference[:] = gp.values[: int(control.taken), :m].max(axis=0)
