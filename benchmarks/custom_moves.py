"""What a custom move is worth where the built-in ones do not fit.

    python benchmarks/custom_moves.py

prints the mean hypervolume of two methods with and without it, on the same instances:
60 items into five knapsacks or none of them, with two profits; the move exchanges
the places of two items. And the order of 50 jobs on 10 machines, where it exchanges
two blocks of jobs.
"""

import numba
import numpy as np
from custom_encodings import compared

import divlearn as dl
from divlearn.kernels.random import below

INSTANCES = range(100, 110)
BUDGETS = (2_000, 10_000)
METHODS = ("dl", "paper-ucb")
KNAPSACKS, OUTSIDE = 5, 5
#: How often two items at different places are looked for.
TRIES = 10


def exchange(x, positions, words):
    """Exchange the places of two items, of which one may be outside."""
    i = below(words, len(x))
    for _ in range(TRIES):
        j = below(words, len(x))
        if x[i] != x[j]:
            x[i], x[j] = x[j], x[i]
            return


def exchange_blocks(x, positions, words):
    """Exchange two blocks of up to five items."""
    n = len(x)
    size = 2 + below(words, 4)
    i = below(words, n - 2 * size + 1)
    j = i + size + below(words, n - i - 2 * size + 1)
    for k in range(size):
        x[i + k], x[j + k] = x[j + k], x[i + k]


@numba.njit
def pack(x, table, y):
    """Two profits, and by how much the knapsacks are too full in all."""
    y[:] = 0.0
    for k in range(KNAPSACKS):
        weight = 0.0
        for i in range(len(x)):
            if x[i] == k:
                weight += table[0, i]
                y[0] += table[1, i]
                y[1] += table[2, i]
        y[2] += max(0.0, weight - table[3, k])


def knapsacks(instance, n=60):
    """Items with a weight and two profits; room for half of their weight."""
    rng = np.random.default_rng(instance)
    table = np.zeros((4, n))
    table[:3] = rng.integers(10, 100, (3, n))
    table[3, :KNAPSACKS] = table[0].sum() / 2 / KNAPSACKS
    names = {"one": "max", "two": "max"}
    space = dl.Categorical(range(KNAPSACKS + 1), n=n)
    box = {"reference": (0, 0), "ideal": tuple(table[1:3].sum(axis=1))}
    compiled = dl.Compiled(pack, table)
    return dl.Problem(
        space, None, names, constraints=["overload"], compiled=compiled, **box
    )


def jobs(instance):
    """An order of jobs."""
    return dl.problems.get("bifsp-50", instance=instance)


def with_move(name, move):
    """A method with a move of one's own."""
    if name == "dl":
        return dl.DL(custom_moves=[move])
    return dl.DivideAndLearn().replace(**{"refinement.custom_moves": [move]})


def main():
    """Compare and print."""
    print("| problem | method | evaluations | without | with the move | difference |")
    print("|---|---|---|---|---|---|")
    for make, function in ((knapsacks, exchange), (jobs, exchange_blocks)):
        for name in METHODS:
            own = with_move(name, dl.Move("exchange of ours", function, share=0.5))
            for budget in BUDGETS:
                cells = compared(make, INSTANCES, budget, (name, own))
                print(
                    f"| {make.__name__} | {name} | {budget:,} | {cells} |", flush=True
                )


if __name__ == "__main__":
    main()
