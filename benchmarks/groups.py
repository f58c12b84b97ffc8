"""What subproblems learned from interactions are worth, against windows and chance.

    python benchmarks/groups.py
    python benchmarks/groups.py mnk-50 --size 5 --instances 3 --budget 20000

Each variant of ``paper-ucb`` has the same number of evaluations; those spent on looking
for interactions count. Fronts of one instance are compared by their hypervolume, with
bounds from all variants, and differences are paired.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator

import numpy as np

import divlearn as dl
from divlearn.methods.names import method_for
from divlearn.methods.paper.interactions import learned_groups, strongest_groups
from divlearn.metrics import hypervolume

PROBLEMS = ("qap-20", "ubqp-50", "mnk-50")
BASE = "random groups"


def variants(
    problem: dl.Problem, size: int, looking: int, instance: int
) -> Iterator[tuple[str, dict[str, object], int]]:
    """Names, settings, and evaluations spent before the search."""
    n = problem.space.num_positions
    chance = np.random.default_rng(instance).random((n, n))
    learned = learned_groups(problem, size, looking, instance)
    yield "preset as it is", {}, 0
    yield "no decomposition", {"size": 1.0, "neighbourhoods": 0}, 0
    yield "windows", {"size": size, "overlap": 0, "neighbourhoods": 0}, 0
    groups = strongest_groups(chance + chance.T, size)
    yield BASE, {"groups": groups, "neighbourhoods": 0}, 0
    yield "learned groups", {"groups": learned, "neighbourhoods": 0}, looking


def fronts(
    name: str, instance: int, asked: argparse.Namespace
) -> dict[str, np.ndarray]:
    """Minimised front of every variant, each of shape (k, m)."""
    problem = dl.problems.get(name, instance=instance)
    found = {}
    for label, division, spent in variants(
        problem, asked.size, asked.looking, instance
    ):
        changes = {f"decomposition.{key}": value for key, value in division.items()}
        method = method_for("paper-ucb").replace(**changes)
        budget = asked.budget - spent
        result = dl.solve(problem, budget, method=method, progress=False)
        found[label] = result.F * problem.sign
    return found


def volumes(found: dict[str, np.ndarray]) -> dict[str, float]:
    """Hypervolume of every front, with the range of all of them and a tenth more."""
    every = np.concatenate(list(found.values()))
    low, high = every.min(axis=0), every.max(axis=0)
    reference = high + 0.1 * (high - low)
    senses = ("min",) * len(low)
    return {
        label: hypervolume(front, reference, low, senses)
        for label, front in found.items()
    }


def report(name: str, asked: argparse.Namespace) -> None:
    """Print a row per variant."""
    first = asked.first_instance
    rows = [
        volumes(fronts(name, instance, asked))
        for instance in range(first, first + asked.instances)
    ]
    base = np.array([row[BASE] for row in rows])
    for label in rows[0]:
        own = np.array([row[label] for row in rows])
        gain = 1000 * (own - base)
        error = gain.std(ddof=1) / np.sqrt(len(gain)) if len(gain) > 1 else np.nan
        mean = f"{own.mean():.4f} | {gain.mean():+.1f} ± {error:.1f}"
        print(f"| {name} | {asked.size} | {label} | {mean} |", flush=True)


def main() -> None:
    """Read the command line and report."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("problems", nargs="*", default=PROBLEMS)
    parser.add_argument("--size", type=int, default=5, help="positions per group")
    parser.add_argument("--budget", type=int, default=100_000)
    parser.add_argument("--looking", type=int, default=5_000, help="evaluations")
    parser.add_argument("--instances", type=int, default=20)
    parser.add_argument("--first-instance", type=int, default=100)
    asked = parser.parse_args()
    print("| problem | size | subproblems | hypervolume | against random, in 1/1000 |")
    print("|---|---:|---|---:|---:|")
    for name in asked.problems:
        report(name, asked)


if __name__ == "__main__":
    main()
