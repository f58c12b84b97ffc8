"""What free questions to a repair, or to ``valid``, are worth.

    python benchmarks/repairs.py [PROBLEM ...] [--instances 100-104]

prints the mean hypervolume by problem and method, on the same instances: ``random`` and
``nsga2``; ``dl`` that asks nothing, that asks but learns no constraint, and as it is.
Knapsacks with an exact front are given as shares of it. ``--baselines`` names other
methods to run beside ``dl``, such as paper-ucb.
"""

import argparse
import sys
import time

import numba
import numpy as np

import divlearn as dl
from divlearn.metrics import hypervolume
from divlearn.problems import Knapsack
from divlearn.problems.built_in.knapsack_exact import exact_front

#: Ways to run ``dl``, by the title of their column.
WAYS = {
    "no questions": dl.DL(questions=0),
    "no constraint learned": dl.DL(hidden=False),
    "dl": dl.DL(),
}


def knapsack(n, **options):
    """Items that are dropped at random until the rest fits."""

    def make(instance):
        return dl.problems.get(f"bikp-{n}", instance=instance, **options)

    return make


def two_capacities(instance, n=50):
    """Two weights per item: what is left alone is not one linear constraint."""
    rng = np.random.default_rng(instance)
    weights, values = rng.random((n, 2)), rng.random((n, 2))
    box = {"reference": (5, 5), "ideal": (30, 30)}
    return Knapsack(weights, values, [n / 4, n / 4], repair="random-drop", **box)


@numba.njit
def bonuses(x, table, y):
    """Two values with bonuses for pairs of items."""
    n = len(x)
    y[:] = 0.0
    for i in range(n):
        y[0] += x[i] * table[i, 0]
        y[1] += x[i] * table[i, 1]
    for row in range(n + 1, len(table)):
        both = x[int(table[row, 2])] * x[int(table[row, 3])]
        y[0] += both * table[row, 0]
        y[1] += both * table[row, 1]


@numba.njit
def drop_last(x, table):
    """Drop the last items until the rest fits."""
    n, load = len(x), 0.0
    for i in range(n):
        load += x[i] * table[i, 2]
        if load > table[n, 0]:
            load -= table[i, 2]
            x[i] = 0


def synergies(instance):
    """Pairs of items are worth more together, and the last items are dropped."""
    drawn = dl.problems.get("synkp-50", instance=instance)
    compiled = dl.Compiled(bonuses, drawn.compiled.table, drop_last)
    box = {"reference": drawn.reference, "ideal": drawn.ideal}
    names = dict(drawn.objectives)
    return dl.Problem(drawn.space, None, names, compiled=compiled, **box)


def valid(instance):
    """A knapsack that is only told by a function in Python."""
    drawn = dl.problems.get("bikp-50", instance=instance)
    weights, values, capacity = drawn.weights[:, 0], drawn.values, drawn.capacity[0]
    return dl.Problem(
        drawn.space,
        lambda x: np.asarray(x) @ values,
        dict(drawn.objectives),
        valid=lambda x: np.asarray(x) @ weights <= capacity,
        reference=drawn.reference,
        ideal=drawn.ideal,
    )


@numba.njit
def put_in_order(x, table):
    """Let each even job come before the odd one after it."""
    n, places = len(x), np.empty(len(x), np.int64)
    for i in range(n):
        places[x[i]] = i
    for job in range(0, n - 1, 2):
        i, j = places[job], places[job + 1]
        if i > j:
            x[i], x[j] = job + 1, job


@numba.njit
def begin_with_zero(x, table):
    """Turn a tour until it begins in city 0."""
    turned, first = x.copy(), 0
    while x[first] != 0:
        first += 1
    for i in range(len(x)):
        x[i] = turned[(first + i) % len(x)]


def repaired(name, repair):
    """A built-in problem whose solutions are repaired."""

    def make(instance):
        drawn = dl.problems.get(name, instance=instance)
        table = drawn.compiled.table
        compiled = dl.Compiled(drawn.compiled.objective, table, repair)
        box = {"reference": drawn.reference, "ideal": drawn.ideal}
        names = dict(drawn.objectives)
        return dl.Problem(drawn.space, None, names, compiled=compiled, **box)

    return make


PROBLEMS = {
    "bikp-50": (knapsack(50), 5_000),
    "bikp-100": (knapsack(100), 10_000),
    "bikp-200": (knapsack(200), 10_000),
    "bikp-50 early": (knapsack(50), 1_000),
    "bikp-200 early": (knapsack(200), 2_500),
    "bikp-100 filled": (knapsack(100, repair="efficiency", fill=True), 2_000),
    "two capacities": (two_capacities, 5_000),
    "synergies": (synergies, 5_000),
    "valid": (valid, 1_000),
    "flow shop": (repaired("bifsp-20", put_in_order), 2_000),
    "tours": (repaired("bitsp-50", begin_with_zero), 2_000),
}


def share(problem, result):
    """Hypervolume ratio, by that of the exact front where that is known."""
    whole = 1.0
    if isinstance(problem, Knapsack) and problem.weights.shape[1] == 1:
        box = problem.reference, problem.ideal, problem.senses
        whole = hypervolume(exact_front(problem)[1], *box)
    return result.hypervolume() / whole


def measured(make, budget, method, instances):
    """Mean and least share over the instances, and CPU seconds of a run."""
    shares, seconds = [], []
    for instance in instances:
        problem = make(instance)
        start = time.process_time()
        result = dl.solve(problem, budget, method=method, seed=instance)
        seconds.append(time.process_time() - start)
        shares.append(share(problem, result))
    return np.mean(shares), np.min(shares), np.median(seconds)


def main():
    """Compare and print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("problems", nargs="*", default=list(PROBLEMS))
    parser.add_argument("--instances", default="100-104")
    parser.add_argument("--baselines", default="random,nsga2")
    given = parser.parse_args()
    first, last = map(int, given.instances.split("-"))
    ways = {name: name for name in given.baselines.split(",")} | WAYS
    print("| problem | evaluations | method | mean | least | CPU s |")
    print("|---|---|---|---|---|---|")
    for name in given.problems:
        make, budget = PROBLEMS[name]
        for title, method in ways.items():
            mean, least, cpu = measured(make, budget, method, range(first, last + 1))
            cells = f"{mean:.4f} | {least:.4f} | {cpu:.1f}"
            print(f"| {name} | {budget:,} | {title} | {cells} |")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
