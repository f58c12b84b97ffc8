"""Shapley effects of a function on a small grid, by their definition."""

from itertools import combinations, product
from math import factorial


def shapley_effects(levels, function):
    """Return the share of the variance of each variable, by going through everything.

    ``function`` takes a tuple with a number below each of ``levels``.
    """
    d = len(levels)
    grid = list(product(*(range(size) for size in levels)))
    values = {x: function(x) for x in grid}

    def variance_of_mean(known):
        """Variance of the mean of the function, given the variables in ``known``."""
        groups = {}
        for x in grid:
            groups.setdefault(tuple(x[i] for i in known), []).append(values[x])
        means = [sum(group) / len(group) for group in groups.values()]
        middle = sum(means) / len(means)
        return sum((mean - middle) ** 2 for mean in means) / len(means)

    total, effects = variance_of_mean(tuple(range(d))), []
    for i in range(d):
        others = [j for j in range(d) if j != i]
        effect = 0.0
        for size in range(d):
            weight = factorial(size) * factorial(d - 1 - size) / factorial(d)
            for known in combinations(others, size):
                with_i = tuple(sorted((*known, i)))
                effect += weight * (variance_of_mean(with_i) - variance_of_mean(known))
        effects.append(effect / total)
    return effects
