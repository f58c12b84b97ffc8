"""How quick and how tidy local workers are; ``make soak`` also says how busy.

``python benchmarks/workers.py`` prints all figures; with the name of one of them
(round-trip, killed, speed-up) only that one. Linux only.

Other programs slow a machine down, and wall-clock time with it. So ``speed-up`` also
says what two cores allow by CPU time: a run can be as short as its busiest process, and
no shorter than half of the work of all of them.
"""

import argparse
import os
import random
import resource
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


class Busy:
    """Two objectives that take so many milliseconds of CPU time."""

    def __init__(self, milliseconds):
        self.seconds = milliseconds / 1e3

    def __call__(self, x):
        """Be busy, and return two distances."""
        end = time.process_time() + self.seconds
        while time.process_time() < end:
            pass
        return float(((x - 2) ** 2).sum()), float(((x - 6) ** 2).sum())


def children_cpu():
    """CPU seconds of processes that were started here and have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def timed_solve(milliseconds, method, budget, workers):
    """Wall-clock time of a search, CPU time here and in its workers, and its front."""
    space = dl.Integer(0, 9, n=20)
    problem = dl.Problem(space, Busy(milliseconds), ["a", "b"], noise=False)
    began, here, there = time.perf_counter(), time.process_time(), children_cpu()
    how = {"method": method, "workers": workers, "progress": False}
    result = dl.solve(problem, budget, **how)
    wall, cpu = time.perf_counter() - began, time.process_time() - here
    return wall, cpu, children_cpu() - there, result.F.tobytes()


def measure_speed_up(budget=2_000, times=3):
    """How much sooner two workers are done with quick objectives in Python."""
    method = dl.DL(gp_candidates=0)
    timed_solve(0.0, method, 50, 1)
    fronts = {}
    print("| objective | alone | coordinator | workers | two cores allow | wall |")
    for milliseconds in (0.1, 0.5, 1.0, 2.0, 5.0, 20.0):
        count = max(300, int(budget / max(1.0, milliseconds)))
        rows = {
            workers: [
                timed_solve(milliseconds, method, count, workers) for _ in range(times)
            ]
            for workers in (None, 1, 2)
        }
        fronts[milliseconds] = {row[3] for w in (1, 2) for row in rows[w]}
        alone = min(row[1] for row in rows[None])
        here, there = min((row[1:3] for row in rows[2]), key=sum)
        allowed = alone / max(here, 0.5 * (here + there))
        wall = min(r[0] for r in rows[None]) / min(r[0] for r in rows[2])
        each = [f"{1e3 * cpu / count:.2f} ms" for cpu in (alone, here, there)]
        print(
            f"| {milliseconds:g} ms | {' | '.join(each)} | {allowed:.2f} x "
            f"| {wall:.2f} x |",
            flush=True,
        )
    same = all(len(found) == 1 for found in fronts.values())
    load = os.getloadavg()[0]
    print(f"speed-up: one front for 1 and 2 workers: {same}; load {load:.1f}")


FIGURES = {
    "round-trip": measure_round_trip,
    "killed": measure_killed,
    "speed-up": measure_speed_up,
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
