"""Methods on engineering families, every instance with a seed of its own.

``python benchmarks/engineering_seeds.py 60 dl qnehvi --families reactor-6 coco-5``
solves instances 100 to 109 with each method and prints the mean hypervolumes, and how
far the first method is ahead of each other one, instance by instance. ``divlearn bench
engineering`` gives all instances the same seed, so that all begin with the same random
designs, and whether these are lucky does not average out.

``--keep FILE`` writes down each run, and does not repeat those that it finds there: a
slow method is run once, a method that changed is run anew after its lines are removed.
Without ``--families`` all of them are run.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from pathlib import Path
from typing import NamedTuple

import divlearn as dl
from divlearn.lab.bench.work import judged
from divlearn.lab.engineering.families import ABOUT


class Run(NamedTuple):
    """What one search found, and the processor seconds that it took."""

    volume: float
    seconds: float


class Runs:
    """Runs by family, method, budget and instance, kept in a file if there is one."""

    def __init__(self, file: Path | None) -> None:
        self.file = file
        self.known: dict[tuple[str, str, int, int], Run] = {}
        if file is not None and file.exists():
            for line in file.read_text().splitlines():
                *key, volume, seconds = json.loads(line)
                self.known[tuple(key)] = Run(volume, seconds)

    def get(self, family: str, method: str, budget: int, instance: int) -> Run:
        """Look a run up, or make it; its seed is the instance."""
        key = family, method, budget, instance
        if key not in self.known:
            self.known[key] = run = solved(*key)
            if self.file is not None:
                with self.file.open("a") as out:
                    out.write(json.dumps([*key, *run]) + "\n")
        return self.known[key]


def solved(family: str, method: str, budget: int, instance: int) -> Run:
    """Search once; the front is judged without noise."""
    problem = dl.problems.get(family, instance=instance)
    began = time.process_time()
    result = dl.solve(problem, budget, method=method, seed=instance, progress=False)
    seconds = time.process_time() - began
    return Run(float(judged(result, problem).hypervolume()), round(seconds, 2))


def ahead(ours: list[Run], others: list[Run]) -> str:
    """Mean of the differences, its standard error, and how many are won."""
    pairs = zip(ours, others, strict=True)
    apart = [one.volume - other.volume for one, other in pairs]
    several = len(apart) > 1
    error = statistics.stdev(apart) / len(apart) ** 0.5 if several else float("nan")
    won = sum(one > 0.0 for one in apart)
    mean = statistics.mean(apart)
    return f"{mean:+.4f} +- {error:.4f} ({won} of {len(apart)})"


def main() -> None:
    """Print a line per family and method."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("budget", type=int)
    parser.add_argument("methods", nargs="+")
    parser.add_argument("--families", nargs="+", default=list(ABOUT))
    parser.add_argument("--instances", nargs=2, type=int, default=(100, 110))
    parser.add_argument("--keep", type=Path, help="a file of runs, not repeated")
    given = parser.parse_args()
    kept = Runs(given.keep)
    for family in given.families:
        first: list[Run] = []
        for method in given.methods:
            runs = [
                kept.get(family, method, given.budget, instance)
                for instance in range(*given.instances)
            ]
            first = first or runs
            less = "" if runs is first else f"  behind by {ahead(first, runs)}"
            mean = statistics.mean(run.volume for run in runs)
            seconds = statistics.mean(run.seconds for run in runs)
            named = f"{family:13} {method:12}"
            print(f"{named} {mean:.4f} {seconds:7.1f} CPU s{less}", flush=True)


if __name__ == "__main__":
    main()
