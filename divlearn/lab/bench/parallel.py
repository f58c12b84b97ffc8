"""Fronts of four and more objectives: lines across parallel axes, by method."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from divlearn.basics.typing import Floats
from divlearn.lab.bench.cases import problem_of
from divlearn.lab.bench.panels import COLOURS, first_runs, save, tidy
from divlearn.lab.bench.store import Store
from divlearn.lab.bench.summary import Report
from divlearn.lab.bench.task import Case
from divlearn.problems import Problem

#: Fewer objectives than this have pictures of points.
LEAST_OBJECTIVES = 4
#: Width and height of one panel and height of a heading, in inches; panels in a row.
PANEL, HEADING = (2.9, 2.2), 0.35
MOST_COLUMNS = 5


def draw_parallel(report: Report, store: Store, path: Path) -> bool:
    """Draw the fronts of all methods on the first instance, a panel per method.

    Axes run from the reference point, below, to the ideal point, above; where a
    problem has none, between the worst and the best of all fronts.

    Returns
    -------
    Whether there was anything to draw.
    """
    from matplotlib.figure import Figure

    cases = [
        (case, problem)
        for case in report.suite.problems
        if (problem := _example(report, case)).num_objectives >= LEAST_OBJECTIVES
        and first_runs(report, case)
    ]
    if not cases:
        return False
    columns = min(MOST_COLUMNS, len(report.methods))
    rows = math.ceil(len(report.methods) / columns)
    size = columns * PANEL[0], len(cases) * (rows * PANEL[1] + HEADING) + HEADING
    figure = Figure(figsize=size, layout="constrained")
    parts = figure.subfigures(len(cases), 1, squeeze=False)[:, 0]
    for (case, problem), part in zip(cases, parts, strict=True):
        part.suptitle(f"{case.label}, instance {problem_number(report, case)}")
        panels = part.subplots(rows, columns, squeeze=False).ravel()
        _draw_case(report, store, case, problem, panels)
    title = f"fronts of one run each, seed {report.suite.seeds[0]}; higher is better"
    figure.suptitle(title, fontsize="medium")
    save(figure, path)
    return True


def problem_number(report: Report, case: Case) -> int:
    """Number of the instance that is drawn."""
    return report.suite.instances_of(case)[0]


def _example(report: Report, case: Case) -> Problem:
    return problem_of(case, problem_number(report, case))


def _draw_case(
    report: Report, store: Store, case: Case, problem: Problem, panels: Sequence[Any]
) -> None:
    """Draw a panel per method with a line per solution."""
    keys = first_runs(report, case)
    fronts = {method: store.front(key) for method, key in keys.items()}
    worst, best = ends(problem, list(fronts.values()))
    for index, axes in enumerate(panels):
        if index >= len(report.methods):
            axes.set_visible(False)
            continue
        method = report.methods[index]
        _draw_axes(axes, problem, worst, best)
        tidy(axes, method)
        axes.grid(False)
        axes.spines[:].set_visible(False)
        if method in fronts:
            heights = (worst - fronts[method] * problem.sign) / (worst - best)
            places = range(problem.num_objectives)
            colour = COLOURS[index % len(COLOURS)]
            axes.plot(places, heights.T, color=colour, alpha=0.45, lw=0.8)


def _draw_axes(axes: Any, problem: Problem, worst: Floats, best: Floats) -> None:
    """Draw an upright axis per objective, with the values at its ends."""
    places = range(problem.num_objectives)
    for j in places:
        axes.axvline(j, color="0.35", lw=0.8, zorder=0)
        for height, value in ((1.0, best[j]), (0.0, worst[j])):
            axes.annotate(
                f"{value * problem.sign[j]:.3g}",
                (j, height),
                xytext=(3, 0),
                textcoords="offset points",
                va="center",
                fontsize="xx-small",
            )
    names = [name.replace("_", "\n") for name in problem.objectives]
    axes.set_xticks(list(places), names)
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
