"""Tables in the layout of the paper: a row per method, columns per problem."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from divlearn.lab.bench.cases import family_of
from divlearn.lab.bench.measures import wants_less
from divlearn.lab.bench.statistics import spread_of
from divlearn.lab.bench.suite import MEASURES
from divlearn.lab.bench.summary import PERCENT, Report
from divlearn.lab.bench.words import (
    DECIMALS,
    difference_text,
    measure_text,
    p_text,
    score_text,
    spread_text,
)
from divlearn.metrics import Summary

#: What stands above the columns of costs.
COST_TITLES = {"cpu_seconds": "CPU s", "seconds": "seconds", "evaluations": "evals"}
#: Measures that always stand with a spread, and those that never do.
QUALITY = ("hypervolume", PERCENT)
NO_SPREAD = ("operations", *COST_TITLES)
#: Problems side by side, as in the paper.
MOST_IN_A_ROW = 3


@dataclass(frozen=True)
class Entry:
    """A text in a table, and whether it is the best of its column."""

    text: str
    best: bool = False


@dataclass(frozen=True)
class Grid:
    """A table: what stands above each column, and rows of entries."""

    header: list[str]
    rows: list[list[Entry]]


# --- what the tables hold


def quality_grids(
    report: Report, extra: Sequence[str] = (), most: int = MOST_IN_A_ROW
) -> Iterator[Grid]:
    """Yield a table per family of problems with the measures of the suite.

    Parameters
    ----------
    report
        What to show.
    extra
        Names of costs to show as well.
    most
        Problems in one table.
    """
    measures = [*report.suite.columns, *extra]
    yield from _grids(report, measures, most)


def cost_grids(report: Report, most: int = MOST_IN_A_ROW) -> Iterator[Grid]:
    """Yield a table per family of problems with what the runs cost."""
    yield from _grids(report, list(COST_TITLES), most)


def _grids(report: Report, measures: Sequence[str], most: int) -> Iterator[Grid]:
    """Yield tables of some measures."""
    for problems in families(report, most):
        yield _grid(report, problems, measures)


def families(report: Report, most: int) -> Iterator[list[str]]:
    """Yield the problems that stand side by side, at most so many: one family each."""
    names = {case.label: family_of(case.name) for case in report.suite.problems}
    if len(set(names.values())) == len(names):  # a size of each: all side by side
        names = dict.fromkeys(names, "")
    for _, family in groupby(report.problems, key=lambda label: names[label]):
        labels = list(family)
        for begin in range(0, len(labels), most):
            yield labels[begin : begin + most]


def _grid(report: Report, problems: Sequence[str], measures: Sequence[str]) -> Grid:
    """Make one table."""
    columns = [(problem, measure) for problem in problems for measure in measures]
    header = ["method"]
    for problem, measure in columns:
        title = column_title(report, problem, measure)
        # The name of the problem stands above the first of its columns.
        header.append(f"{problem} {title}" if measure == measures[0] else title)
    rows = [
        [Entry(method), *(quality_entry(report, p, method, m) for p, m in columns)]
        for method in report.methods
    ]
    return Grid(header, rows)


def column_title(report: Report, problem: str, measure: str) -> str:
    """Say what a column holds."""
    if measure == "hypervolume" and problem in report.percent_problems:
        return "HV %"
    titles = {**MEASURES, **COST_TITLES}
    return titles.get(measure, measure.rpartition(":")[2]).replace("|", "")


def quality_entry(report: Report, problem: str, method: str, measure: str) -> Entry:
    """Write one cell."""
    cell = report.cells[problem, method]
    shown = report.quality(problem) if measure == "hypervolume" else measure
    text = _text(report, problem, method, shown)
    best = len(report.methods) > 1 and _is_best(report, problem, text, shown)
    if measure == "hypervolume" and (cell.failed or cell.missing):
        made = len(cell.runs)
        text += f" ({made} of {made + cell.failed + cell.missing} runs)"
    return Entry(text, best)


def _text(report: Report, problem: str, method: str, measure: str) -> str:
    """Write what many runs say together, in the way of the suite."""
    cell, deviation = report.cells[problem, method], report.suite.deviation
    if deviation in ("error", "deviation") or measure in NO_SPREAD:
        summary = cell.summary(measure)
        return measure_text(measure, summary, _spread(report, measure, summary))
    less = wants_less(measure)
    return spread_text(measure, spread_of(cell.units(measure)), deviation, less)


def _is_best(report: Report, problem: str, text: str, measure: str) -> bool:
    """Whether a text shows the number of the best method, be it another one's too."""
    best = report.best(problem, measure)
    if best is None or measure == "evaluations":
        return False
    return _first(text) == _first(_text(report, problem, best, measure))


def _first(text: str) -> str:
    """The part of a text before the spread."""
    return text.split(" ")[0]


def _spread(report: Report, measure: str, summary: Summary | None) -> float | None:
    """What stands behind the mean, where the table shows it."""
    deviation = report.suite.deviation == "deviation"
    shown = measure in QUALITY or measure not in MEASURES
    if summary is None or not (shown or deviation):
        return None
    scale = math.sqrt(summary.count) if deviation else 1.0
    return summary.standard_error * scale


def comparison_grid(report: Report, rival: str | None = None) -> Grid | None:
    """Compare every method with another on each problem; None without pairs.

    Parameters
    ----------
    report
        What to show.
    rival
        Label of the other method; the best one of each problem if None.
    """
    title = "best" if rival is None else "against"
    header = ["problem", title, "method", "difference", "p", "W-T-L", "pairs"]
    rows = []
    for problem in report.problems:
        measure = report.quality(problem)
        other = rival or report.best(problem, measure)
        for method in report.methods:
            comparison = report.against(other, problem, method)
            if comparison is None:
                continue
            texts = [
                problem,
                str(other),
                method,
                difference_text(comparison, DECIMALS[measure]),
                p_text(comparison.p_value),
                score_text(comparison),
                str(comparison.count),
            ]
            rows.append([Entry(text) for text in texts])
    return Grid(header, rows) if rows else None
