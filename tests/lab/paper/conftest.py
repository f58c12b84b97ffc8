"""Runs of studies whose numbers a test chooses itself."""

from pathlib import Path

from divlearn.lab.bench.summary import Cell, Report
from divlearn.lab.paper.study import Evidence


def cell(problem, method, values):
    """A cell with values by measure: of instances 0, 1, .. or by (instance, seed)."""
    by_place = {
        measure: numbers
        if isinstance(numbers, dict)
        else {(instance, 0): number for instance, number in enumerate(numbers)}
        for measure, numbers in values.items()
    }
    places = {place for numbers in by_place.values() for place in numbers}
    many = len({instance for instance, _ in places}) > 1
    return Cell(problem, method, {}, by_place, 0, 0, many)


def evidence(values, suite=None, folder=Path(), store=None):
    """Evidence of made-up runs: values by (problem, method) and measure."""
    cells = {place: cell(*place, numbers) for place, numbers in values.items()}
    report = Report(suite, cells)
    return Evidence({getattr(suite, "name", "only"): report}, store, folder, True)
