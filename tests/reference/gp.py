"""Gaussian processes over solutions by their definitions, with matrices from numpy.

A space is a list of segments ``(kind, arities, least, most)``, see ``layout``.
"""

import math

import numpy as np

from tests.reference.layout import ORDINAL, PERMUTATION


def differences(segments, x, y, smooth=False):
    """How much two solutions differ in every feature, orders left out.

    ``smooth``: distances of ordered values are squared.
    """
    found, start = [], 0
    for kind, arities, *_ in segments:
        n = len(arities)
        a, b = list(x[start : start + n]), list(y[start : start + n])
        start += n
        if kind == PERMUTATION:
            continue
        for u, v, arity in zip(a, b, arities, strict=True):
            apart = abs(u - v) / max(1, arity - 1) if kind == ORDINAL else u != v
            found.append(float(apart) ** (2 if smooth else 1))
    return np.array(found)


def likenesses(segments, x, y):
    """How alike all orders of two solutions are, in five ways each."""
    found, start = [], 0
    for kind, arities, *_ in segments:
        n = len(arities)
        a, b = list(x[start : start + n]), list(y[start : start + n])
        start += n
        if kind == PERMUTATION and n > 1:
            found += _of_orders(a, b)
    return np.array(found)


def _of_orders(a, b):
    """Same places, correlation, same successors, neighbours, pairs in order."""
    n, places = (
        len(a),
        [[order.index(item) for item in range(len(a))] for order in (a, b)],
    )
    edges = [set(zip(order, [*order[1:], order[0]], strict=True)) for order in (a, b)]
    either = edges[1] | {(v, u) for u, v in edges[1]}
    pairs = [(i, j) for i in range(n) for j in range(i)]
    same = [
        (places[0][i] < places[0][j]) == (places[1][i] < places[1][j]) for i, j in pairs
    ]
    return [
        sum(p == q for p, q in zip(*places, strict=True)) / n,
        np.corrcoef(*places)[0, 1],
        len(edges[0] & edges[1]) / n,
        sum(edge in either for edge in edges[0]) / n,
        2 * sum(same) / len(pairs) - 1,
    ]


def centred_similarities(kind, arity):
    """Similarities of all values of a position: rows add up to 0, own ones to arity."""
    values = np.arange(arity)
    apart = abs(values[:, None] - values) / (arity - 1)
    alike = 1 - apart if kind == ORDINAL else np.eye(arity)
    centre = np.eye(arity) - 1 / arity
    centred = centre @ alike @ centre
    return centred * arity / np.trace(centred)


def fall_off(apart, smooth):
    """What is left of a covariance at a sum of differences: Matern's if smooth is 2."""
    if smooth < 2:
        return math.exp(-apart)
    r = math.sqrt(apart)
    return (1 + math.sqrt(5) * r + 5 * r**2 / 3) * math.exp(-math.sqrt(5) * r)


def covariance(segments, weights, pairs, x, y, smooth=0, shares=(1.0,)):
    """Covariance of two solutions.

    ``weights`` are of the features and of the ways to compare orders, ``pairs`` a list
    of ``(i, j, weight)`` of positions in a space without permutations, ``shares`` those
    of the ways to compare orders and of the exponential.
    """
    alike = likenesses(segments, x, y)
    apart = np.concatenate([differences(segments, x, y, smooth), 1.0 - alike])
    total = shares[-1] * fall_off(float(np.dot(weights, apart)), smooth)
    total += float(np.dot(shares[:-1], alike))
    if pairs:
        places = [(kind, arity) for kind, row, *_ in segments for arity in row]
        alike = [
            centred_similarities(*place)[u, v] if place[1] > 1 else 0.0
            for place, u, v in zip(places, x, y, strict=True)
        ]
        total += sum(weight * alike[i] * alike[j] for i, j, weight in pairs)
    return total


def conditioned(kernel, noise, targets):
    """Likeliest mean and variance of a process with covariance ``kernel + noise``."""
    inverse = np.linalg.inv(kernel + np.diag(noise))
    mean = (inverse @ targets).sum() / inverse.sum()
    centred = targets - mean
    return mean, float(centred @ inverse @ centred) / len(targets), inverse


def log_evidence(kernel, noise, targets):
    """Logarithm of the likelihood at those, up to a constant."""
    _, variance, _ = conditioned(kernel, noise, targets)
    log_det = np.linalg.slogdet(kernel + np.diag(noise))[1]
    return -0.5 * (len(targets) * math.log(variance) + log_det)


def posterior(kernel, noise, targets, similar, own):
    """Mean and variance at a candidate with covariances ``similar`` and ``own``."""
    mean, variance, inverse = conditioned(kernel, noise, targets)
    predicted = mean + similar @ inverse @ (targets - mean)
    return predicted, variance * (own - similar @ inverse @ similar)
