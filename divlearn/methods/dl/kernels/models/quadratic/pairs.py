"""Products of pairs of positions: order 2 of the learned values.

A bit has one *feature*, -1 or 1; a category has one per value, 0 or 1; ordered values
have one, from -1 to 1 in even steps. An output is the sum over positions of the worth
of their values, and over pairs of positions of a learned factor times their features.
With theta for all worths and factors, P for their prior variances and c for what a step
changes, a difference moves them by the least amount that explains it,

    theta = theta + P c (delta - c' theta) / (c' P c),

a step of Kaczmarz's method; recursive least squares (RLS) would also shrink P, for
which there are too many factors. Far fewer differences than factors are of use.
Kernels are given the actions of solutions in place of their codes.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np

from divlearn.basics.typing import Codes, Floats, Integers
from divlearn.kernels.jit import lean_kernel
from divlearn.kernels.layout import CATEGORICAL, PERMUTATION, Layout
from divlearn.kernels.views import viewed

#: Most features of a table of pairs, and most numbers in it; beyond there is none.
MAX_FEATURES, MAX_NUMBERS = 800, 5_000_000


@viewed
class Pairs(NamedTuple):
    """Tables of order 2; empty where they would be too large."""

    mean: Floats  # (A, p) what an action adds by itself
    product: Floats  # (F, F, p) factor of two features, symmetric
    feature: Integers  # (A,) feature that an action sets
    level: Floats  # (A,) value that it gives it
    prior: Floats  # (1,) variance of a factor by that of an action


def new_pairs(layout: Layout, num_outputs: int, order: int) -> Pairs:
    """Make tables that know nothing."""
    feature, level, count = features_of(layout)
    n = len(layout.places)
    large = count > MAX_FEATURES or count * count * num_outputs > MAX_NUMBERS
    if order < 2 or large:
        count = 0
    return Pairs(
        np.zeros((len(feature), num_outputs)),
        np.zeros((count, count, num_outputs)),
        feature,
        level,
        np.array([1.0 / max(1, n)]),
    )


def features_of(layout: Layout) -> tuple[Integers, Floats, int]:
    """Number the features and say which level each action gives to which."""
    feature: list[int] = []
    level: list[float] = []
    count = 0
    places = layout.places
    kinds = layout.segments.kind[places.segment].tolist()
    absent = (places.levels - places.values).tolist()
    for kind, arity, without in zip(kinds, places.arity.tolist(), absent, strict=True):
        if kind == CATEGORICAL and arity > 2:
            feature += range(count, count + arity)
            level += [1.0] * arity
            count += arity
            continue
        own = 0 if kind == PERMUTATION or arity < 2 else 1
        # Positions without a feature of their own give level 0 to the first one.
        feature += [count if own else 0] * arity
        given = arity - without  # what is absent has level 0
        level += _even_levels(given) if own else (0.0,) * given
        level += (0.0,) * without
        count += own
    return np.array(feature, np.int64), np.array(level), count


@cache
def _even_levels(count: int) -> tuple[float, ...]:
    """Levels from -1 to 1; kept, since positions are many and alike."""
    return tuple(np.linspace(-1.0, 1.0, count).tolist())


@lean_kernel
def pair_error(
    pairs: Pairs,
    layout: Layout,
    x: Codes,
    y: Codes,
    delta: Floats,
    changed: Integers,
    count: int,
    error: Floats,
) -> None:
    """Write ``delta`` minus its prediction by order 2 into ``error``, shape (p,)."""
    mean, product, num = pairs.mean, pairs.product, delta.shape[0]
    feature, level = pairs.feature, pairs.level
    for k in range(num):
        error[k] = delta[k]
    for c in range(count):
        i = changed[c]
        old, new = layout.places[i].offset + x[i], layout.places[i].offset + y[i]
        before, after = product[feature[old]], product[feature[new]]
        for k in range(num):
            error[k] -= mean[new, k] - mean[old, k]
        for j in range(x.shape[0]):
            if x[j] == y[j]:
                other = layout.places[j].offset + x[j]
                f = feature[other]
                up, down = level[new] * level[other], level[old] * level[other]
                for k in range(num):
                    error[k] -= up * after[f, k] - down * before[f, k]
        for b in range(c):
            j = changed[b]
            gone, come = layout.places[j].offset + x[j], layout.places[j].offset + y[j]
            up, down = level[new] * level[come], level[old] * level[gone]
            for k in range(num):
                error[k] -= up * after[feature[come], k]
                error[k] += down * before[feature[gone], k]


@lean_kernel
def pair_size(
    pairs: Pairs, layout: Layout, x: Codes, y: Codes, changed: Integers, count: int
) -> float:
    """Prior variance of a difference, in units of that of an action."""
    feature, level = pairs.feature, pairs.level
    products = 0.0
    for c in range(count):
        i = changed[c]
        old, new = layout.places[i].offset + x[i], layout.places[i].offset + y[i]
        same = feature[old] == feature[new]
        for j in range(x.shape[0]):
            other = layout.places[j].offset + x[j]
            if x[j] == y[j]:
                up, down = level[new] * level[other], level[old] * level[other]
                products += (up - down) ** 2 if same else up * up + down * down
        for b in range(c):
            j = changed[b]
            gone, come = layout.places[j].offset + x[j], layout.places[j].offset + y[j]
            up, down = level[new] * level[come], level[old] * level[gone]
            if same and feature[gone] == feature[come]:
                products += (up - down) ** 2
            else:
                products += up * up + down * down
    return float(2.0 * count + pairs.prior[0] * products)


@lean_kernel
def add_to_pairs(
    pairs: Pairs,
    layout: Layout,
    x: Codes,
    y: Codes,
    changed: Integers,
    count: int,
    error: Floats,
    size: float,
) -> None:
    """Share ``error`` among all that took part, by their prior variance."""
    mean, product, num = pairs.mean, pairs.product, error.shape[0]
    feature, level = pairs.feature, pairs.level
    share = pairs.prior[0] / size
    for c in range(count):
        i = changed[c]
        old, new = layout.places[i].offset + x[i], layout.places[i].offset + y[i]
        a, b = feature[new], feature[old]
        for k in range(num):
            mean[new, k] += error[k] / size
            mean[old, k] -= error[k] / size
        for j in range(x.shape[0]):
            if x[j] == y[j]:
                other = layout.places[j].offset + x[j]
                f, up = feature[other], share * level[other]
                for k in range(num):
                    product[a, f, k] += up * level[new] * error[k]
                    product[b, f, k] -= up * level[old] * error[k]
                    product[f, a, k] = product[a, f, k]
                    product[f, b, k] = product[b, f, k]
        for earlier in range(c):
            j = changed[earlier]
            gone, come = layout.places[j].offset + x[j], layout.places[j].offset + y[j]
            f, g = feature[come], feature[gone]
            up = share * level[new] * level[come]
            down = share * level[old] * level[gone]
            for k in range(num):
                product[a, f, k] += up * error[k]
                product[f, a, k] = product[a, f, k]
                product[b, g, k] -= down * error[k]
                product[g, b, k] = product[b, g, k]
