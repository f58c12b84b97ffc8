"""A move of your own: exchange two parcels that are in different vans.

Run: python examples/custom_move.py [budget]
"""

import sys

import numpy as np

import divlearn as dl
from divlearn.kernels.random import below

NUM_VANS = 4
rng = np.random.default_rng(1)
weight, worth, urgency = rng.integers(5, 50, (3, 40))
room = weight.sum() / 2 / NUM_VANS


def load(vans):
    """Worth and urgency of what is on its way, and by how much vans are too full."""
    vans = np.array(vans)
    sent = vans < NUM_VANS  # the others wait until tomorrow
    loads = np.bincount(vans, weight, NUM_VANS + 1)[:NUM_VANS]
    overload = np.maximum(0, loads - room).sum()
    return worth[sent].sum(), urgency[sent].sum(), overload


def exchange(x, positions, words):
    """Let two parcels change places; vans that are full stay about as full."""
    i, j = below(words, len(x)), below(words, len(x))
    x[i], x[j] = x[j], x[i]


def main(budget=3_000):
    problem = dl.Problem(
        dl.Categorical(range(NUM_VANS + 1), n=40),
        load,
        objectives={"worth": "max", "urgency": "max"},
        constraints=["overload"],
        reference=(0, 0),
    )
    move = dl.Move("exchange of parcels", exchange, share=0.5)
    usual = dl.solve(problem, budget=budget, seed=0)
    result = dl.solve(problem, budget=budget, seed=0, method=dl.DL(custom_moves=[move]))
    print(result)
    print("\nhypervolume without and with the move:")
    print(f"{usual.hypervolume():,.0f} and {result.hypervolume():,.0f}")
    return result


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
