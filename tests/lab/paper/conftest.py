"""Runs of studies whose numbers a test chooses itself."""

from pathlib import Path

from divlearn.lab.bench.summary import COSTS, Cell, Report
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


def made_up(study, value, folder=Path(), store=None):
    """Evidence of all runs of a study's short form.

    ``value(problem, label, measure, instance, seed)`` says what each run came to.
    """
    reports = {}
    for suite in study.suites(True):
        names = dict.fromkeys(["hypervolume", *suite.columns, *COSTS])
        cells = {}
        for case in suite.problems:
            places = [(i, s) for i in suite.instances_of(case) for s in suite.seeds]
            for contender in suite.methods:
                place = case.label, contender.label
                values = {
                    name: {one: value(*place, name, *one) for one in places}
                    for name in names
                }
                cells[place] = cell(*place, values)
        reports[suite.name] = Report(suite, cells)
    return Evidence(reports, store, folder, True)
