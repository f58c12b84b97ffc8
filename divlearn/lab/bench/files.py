"""The files of a benchmark: tables as Markdown and CSV, one row per run, pictures."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from divlearn.basics.errors import MissingExtra
from divlearn.basics.files import write_atomically
from divlearn.lab.bench.render import table_markdown, times_markdown
from divlearn.lab.bench.statistics import spread_of
from divlearn.lab.bench.store import Store
from divlearn.lab.bench.summary import COSTS, PERCENT, Cell, Report

#: Columns of ``table.csv`` that say how values are spread, for each measure.
SPREAD_PARTS = (
    *("deviation", "least", "low_quartile", "median", "high_quartile", "greatest"),
    *("variation", "stability"),
)
#: What each file is.
CONTENTS = {
    "table.md": "the table",
    "table.csv": "the same, a row per problem and method",
    "times.md": "what the runs cost on this machine",
    "times.csv": "the same, a row per problem and method",
    "runs.csv": "a row per run",
    "hypervolume-evaluations.png": "quality against evaluations",
    "hypervolume-seconds.png": "quality against time",
    "fronts.png": "fronts of the first instance of each problem",
    "fronts-parallel.png": "the same of four objectives and more, on parallel axes",
}


def write_files(
    report: Report, store: Store, folder: str | Path
) -> tuple[dict[str, Path], list[str]]:
    """Write tables and pictures into a directory.

    ``table.md`` and ``table.csv`` hold nothing that depends on the machine, as long as
    runs are limited by evaluations: made again anywhere, they are the same bytes.

    Returns
    -------
    The files by name, and remarks on what could not be written.
    """
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    texts = {
        "table.md": table_markdown(report),
        "table.csv": as_csv(list(table_rows(report))),
        "times.md": times_markdown(report),
        "times.csv": as_csv(list(time_rows(report))),
        "runs.csv": as_csv(list(run_rows(report, store))),
    }
    for name, text in texts.items():
        write_atomically(folder / name, text.encode())
    written, said = list(texts), []
    try:
        from divlearn.lab.bench.pictures import draw_all

        written += draw_all(report, store, folder)
    except MissingExtra as error:
        said.append(f"No pictures: {error}")
    return {name: folder / name for name in written}, said


def table_rows(report: Report) -> Iterator[dict[str, Any]]:
    """Yield what a table holds of each problem and method, without times."""
    for cell in report.cells.values():
        yield {
            **_names(cell),
            "runs": len(cell.runs),
            "failed": cell.failed,
            "missing": cell.missing,
            **_statistics(cell, [*_quality_columns(report), PERCENT]),
            **_against_best(report, cell),
        }


def time_rows(report: Report) -> Iterator[dict[str, Any]]:
    """Yield what the runs of each problem and method cost."""
    for cell in report.cells.values():
        row = {**_names(cell), "runs": len(cell.runs), **_statistics(cell, COSTS)}
        seconds = sum(run.cpu_seconds for run in cell.runs.values())
        evaluations = sum(run.evaluations for run in cell.runs.values())
        row["evaluations_per_cpu_second"] = evaluations / seconds if seconds else None
        yield row


def run_rows(report: Report, store: Store) -> Iterator[dict[str, Any]]:
    """Yield one row per stored run of the suite, failed ones included."""
    tasks = report.suite.tasks()
    runs = {run.key: run for run in store.runs(task.key for task in tasks)}
    for task in tasks:
        if (run := runs.get(task.key)) is None:
            continue
        cell = report.cells[task.case.label, task.contender.label]
        place = task.instance, task.seed
        yield {
            **_names(cell),
            "instance": task.instance,
            "seed": task.seed,
            "budget": task.budget,
            "seconds_limit": task.seconds,
            "options": json.dumps(dict(task.case.options), sort_keys=True),
            "settings": json.dumps(dict(task.contender.settings), sort_keys=True),
            "state": run.state,
            "message": run.message,
            **{
                name: _plain(cell.values[name].get(place))
                for name in [*_quality_columns(report), PERCENT]
            },
            "evaluations": run.evaluations,
            "seconds": run.seconds,
            "cpu_seconds": run.cpu_seconds,
            "date": run.date,
            "divlearn": run.versions.get("divlearn", ""),
            "key": run.key,
        }


def report_json(report: Report) -> dict[str, Any]:
    """Return a report as plain data."""
    suite = report.suite
    times = list(time_rows(report))
    table = [
        {**row, **{k: v for k, v in time.items() if k not in row}}
        for row, time in zip(table_rows(report), times, strict=True)
    ]
    return {
        "suite": suite.name,
        "budget": suite.budget,
        "seconds": suite.seconds,
        "seeds": list(suite.seeds),
        "problems": {
            case.label: list(suite.instances_of(case)) for case in suite.problems
        },
        "methods": report.methods,
        "table": table,
        "failures": [
            {
                "problem": run.task.case.label,
                "instance": run.task.instance,
                "method": run.task.contender.label,
                "seed": run.task.seed,
                "message": run.message,
            }
            for run in report.failures
        ],
        "versions": list(report.versions),
    }


def _quality_columns(report: Report) -> list[str]:
    """Measures of a suite, the hypervolume first in any case."""
    return list(dict.fromkeys(["hypervolume", *report.suite.columns]))


def _names(cell: Cell) -> dict[str, Any]:
    """The columns that say what a row is about."""
    return {"problem": cell.problem, "method": cell.method}


def _statistics(cell: Cell, measures: Sequence[str]) -> dict[str, Any]:
    """Mean, standard error, interval and spread of each measure."""
    columns: dict[str, Any] = {}
    for measure in measures:
        summary, spread = cell.summary(measure), spread_of(cell.units(measure))
        for part in ("mean", "standard_error", "low", "high"):
            value = None if summary is None else getattr(summary, part)
            columns[f"{measure}_{part}"] = _plain(value)
        for part in SPREAD_PARTS:
            columns[f"{measure}_{part}"] = _plain(getattr(spread, part))
    return columns


def _against_best(report: Report, cell: Cell) -> dict[str, Any]:
    """The paired comparison with the best method of the problem."""
    comparison = report.against_best(cell.problem, cell.method)
    best = report.best(cell.problem, report.quality(cell.problem))
    parts = ("mean_difference", "standard_error", "p_value", "wins", "ties", "losses")
    values = {
        f"against_best_{part}": _plain(getattr(comparison, part, None))
        for part in parts
    }
    return {"best": best, **values}


def _plain(value: Any) -> Any:
    """Nothing for NaN."""
    return None if isinstance(value, float) and math.isnan(value) else value


def as_csv(rows: Sequence[Mapping[str, Any]]) -> str:
    """Write rows that have the same columns as comma-separated values.

    Examples
    --------
    >>> print(as_csv([{"a": 1, "b": None}, {"a": 0.5, "b": "x, y"}]), end="")
    a,b
    1,
    0.5,"x, y"
    """
    stream = io.StringIO()
    writer = csv.DictWriter(stream, list(rows[0]) if rows else [], lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return stream.getvalue()
