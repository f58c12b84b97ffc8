"""What speaks for a candidate: the gain that it promises, if it is feasible.

Predictions are what takes time, so nothing is predicted that cannot matter: once a
candidate cannot beat what it is compared with, its other outputs are left alone. Nor
are deviations, where even the greatest that is possible would not be enough.
"""

from __future__ import annotations

import math

from divlearn.basics.typing import Codes
from divlearn.kernels.jit import lean_kernel
from divlearn.kernels.layout import Layout
from divlearn.methods.dl.kernels.models.gp.acquisition import (
    log_feasibility,
    promised_gain,
)
from divlearn.methods.dl.kernels.models.gp.posterior import (
    begin_change,
    bound_deviation,
    predict_deviation,
    predict_mean,
    predict_output,
    set_covariances,
    set_distances,
)
from divlearn.methods.dl.kernels.models.gp.state import GaussianProcess


@lean_kernel
def merit_of(gp: GaussianProcess, layout: Layout, x: Codes, least: float) -> float:
    """Merit of ``x``, see :func:`merit_of_change`, whose distances stay."""
    set_distances(gp, layout, x)
    return merit_of_change(gp, -1, 0.0, least)


@lean_kernel
def merit_of_change(gp: GaussianProcess, c: int, after: float, least: float) -> float:
    """What speaks for a candidate; more is better.

    Before anything is feasible only the chance to be feasible counts.

    Parameters
    ----------
    gp
        With the distances of a solution, see
        :func:`divlearn.methods.dl.kernels.models.gp.posterior.set_distances`.
    c, after
        The column whose coordinate is changed, and to what; -1 for none.
    least
        Merits up to this are of no interest, and need not be exact.
    """
    control, value_mean = gp.control[0], begin_change(gp, c, after)
    value, promised, chance = 0.0, 0.0, 0.0
    if control.num_front > 0:
        for o in range(control.num_objectives):
            set_covariances(gp, o, c, after, value_mean)
            predict_mean(gp, o)
            bound_deviation(gp, o)
        value = promised_gain(gp)
        if value <= least:
            return value
        for o in range(control.num_objectives):
            predict_deviation(gp, o)
        value = promised = promised_gain(gp)
        if value <= least:
            return value
    for o in range(control.num_objectives, gp.outputs.shape[0]):
        predict_output(gp, o, c, after, value_mean)
        chance += log_feasibility(gp, o)
        value = promised * math.exp(chance) if control.num_front > 0 else chance
        if value <= least:
            return value
    return value
