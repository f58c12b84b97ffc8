"""What a search loses by being planned for more evaluations than it gets.

    python benchmarks/any_time.py
    python benchmarks/any_time.py --problems traps-60,qap-50 --stops 500 --instances 0-4

runs ``dl`` planned for 5,000 evaluations (``--planned``), ends it after k, and compares
its hypervolume with that of ``dl`` planned for k: on the same instance and with the
same seed, the number of the instance. Prints a Markdown table with the mean of the
paired ratios for each k, and the least one in brackets. Blocks of bits (``traps-N``)
are measured up to (0, 0), since their own reference point is beyond what so few
evaluations find.
"""

import argparse

import numpy as np

import divlearn as dl
from divlearn.metrics import hypervolume

FAMILIES = (
    "bitsp-50,biatsp-50,bifsp-50,maxtsp-50,qap-50,ubqp-100,mnk-100,mixed-20,bikp-100,"
    "biap-20,bicvrp-50,traps-60"
)


def volume_of(problem, result):
    """Hypervolume of a result."""
    if problem.name.startswith("traps"):
        return hypervolume(result.F, np.zeros(result.F.shape[1]), senses=problem.senses)
    return result.hypervolume()


def ratio(name, planned, k, instance):
    """What is left after k evaluations, in parts of a search that is planned for k."""
    problem, volumes = dl.problems.get(name, instance=instance), []
    for budget in (planned, k):
        stop = dl.MaxEvaluations(k)
        result = dl.solve(problem, budget, seed=instance, stop=stop)
        volumes.append(volume_of(problem, result))
    return volumes[0] / volumes[1]


def main():
    """Read the request and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--problems", default=FAMILIES)
    parser.add_argument("--planned", type=int, default=5_000)
    parser.add_argument("--stops", default="150,500,1000")
    parser.add_argument("--instances", default="100-102")
    request = parser.parse_args()
    stops = sorted(int(stop) for stop in request.stops.split(","))
    first, _, last = request.instances.partition("-")
    print("| problem |", *(f"{k:,} |" for k in stops))
    print("|---|" + "---|" * len(stops))
    for name in request.problems.split(","):
        numbers = range(int(first), int(last or first) + 1)
        rows = [[ratio(name, request.planned, k, i) for k in stops] for i in numbers]
        cells = (f"{np.mean(c):.3f} ({min(c):.3f})" for c in np.transpose(rows))
        print(f"| {name} |", *(f"{cell} |" for cell in cells), flush=True)


if __name__ == "__main__":
    main()
