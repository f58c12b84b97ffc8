"""How quick and how tidy local workers are; ``make soak`` also says how busy.

``python benchmarks/workers.py`` prints all figures; with the name of one of them
(round-trip, killed) only that one. Linux only.
"""

import argparse
import random
import signal
import statistics
import subprocess
import sys
import time
from pathlib import Path

import numpy as np

import divlearn as dl
from divlearn.workers import Attempt, LocalPool

MARK = "divlearn-benchmark-of-workers"


def measure_round_trip(repeats=2_000):
    """Time from handing a task over until its report is there."""
    space = dl.Permutation(100)
    problem = dl.Problem(space, lambda x: (0.0, 1.0), ["a", "b"])
    x, taken = np.arange(100), []
    with LocalPool(problem, workers=1, timeout=60) as pool:
        for number in range(repeats):
            start = time.perf_counter()
            pool.submit(Attempt(number, 0, 0, x, number))
            pool.wait(None)
            taken.append(1e3 * (time.perf_counter() - start))
    taken.sort()
    print(
        f"round trip: median {statistics.median(taken):.3f} ms, "
        f"95 % under {taken[int(0.95 * repeats)]:.3f} ms ({repeats:,} tasks of n = 100)"
    )
    return taken


def hang_with_family(x):
    """Start a child and a daemon that leaves its session; hang, deaf to requests."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    sleep = [sys.executable, "-c", "import time; time.sleep(600)", MARK]
    subprocess.Popen(sleep)
    subprocess.Popen(sleep, start_new_session=True)
    time.sleep(600)


def coordinate():
    """Be a coordinator that will be killed."""
    problem = dl.Problem(dl.Integer(0, 1), hang_with_family, ["never"])
    pool = LocalPool(problem, workers=2)
    for x in (0, 1):
        pool.submit(Attempt(x, 0, 0, x, None))
    pool.wait(600)


def left():
    """Number of processes that bear the mark."""
    found = 0
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            found += MARK.encode() in path.read_bytes()
        except OSError:
            continue
    return found


def measure_killed(times=20):
    """Processes that are left when the coordinator is killed at any time."""
    draw, taken = random.Random(0), []
    here = left()
    for _ in range(times):
        process = subprocess.Popen([sys.executable, __file__, "coordinate", MARK])
        while left() - here < 9:  # two workers with guard, child and daemon each
            time.sleep(0.01)
        time.sleep(0.1 * draw.random())
        process.kill()
        start = time.monotonic()
        process.wait()
        while left() > here and time.monotonic() < start + 20:
            time.sleep(0.002)
        taken.append(time.monotonic() - start)
    print(
        f"killed: {left() - here} of 9 processes left in any of {times} runs, gone "
        f"after {1e3 * statistics.median(taken):.0f} ms, at most "
        f"{1e3 * max(taken):.0f} ms"
    )
    return left() - here


FIGURES = {
    "round-trip": measure_round_trip,
    "killed": measure_killed,
}


def main():
    """Measure what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("figure", nargs="?", choices=[*FIGURES, "coordinate"])
    parser.add_argument("mark", nargs="?", help=argparse.SUPPRESS)
    figure = parser.parse_args().figure
    if figure == "coordinate":
        coordinate()
        return
    for name, measure in FIGURES.items():
        if figure in (None, name):
            measure()


if __name__ == "__main__":
    main()
