"""Your own problem: order 30 jobs on one machine, for an early end and short delays.

Run: python examples/job_order.py [budget]
"""

import sys

import numpy as np

import divlearn as dl

rng = np.random.default_rng(1)
hours = rng.integers(1, 10, 30)
due = rng.integers(20, 160, 30)


def cost(order):
    """Mean completion time and worst delay of the jobs in this order."""
    done = hours[order].cumsum()
    delay = np.maximum(0, done - due[order])
    return done.mean(), delay.max()


def main(budget=20_000):
    problem = dl.Problem(
        dl.Permutation(30),
        cost,
        objectives={"mean completion": "min", "worst delay": "min"},
        reference=(150, 150),
    )
    result = dl.solve(problem, budget=budget, seed=0)
    print(result)
    least = result.best("worst delay").f["worst delay"]
    limits = {"worst delay": (None, least + 10)}
    print("\nthe quickest order that is hardly later than the best:")
    print(result.cheapest("mean completion", limits=limits))
    return result


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
