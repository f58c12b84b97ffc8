"""How sure a model may be: by how much it misses designs that it was fitted without.

To leave one design out of a fitted model is not enough: the weights of all factors have
seen it. With twenty variables and eighty designs they have learned some of them by
heart, and intervals of 90 % would hold 80 % of what comes. So the designs are split
into groups, and weights are fitted anew without each of them.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from divlearn.basics.typing import Floats
from divlearn.result.importance.linear import product, times
from divlearn.result.importance.surrogate import Model, covariance_of, fitted_model

#: Groups of designs that are left out in turn.
GROUPS = 4


class Posterior(NamedTuple):
    """What a model expects, in the units that it was made for; both (q,)."""

    mean: Floats
    variance: Floats


class Trust(NamedTuple):
    """What became of predictions of designs that the model was fitted without."""

    surprise: float  # squared errors, in units of what was expected of them
    explained: float  # share of the variance, 1 minus the squared errors


def posterior(
    model: Model, y: Floats, across: list[Floats], own: list[Floats]
) -> Posterior:
    """What a model of values, shape (s,), expects of other designs.

    Parameters
    ----------
    model, y
        The model, and the values that it was made of.
    across, own
        Covariances by factor: of the designs with those of the model, each (q, s), and
        of the designs with themselves, each (q,).
    """
    between = covariance_of(model.weights, across)
    known = np.einsum("qs,qs->q", product(between, model.inverse), between)
    unknown = np.maximum(covariance_of(model.weights, own) - known, 0.0)
    scale = float(y @ model.alpha) / len(y)
    return Posterior(times(between, model.alpha), scale * (unknown + model.noise))


def trust_in(model: Model, between: list[Floats], y: Floats) -> Trust:
    """Fit a model like this one without each group, and predict the group.

    Parameters
    ----------
    model
        Fitted to all designs.
    between
        The covariance of each factor, shape (s, s), of designs in random order.
    y
        Their values, of mean 0, shape (s,).
    """
    errors = expected = 0.0
    for group in range(GROUPS):
        out = np.arange(len(y)) % GROUPS == group
        kept = [matrix[np.ix_(~out, ~out)] for matrix in between]
        across = [matrix[np.ix_(out, ~out)] for matrix in between]
        own = [np.diag(matrix)[out] for matrix in between]
        other = fitted_model(kept, y[~out], model.highest)
        found = posterior(other, y[~out], across, own)
        errors += float(np.sum((y[out] - found.mean) ** 2))
        expected += float(found.variance.sum())
    return Trust(errors / max(expected, 1e-300), 1.0 - errors / float(y @ y))
