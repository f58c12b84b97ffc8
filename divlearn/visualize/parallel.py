"""A front of many objectives as lines across parallel axes."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from divlearn.visualize.figure import (
    COLOUR_MAP,
    KNEE_COLOUR,
    axis_label,
    new_axes,
    title,
)

if TYPE_CHECKING:
    from divlearn.result import Result

#: Marks on each axis, including both ends.
NUM_MARKS = 5


def parallel(result: Result, ax: Any) -> Any:
    """Draw one line per solution over one axis per objective, the better side up."""
    from matplotlib import colormaps

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
    for height, colour in zip(heights, colours, strict=True):
        axes.plot(range(m), height, color=colour, alpha=0.5, linewidth=0.9)
    axes.plot(range(m), heights[knee], color=KNEE_COLOUR, linewidth=2.5, label="knee")
    _draw_axes(axes, result, best * result.sign, worst * result.sign)
    axes.legend(frameon=False, loc="lower right", bbox_to_anchor=(1.0, 1.0))
    text = f"{title(result)}\nhigher is better on every axis"
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
                _number(value, abs(best[j] - worst[j])),
                (j, height),
                xytext=(4, 0),
                textcoords="offset points",
                va="center",
                fontsize="x-small",
                bbox={"facecolor": "white", "alpha": 0.75, "linewidth": 0, "pad": 0.8},
                zorder=4,
            )
    labels = [axis_label(name, s, 16) for name, s in result.objectives.items()]
    axes.set_xticks(range(len(labels)), labels, fontsize="small")
    axes.set_xlim(-0.15, len(labels) - 1 + 0.35)
    axes.set_ylim(-0.04, 1.04)
    axes.set_yticks([])
    axes.tick_params(axis="x", length=0)
    axes.spines[:].set_visible(False)


def _number(value: float, span: float) -> str:
    """Write a mark with enough digits to tell the marks of its axis apart."""
    if span == 0 or abs(value) >= 1e6 or span < 1e-6:
        return f"{value:.4g}"
    return f"{value:.{max(0, 2 - math.floor(math.log10(span)))}f}"
