"""A front of many objectives as lines across parallel axes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from divlearn.plot.figure import (
    COLOUR_MAP,
    KNEE_COLOUR,
    finish,
    new_axes,
    number,
    objective_labels,
    require_matplotlib,
    title,
)

if TYPE_CHECKING:
    from divlearn.result import Result

#: More lines take long and show no more; of more, some at equal distances are drawn.
MOST_LINES = 2_000
#: Marks on each axis, including both ends.
NUM_MARKS = 5


def parallel(result: Result, path: str | Path | None = None, ax: Any = None) -> Any:
    """Draw one line per solution over one axis per objective, the better side up.

    Parameters
    ----------
    result
        What to draw; it needs at least two objectives.
    path
        Picture file to write (png, svg, pdf); None for none.
    ax
        Matplotlib axes to draw into; a new figure if None.

    Returns
    -------
    The matplotlib figure.

    Examples
    --------
    >>> from divlearn import Result
    >>> from divlearn.plot import parallel
    >>> result = Result(["a", "b"], [[1, 5], [3, 2]], objectives=["cost", "time"])
    >>> [mark.get_text() for mark in parallel(result).axes[0].get_xticklabels()]
    ['cost (minimised)', 'time (minimised)']
    """
    require_matplotlib()
    return finish(draw_parallel(result, ax), path)


def draw_parallel(result: Result, ax: Any) -> Any:
    """Draw the lines, the scales and the knee."""
    from matplotlib import colormaps
    from matplotlib.collections import LineCollection

    knee = result.knee().index
    m = len(result.objectives)
    axes = new_axes(ax, (max(6.4, 1.7 * m + 1.0), 4.8))
    best = (result.F * result.sign).min(axis=0)
    worst = (result.F * result.sign).max(axis=0)
    spans = np.where(worst > best, worst - best, 1.0)
    heights = (worst - result.F * result.sign) / spans
    # An objective that is equal everywhere is drawn at the top.
    heights[:, worst == best] = 1.0
    colours = colormaps[COLOUR_MAP](heights[:, 0] * 0.9)
    kept = np.unique(np.linspace(0, len(heights) - 1, MOST_LINES).round().astype(int))
    lines = [np.column_stack([np.arange(m), heights[i]]) for i in kept]
    colours = colours[kept]
    style = {"colors": colours, "alpha": 0.5, "linewidths": 0.9}
    axes.add_collection(LineCollection(lines, **style))
    axes.plot(range(m), heights[knee], color=KNEE_COLOUR, linewidth=2.5, label="knee")
    _draw_axes(axes, result, best * result.sign, worst * result.sign)
    axes.legend(frameon=False, loc="lower right", bbox_to_anchor=(1.0, 1.0))
    drawn = "" if len(kept) == len(heights) else f"; {len(kept):,} of them drawn"
    text = f"{title(result)}{drawn}\nhigher is better on every axis"
    axes.set_title(text, fontsize="medium", loc="left")
    return axes


def _draw_axes(axes: Any, result: Result, best: Any, worst: Any) -> None:
    """Draw a scale for every objective, with its name below."""
    for j in range(len(best)):
        axes.axvline(j, color="0.35", linewidth=0.8, zorder=0)
        count = NUM_MARKS if best[j] != worst[j] else 1
        for height in np.linspace(1, 0, count):
            value = worst[j] + height * (best[j] - worst[j])
            axes.annotate(
                number(value, abs(best[j] - worst[j])),
                (j, height),
                xytext=(4, 0),
                textcoords="offset points",
                va="center",
                fontsize="x-small",
                bbox={"facecolor": "white", "alpha": 0.75, "linewidth": 0, "pad": 0.8},
                zorder=4,
            )
    labels = objective_labels(result, 16)
    axes.set_xticks(range(len(labels)), labels, fontsize="small")
    axes.set_xlim(-0.15, len(labels) - 1 + 0.35)
    axes.set_ylim(-0.04, 1.04)
    axes.set_yticks([])
    axes.tick_params(axis="x", length=0)
    axes.spines[:].set_visible(False)
