"""The paper's method at the paper's budget, beside the uniform control.

    python benchmarks/paper.py                              # all problems
    python benchmarks/paper.py bitsp-20 bikp-50             # some of them
    python benchmarks/paper.py --instances 0:10 --markdown

Hypervolume ratio with the paper's reference points, mean over the instances (100 to
104 unless said otherwise), seed 0. Knapsacks are given in percent of the exact front.
The difference of each preset to the control is paired by instance, with its standard
error. Nothing here was tuned on instances from 100 on.
"""

from __future__ import annotations

import argparse
from concurrent.futures import ProcessPoolExecutor

import numpy as np

import divlearn as dl
from divlearn import problems
from divlearn.metrics import hypervolume
from divlearn.settings import PAPER_BUDGET

METHODS = ("paper-ucb", "paper-ts", "uniform")
#: Problems with the least value that one preset has to reach, where there is one.
BARS = {
    "bitsp-20": 0.60,
    "bitsp-50": 0.55,
    "bitsp-100": 0.61,
    "tritsp-20": 0.44,
    "tritsp-50": None,
    "tritsp-100": 0.31,
    "bikp-50": 94.0,
    "bikp-100": 82.0,
    "bikp-200": 68.0,
    "bicvrp-20": 0.50,
    "bicvrp-50": None,
    "bicvrp-100": None,
}


def measure(task: tuple[str, int, int]) -> list[float]:
    """Hypervolume of each method on one instance."""
    name, instance, budget = task
    problem = problems.get(name, instance=instance)
    scale = 1.0
    if name.startswith("bikp"):
        _, front = problems.exact_front(problem)
        scale = 100 / hypervolume(
            front, problem.reference, problem.ideal, problem.senses
        )
    return [
        scale * dl.solve(problem, budget, method=method, seed=0).hypervolume()
        for method in METHODS
    ]


def main() -> None:
    """Measure, and print a line per problem."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("problems", nargs="*", default=list(BARS))
    parser.add_argument("--instances", default="100:105", help="from:to")
    parser.add_argument("--budget", type=int, default=PAPER_BUDGET)
    parser.add_argument("--workers", type=int, default=2)
    arguments = parser.parse_args()
    first, last = map(int, arguments.instances.split(":"))
    print(f"{arguments.budget:,} evaluations, instances {first} to {last - 1}\n")
    print(
        "| problem | " + " | ".join(METHODS) + " | ucb - control | ts - control | bar |"
    )
    print("|---" * 7 + "|")
    with ProcessPoolExecutor(arguments.workers) as pool:
        for name in arguments.problems:
            tasks = [(name, i, arguments.budget) for i in range(first, last)]
            values = np.array(list(pool.map(measure, tasks)))
            print(row(name, values), flush=True)


def row(name: str, values: np.ndarray) -> str:
    """Means, paired differences with standard errors, and the bar."""
    digits = 1 if name.startswith("bikp") else 4
    cells = [f"{mean:.{digits}f}" for mean in values.mean(axis=0)]
    for column in (0, 1):
        difference = values[:, column] - values[:, 2]
        error = difference.std(ddof=1) / np.sqrt(len(difference))
        cells.append(f"{difference.mean():+.{digits}f} ± {error:.{digits}f}")
    bar = BARS.get(name)
    best = values[:, :2].mean(axis=0).max()
    cells.append("" if bar is None else f"{bar:g} {'ok' if best >= bar else 'MISS'}")
    return f"| {name} | " + " | ".join(cells) + " |"


if __name__ == "__main__":
    main()
