"""Time, memory and quality of ``dl`` beside others on longer and longer solutions.

    python benchmarks/scaling.py
    python benchmarks/scaling.py --families bits --sizes 1000,100000 --instances 100
    python benchmarks/scaling.py --families tours --sizes 100,200 --per-position 20

prints per family, size and method the mean hypervolume over the instances, the mean of
the paired differences of ``dl`` to it with its standard error, the CPU time of the
search per evaluation and position, that time by the one of the first size, and the peak
memory of its process. Kernels should be in the cache, since compiling them takes memory
too: run it twice.

Methods see nothing but evaluations, except ``informed``: NSGA-II as it usually is on
knapsacks, which reads the weights, drops the least efficient items and fills the rest
with the most efficient ones. Tours are ``bitsp-N`` and assignments ``dispatch-N``; a
quarter of all weight fits into a knapsack, while in ``few`` (``bikp-N`` without repair)
it is 25, whatever their number; bits have two worths each, and landscapes are
``mnk-N``.
"""

import argparse
import json
import resource
import subprocess
import sys
import time

import numpy as np
from numba import njit

import divlearn as dl
from divlearn.lab.baselines.nsga2 import NSGA2
from divlearn.problems import Knapsack, get

COLUMNS = (
    *("family", "size", "evaluations", "method", "HV", "dl is better by"),
    *("us per evaluation and position", "by the first size", "peak MB"),
)
#: Share of the weight of all items that fits into a knapsack.
FITTING = 0.25
#: Objectives are spread by this times the root of the number of positions, about.
SPREAD = 3.0


@njit
def worths(x, table, y):
    """Sums of the worths of the bits that are set, times -1."""
    for k in range(2):
        y[k] = 0.0
        for i in range(x.shape[0]):
            y[k] -= x[i] * table[i, k]


def bits(size, instance):
    """Bits with two normal worths each."""
    table = np.random.default_rng(instance).normal(size=(size, 2))
    middle = -table.sum(axis=0) / 2.0
    return dl.Problem(
        dl.Binary(size),
        None,
        ["first", "second"],
        compiled=dl.Compiled(worths, table),
        reference=middle + SPREAD * np.sqrt(size) / 2.0,
        ideal=-np.maximum(table, 0.0).sum(axis=0),
        noise=False,
    )


def knapsack(size, instance):
    """Items of random weight and values; the best of them are twice the usual."""
    rng = np.random.default_rng(instance)
    weights, values = rng.random(size), rng.random((size, 2))
    return Knapsack(
        weights,
        values,
        FITTING * weights.sum(),
        reference=[FITTING * size / 2.0] * 2,
        ideal=[1.5 * FITTING * size] * 2,
    )


METHODS = {
    "dl": "dl",
    "nsga2": NSGA2(special=False),
    "informed": "nsga2",
    "random": "random",
}
FAMILIES = {
    "tours": lambda size, instance: get(f"bitsp-{size}", instance=instance),
    "assignments": lambda size, instance: get(f"dispatch-{size}", instance=instance),
    "knapsacks": knapsack,
    "few": lambda size, instance: get(f"bikp-{size}", instance=instance, repair=None),
    "bits": bits,
    "landscapes": lambda size, instance: get(f"mnk-{size}", instance=instance),
}


def measure(family, size, method, evaluations, instance):
    """CPU seconds, hypervolume and peak memory in MB of one search."""
    problem = FAMILIES[family](size, instance)
    optimizer = dl.Optimizer(
        problem, METHODS[method], seed=instance, budget=evaluations
    )
    optimizer.warm_up()
    started = time.process_time()
    optimizer.run(evaluations)
    seconds = time.process_time() - started
    volume = optimizer.result().hypervolume()
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    return {"seconds": seconds, "volume": volume, "memory": memory}


def measured_elsewhere(*request):
    """The same in a process of its own, whose memory is that of one search."""
    command = [sys.executable, __file__, "--only", json.dumps(request)]
    return json.loads(subprocess.check_output(command))


def paired(volumes, others):
    """Mean of the differences, with its standard error if there are several."""
    differences = np.array(volumes) - np.array(others)
    text = f"{differences.mean():+.4f}"
    if len(differences) > 1:
        text += f" ± {differences.std(ddof=1) / len(differences) ** 0.5:.4f}"
    return text


def print_size(request, family, size, first):
    """Run all methods on a family at a size; return times per position by method."""
    count, times = request.per_position * size or request.evaluations, {}
    own = None
    for method in request.methods.split(","):
        rows = [
            measured_elsewhere(family, size, method, count, instance)
            for instance in map(int, request.instances.split(","))
        ]
        volumes = [row["volume"] for row in rows]
        own = volumes if method == "dl" else own
        seconds = np.mean([row["seconds"] for row in rows])
        times[method] = 1e6 * seconds / count / size
        growth = times[method] / first.get(method, times[method])
        gap = "" if method == "dl" or own is None else paired(own, volumes)
        print(
            f"| {family} | {size:,} | {count:,} | {method} | {np.mean(volumes):.4f} | "
            f"{gap} | {times[method]:.3f} | x {growth:.2f} | "
            f"{max(row['memory'] for row in rows)} |",
            flush=True,
        )
    return times


def main():
    """Read the request and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--families", default=",".join(FAMILIES))
    parser.add_argument("--sizes", default="1000,10000")
    parser.add_argument("--methods", default=",".join(METHODS), help="dl comes first")
    parser.add_argument("--evaluations", type=int, default=1_000)
    parser.add_argument("--per-position", type=int, default=0)
    parser.add_argument("--instances", default="100,101,102,103,104")
    parser.add_argument("--only", help="one search, for this script itself")
    request = parser.parse_args()
    if request.only:
        print(json.dumps(measure(*json.loads(request.only))))
        return
    print(f"| {' | '.join(COLUMNS)} |\n|{'---|' * len(COLUMNS)}")
    for family in request.families.split(","):
        first = {}
        for size in map(int, request.sizes.split(",")):
            times = print_size(request, family, size, first)
            first = first or times


if __name__ == "__main__":
    main()
