"""Words around tables: what they show, how to read them, what to be wary of."""

from __future__ import annotations

from collections.abc import Sequence

from divlearn.lab.bench.suite import OBSERVED, changed_settings
from divlearn.lab.bench.summary import Report
from divlearn.methods.budget import Budget, planned
from divlearn.methods.names import method_for
from divlearn.methods.others.base import WholeSolver

#: How tables say what many runs are like, see :data:`DEVIATIONS` of a suite.
SPREADS = {
    "error": "mean ± standard error",
    "deviation": "mean ± standard deviation",
    "quartiles": "median (quartiles)",
    "worst": "mean (worst case)",
    "variation": "mean (coefficient of variation)",
    "stability": "mean (stability: mean over standard deviation)",
}
#: Failed runs that are told one by one.
MOST_FAILURES = 10


def headline(report: Report) -> str:
    """Say what the table shows."""
    suite = report.suite
    limit = limit_text(suite.budget, suite.seconds)
    numbers = {suite.instances_of(case) for case in suite.problems if not case.files}
    words = [f"{suite.name}: {limit} per run"]
    if len(numbers) == 1:
        words.append(_numbers("instance", numbers.pop()))
    elif numbers:
        words.append("instances of their own for some problems")
    return ", ".join([*words, _numbers("seed", suite.seeds)])


def limit_text(budget: Budget, seconds: float | None) -> str:
    """Say when runs end.

    Examples
    --------
    >>> limit_text(2_000, None), limit_text(None, 2.5), limit_text("schedule", None)
    ('2,000 evaluations', '2.5 s', 'the schedule')
    """
    count = planned(budget)
    if count is not None:
        return f"{count:,} evaluations"
    return "the schedule" if seconds is None else f"{seconds:g} s"


def _numbers(noun: str, numbers: Sequence[int]) -> str:
    """Write numbers shortly.

    Examples
    --------
    >>> _numbers("instance", (3, 4, 5)), _numbers("seed", (1, 7))
    ('instances 3 to 5', 'seeds 1, 7')
    """
    if len(numbers) == 1:
        return f"{noun} {numbers[0]}"
    if list(numbers) == list(range(numbers[0], numbers[0] + len(numbers))):
        return f"{noun}s {numbers[0]} to {numbers[-1]}"
    return f"{noun}s {', '.join(map(str, numbers))}"


def legend(report: Report) -> str:
    """Say how to read the columns."""
    units = _units(report)
    behind = f", {SPREADS[report.suite.deviation]} over {units}" if units else ""
    parts = [f"HV: hypervolume ratio{behind}."]
    if report.percent_problems:
        parts.append("HV %: in percent of the exact front of the instance.")
    if OBSERVED in report.suite.columns:
        parts.append(
            "The front is measured anew for it; observed HV: as the search saw it."
        )
    parts.append("NDS: number of non-dominated solutions.")
    if "operations" in report.suite.columns:
        parts.append("ops: additions, multiplications, comparisons, by a model.")
    return " ".join(parts)


def _units(report: Report) -> str:
    """Say over what means are taken; nothing where there is one run of each."""
    by_instance = any(cell.by_instance for cell in report.cells.values())
    if not by_instance:
        return "seeds" if len(report.suite.seeds) > 1 else ""
    averaged = " (each the mean of its seeds)" if len(report.suite.seeds) > 1 else ""
    return f"instances{averaged}"


COMPARISON_LEGEND = (
    "Difference: method minus best (or the method named), mean ± standard error over "
    "pairs of the same instance and seed. p: Wilcoxon signed-rank test, two-sided, "
    "not adjusted for the number of comparisons. W-T-L: pairs won, tied, lost "
    "against it."
)


def remarks(report: Report) -> list[str]:
    """Say what a reader of the table must know: failures, gaps, mixed versions."""
    said = []
    missing = sum(cell.missing for cell in report.cells.values())
    if missing:
        said.append(f"{_plural(f'{missing:,}', 'run')} not made yet.")
    said += _not_told(report)
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


def _not_told(report: Report) -> list[str]:
    """Say which methods did not get the initial solutions of the others."""
    if not report.suite.initial:
        return []
    alone = [
        one.label
        for one in report.suite.methods
        if isinstance(method_for(changed_settings(one)), WholeSolver)
    ]
    if not alone:
        return []
    return [
        f"The {report.suite.initial} initial solutions were not told to "
        f"{', '.join(alone)}, which cannot be told any."
    ]


def _plural(number: str, noun: str) -> str:
    """Write a number with its noun."""
    return f"{number} {noun}{'' if number == '1' else 's'}"
