"""Tours, routes and assignments: points and lines on maps."""

from __future__ import annotations

from typing import Any

import numpy as np

from divlearn.basics.typing import Floats
from divlearn.plot.figure import FRONT_COLOUR, KNEE_COLOUR, STYLES, new_figure, shown

#: More points than that have no labels.
MOST_LABELS = 40
#: Routes with a line in the legend.
MOST_NAMED = 16


def draw_maps(sketch: dict[str, Any]) -> Any:
    """Draw tours or routes, a panel per map."""
    panels = sketch["panels"]
    columns = min(3, len(panels))
    rows = -(-len(panels) // columns)
    routes = sketch["kind"] == "routes"
    figure = new_figure((4.5 * columns + 1.9 * routes, 4.3 * rows + 0.3))
    grid = figure.subplots(rows, columns, squeeze=False)
    for axes, panel in zip(grid.flat, panels, strict=False):
        points = np.array(panel["points"], float)
        for k, line in enumerate(panel["lines"]):
            _draw_line(axes, points[line], k if routes else 0, _name(sketch, k))
        _draw_points(axes, points, sketch)
        axes.set_title(shown(panel["title"], 40), fontsize="medium")
    for axes in grid.flat[len(panels) :]:
        axes.set_visible(False)
    if routes:
        handles, labels = grid[0, 0].get_legend_handles_labels()
        named = handles[:MOST_NAMED], labels[:MOST_NAMED]
        style = {"frameon": False, "fontsize": "small", "handlelength": 3.2}
        figure.legend(*named, loc="outside right center", **style)
    return figure


def _name(sketch: dict[str, Any], k: int) -> str | None:
    """What a route is called: its number and its load."""
    if sketch["kind"] != "routes":
        return None
    most = sketch["capacity"]
    load = "" if most is None else f", load {sketch['loads'][k]:.4g} of {most:.4g}"
    return f"route {k + 1}{load}"


def _draw_line(axes: Any, points: Floats, k: int, label: str | None) -> None:
    """Draw a tour or a route, with an arrow for its direction."""
    colour, dashes = STYLES[k % len(STYLES)]
    axes.plot(
        *points.T, color=colour, linestyle=dashes, linewidth=1.5, zorder=2, label=label
    )
    if len(points) < 2:
        return
    start, end = points[0], points[1]
    axes.annotate(
        "",
        start + 0.62 * (end - start),
        start + 0.55 * (end - start),
        arrowprops={"arrowstyle": "-|>", "color": colour, "linewidth": 1.2},
        zorder=3,
    )


def _draw_points(axes: Any, points: Floats, sketch: dict[str, Any]) -> None:
    """Draw places with their labels; the depot as a square."""
    depot = sketch.get("depot")
    others = [i for i in range(len(points)) if i != depot]
    few = len(points) <= MOST_LABELS
    size = 120 if few else 18
    style = {"s": size, "edgecolors": "0.2", "linewidths": 0.8, "zorder": 4}
    axes.scatter(*points[others].T, color="white", **style)
    if depot is not None:
        square = {**style, "s": 110, "marker": "s", "color": KNEE_COLOUR}
        axes.scatter(*points[depot], label="depot", **square)
    for i in others if few else []:
        text = shown(sketch["labels"][i], 12, 1)
        short = len(text) <= 2
        axes.annotate(
            text,
            points[i],
            xytext=(0, 0) if short else (7, 4),
            textcoords="offset points",
            ha="center" if short else "left",
            va="center_baseline" if short else "baseline",
            fontsize=6.5,
            zorder=5,
        )
    bare(axes)


def bare(axes: Any) -> None:
    """A map: equal units, a thin frame, no numbers."""
    axes.set_aspect("equal", adjustable="datalim")
    axes.margins(0.07)
    axes.set_xticks([])
    axes.set_yticks([])
    axes.spines[:].set_color("0.8")


def draw_assignment(sketch: dict[str, Any]) -> Any:
    """Draw what is at each place, and links as wide and dark as they are strong."""
    figure = new_figure((6.0, 5.2))
    axes = figure.subplots()
    points = np.array(sketch["points"], float)
    for i, j, strength in sorted(sketch["links"], key=lambda link: link[2]):
        ends = points[[i, j]]
        style = {"linewidth": 0.4 + 3.0 * strength, "alpha": 0.25 + 0.5 * strength}
        axes.plot(*ends.T, color=FRONT_COLOUR, zorder=1, **style)
    long = max(map(len, sketch["labels"]), default=0) > 3
    few = len(points) <= 2 * MOST_LABELS
    style = {"edgecolors": "0.2", "linewidths": 0.8, "zorder": 3}
    axes.scatter(*points.T, s=40 if long or not few else 190, color="white", **style)
    for point, label in zip(points, sketch["labels"], strict=True) if few else ():
        axes.annotate(
            shown(label, 16, 1),
            point,
            xytext=(0, 7) if long else (0, 0),
            textcoords="offset points",
            ha="center",
            va="bottom" if long else "center_baseline",
            fontsize=7,
            zorder=4,
        )
    if sketch["links"]:
        axes.set_title("wider lines are stronger flows", fontsize="small", color="0.35")
    bare(axes)
    return figure
