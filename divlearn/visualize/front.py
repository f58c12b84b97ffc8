"""The front: a scatter for two or three objectives, parallel axes for more."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from divlearn.basics.typing import Floats
from divlearn.errors import InputError
from divlearn.visualize.figure import (
    COLOUR_MAP,
    FRONT_COLOUR,
    KNEE_COLOUR,
    axis_label,
    finish,
    new_axes,
    require_matplotlib,
    title,
)
from divlearn.visualize.history import history
from divlearn.visualize.parallel import parallel

if TYPE_CHECKING:
    from divlearn.result import Result


def front(result: Result, path: str | Path | None = None, ax: Any = None) -> Any:
    """Draw the front, with the knee marked.

    Two objectives give a scatter plot, three a scatter plot in space, four or more
    parallel axes with the better side up. With one objective there is no front, and the
    history is drawn.

    Parameters
    ----------
    result
        What to draw.
    path
        Picture file to write (png, svg, pdf); None for none.
    ax
        Matplotlib axes to draw into; if None, a new figure that needs no display and
        affects no other figure.

    Returns
    -------
    The matplotlib figure.

    Raises
    ------
    MissingExtra
        If matplotlib is not installed.

    Examples
    --------
    >>> from divlearn import Result
    >>> from divlearn.visualize import front
    >>> result = Result(["a", "b"], [[1, 5], [3, 2]], objectives=["cost", "time"])
    >>> front(result).axes[0].get_xlabel()
    'cost (minimised)'
    """
    require_matplotlib()
    if len(result.objectives) == 1:
        if np.isnan(result.history["hypervolume"]).all():
            raise InputError(
                "a picture of the front needs at least two objectives; this problem "
                "has one: use result.best(...), or give the problem a reference to "
                "see the history."
            )
        return history(result, path, ax)
    draw = {2: _flat, 3: _spatial}.get(len(result.objectives), parallel)
    return finish(draw(result, ax), path)


def _flat(result: Result, ax: Any) -> Any:
    """Draw two objectives."""
    knee = result.knee().index
    axes = new_axes(ax, (6.4, 4.8))
    axes.scatter(
        *result.F.T, s=22, color=FRONT_COLOUR, alpha=0.75, linewidths=0, label="front"
    )
    _mark_knee(axes, result.F[knee])
    labels = [axis_label(name, s, 60) for name, s in result.objectives.items()]
    axes.set_xlabel(labels[0])
    axes.set_ylabel(labels[1])
    axes.grid(alpha=0.25)
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False)
    axes.set_title(title(result), fontsize="medium")
    return axes


def _spatial(result: Result, ax: Any) -> Any:
    """Draw three objectives; colour repeats the third, as depth is hard to see."""
    knee = result.knee().index
    axes = new_axes(ax, (7.0, 6.0), "3d")
    axes.computed_zorder = False  # the knee stays visible among nearer points
    axes.scatter(*result.F.T, c=result.F[:, 2], cmap=COLOUR_MAP, s=20, depthshade=False)
    _mark_knee(axes, result.F[knee])
    parts = zip(
        result.objectives.items(), (axes.xaxis, axes.yaxis, axes.zaxis), strict=True
    )
    for (name, sense), axis in parts:
        label = axis_label(name, sense, 30)
        axis.set_label_text(label)
        axis.labelpad = 6 + 7 * label.count("\n")
        axis.set_major_locator(_few_marks())
    axes.legend(frameon=False, loc="upper left")
    axes.set_title(title(result), fontsize="medium")
    axes.set_box_aspect(None, zoom=0.88)
    return axes


def _mark_knee(axes: Any, point: Floats) -> None:
    """Draw the knee on top, and give its values in the legend."""
    values = ", ".join(f"{value:.4g}" for value in point)
    axes.scatter(
        *point,
        s=90,
        marker="D",
        color=KNEE_COLOUR,
        edgecolors="white",
        zorder=10,
        label=f"knee ({values})",
    )


def _few_marks() -> Any:
    """Return a locator whose marks do not overlap in perspective."""
    from matplotlib.ticker import MaxNLocator

    return MaxNLocator(5)
