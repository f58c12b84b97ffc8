"""What known designs are worth: a search that has them, against one that has not.

    python benchmarks/known.py
    python benchmarks/known.py codesign-paper --instances 10
    python benchmarks/known.py mixed-20 --method nsga2 --known 20 --budget 60

For each instance some random designs are evaluated. One search knows them, another one
does not, and both have the same budget. The front of the second is also taken together
with the known designs, so that a gain is more than that of having them. Fronts are
measured without noise, as shares of the volume between reference and ideal, and
differences are paired.
"""

from __future__ import annotations

import argparse
import warnings
from typing import Any

import numpy as np

import divlearn as dl
from divlearn.basics.errors import InvalidDesign
from divlearn.metrics import hypervolume
from divlearn.metrics.dominance import non_dominated
from divlearn.metrics.statistics import compare

PROBLEMS = ("mixed-10", "mixed-20", "codesign-paper")
Pair = tuple[Any, np.ndarray]


def random_designs(problem: dl.Problem, count: int, seed: int) -> list[Pair]:
    """Random designs with what is measured of them; invalid ones do not count."""
    pairs: list[Pair] = []
    while len(pairs) < count:
        seed += 1
        x = problem.repair(problem.space.sample(seed))
        try:
            if problem.is_valid(x):
                pairs.append((x, problem.evaluate(x)))
        except InvalidDesign:
            continue
    return pairs


class Judge:
    """Measures fronts without noise, each design once."""

    def __init__(self, problem: dl.Problem) -> None:
        self.problem = problem
        self._measured: dict[str, np.ndarray] = {}

    def volume(self, designs: list[Any]) -> float:
        """Share of the volume between reference and ideal."""
        front = np.array([self._measure(x) for x in designs])
        problem = self.problem
        points = problem.reference, problem.ideal, problem.senses
        return float(hypervolume(front, *points))

    def _measure(self, x: Any) -> np.ndarray:
        key = repr(x)
        if key not in self._measured:
            exact = getattr(self.problem, "noise_free", self.problem.evaluate_batch)
            row = exact([x])[0, : self.problem.num_objectives]
            self._measured[key] = row
        return self._measured[key]


def together(result: dl.Result, known: list[Pair]) -> list[Any]:
    """Designs that are best by what was measured, of a front and of known designs."""
    designs = [*result.X, *(x for x, _ in known)]
    values = np.vstack([result.F, [y[: result.F.shape[1]] for _, y in known]])
    kept = non_dominated(values * result.sign)
    return [designs[i] for i in np.flatnonzero(kept)]


def one(name: str, instance: int, asked: argparse.Namespace) -> tuple[float, ...]:
    """Volumes with known designs, without, and of both put together afterwards."""
    problem = dl.problems.get(name, instance=instance)
    known = random_designs(problem, asked.known, 10_000 * instance)
    how = {"method": asked.method, "seed": instance, "progress": False}
    judge = Judge(problem)
    having = dl.solve(problem, asked.budget, known=known, **how)
    lacking = dl.solve(problem, asked.budget, **how)
    fronts = list(having.X), list(lacking.X), together(lacking, known)
    return tuple(judge.volume(front) for front in fronts)


def report(name: str, asked: argparse.Namespace) -> None:
    """Print a row."""
    first = asked.first_instance
    rows = []
    for instance in range(first, first + asked.instances):
        rows.append(one(name, instance, asked))
        if asked.verbose:
            print(instance, *(f"{v:.4f}" for v in rows[-1]), flush=True)
    having, lacking, both = np.array(rows).T
    cells = [f"{column.mean():.4f}" for column in (having, lacking, both)]
    for other in (lacking, both):
        paired = compare(having, other)
        gain = f"{1000 * paired.mean_difference:+.1f}"
        cells += [gain, f"{paired.wins}/{paired.count}", f"{paired.p_value:.2g}"]
    print(f"| {name} | {' | '.join(cells)} |", flush=True)


def main() -> None:
    """Read the command line and report."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("problems", nargs="*", default=PROBLEMS)
    parser.add_argument("--known", type=int, default=50)
    parser.add_argument("--budget", type=int, default=100)
    parser.add_argument("--instances", type=int, default=10)
    parser.add_argument("--first-instance", type=int, default=200)
    parser.add_argument("--method", default="dl")
    parser.add_argument("--verbose", action="store_true")
    asked = parser.parse_args()
    warnings.simplefilter("ignore")
    print(
        f"{asked.method}, {asked.known} known designs, {asked.budget} evaluations\n\n"
        "| problem | with known | without | without, plus known | gain, 1/1000 | wins "
        f"| p | gain over plus known | wins | p |\n{'|---' * 10}|"
    )
    for name in asked.problems:
        report(name, asked)


if __name__ == "__main__":
    main()
