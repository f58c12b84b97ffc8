"""The runs of the study of coordination, and numbers of them."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from divlearn.basics.typing import Floats
from divlearn.lab.bench import Contender, Suite
from divlearn.lab.bench.statistics import over_seeds, spread_of
from divlearn.lab.paper.settings import AT_WORK, numbers, scheduled
from divlearn.lab.paper.study import Evidence
from divlearn.lab.paper.traces import Columns, Place, traces

PROBLEMS = ("conflicttsp-20", "conflicttsp-50")
WITH, WITHOUT = "with prices", "without prices"
#: Prices that are not the paper's, but large enough to matter.
LARGE = "large prices"
#: The overlap of the paper's main comparison; its runs are traced.
OVERLAP = 4
OVERLAPS = (2, 3, 4, 5, 6, 7, 8)
SHORT_OVERLAPS = (2, 4, 8)
ITERATIONS, SHORT_ITERATIONS = 400, 100
WEIGHT = (0.5, 0.5)


def overlaps_of(short: bool) -> tuple[int, ...]:
    """Sizes of the overlap."""
    return SHORT_OVERLAPS if short else OVERLAPS


def label_of(prices: str, overlap: int) -> str:
    """What tables call a configuration."""
    return f"{prices}, overlap {overlap}"


def suites(short: bool) -> tuple[Suite, ...]:
    """With and without prices, at every overlap, on both sizes."""
    pairs = [(name, o) for o in overlaps_of(short) for name in (WITHOUT, WITH)]
    pairs.append((LARGE, OVERLAP))
    methods = tuple(contender(*pair, short) for pair in pairs)
    instances = numbers(short, small=2, full=5)
    return tuple(
        scheduled(problem, methods, instances, 3 if short else 10)
        for problem in PROBLEMS
    )


def contender(prices: str, overlap: int, short: bool) -> Contender:
    """The paper's setup; iterations are recorded at its overlap."""
    settings: dict[str, Any] = {
        **AT_WORK,
        "decomposition.size": 10,
        "decomposition.overlap": overlap,
        "iterations": SHORT_ITERATIONS if short else ITERATIONS,
        "weights": (WEIGHT,),
        "trace": "full" if overlap == OVERLAP else False,
    }
    if prices == WITHOUT:
        settings["coordination"] = None
    elif prices == LARGE:
        settings["coordination.acceleration"] = "averaged"
    return Contender("paper-ucb", settings, label=label_of(prices, overlap))


class Runs:
    """The runs on one problem.

    Parameters
    ----------
    evidence
        All runs of the study.
    problem
        Which problem.
    """

    def __init__(self, evidence: Evidence, problem: str) -> None:
        self.evidence, self.problem = evidence, problem
        self._kept: dict[str, dict[Place, float]] = {}

    def best(self, prices: str, overlap: int) -> dict[Place, float]:
        """Best reward of every run: minus the least mean of both lengths."""
        label = label_of(prices, overlap)
        if label not in self._kept:
            runs = self.evidence.cell(self.problem, label, self.problem).runs
            front = self.evidence.store.front
            self._kept[label] = {
                place: -float((front(run.key) @ WEIGHT).min())
                for place, run in sorted(runs.items())
            }
        return self._kept[label]

    def rewards(self, prices: str, overlap: int, statistic: str) -> Floats:
        """A statistic of the best reward over seeds, by instance."""
        values = self.best(prices, overlap)
        return over_seeds(values, statistic)

    def gains(self, overlap: int, prices: str = WITH) -> Floats:
        """What prices gain, by instance."""
        mine, without = (
            self.rewards(name, overlap, "mean") for name in (prices, WITHOUT)
        )
        return np.asarray(mine - without)

    def wins(self, prices: str) -> Floats:
        """Share of seeds in which prices are better than none, by instance."""
        mine, other = self.best(prices, OVERLAP), self.best(WITHOUT, OVERLAP)
        won = {place: float(mine[place] > other[place]) for place in mine}
        return over_seeds(won, "mean")

    def ties(self) -> Floats:
        """Share of seeds in which prices change nothing, by instance."""
        mine, other = self.best(WITH, OVERLAP), self.best(WITHOUT, OVERLAP)
        same = {place: float(mine[place] == other[place]) for place in mine}
        return over_seeds(same, "mean")

    def worst_gain(self) -> Floats:
        """Gain of prices in the seed that is worst without them, by instance."""
        first, second = self.best(WITH, OVERLAP), self.best(WITHOUT, OVERLAP)
        found = []
        for instance in sorted({i for i, _ in second}):
            seeds = [place for place in second if place[0] == instance]
            worst = min(seeds, key=lambda place: second[place])
            found.append(first[worst] - second[worst])
        return np.array(found)

    @cached_property
    def traces(self) -> dict[str, dict[Place, Columns]]:
        """Traces with and without prices."""
        return {
            name: traces(
                self.evidence, self.problem, label_of(name, OVERLAP), self.problem
            )
            for name in (WITHOUT, WITH, LARGE)
        }

    def curves(self, prices: str, column: str) -> Floats:
        """A column of all runs, shape (runs, iterations)."""
        return np.array([trace[column] for trace in self.traces[prices].values()])

    def trajectories(self, prices: str, cycle: int = 1) -> Floats:
        """Best rewards of each cycle of iterations, shape (runs, cycles)."""
        found = self.traces[prices].values()
        names = [n for n in next(iter(found)) if n.startswith("objective_")]
        lengths = [np.array([trace[name] for name in names]) for trace in found]
        rows = np.array([-np.asarray(WEIGHT) @ both for both in lengths])
        return np.asarray(rows.reshape(len(rows), -1, cycle).max(axis=2))

    def last_price(self, prices: str) -> float:
        """Mean price of shared positions after the last iteration."""
        return float(self.curves(prices, "price_mean")[:, -1].mean())

    def instances(self, prices: str) -> list[int]:
        """Instance of every traced run."""
        return [instance for instance, _ in self.traces[prices]]

    def mean_of(self, prices: str, column: str) -> Floats:
        """Mean of a column over all iterations and seeds, by instance."""
        values = {p: _mean(trace[column]) for p, trace in self.traces[prices].items()}
        return over_seeds(values, "mean")


def _mean(column: Floats) -> float:
    """Mean of what is known."""
    return spread_of(column).mean
