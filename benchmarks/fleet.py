"""How many workers one coordinator can feed, and what the search loses by them.

The coordinator and its store are the real ones; workers and the clock are simulated:
waiting moves a clock on to the next end of an evaluation, and what the coordinator
itself takes of the processor passes on that clock too.

``python benchmarks/fleet.py`` prints all figures; with the name of one of them (rate,
idle, quality, losses) only that one. ``--quick`` takes a minute.
"""

import argparse
import heapq
import math
import os
import random
import tempfile
import time
from pathlib import Path

import divlearn as dl
from divlearn.basics import store as store_module
from divlearn.workers.base import FAILED, LOST

#: Mean seconds of an evaluation, and how they spread: sigma of a logarithm.
TIMES = {
    "5 ms": (0.005, 0.3),
    "1 s": (1.0, 0.3),
    "1 s, heavy tail": (1.0, 1.5),
    "3 h, heavy tail": (10_800.0, 1.5),
}
#: Numbers of workers, if somebody chose them.
SIZES = []
#: How many instances of each family.
INSTANCES = [2]
#: Outcomes per second that come in by themselves.
PACES = (300, 1_000)
#: Bytes that an outcome adds to the log of a study: three pages.
LOGGED = 3 * 4_096
FAMILIES = {"tours": "bitsp-100", "knapsacks": "bikp-100", "flow shops": "bifsp-50"}


class Fleet:
    """A pool of simulated workers with a clock of their own.

    Parameters
    ----------
    problem
        What to evaluate; that itself costs nothing on the clock.
    size
        Number of workers.
    mean, sigma
        Seconds that evaluations take, drawn from a log-normal distribution.
    alone
        Whether ends are reported one at a time, however many there are.
    failing, losing
        Shares of evaluations that fail, and whose worker dies.
    """

    in_process = True

    def __init__(
        self, problem, size, mean=0.0, sigma=0.0, alone=False, failing=0.0, losing=0.0
    ):
        self.problem, self.size, self.alone = problem, size, alone
        self.failing, self.losing = failing, losing
        self.shift, self.sigma = math.log(mean or 1e-300) - sigma**2 / 2, sigma
        self.random = random.Random(1)
        self.running, self.count = [], 0
        self.now = 0.0
        self.begun = []  # moments and lengths of evaluations
        self.cpu = self.wall = None
        self.last = time.process_time()
        self.outcomes = 0

    def submit(self, attempt):
        """Begin an evaluation at this moment of the clock."""
        self._pass()
        seconds = math.exp(self.shift + self.sigma * self.random.gauss(0.0, 1.0))
        self.begun.append((self.now, seconds))
        self.count += 1
        heapq.heappush(self.running, (self.now + seconds, self.count, attempt, seconds))

    def wait(self, timeout):
        """Move the clock on to the next end, and report what has ended by then."""
        if self.cpu is None:
            self.cpu, self.wall = time.process_time(), time.perf_counter()
        self._pass()
        if not self.running or timeout == 0:
            return []
        self.now = max(self.now, self.running[0][0])
        ended = []
        while self.running and self.running[0][0] <= self.now:
            _, _, attempt, seconds = heapq.heappop(self.running)
            ended.append(self._end(attempt).by("simulated", seconds))
            if self.alone:
                break
        self.last = time.process_time()  # evaluating is not the coordinator's work
        return ended

    def _pass(self):
        """Let pass on the clock what the coordinator took since."""
        now = time.process_time()
        self.now += now - self.last
        self.last = now

    def _end(self, attempt):
        """How an evaluation ends."""
        self.outcomes += 1
        fate = self.random.random()
        if fate < self.losing:
            return attempt.end(LOST, message="the worker died")
        if fate < self.losing + self.failing:
            return attempt.end(FAILED, message="no licence")
        values = self.problem.evaluate(attempt.x)
        return attempt.end("ok", tuple(values.tolist()))

    def close(self, kill):
        """Note how long it took."""
        self.used = time.process_time() - (self.cpu or 0.0)
        self.took = time.perf_counter() - (self.wall or 0.0)

    @property
    def idle(self):
        """Share of the workers' time without work, until the last one was given any."""
        end = max(self.begun[-1][0], 1e-9)
        busy = sum(min(seconds, end - at) for at, seconds in self.begun)
        return max(0.0, 1.0 - busy / (self.size * end))


class Stream(Fleet):
    """A fleet whose outcomes come at a steady ``pace``, by the clock on the wall.

    As with every pool, all that came since the coordinator last looked are reported.
    """

    def __init__(self, problem, size, pace):
        super().__init__(problem, size)
        self.pace, self.groups = pace, 0

    def wait(self, timeout):
        """Report what has come in by now; wait for one."""
        if self.cpu is None:
            self.cpu, self.wall = time.process_time(), time.perf_counter()
        if not self.running or timeout == 0:
            return []
        while (due := self._due()) < 1:
            time.sleep(1.0 / self.pace)
        self.groups += 1
        ended = [
            heapq.heappop(self.running) for _ in range(min(due, len(self.running)))
        ]
        return [self._end(one[2]).by("simulated", one[3]) for one in ended]

    def _due(self):
        """How many have come in that were not reported."""
        return int((time.perf_counter() - self.wall) * self.pace) - self.outcomes


def syncs_per_second(count=200):
    """How often this disk can write as much as an outcome takes, and wait for it."""
    block = bytes(LOGGED)
    with tempfile.TemporaryFile(dir=".") as file:
        file.write(block)
        file.flush()
        os.fsync(file.fileno())
        started = time.perf_counter()
        for _ in range(count):
            os.pwrite(file.fileno(), block, 0)
            os.fdatasync(file.fileno())
        return count / (time.perf_counter() - started)


def run(problem, budget, lag, fleet, method="random", synced=True, **more):
    """Run a study on a fleet; its result."""
    how = {"lag": lag, "ordered": more.pop("ordered", True), "checkpoint": False}
    kept = dict(store_module.SYNCHRONOUS)
    if not synced:
        store_module.SYNCHRONOUS.update({True: "OFF", False: "OFF"})
    try:
        with tempfile.TemporaryDirectory(dir=".") as folder:
            path = Path(folder, "fleet.db")
            with dl.Study(problem, path, method=method, **how) as study:
                return study.run(budget, executor=fleet, progress=False, **more)
    finally:
        store_module.SYNCHRONOUS.update(kept)


def measure_rate(quick):
    """Outcomes per second to a synced store, at n = 100."""
    print("outcomes per second that one coordinator takes, synced, n = 100;")
    print("syncs: of a bare loop that writes and waits, before and after each run")
    print(
        f"{'method':<10} {'reported':<14} {'per CPU second':>14} {'by the clock':>13} "
        f"{'at a time':>10} {'syncs':>11}"
    )
    problem = dl.problems.get("bitsp-100", instance=100)
    for method in ("random", "paper-ts", "dl"):
        rate_row(method, "in groups", Fleet(problem, 500), 2_000 if quick else 10_000)
        rate_row(method, "one by one", Fleet(problem, 500, alone=True), 2_000)
        for pace in PACES:
            rate_row(method, f"{pace:,} come", Stream(problem, 500, pace), 2_000)


def rate_row(method, how, fleet, budget):
    """Measure and print one row of rates."""
    before = syncs_per_second()
    run(fleet.problem, budget, 500, fleet, method)
    disk = f"{before:,.0f}, {syncs_per_second():,.0f}"
    rates = fleet.outcomes / fleet.used, fleet.outcomes / fleet.took
    group = ""
    if isinstance(fleet, Stream):
        group = f"{fleet.outcomes / fleet.groups:.1f}"
    print(
        f"{method:<10} {how:<14} {rates[0]:>14,.0f} {rates[1]:>13,.0f} {group:>10} "
        f"{disk:>11}",
        flush=True,
    )


def measure_idle(quick):
    """Share of idle workers against lag."""
    sizes = (10, 100, 1_000) if quick else (10, 100, 1_000, 10_000)
    sizes = SIZES or sizes
    print(
        "share of the workers' time without work; ordered with lag = factor x workers"
    )
    factors = (1, 4, 8)
    heads = " ".join(f"{f'x {factor}':>6}" for factor in factors)
    print(f"{'evaluations take':<17} {'workers':>7} {heads} {'unordered':>9}")
    problem = dl.Problem(dl.Binary(30), lambda x: (x.sum(), 9.0 * x[0]), ["a", "b"])
    for name, (mean, sigma) in TIMES.items():
        for size in sizes:
            shares = []
            for factor in (*factors, None):
                fleet = Fleet(problem, size, mean, sigma)
                budget = max(500, size * (10 if size <= 1_000 else 4))
                how = {"synced": False, "ordered": factor is not None}
                how |= {"duplicates": "rerun"}
                run(problem, budget, size * (factor or 1), fleet, **how)
                shares.append(f"{fleet.idle:>6.0%}")
            print(f"{name:<17} {size:>7,} {' '.join(shares[:-1])} {shares[-1]:>9}")


def measure_quality(quick):
    """Hypervolume at equal evaluations, by lag."""
    lags = (1, 10, 100) if quick else (1, 10, 100, 1_000)
    budget, instances = (2_000, 1) if quick else (10_000, INSTANCES[0])
    print(f"hypervolume of dl after {budget:,} evaluations by lag, relative to lag 1")
    ways = [(f"{lag:,}", "dl", lag, True) for lag in lags]
    ways += [("any order", "dl", 100, False), ("random", "random", 100, True)]
    heads = " ".join(f"{name:>9}" for name, *_ in ways)
    print(f"{'':<11} {'instances':>9} {heads}")
    for family, name in FAMILIES.items():
        ratios = {way: [] for way in ways}
        for instance in range(100, 100 + instances):
            problem = dl.problems.get(name, instance=instance)
            first = None
            for way in ways:
                _, method, size, ordered = way
                fleet = Fleet(problem, size, 1.0, 0.5)
                how = {"synced": False, "ordered": ordered}
                found = run(problem, budget, size, fleet, method, **how)
                volume = found.hypervolume(reference=problem.reference)
                first = first or volume
                ratios[way].append(volume / first)
        means = [sum(of) / len(of) for of in ratios.values()]
        cells = " ".join(f"{mean:>9.3f}" for mean in means)
        print(f"{family:<11} {instances:>9} {cells}", flush=True)


def measure_losses(quick):
    """Fronts of fleets whose evaluations fail and whose workers die."""
    budget = 300 if quick else 2_000
    print(f"{budget:,} evaluations, 5 % of which lose their worker, 100 workers")
    problem = dl.problems.get("bitsp-100", instance=100)
    whole = run(problem, budget, 100, Fleet(problem, 1), synced=False)
    fleet = Fleet(problem, 100, 1.0, 1.5, losing=0.05)
    found = run(problem, budget, 100, fleet, synced=False)
    same = found.F.tobytes() == whole.F.tobytes()
    print(f"  {fleet.outcomes - budget:,} lost and done again; same front: {same}")
    fleet = Fleet(problem, 100, 1.0, 1.5, failing=0.1, losing=0.05)
    more = {"retries": 3, "max_failures": "never"}
    found = run(problem, budget, 100, fleet, synced=False, **more)
    same = found.F.tobytes() == whole.F.tobytes()
    print(f"  with 10 % that fail and are retried: {found.counts}; same front: {same}")


FIGURES = {
    "rate": measure_rate,
    "idle": measure_idle,
    "quality": measure_quality,
    "losses": measure_losses,
}


def main():
    """Measure what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("figure", nargs="?", choices=FIGURES)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--workers", type=int, nargs="+", default=[])
    parser.add_argument("--families", choices=FAMILIES, nargs="+", default=[])
    parser.add_argument("--instances", type=int, default=2)
    options = parser.parse_args()
    SIZES.extend(options.workers)
    INSTANCES[0] = options.instances
    for family in set(FAMILIES) - set(options.families or FAMILIES):
        del FAMILIES[family]
    for name, measure in FIGURES.items():
        if options.figure in (None, name):
            started = time.process_time()
            measure(options.quick)
            print(f"({name}: {time.process_time() - started:.0f} s of CPU time)\n")


if __name__ == "__main__":
    main()
