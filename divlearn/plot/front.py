"""The front: a scatter for two objectives, panels for three, parallel axes for more."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from divlearn.basics.errors import InputError
from divlearn.basics.typing import Floats
from divlearn.plot.figure import (
    COLOUR_MAP,
    FRONT_COLOUR,
    KNEE_COLOUR,
    add_scale,
    finish,
    new_axes,
    new_figure,
    objective_labels,
    plain_numbers,
    require_matplotlib,
    tidy,
    title,
)
from divlearn.plot.history import history
from divlearn.plot.parallel import draw_parallel

if TYPE_CHECKING:
    from divlearn.result import Result


def front(result: Result, path: str | Path | None = None, ax: Any = None) -> Any:
    """Draw the front, with the knee marked.

    Two objectives give a scatter plot; three a panel for each pair and a view in space
    with a scale, or, if ``ax`` is given, the view alone; four or more parallel axes
    with the better side up. With one objective there is no front, and the history is
    drawn.

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
    >>> from divlearn.plot import front
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
    draw = {2: _flat, 3: _three}.get(len(result.objectives), draw_parallel)
    return finish(draw(result, ax), path)


def _flat(result: Result, ax: Any) -> Any:
    """Draw two objectives."""
    knee = result.knee().index
    axes = new_axes(ax, (6.4, 4.8))
    _draw_pair(axes, result, (0, 1))
    _mark_knee(axes, result.F[knee])
    axes.legend(frameon=False)
    axes.set_title(title(result), fontsize="medium")
    return axes


def _draw_pair(axes: Any, result: Result, pair: tuple[int, int], **style: Any) -> Any:
    """Draw all solutions over two of the objectives; returns the dots."""
    names = objective_labels(result, 60)
    dots: dict[str, Any] = {"s": 22, "color": FRONT_COLOUR, "alpha": 0.75}
    dots |= {"linewidths": 0, "label": "front"}
    drawn = axes.scatter(*result.F[:, list(pair)].T, **(dots | style))
    axes.set_xlabel(names[pair[0]])
    axes.set_ylabel(names[pair[1]])
    plain_numbers(axes.xaxis)
    plain_numbers(axes.yaxis)
    tidy(axes)
    return drawn


def _three(result: Result, ax: Any) -> Any:
    """Draw three objectives: every pair, and all in space with a scale."""
    if ax is not None:
        _spatial(new_axes(ax, (7.0, 6.0), "3d"), result)
        ax.set_title(title(result), fontsize="medium")
        ax.legend(frameon=False, loc="upper left")
        return ax
    figure = new_figure((9.6, 8.0))
    knee = result.knee().index
    *flat, last = figure.add_gridspec(2, 2)
    for place, pair in zip(flat, combinations(range(3), 2), strict=True):
        axes = figure.add_subplot(place)
        (left_out,) = {0, 1, 2} - set(pair)
        colours = {"c": result.F[:, left_out], "cmap": COLOUR_MAP, "color": None}
        drawn = _draw_pair(axes, result, pair, **colours, alpha=0.9)
        _mark_knee(axes, result.F[knee, list(pair)])
        add_scale(figure, drawn, axes, objective_labels(result, 60)[left_out])
    space = figure.add_subplot(last, projection="3d")
    drawn = _spatial(space, result)
    scale = figure.colorbar(drawn, ax=space, shrink=0.7, pad=0.12)
    scale.set_label(objective_labels(result, 60)[2])
    figure.suptitle(title(result), fontsize="medium")
    handles, labels = space.get_legend_handles_labels()
    figure.legend(handles[-1:], labels[-1:], frameon=False, loc="outside lower center")
    return figure


def _spatial(axes: Any, result: Result) -> Any:
    """Draw three objectives; colour repeats the third, as depth is hard to see.

    Returns the dots, whose scale names the third.
    """
    knee = result.knee().index
    axes.computed_zorder = False  # the knee stays visible among nearer points
    style = {"c": result.F[:, 2], "cmap": COLOUR_MAP, "s": 16}
    drawn = axes.scatter(*result.F.T, **style, depthshade=False, label="front")
    _mark_knee(axes, result.F[knee])
    places = axes.xaxis, axes.yaxis, axes.zaxis
    for label, axis in zip(objective_labels(result, 26), places, strict=True):
        axis.set_label_text(label, fontsize="small")
        axis.labelpad = 1 + 6 * label.count("\n")
        plain_numbers(axis, 4)
    axes.tick_params(labelsize="small", pad=1)
    axes.set_box_aspect(None, zoom=0.85)
    return drawn


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
