"""Tables in the layout of the paper: a row per method, columns per problem."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Any

from divlearn.benchmark.cases import family_of
from divlearn.benchmark.suite import MEASURES
from divlearn.benchmark.summary import Report
from divlearn.benchmark.words import (
    DECIMALS,
    difference_text,
    measure_text,
    p_text,
    score_text,
)
from divlearn.metrics import Summary

if TYPE_CHECKING:
    from rich.console import Console

#: What stands above the columns of costs.
COST_TITLES = {"cpu_seconds": "CPU s", "seconds": "seconds", "evaluations": "evals"}
#: Problems side by side, as in the paper.
MOST_IN_A_ROW = 3
#: Failed runs that are told one by one.
MOST_FAILURES = 10


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
    names = {case.label: family_of(case.name) for case in report.suite.problems}
    if len(set(names.values())) == len(names):  # a size of each: all side by side
        names = dict.fromkeys(names, "")
    for _, family in groupby(report.problems, key=lambda label: names[label]):
        labels = list(family)
        for begin in range(0, len(labels), most):
            yield _grid(report, labels[begin : begin + most], measures)


def _grid(report: Report, problems: Sequence[str], measures: Sequence[str]) -> Grid:
    """Make one table."""
    columns = [(problem, measure) for problem in problems for measure in measures]
    header = ["method"]
    for problem, measure in columns:
        title = column_title(report, problem, measure)
        # The name of the problem stands above the first of its columns.
        header.append(f"{problem} {title}" if measure == measures[0] else title)
    rows = [
        [Entry(method), *(_entry(report, p, method, m) for p, m in columns)]
        for method in report.methods
    ]
    return Grid(header, rows)


def column_title(report: Report, problem: str, measure: str) -> str:
    """Say what a column holds."""
    if measure == "hypervolume" and problem in report.percent_problems:
        return "HV %"
    return {**MEASURES, **COST_TITLES}[measure].replace("|", "")


def _entry(report: Report, problem: str, method: str, measure: str) -> Entry:
    """Write one cell."""
    cell = report.cells[problem, method]
    shown = report.quality(problem) if measure == "hypervolume" else measure
    summary = cell.summary(shown)
    text = measure_text(shown, summary, _spread(report, measure, summary))
    if measure == "hypervolume" and (cell.failed or cell.missing):
        made = len(cell.runs)
        text += f" ({made} of {made + cell.failed + cell.missing} runs)"
    best = len(report.methods) > 1 and _is_best(report, problem, text, shown)
    return Entry(text, best)


def _is_best(report: Report, problem: str, text: str, measure: str) -> bool:
    """Whether a text shows the best mean, be it that of another method too."""
    best = report.best(problem, measure)
    if best is None or measure == "evaluations":
        return False
    summary = report.cells[problem, best].summary(measure)
    return _mean(text) == _mean(measure_text(measure, summary, None))


def _mean(text: str) -> str:
    """The part of a text before the spread."""
    return text.split(" ")[0]


def _spread(report: Report, measure: str, summary: Summary | None) -> float | None:
    """What stands behind the mean, where the table shows it."""
    deviation = report.suite.deviation == "deviation"
    if summary is None or not (measure == "hypervolume" or deviation):
        return None
    scale = math.sqrt(summary.count) if deviation else 1.0
    return summary.standard_error * scale


def comparison_grid(report: Report) -> Grid | None:
    """Compare every method with the best one of each problem; None without pairs."""
    header = ["problem", "best", "method", "difference", "p", "W-T-L", "pairs"]
    rows = []
    for problem in report.problems:
        measure = report.quality(problem)
        for method in report.methods:
            comparison = report.against_best(problem, method)
            if comparison is None:
                continue
            texts = [
                problem,
                str(report.best(problem, measure)),
                method,
                difference_text(comparison, DECIMALS[measure]),
                p_text(comparison.p_value),
                score_text(comparison),
                str(comparison.count),
            ]
            rows.append([Entry(text) for text in texts])
    return Grid(header, rows) if rows else None


# --- words around the tables


def headline(report: Report) -> str:
    """Say what the table shows."""
    suite = report.suite
    limit = (
        f"{suite.budget:,} evaluations"
        if suite.budget is not None
        else f"{suite.seconds:g} seconds"
    )
    counts = {len(suite.instances_of(case)) for case in suite.problems}
    number = f"{min(counts)} to {max(counts)}" if len(counts) > 1 else f"{counts.pop()}"
    return (
        f"{suite.name}: {limit} per run, {_plural(number, 'instance')}, "
        f"{_plural(str(len(suite.seeds)), 'seed')}"
    )


def legend(report: Report) -> str:
    """Say how to read the columns."""
    spread = {"error": "standard error", "deviation": "standard deviation"}
    parts = [
        "HV: hypervolume ratio, mean ± "
        f"{spread[report.suite.deviation]} over {_units(report)}."
    ]
    if report.percent_problems:
        parts.append("HV %: in percent of the exact front of the instance.")
    parts.append("NDS: number of non-dominated solutions.")
    if "operations" in report.suite.columns:
        parts.append("ops: additions, multiplications, comparisons, by a model.")
    return " ".join(parts)


def _units(report: Report) -> str:
    """Say over what means are taken."""
    by_instance = any(cell.by_instance for cell in report.cells.values())
    if not by_instance:
        return "seeds"
    averaged = " (each the mean of its seeds)" if len(report.suite.seeds) > 1 else ""
    return f"instances{averaged}"


COMPARISON_LEGEND = (
    "Difference: method minus best, mean ± standard error over pairs of the same "
    "instance and seed. p: Wilcoxon signed-rank test, two-sided, not adjusted for the "
    "number of comparisons. W-T-L: pairs won, tied, lost against the best."
)


def remarks(report: Report) -> list[str]:
    """Say what a reader of the table must know: failures, gaps, mixed versions."""
    said = []
    missing = sum(cell.missing for cell in report.cells.values())
    if missing:
        said.append(f"{_plural(f'{missing:,}', 'run')} not made yet.")
    if report.failures:
        count = len(report.failures)
        said.append(f"{_plural(f'{count:,}', 'run')} failed:")
        for run in report.failures[:MOST_FAILURES]:
            task = run.task
            said.append(
                f"- {task.case.label} instance {task.instance}, "
                f"{task.contender.label}, seed {task.seed}: {run.message}"
            )
        if count > MOST_FAILURES:
            said.append(f"- and {count - MOST_FAILURES:,} more, see runs.csv")
    if len(report.versions) > 1:
        said.append(
            f"Runs of several versions of divlearn are mixed: "
            f"{', '.join(report.versions)}."
        )
    return said


def _plural(number: str, noun: str) -> str:
    """Write a number with its noun."""
    return f"{number} {noun}{'' if number == '1' else 's'}"


# --- Markdown


def markdown(grid: Grid) -> str:
    """Write a table as Markdown, the best in bold."""
    rule = "|---" + "|---:" * (len(grid.header) - 1) + "|"
    lines = [_markdown_row(grid.header), rule]
    for row in grid.rows:
        texts = [f"**{entry.text}**" if entry.best else entry.text for entry in row]
        lines.append(_markdown_row(texts))
    return "\n".join(lines)


def _markdown_row(texts: Iterable[str]) -> str:
    """Write one line; a bar inside a text would begin a new column."""
    return f"| {' | '.join(text.replace('|', '/') for text in texts)} |"


def table_markdown(report: Report) -> str:
    """Write all that does not depend on the machine, where budgets are evaluations."""
    parts = [f"# {headline(report)}", report.suite.description]
    parts += [markdown(grid) for grid in quality_grids(report)]
    parts.append(f"{legend(report)} Best in bold.")
    comparisons = comparison_grid(report)
    if comparisons is not None:
        parts += ["## Against the best", markdown(comparisons), COMPARISON_LEGEND]
    if told := remarks(report):
        parts += ["## Remarks", "\n".join(told)]
    return "\n\n".join(part for part in parts if part) + "\n"


def times_markdown(report: Report) -> str:
    """Write what the runs cost on the machine that they ran on."""
    parts = [f"# Cost of {headline(report)}"]
    parts += [markdown(grid) for grid in cost_grids(report)]
    parts.append(
        "Means per run: processor seconds of the whole run, seconds of the search, "
        "evaluations. They depend on the machine and on what else it did."
    )
    return "\n\n".join(parts) + "\n"


# --- the terminal


def print_report(report: Report, console: Console) -> None:
    """Print tables and remarks, as many problems side by side as there is room for."""
    console.print(headline(report), markup=False, style="bold")
    extra = ["cpu_seconds"]
    group = 24 + 9 * (len(report.suite.columns) + len(extra) - 1)
    room = max(1, (console.width - 16) // group)
    for grid in quality_grids(report, extra, min(MOST_IN_A_ROW, room)):
        console.print(rich_table(grid, console.is_terminal))
    marked = "in bold" if console.is_terminal else "with *"
    console.print(
        f"{legend(report)} CPU s: processor seconds per run. Best {marked}.",
        markup=False,
        style="dim",
    )
    comparisons = comparison_grid(report)
    if comparisons is not None:
        console.print(rich_table(comparisons, console.is_terminal))
        console.print(COMPARISON_LEGEND, markup=False, style="dim")
    for line in remarks(report):
        console.print(line, markup=False)


def rich_table(grid: Grid, bold: bool) -> Any:
    """Make a table for the terminal; the best in bold, or with a star in plain text."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, header_style="")
    for index, title in enumerate(grid.header):
        table.add_column(title, justify="left" if index == 0 else "right", no_wrap=True)
    for row in grid.rows:
        table.add_row(
            *(
                Text(entry.text, style="bold" if bold else "")
                if entry.best and bold
                else Text(entry.text + "*" * entry.best)
                for entry in row
            )
        )
    return table
