"""``Study``: one of the paper's studies, from its runs to what they say."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from divlearn.basics.files import write_atomically
from divlearn.basics.typing import Floats
from divlearn.lab.bench import Store, Suite
from divlearn.lab.bench.summary import Cell, Report, per_unit
from divlearn.lab.bench.task import FORMAT
from divlearn.lab.paper.claims import Claim

#: A row of a table by the title of its column.
Row = Mapping[str, Any]


@dataclass(frozen=True)
class Table:
    """Rows that have the same columns.

    Attributes
    ----------
    name
        Name of its CSV file, without the ending.
    title, note
        What stands above and below it.
    rows
        Texts and numbers by the title of their column; None for nothing.
    """

    name: str
    title: str
    rows: Sequence[Row]
    note: str = ""


@dataclass(frozen=True)
class Figure:
    """A picture, drawn when it is written.

    Attributes
    ----------
    name
        Name of its PNG file, without the ending.
    title
        What stands below it.
    draw
        Makes the matplotlib figure.
    """

    name: str
    title: str
    draw: Callable[[], Any]


@dataclass(frozen=True)
class Findings:
    """What a study says.

    Attributes
    ----------
    tables, figures, claims
        What the report shows. Nothing of it may depend on the machine: the same runs
        give the same bytes.
    remarks
        Sentences on how to read it: what was chosen where the paper leaves it open.
    timed_tables, timed_figures, timed_claims
        What was measured by a clock; goes into files of its own.
    """

    tables: Sequence[Table] = ()
    figures: Sequence[Figure] = ()
    claims: Sequence[Claim] = ()
    remarks: Sequence[str] = ()
    timed_tables: Sequence[Table] = ()
    timed_figures: Sequence[Figure] = ()
    timed_claims: Sequence[Claim] = ()


@dataclass(frozen=True)
class Evidence:
    """The finished runs of a study.

    Attributes
    ----------
    reports
        What the runs of each suite say, by its name.
    store
        Where their fronts, histories and traces are.
    folder
        Directory of the study.
    short
        Whether this is the short form.
    """

    reports: Mapping[str, Report]
    store: Store
    folder: Path
    short: bool = False

    def report(self, suite: str = "") -> Report:
        """The report of a suite; of the only one if it is not named."""
        if suite:
            return self.reports[suite]
        (only,) = self.reports.values()
        return only

    def cell(self, problem: str, method: str, suite: str = "") -> Cell:
        """The runs of a method on a problem, by their labels."""
        return self.report(suite).cells[problem, method]

    def units(self, problem: str, method: str, measure: str, suite: str = "") -> Floats:
        """Values of a measure by independent unit, shape (units,)."""
        return self.cell(problem, method, suite).units(measure)

    def differences(
        self, problem: str, methods: tuple[str, str], measure: str, suite: str = ""
    ) -> Floats:
        """First method minus second one by unit, as far as both have values."""
        first, second = self.rows(problem, methods, measure, suite)
        return np.asarray(first - second)

    def ratios(
        self, problem: str, methods: tuple[str, str], measure: str, suite: str = ""
    ) -> Floats:
        """First method over second one by unit, as far as both have values."""
        first, second = self.rows(problem, methods, measure, suite)
        return np.asarray(first / second)

    def rows(
        self, problem: str, methods: Sequence[str], measure: str, suite: str = ""
    ) -> Floats:
        """Values of methods on the same instances and seeds, shape (methods, units).

        Runs that one of the methods lacks are left out for all of them.
        """
        found = [
            self.cell(problem, name, suite).values.get(measure, {}) for name in methods
        ]
        common = [place for place in found[0] if all(place in one for one in found)]
        many = len({instance for instance, _ in common}) > 1
        units = [
            per_unit({place: values[place] for place in common}, many)
            for values in found
        ]
        known = [unit for unit in units[0] if all(unit in one for one in units)]
        return np.array([[one[unit] for unit in known] for one in units], np.float64)

    def once(self, name: str, compute: Callable[[], Any]) -> Any:
        """Compute plain data and keep it, so that it is computed once.

        What code of another :data:`~divlearn.lab.bench.task.FORMAT` kept is computed
        anew, as its runs are made anew.

        Parameters
        ----------
        name
            Name of the file that keeps it, without the ending.
        compute
            Returns what JSON can hold; floats keep every digit.
        """
        path = self.folder / f"{name}.{FORMAT}.json"
        if not path.is_file():
            text = json.dumps(compute(), sort_keys=True)
            write_atomically(path, text.encode())
        return json.loads(path.read_text(encoding="utf-8"))


def no_suites(short: bool) -> tuple[Suite, ...]:
    """For a study that computes all it needs by :meth:`Evidence.once`."""
    return ()


@dataclass(frozen=True)
class Study:
    """One of the paper's studies.

    Attributes
    ----------
    name
        ``divlearn bench paper-NAME`` runs it.
    title
        Heading of its part of the report.
    line
        Line of the paper's source where the study begins; studies are in this order.
    findings
        Says what the runs show.
    suites
        The runs, in the form of the paper or in a short one of about ten seconds.
        Names of suites differ within a study.
    """

    name: str
    title: str
    line: int
    findings: Callable[[Evidence], Findings]
    suites: Callable[[bool], Sequence[Suite]] = field(default=no_suites)
