"""Six panels over evaluations, four panels of diversity, fronts of all seeds."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from divlearn.lab.bench.curves import curve
from divlearn.lab.bench.statistics import spread_of
from divlearn.lab.paper.panels import (
    COLOURS,
    MARKERS,
    bars,
    counted,
    heat,
    legend_below,
    line,
    new_panels,
    tidy,
)
from divlearn.lab.paper.studies.diversity.runs import on_the_way
from divlearn.lab.paper.study import Evidence

#: Panels over evaluations that snapshots fill.
ON_THE_WAY = {
    "front_size": "front size",
    "coverage": "coverage",
    "adjusted_diversity": "AdjDiv",
    "knn_diversity": "KNN-Div",
}
#: Columns of the summary.
SUMMARY = {
    "hypervolume": "HV",
    "front_size": "size",
    "coverage": "coverage",
    "adjusted_diversity": "AdjDiv",
    "knn_diversity": "KNN-Div",
}
#: Panels of fronts side by side.
IN_A_ROW = 4


def draw_progress(evidence: Evidence, problem: str) -> Any:
    """Hypervolume and five more, over evaluations."""
    report = evidence.report(problem)
    figure, panels = new_panels(2, 3, size=(3.5, 2.7))
    first, *others, last = panels
    for kind, method in enumerate(report.methods):
        cell = report.cells[problem, method]
        found = curve(report, evidence.store, cell, "evaluations")
        if found is not None:
            line(first, found.x, found.mean, method, kind)
            shade = {"color": COLOURS[kind % len(COLOURS)], "alpha": 0.13, "lw": 0}
            first.fill_between(found.x, found.low, found.high, **shade)
        for axes, measure in zip(others, ON_THE_WAY, strict=True):
            x, rows = on_the_way(evidence, problem, method, measure)
            if len(x):
                line(axes, x, rows.mean(axis=0), method, kind)
    groups = [
        evidence.units(problem, m, "hypervolume", problem) for m in report.methods
    ]
    bars(last, report.methods, groups, range(len(groups)))
    titles = ["HV ratio", *ON_THE_WAY.values(), "final HV ratio"]
    for axes, title in zip(panels, titles, strict=True):
        tidy(axes, title)
        if axes is not last:
            axes.set_xscale("log")
            axes.set_xlabel("evaluations")
    others[0].set_yscale("log")
    counted(others[0].yaxis)
    legend_below(figure, panels[:1])
    return figure


def draw_analysis(evidence: Evidence, problem: str) -> Any:
    """Coverage against size, KNN-Div, hypervolume against coverage, a summary."""
    figure, panels = new_panels(2, 2, size=(4.4, 3.1))
    corner, knn, trade, summary = panels
    methods = evidence.report(problem).methods
    for axes, x, y in (
        (corner, "front_size", "coverage"),
        (trade, "coverage", "hypervolume"),
    ):
        for kind, method in enumerate(methods):
            _draw_point(evidence, problem, method, (x, y), axes, kind)
        axes.set_xlabel(SUMMARY[x])
        axes.set_ylabel(SUMMARY[y])
    corner.set_xscale("log")
    counted(corner.xaxis)
    groups = [evidence.units(problem, m, "knn_diversity", problem) for m in methods]
    bars(knn, methods, groups, range(len(methods)))
    numbers = np.array(
        [
            [
                spread_of(evidence.units(problem, m, measure, problem)).mean
                for measure in SUMMARY
            ]
            for m in methods
        ]
    )
    heat(summary, methods, [*SUMMARY.values()], numbers / np.nanmax(numbers, 0), ".2f")
    tidy(corner, "coverage against size")
    tidy(knn, "KNN-Div")
    tidy(trade, "hypervolume against coverage")
    summary.set_title("share of the largest", fontsize="medium")
    legend_below(figure, [corner])
    return figure


def _draw_point(
    evidence: Evidence,
    problem: str,
    method: str,
    measures: tuple[str, str],
    axes: Any,
    kind: int,
) -> None:
    """A method as a point with its deviations."""
    across, up = (
        spread_of(evidence.units(problem, method, one, problem)) for one in measures
    )
    axes.errorbar(
        across.mean,
        up.mean,
        xerr=np.nan_to_num(across.deviation),
        yerr=np.nan_to_num(up.deviation),
        fmt=MARKERS[kind % len(MARKERS)],
        color=COLOURS[kind % len(COLOURS)],
        ms=5,
        lw=0.9,
        label=method,
    )


def draw_fronts(evidence: Evidence, problem: str) -> Any:
    """The fronts of all seeds, a panel per method, all on the same axes."""
    report = evidence.report(problem)
    rows = math.ceil(len(report.methods) / IN_A_ROW)
    figure, panels = new_panels(rows, IN_A_ROW, size=(2.6, 2.4))
    drawn = panels[: len(report.methods)]
    for axes, method in zip(drawn, report.methods, strict=True):
        runs = report.cells[problem, method].runs.items()
        for number, ((_, seed), run) in enumerate(sorted(runs)):
            front = evidence.store.front(run.key)
            style = {"s": 7, "color": COLOURS[number % len(COLOURS)], "linewidths": 0}
            axes.scatter(
                *front.T,
                marker=MARKERS[number % len(MARKERS)],
                alpha=0.7,
                label=f"seed {seed}",
                **style,
            )
        axes.set_xlabel("first length")
        axes.set_ylabel("second length")
        tidy(axes, method)
    for axes in panels[len(report.methods) :]:
        axes.set_visible(False)
    sides = [axes.get_xlim() for axes in drawn], [axes.get_ylim() for axes in drawn]
    for axes in drawn:
        axes.set_xlim(min(a for a, _ in sides[0]), max(b for _, b in sides[0]))
        axes.set_ylim(min(a for a, _ in sides[1]), max(b for _, b in sides[1]))
    legend_below(figure, drawn)
    return figure
