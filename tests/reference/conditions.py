"""Conditional spaces by definition: all values, part by part."""

from itertools import combinations, permutations, product

import numpy as np

from divlearn.spaces import Binary, Categorical, Composite, If, Integer, Permutation


def all_values(space):
    """Every value of a space."""
    if isinstance(space, Composite):
        return _composites(list(space.parts.items()))
    if isinstance(space, Categorical):
        return list(space.values)
    if isinstance(space, Integer):
        return list(range(space.low, space.high + 1))
    if isinstance(space, Binary) and space.n is None:
        return [False, True]
    if isinstance(space, Binary):
        return [np.array(bits) for bits in product([False, True], repeat=space.n)]
    if isinstance(space, Permutation):
        return [np.array(order) for order in permutations(range(space.n))]
    sizes = range(space.min, space.max + 1)
    return [np.array(s) for k in sizes for s in combinations(range(space.n), k)]


def _composites(parts):
    """Dicts of the parts, each of which may depend on those before it."""
    values = [{}]
    for name, part in parts:
        longer = []
        for value in values:
            if isinstance(part, If) and not all(
                on in value and _fits(wanted, value[on])
                for on, wanted in part.conditions.items()
            ):
                longer.append(value)
                continue
            inner = part.then if isinstance(part, If) else part
            longer += [{**value, name: own} for own in all_values(inner)]
        values = longer
    return values


def _fits(wanted, value):
    """Whether a value is the one that is wanted, or one of them."""
    if isinstance(wanted, dict):
        return wanted.get("min", value) <= value <= wanted.get("max", value)
    return (
        value in wanted if isinstance(wanted, (tuple, list, range)) else value == wanted
    )
