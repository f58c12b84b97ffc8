"""Methods on engineering families, every instance with a seed of its own.

``python benchmarks/engineering_seeds.py 60 dl qnehvi --families reactor-6 coco-5``
solves instances 100 to 109 with each method and prints the mean hypervolumes, and how
far the first method is ahead of each other one, instance by instance. ``divlearn bench
engineering`` gives all instances the same seed, so that all begin with the same random
designs, and whether these are lucky does not average out.
"""

from __future__ import annotations

import argparse
import statistics

import divlearn as dl
from divlearn.lab.bench.work import judged

FAMILIES = ("reactor-6", "coco-5", "coco-10", "filter-9", "vessel-6")


def solved(family: str, method: str, budget: int, instances: range) -> list[float]:
    """Hypervolumes of all instances, without noise."""
    found = []
    for instance in instances:
        problem = dl.problems.get(family, instance=instance)
        result = dl.solve(problem, budget, method=method, seed=instance, progress=False)
        found.append(float(judged(result, problem).hypervolume()))
    return found


def ahead(ours: list[float], others: list[float]) -> str:
    """Mean of the differences, its standard error, and how many are won."""
    apart = [one - other for one, other in zip(ours, others, strict=True)]
    error = statistics.stdev(apart) / len(apart) ** 0.5
    won = sum(one > 0.0 for one in apart)
    mean = statistics.mean(apart)
    return f"{mean:+.4f} +- {error:.4f} ({won} of {len(apart)})"


def main() -> None:
    """Print a line per family and method."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("budget", type=int)
    parser.add_argument("methods", nargs="+")
    parser.add_argument("--families", nargs="+", default=FAMILIES)
    parser.add_argument("--instances", nargs=2, type=int, default=(100, 110))
    given = parser.parse_args()
    for family in given.families:
        runs = {
            method: solved(family, method, given.budget, range(*given.instances))
            for method in given.methods
        }
        first = runs[given.methods[0]]
        for method, values in runs.items():
            less = "" if values is first else f"  behind by {ahead(first, values)}"
            print(f"{family:13} {method:12} {statistics.mean(values):.4f}{less}")


if __name__ == "__main__":
    main()
