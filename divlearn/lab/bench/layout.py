"""Tables in the layout of the paper's appendix: quality, size and time, by group."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from divlearn.lab.bench.summary import Report
from divlearn.lab.bench.table import MOST_IN_A_ROW, Entry, Grid, families
from divlearn.lab.bench.words import measure_text

#: What the columns of a problem hold: hypervolume, non-dominated solutions, and seconds
#: by the clock or of the processor.
COLUMNS = {
    "hypervolume": "HV",
    "front_size": "NDS",
    "seconds": "Time",
    "cpu_seconds": "Time",
}
CLOCK, PROCESSOR = "seconds", "cpu_seconds"
#: Groups of methods, in the order of the paper; what is in none of them is general.
PROBLEM_SPECIFIC, NEURAL = "Problem-specific", "Neural"
GENERAL, FRAME, DEFAULT = "General", "Divide and Learn", "divlearn"
GROUPS = {
    PROBLEM_SPECIFIC: ("ws-lkh", "ws-2opt", "ws-dp", "ppls-dc", "pyvrp"),
    NEURAL: ("pmoco", "pmoco-matched"),
    GENERAL: (),
    FRAME: ("paper-ucb", "paper-ts", "paper-literal", "uniform"),
    DEFAULT: ("dl",),
}
#: Units of time, the longest first, in seconds.
UNITS = ((3600.0, "h"), (60.0, "m"), (1.0, "s"))


def group_of(method: str) -> str:
    """Group of a method by its name.

    Examples
    --------
    >>> group_of("ws-dp"), group_of("nsga2"), group_of("paper-ts")
    ('Problem-specific', 'General', 'Divide and Learn')
    """
    for group, methods in GROUPS.items():
        if method in methods:
            return group
    return GENERAL


def clock_text(seconds: float) -> str:
    """Write a time as the paper does, in its largest unit.

    Examples
    --------
    >>> [clock_text(s) for s in (0.0123, 4.56, 59.7, 372.0, 9_960.0)]
    ['0.012s', '4.6s', '60s', '6.2m', '2.8h']
    """
    for size, unit in UNITS:
        if seconds >= size:
            number = seconds / size
            return f"{number:.0f}{unit}" if number >= 10 else f"{number:.1f}{unit}"
    return f"{seconds:.2g}s"


def clock_grids(
    report: Report, most: int = MOST_IN_A_ROW, *, time: str = CLOCK
) -> Iterator[Grid]:
    """Yield a table per family of problems, its sizes side by side.

    Methods without a run on any of its problems are left out. ``time`` is ``"seconds"``
    or ``"cpu_seconds"``.
    """
    shown = [one for one in COLUMNS if one not in (CLOCK, PROCESSOR) or one == time]
    for problems in families(report, most):
        columns = [(problem, measure) for problem in problems for measure in shown]
        header = ["method", *(f"{p} {COLUMNS[m]}" for p, m in columns)]
        rows: list[list[Entry]] = []
        for group in GROUPS:
            methods = _methods(report, group, problems)
            if methods:
                rows.append([Entry(f"_{group}_"), *(Entry("") for _ in columns)])
            for method in methods:
                entries = (_entry(report, p, method, m) for p, m in columns)
                rows.append([Entry(method), *entries])
        yield Grid(header, rows)


def _methods(report: Report, group: str, problems: Sequence[str]) -> list[str]:
    """Labels of the methods of a group that have runs."""
    return [
        one.label
        for one in report.suite.methods
        if group_of(one.method) == group
        and any(report.cells[problem, one.label].runs for problem in problems)
    ]


def _entry(report: Report, problem: str, method: str, measure: str) -> Entry:
    """Write one cell; of the columns, only times are written in units."""
    summary = report.cells[problem, method].summary(measure)
    best = report.best(problem, measure) == method
    if measure in (CLOCK, PROCESSOR) and summary is not None:
        return Entry(clock_text(summary.mean), best)
    return Entry(measure_text(measure, summary, None), best)
