"""How the front grew, of one search or of several with their spread."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from divlearn.basics.checks import require_one_of
from divlearn.basics.errors import InputError
from divlearn.basics.typing import Floats
from divlearn.plot.figure import (
    MARKERS,
    STYLES,
    counts,
    finish,
    new_axes,
    new_figure,
    plain_numbers,
    require_matplotlib,
    shown,
    tidy,
)

if TYPE_CHECKING:
    from divlearn.result import Result

#: What the axis below may count, and how it is called.
AXES = {"evaluations": "evaluations", "seconds": "seconds"}
#: Points at which the curves of several searches are compared.
NUM_POINTS = 200


def history(
    result: Result | Sequence[Result],
    path: str | Path | None = None,
    ax: Any = None,
    over: str | None = None,
) -> Any:
    """Draw the hypervolume over the evaluations and over the seconds.

    Several results, as of several seeds, give a line for each method, the median of
    its searches, and a band from the worst to the best of them.

    Parameters
    ----------
    result
        What to draw, or a list of results; their problem needs a reference point.
    path
        Picture file to write (png, svg, pdf); None for none.
    ax
        Matplotlib axes to draw into; a new figure if None.
    over
        ``"evaluations"`` or ``"seconds"``; None for a panel each, or for evaluations
        if ``ax`` is given.

    Returns
    -------
    The matplotlib figure.

    Examples
    --------
    >>> from divlearn import Result
    >>> from divlearn.plot import history
    >>> result = Result(
    ...     ["a"],
    ...     [[1]],
    ...     objectives=["cost"],
    ...     history={
    ...         "evaluations": [10, 20],
    ...         "seconds": [0.1, 0.2],
    ...         "front_size": [1, 1],
    ...         "hypervolume": [0.2, 0.5],
    ...     },
    ... )
    >>> [axes.get_xlabel() for axes in history(result).axes]
    ['evaluations', 'seconds']
    """
    require_matplotlib()
    results = _listed(result)
    _require_volumes(results)
    if over is not None:
        require_one_of("over", over, list(AXES))
    if ax is not None or over is not None:
        axes = new_axes(ax, (6.4, 4.0))
        _panel(axes, results, over or "evaluations")
        axes.set_title(_title(results), fontsize="medium")
        _legend(axes, results)
        return finish(axes, path)
    figure = new_figure((9.6, 4.0))
    panels = figure.subplots(1, 2, sharey=True)
    for axes, name in zip(panels, AXES, strict=True):
        _panel(axes, results, name)
    panels[1].set_ylabel("")
    figure.suptitle(_title(results), fontsize="medium")
    _legend(panels[0], results)
    return finish(figure, path)


def _listed(result: Any) -> list[Result]:
    """One result or several, as a list."""
    return [result] if hasattr(result, "history") else list(result)


def _require_volumes(results: Sequence[Result]) -> None:
    """Refuse results without a hypervolume."""
    if not results:
        raise InputError("result must be a result or a list of results, got none.")
    for one in results:
        if np.isnan(np.array(one.history["hypervolume"], np.float64)).all():
            raise InputError(
                "the history holds no hypervolume; give the problem a reference point, "
                "Problem(..., reference=...), and search again."
            )


def _panel(axes: Any, results: Sequence[Result], name: str) -> None:
    """Draw a line per method, with a band where it has several results."""
    for k, (method, group) in enumerate(_by_method(results).items()):
        colour, dashes = STYLES[k % len(STYLES)]
        style = {"color": colour, "linestyle": dashes, "linewidth": 1.6}
        if len(group) == 1:
            columns = group[0].history
            few = len(columns[name]) < 50
            style |= {"marker": MARKERS[k % len(MARKERS)] if few else None}
            axes.plot(
                columns[name], columns["hypervolume"], label=method, ms=3.5, **style
            )
            continue
        places, curves = _curves(group, name)
        low, middle, high = np.nanquantile(curves, [0.0, 0.5, 1.0], axis=0)
        label = f"{method}, {len(group)} searches"
        band = {"color": colour, "alpha": 0.2, "linewidth": 0, "step": "post"}
        axes.fill_between(places, low, high, **band)
        axes.plot(places, middle, label=label, drawstyle="steps-post", **style)
    axes.set_xlabel(AXES[name])
    ratio = " (ratio)" if all(r.ideal is not None for r in results) else ""
    axes.set_ylabel(f"hypervolume{ratio}")
    (counts if name == "evaluations" else plain_numbers)(axes.xaxis)
    plain_numbers(axes.yaxis)
    tidy(axes)


def _by_method(results: Sequence[Result]) -> dict[str, list[Result]]:
    """Results by the name of their method."""
    groups: dict[str, list[Result]] = {}
    for one in results:
        groups.setdefault(shown(one.method or "search", 30), []).append(one)
    return groups


def _curves(group: Sequence[Result], name: str) -> tuple[Floats, Floats]:
    """Places on the axis below, and a row of hypervolumes per result.

    A curve stays at its value until the next row of its history. It is compared where
    all searches were: from the last of their first rows to the first of their ends.
    """
    rows = [np.array(one.history[name], np.float64) for one in group]
    volumes = [np.array(one.history["hypervolume"], np.float64) for one in group]
    start, end = max(r[0] for r in rows), min(r[-1] for r in rows)
    places = np.linspace(start, max(start, end), NUM_POINTS)
    curves = [
        v[np.clip(np.searchsorted(r, places, side="right") - 1, 0, len(r) - 1)]
        for r, v in zip(rows, volumes, strict=True)
    ]
    return places, np.array(curves)


def _title(results: Sequence[Result]) -> str:
    """Name the problems."""
    return shown(", ".join(dict.fromkeys(one.problem for one in results)), 80)


def _legend(axes: Any, results: Sequence[Result]) -> None:
    """Tell methods apart, and say what a band is."""
    groups = _by_method(results)
    if len(groups) == len(results) == 1:
        return
    band = any(len(group) > 1 for group in groups.values())
    title = "median, and worst to best" if band else None
    axes.legend(frameon=False, loc="lower right", title=title, title_fontsize="small")
