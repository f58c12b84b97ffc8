"""Where the fronts of the engineering problems lie; their points follow from them.

    python benchmarks/engineering_points.py                          all, some minutes
    python benchmarks/engineering_points.py heatsink-8 --budget 20000

The points in ``divlearn/lab/engineering/points.py`` were fixed by this program before
any methods were compared on the problems. Fronts of NSGA-II with a population of 100 on
instances 0 to 9 are joined. The rule: the reference point is a tenth of their range
beyond the worst value of an objective on these fronts, and the ideal point as far
beyond the best, both rounded away from the fronts to a hundredth of the range. The
functions of COCO are scaled by themselves: 1 is the median of random solutions, and
their points are the same for all.
"""

import argparse
import math

import numpy as np

import divlearn as dl
from divlearn.lab.baselines import NSGA2
from divlearn.lab.engineering.families import ABOUT

#: Evaluations that take long are fewer, and on fewer instances.
SLOW = {"learner-13": (600, 4), "filter-9": (4_000, 5)}
BEYOND = 0.1


def fronts(name, budget, instances):
    """Objective values of all fronts, shape (k, m)."""
    found = []
    for number in range(instances):
        problem = dl.problems.get(name, instance=number)
        method = NSGA2(population=100, survival="crowding")
        result = dl.solve(problem, budget, method=method, seed=number)
        if len(result.F):
            judge = getattr(problem, "noise_free", None)
            found.append(judge(result.X) if judge else result.F)
    return problem, np.vstack(found)[:, : problem.num_objectives]


def points(values, sign):
    """Reference and ideal point by the rule above."""
    low, high = values.min(axis=0), values.max(axis=0)
    width = np.maximum(high - low, 1e-9)
    step = 10.0 ** np.floor(np.log10(width / 100.0))
    below = np.floor((low - BEYOND * width) / step) * step
    above = np.ceil((high + BEYOND * width) / step) * step
    reference, ideal = (
        np.where(sign > 0, above, below),
        np.where(sign > 0, below, above),
    )
    digits = [max(0, -round(math.log10(s))) for s in step]
    return [
        tuple(round(float(v), d) for v, d in zip(point, digits, strict=True))
        for point in (reference, ideal)
    ]


def main():
    """Read the command line and print the points."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", default=[*ABOUT])
    parser.add_argument("--budget", type=int, default=6_000)
    parser.add_argument("--instances", type=int, default=10)
    request = parser.parse_args()
    for name in request.names:
        usual = request.budget, request.instances
        problem, values = fronts(name, *map(min, SLOW.get(name, usual), usual))
        reference, ideal = points(values, problem.sign)
        print(f'"{name}": Points({reference}, {ideal}),  # {len(values)} points')


if __name__ == "__main__":
    main()
