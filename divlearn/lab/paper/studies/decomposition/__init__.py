"""Sizes and overlaps of subproblems, and when more overlap does harm."""

from __future__ import annotations

from functools import partial

from divlearn.lab.paper.settings import specialised_remark
from divlearn.lab.paper.studies.decomposition.figures import draw_harm, draw_sweep
from divlearn.lab.paper.studies.decomposition.sweeps import (
    CONTROL,
    EQUAL,
    HARM,
    SMALL,
    SOLVER,
    SWEEPS,
    Swept,
    suites,
)
from divlearn.lab.paper.studies.decomposition.tables import (
    control_table,
    table,
    time_table,
)
from divlearn.lab.paper.studies.decomposition.verdicts import claims
from divlearn.lab.paper.study import Evidence, Figure, Findings, Study

REMARKS = (
    "Runs end with their schedule, so that smaller steps between windows mean more "
    "windows and more evaluations. Evaluations stand for the runtime; seconds are in "
    "`times.md`. An overlap of p % of d is rounded to whole positions, d - 1 at most.",
    "Redundancy R is read as: evaluations inside subproblems in a mean iteration, over "
    "n. The paper leaves `evals_i` open, and no reading that was tried gives its 63 "
    "for d = 5 at 100 %: 20 cities have at most 20 windows of 5 with 5 evaluations "
    "each.",
    f"The control gives every setting {EQUAL:,} evaluations: what overlap is worth "
    "when it is not paid by more evaluations.",
)


def findings(evidence: Evidence) -> Findings:
    """Three sweeps, harm detection for two of them, and the control."""
    swept = [Swept(evidence, sweep) for sweep in SWEEPS]
    control = Swept(evidence, SMALL, CONTROL)
    return Findings(
        tables=[*(table(one) for one in swept), control_table(swept[0], control)],
        figures=[*map(sweep_figure, swept), *map(harm_figure, swept[:2])],
        claims=claims(swept[0], swept[1], swept[2]),
        remarks=(*REMARKS, specialised_remark(SOLVER)),
        timed_tables=[time_table(one) for one in swept],
        timed_figures=[time_figure(one) for one in swept],
    )


def sweep_figure(swept: Swept) -> Figure:
    """Quality and cost by size and overlap."""
    problem, method = swept.sweep.problem, swept.sweep.method
    return Figure(
        f"overlap-{problem}",
        f"{problem}, {method}: hypervolume, evaluations and mean tour length by size "
        "and overlap; bands are standard deviations, the dashed line is the "
        f"{SOLVER}.",
        partial(draw_sweep, swept, "evaluations"),
    )


def harm_figure(swept: Swept) -> Figure:
    """When more overlap does harm."""
    problem = swept.sweep.problem
    return Figure(
        f"harm-{problem}",
        f"{problem}: redundancy (dashed: {HARM:g}, the paper's limit) and gain of "
        "hypervolume per thousand evaluations between neighbouring overlaps.",
        partial(draw_harm, swept),
    )


def time_figure(swept: Swept) -> Figure:
    """The same by a clock."""
    problem = swept.sweep.problem
    return Figure(
        f"times-overlap-{problem}",
        f"{problem}: the same with processor seconds.",
        partial(draw_sweep, swept, "cpu_seconds"),
    )


STUDY = Study(
    "decomposition", "Sizes and overlaps of subproblems", 1121, findings, suites
)
