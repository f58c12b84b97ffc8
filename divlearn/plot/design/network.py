"""Chosen nodes and sites, and the rows of coverings and packings."""

from __future__ import annotations

from typing import Any

import numpy as np

from divlearn.plot.design.maps import MOST_LABELS, bare
from divlearn.plot.figure import FRONT_COLOUR, KNEE_COLOUR, new_figure, shown

#: More rows or columns than that have no labels.
MOST_NAMED = 40


def draw_network(sketch: dict[str, Any]) -> Any:
    """Draw a graph, or a map, with what is chosen of it."""
    panels = sketch["panels"]
    figure = new_figure((5.2 * min(2, len(panels)), 4.8 * -(-len(panels) // 2)))
    grid = figure.subplots(-(-len(panels) // 2), min(2, len(panels)), squeeze=False)
    chosen = np.array(sketch["chosen"], bool)
    for axes, panel in zip(grid.flat, panels, strict=False):
        points = np.array(panel["points"], float)
        for pair in panel["links"]:
            axes.plot(*points[pair].T, color="0.75", linewidth=0.8, zorder=1)
        word = f"{len(panel['bad']):,} violated"
        for k, pair in enumerate(panel["bad"]):
            style = {"color": KNEE_COLOUR, "linewidth": 2.2, "linestyle": "--"}
            label = "_" if k else word  # one line of the legend for all
            axes.plot(*points[pair].T, label=label, zorder=2, **style)
        _draw_nodes(axes, points, chosen, sketch["labels"])
        axes.set_title(shown(panel["title"], 40), fontsize="medium")
    for axes in grid.flat[len(panels) :]:
        axes.set_visible(False)
    place = {"loc": "upper center", "bbox_to_anchor": (0.5, -0.01), "ncols": 3}
    grid[0, 0].legend(frameon=False, **place)
    return figure


def _draw_nodes(axes: Any, points: Any, chosen: Any, labels: list[str]) -> None:
    """Draw nodes, the chosen ones filled."""
    few = len(points) <= MOST_LABELS
    size = 130 if few else 26
    edge = {"edgecolors": "0.2", "linewidths": 0.8, "zorder": 3}
    for inside, colour, word in (
        (chosen, FRONT_COLOUR, ""),
        (~chosen, "white", "not "),
    ):
        label = f"{int(inside.sum()):,} {word}chosen"
        axes.scatter(*points[inside].T, s=size, color=colour, label=label, **edge)
    for i in range(len(points)) if few else ():
        style = {"fontsize": 6.5, "ha": "center", "va": "center_baseline", "zorder": 4}
        colour = "white" if chosen[i] else "black"
        axes.annotate(shown(labels[i], 4, 1), points[i], color=colour, **style)
    bare(axes)


def draw_rows(sketch: dict[str, Any]) -> Any:
    """Draw a mark where a row holds a chosen column, and rows that are wrong."""
    columns, rows = sketch["columns"], sketch["rows"]
    height = float(np.clip(0.17 * len(rows), 2.0, 9.0))
    figure = new_figure((float(np.clip(0.2 * len(columns), 4.0, 10.0)), height + 1.0))
    axes = figure.subplots()
    places = [(c, r) for r, row in enumerate(rows) for c in row["marks"]]
    size = float(np.clip(4_000 / max(len(rows), len(columns), 1) ** 1.2, 4, 60))
    if places:
        style = {"marker": "s", "color": FRONT_COLOUR, "linewidths": 0, "zorder": 2}
        axes.scatter(*np.array(places).T, s=size, **style)
    wrong = [r for r, row in enumerate(rows) if row["bad"]]
    for r in wrong:
        axes.axhspan(r - 0.45, r + 0.45, color=KNEE_COLOUR, alpha=0.35, zorder=1)
    if len(columns) <= MOST_NAMED:
        named = [shown(name, 12, 1) for name in columns]
        axes.set_xticks(range(len(columns)), named, rotation=90, fontsize="x-small")
    if len(rows) <= MOST_NAMED:
        named = [shown(row["label"], 12, 1) for row in rows]
        axes.set_yticks(range(len(rows)), named, fontsize="x-small")
    axes.set_xlim(-0.6, max(len(columns), 1) - 0.4)
    axes.set_ylim(len(rows) - 0.4, -0.6)
    axes.set_xlabel(f"{len(columns):,} chosen columns")
    axes.set_ylabel("rows" if not wrong else f"rows, {len(wrong):,} violated (shaded)")
    axes.grid(alpha=0.25, linewidth=0.5)
    axes.spines[["top", "right"]].set_visible(False)
    return figure
