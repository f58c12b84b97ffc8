"""Time, memory and quality of ``dl`` beside NSGA-II on longer and longer solutions.

    python benchmarks/scaling.py
    python benchmarks/scaling.py --families tours --sizes 100,200 --per-position 20

prints per family and size the CPU time of the search per evaluation and position, that
time by the one of the first size, the peak memory of its process, and the hypervolume
of both methods after as many evaluations. Kernels should be in the cache, since
compiling them takes memory too: run it twice.

Tours and knapsacks are ``bitsp-N`` and ``bikp-N`` (without repair). In assignments
agents go to places, whose distances are computed as needed; bits have two worths each.
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
from divlearn.problems import get

COLUMNS = (
    *("family", "size", "evaluations", "CPU s", "us per evaluation and position"),
    *("by the first", "HV", "peak MB", "NSGA-II: HV", "us", "peak MB"),
)
#: Objectives are spread by this times the root of the number of positions, about.
SPREAD = 3.0


@njit
def ways(x, table, y):
    """Sum of the distances of agents to their tasks, on two maps."""
    for k in range(2):
        y[k] = 0.0
        for i in range(x.shape[0]):
            across = table[i, 2 * k] - table[x[i], 4 + 2 * k]
            along = table[i, 2 * k + 1] - table[x[i], 5 + 2 * k]
            y[k] += np.sqrt(across * across + along * along)


@njit
def worths(x, table, y):
    """Sums of the worths of the bits that are set, times -1."""
    for k in range(2):
        y[k] = 0.0
        for i in range(x.shape[0]):
            y[k] -= x[i] * table[i, k]


def assignment(size, instance):
    """Agents and tasks on two maps; random assignments need .52 per agent."""
    places = np.random.default_rng(instance).random((size, 8))
    points = {"reference": [0.53 * size] * 2, "ideal": [0.0, 0.0]}
    return dl.Problem(
        dl.Permutation(size),
        None,
        ["first way", "second way"],
        compiled=dl.Compiled(ways, places),
        noise=False,
        **points,
    )


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


FAMILIES = {
    "tours": lambda size, instance: get(f"bitsp-{size}", instance=instance),
    "assignments": assignment,
    "knapsacks": lambda size, instance: get(
        f"bikp-{size}", instance=instance, repair=None
    ),
    "bits": bits,
}


def measure(family, size, method, evaluations, instance):
    """CPU seconds, hypervolume and peak memory in MB of one search."""
    problem = FAMILIES[family](size, instance)
    optimizer = dl.Optimizer(problem, method, seed=instance, budget=evaluations)
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


def main():
    """Read the request and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--families", default=",".join(FAMILIES))
    parser.add_argument("--sizes", default="1000,10000")
    parser.add_argument("--evaluations", type=int, default=2_500)
    parser.add_argument("--per-position", type=int, default=0)
    parser.add_argument("--instance", type=int, default=100)
    parser.add_argument("--only", help="one search, for this script itself")
    request = parser.parse_args()
    if request.only:
        print(json.dumps(measure(*json.loads(request.only))))
        return
    print(f"| {' | '.join(COLUMNS)} |\n|{'---|' * len(COLUMNS)}")
    for family in request.families.split(","):
        first = None
        for size in map(int, request.sizes.split(",")):
            count = request.per_position * size or request.evaluations
            of = [
                measured_elsewhere(family, size, method, count, request.instance)
                for method in ("dl", "nsga2")
            ]
            shares = [1e6 * row["seconds"] / count / size for row in of]
            first = shares[0] if first is None else first
            print(
                f"| {family} | {size:,} | {count:,} | {of[0]['seconds']:.1f} | "
                f"{shares[0]:.3f} | x {shares[0] / first:.2f} | "
                f"{of[0]['volume']:.4f} | {of[0]['memory']} | {of[1]['volume']:.4f} | "
                f"{shares[1]:.3f} | {of[1]['memory']} |",
                flush=True,
            )


if __name__ == "__main__":
    main()
