"""A model of one output, made for the question what it depends on.

A Gaussian process whose covariance is the product of ``1 + weight * factor`` over all
factors (:mod:`divlearn.result.importance.factors`): a sum of functions of one factor,
of two, and so on. Since factors are centred, the variance of its mean over random
designs is a sum as well, over all sets of factors. A term that several factors share is
split evenly among them; these are Shapley effects, and they add up to the whole.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from divlearn.basics.typing import Floats, Integers
from divlearn.result.importance.factors import Factor
from divlearn.result.importance.linear import inverse_of, times

#: Designs that weights are fitted to, and designs that the model is made of.
MOST_FITTED, MOST_USED = 120, 300
#: Steps of the fit.
STEPS = 40
#: Weights and noise at the start, and how far their logarithms stray from them. Small
#: weights are those of sums: what acts together has to show.
WEIGHT, NOISE, SPREAD = 0.02, 0.05, 2.0
#: Limits of these logarithms: of all, of the noise, and the two upper ones that are
#: tried for weights. The evidence alone may take a rare value for a law of its own.
LOWEST, LEAST_NOISE, HIGHEST = -12.0, -9.0, (-2.0, 1.5)
#: Groups of designs that are left out in turn, to see how sure shares are.
GROUPS = 8
#: Factors whose pairs are looked at.
MOST_PAIRED = 20
#: Points and weights of Gauss and Legendre between 0 and 1: exact for terms of up to
#: four factors, close for more.
POINTS, POINT_SHARES = (0.5 - 0.75**0.5 / 3, 0.5 + 0.75**0.5 / 3), (0.5, 0.5)


@dataclass(frozen=True)
class Explained:
    """What a model says about an output.

    Attributes
    ----------
    shares
        Of the variance that the model explains, by factor, shape (d,).
    without
        The same without each group of designs, shape (:data:`GROUPS`, d).
    pairs
        Shares of what two factors do together, shape (d, d), zero below the diagonal.
    explained
        Share of the variance of designs that were left out when they were predicted:
        held-out R2.
    alpha
        Weights of the designs in the model, shape (s,).
    """

    shares: Floats
    without: Floats
    pairs: Floats
    explained: float
    alpha: Floats


class Covariances:
    """Covariances of all factors between the designs of a sample."""

    def __init__(self, factors: list[Factor]) -> None:
        both = [factor.covariance() for factor in factors]
        self.between: list[Floats] = [pair[0] for pair in both]  # d of (s, s)
        self.integrated: list[Floats] = [pair[1] for pair in both]  # d of (s, s)


def chosen_designs(count: int) -> Integers:
    """Which of ``count`` designs the model is made of, in random order."""
    return np.random.default_rng(0).permutation(count)[:MOST_USED]


def explain(covariances: Covariances, values: Floats) -> Explained:
    """Fit a model to values, shape (s,), in random order, and split its variance."""
    y = (values - values.mean()) / values.std()
    best = best_model(covariances.between, y)
    scaled = zip(best.weights, covariances.integrated, strict=True)
    terms = [weight**2 * integrated for weight, integrated in scaled]
    effects = shapley(terms, best.alpha)
    total = max(float(effects.sum()), 1e-300)
    return Explained(
        shares=effects / total,
        without=_without_groups(terms, best),
        pairs=_pairs(terms, best.alpha, effects) / total,
        explained=best.explained,
        alpha=best.alpha,
    )


def best_model(between: list[Floats], y: Floats) -> Model:
    """The model that predicts best what is left out, of values of mean 0, shape (s,).

    ``between`` has the covariance of each factor, shape (s, s), in random order.
    """
    models = [fitted_model(between, y, limit) for limit in HIGHEST]
    return max(models, key=lambda model: model.explained)


class Model(NamedTuple):
    """A Gaussian process with given weights of its factors."""

    weights: Floats  # (d,)
    noise: float  # variance of a measurement
    inverse: Floats  # (s, s) of the covariance with noise
    alpha: Floats  # (s,) weights of the designs in its mean
    explained: float  # held-out R2, each design left out in turn
    highest: float  # limit of the logarithms of its weights


def fitted_model(between: list[Floats], y: Floats, highest: float) -> Model:
    """The model whose weights fit values of mean 0, shape (s,), best below a limit."""
    few = slice(0, MOST_FITTED)
    logs = fit([matrix[few, few] for matrix in between], y[few], highest)
    weights = np.exp(logs[:-1])
    covariance = covariance_of(weights, between)
    noise = float(np.exp(logs[-1]) * np.diag(covariance).mean())
    covariance[np.diag_indices_from(covariance)] += noise
    inverse, _ = inverse_of(covariance)
    alpha = times(inverse, y)
    missed = alpha / np.diag(inverse)
    explained = 1.0 - float(missed @ missed) / float(y @ y)
    return Model(weights, noise, inverse, alpha, explained, highest)


def covariance_of(weights: Floats, between: list[Floats]) -> Floats:
    """The product over all factors, each of the shape of the result."""
    product = np.ones_like(between[0])
    for weight, matrix in zip(weights, between, strict=True):
        product *= 1.0 + weight * matrix
    return product


# --- weights


def fit(between: list[Floats], y: Floats, highest: float = HIGHEST[-1]) -> Floats:
    """Logarithms of the weights of all factors, then of the noise, shape (d + 1,).

    They maximise the evidence with a prior on the weights, by steps whose size depends
    on signs of the gradient alone (Rprop), which needs no line search.
    """
    size = len(between)
    start = np.full(size + 1, np.log(WEIGHT))
    start[-1] = np.log(NOISE)
    lowest, most = np.full(size + 1, LOWEST), np.full(size + 1, highest)
    lowest[-1], most[-1] = LEAST_NOISE, HIGHEST[-1]
    logs, steps, before = start.copy(), np.full(size + 1, 0.5), np.zeros(size + 1)
    best, best_logs = -np.inf, start
    for _ in range(STEPS):
        evidence, gradient = _evidence(logs, between, y)
        away = (logs - start) / SPREAD
        evidence, gradient = evidence - 0.5 * away @ away, gradient - away / SPREAD
        if not np.isfinite(evidence):
            break
        if evidence > best:
            best, best_logs = evidence, logs.copy()
        turned = np.sign(gradient) * np.sign(before)
        steps = np.clip(steps * (1.0 + 0.3 * turned - 0.2 * (turned < 0)), 1e-3, 1.0)
        before = np.where(turned < 0, 0.0, gradient)
        logs = np.clip(logs + np.sign(before) * steps, lowest, most)
    return best_logs


def _evidence(logs: Floats, between: list[Floats], y: Floats) -> tuple[float, Floats]:
    """Logarithm of the evidence, with the best scale, and its gradient."""
    weights, count = np.exp(logs[:-1]), len(y)
    product = covariance_of(weights, between)
    noise = float(np.exp(logs[-1]) * np.diag(product).mean())
    model = product.copy()
    model[np.diag_indices(count)] += noise
    inverse, log_det = inverse_of(model)
    alpha = times(inverse, y)
    scale = float(y @ alpha) / count
    slope = 0.5 * (np.outer(alpha, alpha) / scale - inverse)
    weighted, gradient = slope * product, np.empty_like(logs)
    for b, matrix in enumerate(between):
        term = weights[b] * matrix
        gradient[b] = np.sum(weighted * (term / _nonzero(1.0 + term)))
    gradient[-1] = noise * np.trace(slope)
    return -0.5 * (count * np.log(scale) + log_det), gradient


def _nonzero(numbers: Floats) -> Floats:
    """Numbers to divide by."""
    return np.where(numbers == 0.0, 1e-300, numbers)


# --- shares of the variance


def shapley(terms: list[Floats], alpha: Floats) -> Floats:
    """Variance of each factor, terms of several factors split evenly, shape (d,).

    A term of k factors is counted with 1 / k, the integral of ``t**(k - 1)``.
    """
    effects, outer = np.zeros(len(terms)), np.outer(alpha, alpha)
    for point, share in zip(POINTS, POINT_SHARES, strict=True):
        product = outer.copy()
        for term in terms:
            product *= 1.0 + point * term
        for b, term in enumerate(terms):
            alone = term / _nonzero(1.0 + point * term)
            effects[b] += share * np.sum(product * alone)
    return np.maximum(effects, 0.0)


def _pairs(terms: list[Floats], alpha: Floats, effects: Floats) -> Floats:
    """Variance of what two factors do together, shape (d, d)."""
    found = np.zeros((len(terms), len(terms)))
    largest = np.sort(np.argsort(-effects)[:MOST_PAIRED])
    for place, a in enumerate(largest):
        first = terms[a] * alpha[:, None]
        for b in largest[place + 1 :]:
            found[a, b] = max(0.0, float(np.sum(first * terms[b] * alpha)))
    return found


def _without_groups(terms: list[Floats], model: Model) -> Floats:
    """Shares without an eighth of the designs each, the weights being the same.

    With P for the inverse and g for a group, the others' alpha changes by
    ``-P[:, g] inverse(P[g, g]) alpha[g]``.
    """
    count, rows = len(model.alpha), []
    for start in range(GROUPS):
        group = np.arange(start, count, GROUPS)
        inner, _ = inverse_of(model.inverse[np.ix_(group, group)])
        change = times(model.inverse[:, group], times(inner, model.alpha[group]))
        alpha = model.alpha - change
        alpha[group] = 0.0
        effects = shapley(terms, alpha)
        rows.append(effects / max(float(effects.sum()), 1e-300))
    return np.array(rows)


def standard_error(without: Floats) -> Floats:
    """Standard error of what was computed without each group, a jackknife."""
    spread: Floats = np.var(without, axis=0) * (len(without) - 1)
    return np.sqrt(spread)
