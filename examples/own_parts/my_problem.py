"""A family of problems of one's own, for ``divlearn bench`` and ``solve``.

divlearn solve my_problem:bridges-12 --budget 2000
"""

import numpy as np

import divlearn as dl

KINDS = ["wood", "steel", "stone", "rope"]


def bridges(instance, size=20):
    """Choose a material for each of ``size`` beams: light, and cheap.

    Parameters
    ----------
    instance
        Number of the random instance: the same number is the same instance.
    size
        Number of beams; ``bridges-12`` has 12.
    """
    rng = np.random.default_rng(instance)
    mass, price = rng.uniform(1.0, 9.0, (2, size, 4))
    beams = np.arange(size)

    def evaluate(x):
        kinds = [KINDS.index(kind) for kind in x]
        return mass[beams, kinds].sum(), price[beams, kinds].sum()

    return dl.Problem(
        dl.Categorical(KINDS, n=size),
        evaluate,
        ["mass", "price"],
        reference=[9.0 * size, 9.0 * size],
        ideal=[size, size],
        name=f"bridges-{size}",
    )
