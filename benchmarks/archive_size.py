"""What a limit on the size of the front costs: hypervolume and CPU seconds.

    python benchmarks/archive_size.py
    python benchmarks/archive_size.py --problems triap-20 --sizes 50 --instances 0,1

runs ``dl`` without a limit and with each of the sizes, and prints means over instances,
and the mean of the paired differences of the hypervolume ratio with its standard error.
"""

import argparse
import time

import numpy as np

import divlearn as dl

COLUMNS = ("problem", "evaluations", "archive_size", "members", "HV", "cost", "CPU s")


def measure(problem, instance, budget, size):
    """Members, hypervolume ratio and CPU seconds of one search."""
    optimizer = dl.Optimizer(
        dl.problems.get(problem, instance=instance),
        "dl",
        seed=instance,
        budget=budget,
        archive_size=size,
    )
    optimizer.warm_up()
    started = time.process_time()
    optimizer.run(budget)
    seconds = time.process_time() - started
    result = optimizer.result()
    return len(result.F), result.hypervolume(), seconds


def main():
    """Read the request and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--problems", default="tritsp-50,triap-20")
    parser.add_argument("--sizes", default="30,100,300")
    parser.add_argument("--evaluations", type=int, default=5_000)
    parser.add_argument("--instances", default="100,101,102,103,104")
    request = parser.parse_args()
    instances = [int(instance) for instance in request.instances.split(",")]
    print(f"| {' | '.join(COLUMNS)} |\n|{'---|' * len(COLUMNS)}")
    for problem in request.problems.split(","):
        free = None
        for size in (None, *map(int, request.sizes.split(","))):
            rows = np.array(
                [measure(problem, i, request.evaluations, size) for i in instances]
            )
            members, volume, seconds = rows.mean(axis=0)
            free = rows[:, 1] if free is None else free
            lost = free - rows[:, 1]
            error = lost.std(ddof=1) / len(lost) ** 0.5 if len(lost) > 1 else np.nan
            cost = "" if size is None else f"{lost.mean():.4f} ± {error:.4f}"
            print(
                f"| {problem} | {request.evaluations:,} | {size or 'none'} | "
                f"{members:,.0f} | {volume:.4f} | {cost} | {seconds:.1f} |",
                flush=True,
            )


if __name__ == "__main__":
    main()
