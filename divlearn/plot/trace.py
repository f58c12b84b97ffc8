"""What happened in a search, iteration by iteration, in six panels."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from divlearn.basics.errors import InputError
from divlearn.basics.text import printable
from divlearn.basics.typing import Floats
from divlearn.plot.figure import (
    STYLES,
    counts,
    finish,
    new_figure,
    refuse_axes,
    require_matplotlib,
    shown,
    tidy,
)

if TYPE_CHECKING:
    from divlearn.result import Result
    from divlearn.result.trace import Trace

#: Means over this share of the rows make noisy columns readable.
SMOOTHED = 0.05


def trace(result: Result, path: str | Path | None = None, ax: Any = None) -> Any:
    """Draw rewards, regret, overlaps, prices, disagreement and experts.

    Parameters
    ----------
    result
        What to draw; its method must have recorded a trace.
    path, ax
        As for :func:`divlearn.plot.front`, and so is what comes back; ``ax`` is None:
        it has six panels of its own.

    Examples
    --------
    >>> import divlearn as dl
    >>> from divlearn.plot import trace
    >>> result = dl.solve(
    ...     dl.problems.get("bitsp-8"), 300, method=dl.DivideAndLearn(trace=True)
    ... )
    >>> len(trace(result).axes) >= 6
    True
    """
    require_matplotlib()
    refuse_axes(ax, "trace")
    if result.trace is None or not len(result.trace):
        raise InputError(
            "the result holds no trace of an iteration; search with "
            "DivideAndLearn(trace=True), and for longer if there was one."
        )
    figure = new_figure((9.6, 7.2))
    axes = figure.subplots(3, 2, sharex=True)
    for draw, panel in zip(_PANELS, axes.flat, strict=True):
        draw(panel, result.trace)
        tidy(panel)
        counts(panel.xaxis)
    for panel in axes[-1]:
        panel.set_xlabel("evaluations")
    text = f"{result.problem}: {len(result.trace):,} iterations by {result.method}"
    figure.suptitle(shown(text, 90), fontsize="medium")
    return finish(axes[0, 0], path)


def _reward(ax: Any, trace: Trace) -> None:
    """The reward of every iteration, and the best so far."""
    _lines(ax, trace, {"reward": trace["reward"], "best so far": trace["best_reward"]})
    ax.set_ylabel("reward $r_t$")


def _regret(ax: Any, trace: Trace) -> None:
    """The sum of what was lacking to the best reward of each weight."""
    _lines(ax, trace, {"regret": np.nancumsum(trace["regret"])})
    ax.set_ylabel("cumulative regret")


def _overlaps(ax: Any, trace: Trace) -> None:
    """How far windows overlap, and how many subproblems there are."""
    names = {"overlap": "overlap $o_t$", "subproblems": "subproblems $K$"}
    columns = {title: trace[name] for name, title in names.items()}
    _lines(ax, trace, columns | {"shared positions": trace["shared"]})
    ax.set_ylabel("number")


def _prices(ax: Any, trace: Trace) -> None:
    """Violations and prices; a scale of ten-folds, as they grow by factors."""
    names = {"violation": r"$\sum \xi_i$", "price_mean": r"mean $\lambda_i$"}
    columns = {title: trace[name] for name, title in names.items()}
    _lines(ax, trace, columns | {r"largest $\lambda_i$": trace["price_max"]})
    ax.set_ylabel("violation, price")
    if any((column > 0).any() for column in columns.values()):
        ax.set_yscale("log")


def _agreement(ax: Any, trace: Trace) -> None:
    """Variance of values on overlaps, and how often subproblems disagree."""
    columns = {"variance of values": trace["overlap_variance"]}
    columns["disagreement (mean)"] = _smoothed(trace["disagreement"])
    _lines(ax, trace, columns)
    ax.set_ylabel("on overlaps")
    ax.set_ylim(bottom=0)


def _experts(ax: Any, trace: Trace) -> None:
    """Which expert made how many of the choices."""
    shares = trace.starting("share_")
    _lines(ax, trace, {name: _smoothed(share) for name, share in shares.items()})
    ax.set_ylabel("share of choices (mean)")
    ax.set_ylim(0, 1.02)


_PANELS = (_reward, _regret, _overlaps, _prices, _agreement, _experts)


def _lines(ax: Any, trace: Trace, columns: dict[str, Floats]) -> None:
    """Draw columns over the evaluations, each in a style of its own."""
    for k, (name, column) in enumerate(columns.items()):
        colour, dashes = STYLES[k % len(STYLES)]
        options = {"color": colour, "linestyle": dashes, "linewidth": 1.2}
        ax.plot(trace["evaluations"], column, label=printable(name), **options)
    if len(columns) > 1:
        above = {"loc": "lower left", "bbox_to_anchor": (0.0, 0.98), "borderpad": 0.0}
        ax.legend(frameon=False, fontsize="small", ncols=len(columns), **above)


def _smoothed(column: Floats) -> Floats:
    """Mean of the numbers around each row; not a number where there are none.

    Examples
    --------
    >>> _smoothed(np.array([1.0, np.nan, 0.0])).tolist()
    [1.0, 0.5, 0.0]
    """
    half = max(1, round(SMOOTHED * len(column) / 2))
    known = ~np.isnan(column)
    sums = np.cumsum(np.where(known, column, 0.0)), np.cumsum(known)
    first = np.maximum(0, np.arange(len(column)) - half)
    last = np.minimum(len(column), np.arange(len(column)) + half + 1)
    total, count = (np.append(0, s)[last] - np.append(0, s)[first] for s in sums)
    return np.where(count > 0, total / np.maximum(count, 1), np.nan)
