"""What a search loses by being planned for more evaluations than it gets.

    python benchmarks/any_time.py
    python benchmarks/any_time.py --problems traps-60,qap-50 --stops 500 --instances 0-4

runs ``dl`` planned for 5,000 evaluations (``--planned``), looks at it after k, and
compares its hypervolume with that of ``dl`` planned for k, on the same instance and
with the same seed, the number of the instance. Prints a Markdown table: the mean of the
paired ratios for each k, its standard error, and the least one in brackets. Blocks of
bits (``traps-N``) are measured up to (0, 0), since their own reference point is beyond
what so few evaluations find.
"""

import argparse

import numpy as np

import divlearn as dl
from divlearn.metrics import hypervolume

FAMILIES = (
    "bitsp-50,biatsp-50,bifsp-50,maxtsp-50,qap-50,ubqp-100,mnk-100,mixed-20,bikp-100,"
    "biap-20,bicvrp-50,traps-60"
)


def volumes_of(problem, seed, budget, stops):
    """Hypervolumes of one search, after each of ``stops`` evaluations."""
    optimizer, volumes = dl.Optimizer(problem, "dl", seed=seed, budget=budget), []
    for stop in stops:
        until = dl.MaxEvaluations(stop)
        result = dl.solve(problem, budget, optimizer=optimizer, stop=until)
        if problem.name.startswith("traps"):
            worst = np.zeros(problem.num_objectives)
            volume = hypervolume(result.F, worst, senses=problem.senses)
        else:
            volume = result.hypervolume()
        volumes.append(volume)
    return volumes


def ratios(name, planned, stops, instance):
    """What is left after k evaluations, in parts of a search that is planned for k."""
    problem = dl.problems.get(name, instance=instance)
    long = volumes_of(problem, instance, planned, stops)
    short = [volumes_of(problem, instance, k, [k])[0] for k in stops]
    return np.divide(long, short)


def cell(column):
    """Mean of the ratios, its standard error, and the least of them."""
    error = np.std(column, ddof=1) / len(column) ** 0.5 if len(column) > 1 else np.nan
    return f"{np.mean(column):.3f} ± {error:.3f} ({min(column):.3f})"


def main():
    """Read the request and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--problems", default=FAMILIES)
    parser.add_argument("--planned", type=int, default=5_000)
    parser.add_argument("--stops", default="150,500,1000,2000")
    parser.add_argument("--instances", default="100-109")
    request = parser.parse_args()
    stops = sorted(int(stop) for stop in request.stops.split(","))
    first, _, last = request.instances.partition("-")
    print("| problem |", *(f"{k:,} |" for k in stops))
    print("|---|" + "---|" * len(stops))
    for name in request.problems.split(","):
        numbers = range(int(first), int(last or first) + 1)
        rows = [ratios(name, request.planned, stops, i) for i in numbers]
        cells = map(cell, np.transpose(rows))
        print(f"| {name} |", *(f"{text} |" for text in cells), flush=True)


if __name__ == "__main__":
    main()
