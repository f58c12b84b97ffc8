"""Slow, obvious answers about learned values: sums written out, solutions listed."""

import itertools

import numpy as np

from divlearn.kernels.layout import CATEGORICAL, is_member

#: Spaces that were listed; tests that draw pairs ask hundreds of times.
_LISTED = {}


def all_codes(layout):
    """Every solution of a small space without permutations, shape (k, n)."""
    key = layout.places.tobytes(), layout.segments.tobytes()
    if key not in _LISTED:
        ranges = [range(int(arity)) for arity in layout.places.arity]
        codes = (np.array(x, np.int64) for x in itertools.product(*ranges))
        _LISTED[key] = np.array([x for x in codes if is_member(layout, x)])
    return _LISTED[key].copy()


def actions_of(layout, x):
    """Number of the action at each position."""
    return layout.places.offset + x


def additive_outputs(table, base, layout, x):
    """Outputs of a sum over positions; the table has shape (A, p)."""
    return base + table[actions_of(layout, x)].sum(axis=0)


def features_of(layout, x):
    """A number per bit or ordered value, a unit vector per category of several."""
    numbers = []
    for place, value in zip(layout.places, x, strict=True):
        arity = int(place.arity)
        if layout.segments[place.segment].kind == CATEGORICAL and arity > 2:
            numbers += [float(value == v) for v in range(arity)]
        elif arity > 1:
            numbers.append(-1.0 + 2.0 * value / (arity - 1))
    return np.array(numbers)


def quadratic_outputs(mean, product, layout, x):
    """Outputs by order 2: a worth per action and a factor per pair of features."""
    z = features_of(layout, x)
    total = mean[actions_of(layout, x)].sum(axis=0)
    for f in range(len(z)):
        for g in range(f):
            total = total + product[f, g] * z[f] * z[g]
    return total


def front_of(outputs, m):
    """Objectives of the feasible non-dominated rows, sorted and without doubles."""
    rows = [y[:m] for y in outputs if (y[m:] <= 1e-9).all()]
    best = [y for y in rows if not any((o <= y).all() and (o < y).any() for o in rows)]
    return np.unique(np.round(best, 9), axis=0)
