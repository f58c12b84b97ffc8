"""From studies to their runs, and from the runs to what was found out."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from divlearn.basics.errors import InputError
from divlearn.lab.bench import Store, Suite, changed, summarize_suite
from divlearn.lab.bench.summary import Report
from divlearn.lab.paper.study import Evidence, Findings, Study

#: Suites of each study by its name.
Suites = Mapping[str, Sequence[Suite]]


def suites_of(studies: Sequence[Study], short: bool, **changes: Any) -> Suites:
    """Suites of studies, with other instances and seeds where a user wants them.

    Parameters
    ----------
    studies
        Which studies.
    short
        Whether to take their short form.
    changes
        ``instances``, ``first_instance`` and ``seeds`` of
        :func:`divlearn.lab.bench.changed`.
    """
    found = {}
    for study in studies:
        suites = [changed(suite, **changes) for suite in study.suites(short)]
        for suite in suites:
            suite.require_runnable()
        found[study.name] = suites
    _require_used(studies, found, changes)
    return found


def _require_used(
    studies: Sequence[Study], found: Suites, changes: Mapping[str, Any]
) -> None:
    """Refuse changes of runs that nobody makes."""
    given = [name for name, value in changes.items() if value is not None]
    if given and not any(found.values()):
        option = given[0].replace("_", "-")
        raise InputError(
            f"--{option} changes runs that are kept in the store, and "
            f"paper-{studies[0].name} makes none; leave it out, or pass --short for "
            "less."
        )


def find_out(
    study: Study, suites: Sequence[Suite], store: Store, folder: Path, short: bool
) -> Findings:
    """Say what the finished runs of a study show."""
    own = folder / study.name
    own.mkdir(parents=True, exist_ok=True)
    reports = {suite.name: summarize_suite(suite, store) for suite in suites}
    findings = study.findings(Evidence(reports, store, own, short))
    said = gaps(list(reports.values()))
    return dataclasses.replace(findings, remarks=[*findings.remarks, *said])


def gaps(reports: Sequence[Report]) -> list[str]:
    """Say which runs are not among those that a study rests on."""
    failures = [run for report in reports for run in report.failures]
    cells = [cell for report in reports for cell in report.cells.values()]
    missing = sum(cell.missing for cell in cells)
    said = []
    if failures:
        first = failures[0].message
        said.append(f"{len(failures)} runs failed and are left out; the first: {first}")
    if missing:
        said.append(f"{missing} runs are not made yet.")
    return said
