"""How quality grows over many runs: mean and band on a common axis."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from divlearn.basics.typing import Floats
from divlearn.lab.bench.measures import exact_key
from divlearn.lab.bench.store import Store
from divlearn.lab.bench.suite import OBSERVED
from divlearn.lab.bench.summary import PERCENT, Cell, Report
from divlearn.metrics import student_quantile

#: Points of a curve.
POINTS = 200
LEVEL = 0.95


@dataclass(frozen=True)
class Curve:
    """Mean quality of a method over its runs, shape (points,) each.

    Attributes
    ----------
    x
        Evaluations or seconds.
    mean
        Mean over units, see :func:`divlearn.lab.bench.summary.per_unit`.
    low, high
        Student's 95 % interval for the mean; equal to the mean for one unit.
    units
        Number of units.
    """

    x: Floats
    mean: Floats
    low: Floats
    high: Floats
    units: int


def curve(report: Report, store: Store, cell: Cell, axis: str) -> Curve | None:
    """Average the histories of a method on a problem; None where there are none.

    Parameters
    ----------
    report, store
        Where the runs are.
    cell
        The method on the problem.
    axis
        ``"evaluations"`` or ``"seconds"``.
    """
    histories, observed = {}, store.measures(OBSERVED)
    for place, run in cell.runs.items():
        history = store.history(run.key)
        scale = 1.0
        if report.quality(cell.problem) == PERCENT:
            scale = 100.0 / report.exact[exact_key(run)]
        volumes = scale * history["hypervolume"]
        seen = observed.get(run.key)
        if len(volumes) and seen is not None:
            # The last row was measured anew; a curve shows what the search saw.
            volumes[-1] = scale * seen
        if len(volumes) and not np.isnan(volumes).any():
            histories[place] = (history[axis], volumes)
    if not histories:
        return None
    x = _common_axis([places for places, _ in histories.values()])
    units: dict[int, list[Floats]] = {}
    for (instance, seed), (places, volumes) in histories.items():
        row = held(x, places, volumes)
        units.setdefault(instance if cell.by_instance else seed, []).append(row)
    return _with_band(x, np.array([np.mean(rows, axis=0) for rows in units.values()]))


def _common_axis(places: Sequence[Floats]) -> Floats:
    """Points from where every run has a value to where the last one ends."""
    begin = max(float(row[0]) for row in places)
    end = max(float(row[-1]) for row in places)
    if all(np.array_equal(row, places[0]) for row in places):
        return np.asarray(places[0])
    return np.linspace(begin, max(begin, end), POINTS)


def held(x: Floats, places: Floats, values: Floats) -> Floats:
    """Read a history between its rows: what was last reached still holds.

    Examples
    --------
    >>> held(np.array([1.0, 1.5, 9.0]), np.array([1.0, 2.0]), np.array([0.3, 0.5]))
    array([0.3, 0.3, 0.5])
    """
    rows = np.searchsorted(places, x, side="right") - 1
    return np.asarray(values[np.maximum(rows, 0)])


def _with_band(x: Floats, rows: Floats) -> Curve:
    """Mean and interval of rows, shape (units, points)."""
    mean, count = rows.mean(axis=0), len(rows)
    if count == 1:
        return Curve(x, mean, mean, mean, 1)
    error = rows.std(axis=0, ddof=1) / np.sqrt(count)
    reach = student_quantile((1.0 + LEVEL) / 2.0, count - 1) * error
    return Curve(x, mean, mean - reach, mean + reach, count)
