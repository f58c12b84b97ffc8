"""Figures of sizes and overlaps."""

from __future__ import annotations

from typing import Any

import numpy as np

from divlearn.lab.bench.statistics import spread_of
from divlearn.lab.paper.panels import (
    legend_below,
    level,
    line,
    new_panels,
    sweep,
    tidy,
)
from divlearn.lab.paper.studies.decomposition.sweeps import (
    HARM,
    SOLVER,
    Swept,
    efficiency,
)


def draw_sweep(swept: Swept, cost: str) -> Any:
    """Quality, cost and tour length over the overlap, a line per size."""
    figure, panels = new_panels(1, 3, size=(3.6, 3.1))
    titles = {
        "hypervolume": "HV ratio",
        cost: "evaluations" if cost == "evaluations" else "CPU seconds",
        "mean_objective": "mean tour length",
    }
    for axes, (measure, title) in zip(panels, titles.items(), strict=True):
        for kind, size in enumerate(swept.sizes):
            lines = swept.line(size, measure)
            sweep(axes, swept.overlaps, lines, f"d = {size}", kind)
        if measure != cost:
            level(axes, spread_of(swept.solver(measure)).mean, SOLVER)
        else:
            axes.set_yscale("log")
        axes.set_xlabel("overlap, % of d")
        tidy(axes, title)
    legend_below(figure, panels)
    return figure


def draw_harm(swept: Swept) -> Any:
    """Redundancy and marginal efficiency over the overlap."""
    figure, (left, right) = new_panels(1, 2, size=(4.2, 3.1))
    middles = (np.array(swept.overlaps[1:]) + np.array(swept.overlaps[:-1])) / 2
    for kind, size in enumerate(swept.sizes):
        label = f"d = {size}"
        heights = swept.means(size, "redundancy")
        line(left, swept.overlaps, heights, label, kind, marked=True)
        gains = 1e3 * efficiency(swept, size)
        line(right, middles, gains, label, kind, marked=True)
    level(left, HARM, "the paper's limit")
    left.set_yscale("log")
    right.axhline(0.0, color="0.4", lw=0.8)
    right.axvline(50.0, color="0.5", lw=0.9, ls=":")
    for axes, title in ((left, "redundancy"), (right, "HV per 1000 more evaluations")):
        axes.set_xlabel("overlap, % of d")
        tidy(axes, title)
    legend_below(figure, [left, right])
    return figure
