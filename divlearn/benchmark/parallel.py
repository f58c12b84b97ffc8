"""Fronts of four and more objectives: lines across parallel axes, by method."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from divlearn.benchmark.cases import problem_of
from divlearn.benchmark.panels import COLOURS, finish, first_runs, new_panels, tidy
from divlearn.benchmark.store import Store
from divlearn.benchmark.summary import Report
from divlearn.benchmark.task import Case
from divlearn.problems import Problem
from divlearn.typing import Floats

#: Fewer objectives than this have pictures of points.
LEAST_OBJECTIVES = 4


def draw_parallel(report: Report, store: Store, path: Path) -> bool:
    """Draw the fronts of all methods on the first instance, a panel per problem.

    Axes run from the reference point, below, to the ideal point, above; where a
    problem has none, between the worst and the best of all fronts.

    Returns
    -------
    Whether there was anything to draw.
    """
    cases = [
        (case, problem)
        for case in report.suite.problems
        if (problem := _example(report, case)).num_objectives >= LEAST_OBJECTIVES
        and first_runs(report, case)
    ]
    if not cases:
        return False
    figure, panels = new_panels([None] * len(cases), width=1.6)
    for (case, problem), axes in zip(cases, panels, strict=True):
        _draw_case(report, store, case, problem, axes)
        tidy(axes, f"{case.label}, instance {problem_number(report, case)}")
        axes.grid(False)
        axes.spines[:].set_visible(False)
    title = f"fronts of one run each, seed {report.suite.seeds[0]}; higher is better"
    finish(figure, panels, title, path)
    return True


def problem_number(report: Report, case: Case) -> int:
    """Number of the instance that is drawn."""
    return report.suite.instances_of(case)[0]


def _example(report: Report, case: Case) -> Problem:
    return problem_of(case, problem_number(report, case))


def _draw_case(
    report: Report, store: Store, case: Case, problem: Problem, axes: Any
) -> None:
    """Draw a line per solution, in the colour of its method."""
    keys = first_runs(report, case)
    fronts = {method: store.front(key) for method, key in keys.items()}
    worst, best = ends(problem, list(fronts.values()))
    places = range(problem.num_objectives)
    for index, method in enumerate(report.methods):
        if method not in fronts:
            continue
        heights = (worst - fronts[method] * problem.sign) / (worst - best)
        colour = COLOURS[index % len(COLOURS)]
        lines = axes.plot(places, heights.T, color=colour, alpha=0.45, lw=0.8)
        if lines:
            lines[0].set_label(method)
    for j in places:
        axes.axvline(j, color="0.35", lw=0.8, zorder=0)
        for height, value in ((1.0, best[j]), (0.0, worst[j])):
            axes.annotate(
                f"{value * problem.sign[j]:.3g}",
                (j, height),
                xytext=(3, 0),
                textcoords="offset points",
                va="center",
                fontsize="x-small",
            )
    names = [name.replace("_", " ") for name in problem.objectives]
    axes.set_xticks(list(places), names, fontsize="x-small")
    axes.set_xlim(-0.2, problem.num_objectives - 1 + 0.4)
    axes.set_ylim(-0.05, 1.05)
    axes.set_yticks([])


def ends(problem: Problem, fronts: list[Floats]) -> tuple[Floats, Floats]:
    """Worst and best value of each axis, as if all objectives were minimised."""
    if problem.reference is not None and problem.ideal is not None:
        return problem.reference * problem.sign, problem.ideal * problem.sign
    points = np.concatenate(fronts) * problem.sign
    worst, best = points.max(axis=0), points.min(axis=0)
    return np.where(worst > best, worst, best + 1.0), best
