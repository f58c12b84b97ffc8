"""Time and memory of ``dl`` on longer and longer tours, at fixed evaluations per city.

    python benchmarks/scaling.py
    python benchmarks/scaling.py --sizes 100,200 --per-city 50

prints per size the CPU time of the search, that time per evaluation and city by the one
of the first size, and the peak memory of the process so far. Kernels should be in the
cache, since compiling them takes memory too: run it twice.
"""

import argparse
import resource
import time

import divlearn as dl
from divlearn.problems import get


def measure(size, per_city):
    """CPU seconds and hypervolume of one search."""
    problem = get(f"bitsp-{size}", instance=0)
    optimizer = dl.Optimizer(problem, "dl", seed=0, budget=per_city * size)
    optimizer.warm_up()
    started = time.process_time()
    optimizer.run(per_city * size)
    seconds = time.process_time() - started
    return seconds, optimizer.result().hypervolume()


def main():
    """Read the request and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", default="100,200,400,800")
    parser.add_argument("--per-city", type=int, default=20)
    request = parser.parse_args()
    print("| cities | evaluations | CPU s | per evaluation and city | HV | peak MB |")
    print("|---|---|---|---|---|---|")
    first = None
    for size in map(int, request.sizes.split(",")):
        seconds, volume = measure(size, request.per_city)
        share = seconds / (request.per_city * size) / size
        first = share if first is None else first
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
        print(
            f"| {size} | {request.per_city * size:,} | {seconds:.1f} | "
            f"x {share / first:.2f} | {volume:.4f} | {memory} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
