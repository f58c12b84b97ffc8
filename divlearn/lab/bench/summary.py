"""``Report``: what the runs of a suite say together."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from divlearn.basics.typing import Floats
from divlearn.lab.bench.measures import (
    NEUTRAL,
    Values,
    in_percent,
    values_of,
    wants_less,
)
from divlearn.lab.bench.rows import Run
from divlearn.lab.bench.store import Store
from divlearn.lab.bench.suite import Suite
from divlearn.lab.bench.task import Task
from divlearn.methods.names import DEFAULT_METHOD
from divlearn.metrics import Comparison, Summary, compare, summarize

#: Measures of every run that are read from its row.
COSTS = ("cpu_seconds", "seconds", "evaluations")
PERCENT = "percent"


@dataclass(frozen=True)
class Cell:
    """A method on a problem.

    Attributes
    ----------
    problem, method
        Labels.
    runs
        Finished runs by (instance, seed).
    values
        Per measure, one value for each finished run by (instance, seed).
    failed, missing
        Runs that raised, and runs that were not made yet.
    by_instance
        Whether the runs on one instance count as one, see :func:`per_unit`.
    """

    problem: str
    method: str
    runs: Mapping[tuple[int, int], Run]
    values: Mapping[str, Mapping[tuple[int, int], float]]
    failed: int
    missing: int
    by_instance: bool

    def summary(self, measure: str) -> Summary | None:
        """Mean of a measure and how well it is known; None where there is no value."""
        known = self.units(measure)
        return summarize(known) if len(known) else None

    def units(self, measure: str) -> Floats:
        """Values of a measure that are independent of each other, shape (units,)."""
        units = per_unit(self.values.get(measure, {}), self.by_instance)
        return np.array(list(units.values()), np.float64)


@dataclass(frozen=True)
class Report:
    """The runs of a suite in a store, as far as they are made.

    Attributes
    ----------
    suite
        What was asked for.
    cells
        By (problem label, method label), in the order of the suite.
    exact
        Hypervolumes of the exact fronts that are known, by key.
    failures
        Failed runs.
    versions
        Versions of divlearn among the runs.
    """

    suite: Suite
    cells: Mapping[tuple[str, str], Cell]
    exact: Mapping[str, float] = field(default_factory=dict)
    failures: Sequence[Run] = ()
    versions: Sequence[str] = ()

    @property
    def problems(self) -> list[str]:
        """Labels of the problems."""
        return [case.label for case in self.suite.problems]

    @property
    def methods(self) -> list[str]:
        """Labels of the methods."""
        return [contender.label for contender in self.suite.methods]

    @property
    def rival(self) -> str | None:
        """Label of the default method, which all others are compared with, if any."""
        labels = [c.label for c in self.suite.methods if c.method == DEFAULT_METHOD]
        return labels[0] if labels else None

    @cached_property
    def percent_problems(self) -> set[str]:
        """Problems whose hypervolume is given in percent of the exact front."""
        return {
            cell.problem
            for cell in self.cells.values()
            if cell.values.get(PERCENT) and cell.runs
        }

    def quality(self, problem: str) -> str:
        """Name the measure that ranks the methods on a problem."""
        return PERCENT if problem in self.percent_problems else "hypervolume"

    def best(self, problem: str, measure: str) -> str | None:
        """Method with the best mean of a measure; None where there is no value."""
        means = {
            method: summary.mean
            for method in self.methods
            if (summary := self.cells[problem, method].summary(measure)) is not None
        }
        if not means or measure in NEUTRAL:
            return None
        choose = min if wants_less(measure) else max
        return choose(means, key=lambda method: means[method])

    def against_best(self, problem: str, method: str) -> Comparison | None:
        """Compare a method with the best one; None for that one, and without pairs."""
        return self.against(self.best(problem, self.quality(problem)), problem, method)

    def against(
        self, rival: str | None, problem: str, method: str
    ) -> Comparison | None:
        """Compare a method with another; None for that one, and without pairs."""
        if rival is None or rival == method:
            return None
        cells = self.cells[problem, method], self.cells[problem, rival]
        return compare_cells(*cells, self.quality(problem))


def summarize_suite(suite: Suite, store: Store) -> Report:
    """Collect what a store holds of a suite."""
    tasks = suite.tasks()
    by_key = {task.key: task for task in tasks}
    # Labels and places of files are those of the suite, not of when the run was made.
    runs = {
        run.key: dataclasses.replace(run, task=by_key[run.key])
        for run in store.runs(by_key)
    }
    finished = [run for run in runs.values() if run.ok]
    exact = store.exact() if suite.exact else {}
    names = dict.fromkeys([*suite.columns, *COSTS])
    values: dict[str, Values] = {
        name: values_of(name, finished, store) for name in names
    }
    values.setdefault("hypervolume", values_of("hypervolume", finished, store))
    values[PERCENT] = {}
    for case in suite.problems:
        of_case = [run for run in finished if run.task.case.identity == case.identity]
        values[PERCENT] |= in_percent(values["hypervolume"], of_case, exact)
    cells = {}
    for case in suite.problems:
        for contender in suite.methods:
            pair = case.label, contender.label
            own = [t for t in tasks if (t.case.label, t.contender.label) == pair]
            cells[pair] = _cell(*pair, own, runs, values)
    versions = sorted({run.versions.get("divlearn", "?") for run in finished})
    failures = [run for run in runs.values() if not run.ok]
    return Report(suite, cells, exact, failures, versions)


def _cell(
    problem: str,
    method: str,
    tasks: Sequence[Task],
    runs: Mapping[str, Run],
    values: Mapping[str, Values],
) -> Cell:
    """Collect the runs of a method on a problem."""
    found = {(t.instance, t.seed): runs[t.key] for t in tasks if t.key in runs}
    finished = {place: run for place, run in found.items() if run.ok}
    return Cell(
        problem,
        method,
        finished,
        {
            name: {
                place: by_key[run.key]
                for place, run in finished.items()
                if run.key in by_key
            }
            for name, by_key in values.items()
        },
        failed=len(found) - len(finished),
        missing=len(tasks) - len(found),
        by_instance=len({task.instance for task in tasks}) > 1,
    )


def per_unit(
    values: Mapping[tuple[int, int], float], by_instance: bool
) -> dict[int, float]:
    """Average what is not independent of each other.

    Runs on one instance with several seeds say less than as many instances. So a unit
    is an instance, with the mean over its seeds; where all runs are on one instance, a
    unit is a seed.

    Examples
    --------
    >>> per_unit({(0, 0): 1.0, (0, 1): 3.0, (1, 0): 5.0}, by_instance=True)
    {0: 2.0, 1: 5.0}
    """
    groups: dict[int, list[float]] = {}
    for (instance, seed), value in values.items():
        if not math.isnan(value):
            groups.setdefault(instance if by_instance else seed, []).append(value)
    return {unit: sum(group) / len(group) for unit, group in groups.items()}


def compare_cells(first: Cell, second: Cell, measure: str) -> Comparison | None:
    """Compare two methods on the instances and seeds that both have finished."""
    a, b = first.values[measure], second.values[measure]
    both = [place for place in a if place in b and not math.isnan(a[place] + b[place])]
    by_instance = len({instance for instance, _ in both}) > 1
    return compare_values(_kept(a, both), _kept(b, both), by_instance)


def compare_values(
    first: Mapping[tuple[int, int], float],
    second: Mapping[tuple[int, int], float],
    by_instance: bool,
) -> Comparison | None:
    """Compare values of the same runs; None where there are none."""
    if not first:
        return None
    a, b = per_unit(first, by_instance), per_unit(second, by_instance)
    return compare([a[unit] for unit in a], [b[unit] for unit in a])


def _kept(
    values: Mapping[tuple[int, int], float], places: Iterable[tuple[int, int]]
) -> dict[tuple[int, int], float]:
    """Values at some places, in their order."""
    return {place: values[place] for place in places}
