"""What an evaluation of the co-design problem costs, and how noisy it is.

    OMP_NUM_THREADS=1 python benchmarks/codesign_speed.py
    python benchmarks/codesign_speed.py --designs 50 --repeated 6 --full 2

prints the mean CPU time of ``fast`` evaluations of random designs after a warm-up, that
of ``full`` ones, and the standard deviations of the error of both over evaluations of
the same designs.
"""

import argparse
import time

import numpy as np

from divlearn.lab.codesign import HDnnPIM


def valid_designs(problem, count, start):
    """Random designs that can be built."""
    designs, seed = [], start
    while len(designs) < count:
        x = problem.space.sample(seed=seed)
        seed += 1
        if problem.invalid_reason(x) is None:
            designs.append(x)
    return designs


def cpu_seconds(problem, designs):
    """Mean CPU and wall time per evaluation."""
    cpu, wall = time.process_time(), time.perf_counter()
    for x in designs:
        problem.evaluate(x)
    count = len(designs)
    return (time.process_time() - cpu) / count, (time.perf_counter() - wall) / count


def deviations(problem, designs, draws):
    """Standard deviation of the error of each design."""
    return [
        np.std([problem.evaluate_seeded(x, s)[0] for s in range(draws)], ddof=1)
        for x in designs
    ]


def main():
    """Read the command line and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("spaces", nargs="*", default=["paper", "large"])
    parser.add_argument("--designs", type=int, default=200)
    parser.add_argument("--repeated", type=int, default=10)
    parser.add_argument("--draws", type=int, default=8)
    parser.add_argument("--full", type=int, default=4)
    request = parser.parse_args()
    for space in request.spaces:
        fast, full = HDnnPIM(space), HDnnPIM(space, "full")
        cpu_seconds(fast, valid_designs(fast, 5, 90_000))
        cpu, wall = cpu_seconds(fast, valid_designs(fast, request.designs, 10_000))
        print(f"{space}: fast {cpu:.3f} CPU s per evaluation ({wall:.3f} s wall)")
        some = valid_designs(fast, request.repeated, 20_000)
        cpu, wall = cpu_seconds(full, some[: request.full])
        print(f"{space}: full {cpu:.2f} CPU s per evaluation ({wall:.2f} s wall)")
        noisy = np.array(deviations(fast, some, request.draws))
        less = np.array(deviations(full, some[: request.full], request.full))
        print(
            f"{space}: standard deviation of the error, fast: median "
            f"{np.median(noisy):.4f}, largest {noisy.max():.4f}; full: "
            f"{np.sqrt(np.mean(less**2)):.4f} against "
            f"{np.sqrt(np.mean(noisy[: request.full] ** 2)):.4f} on the same designs"
        )


if __name__ == "__main__":
    main()
