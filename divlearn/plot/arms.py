"""Which arms made the candidates over time, and how often these entered the front."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from divlearn.basics.typing import Floats
from divlearn.plot.course import column, read_course
from divlearn.plot.figure import (
    MARKERS,
    STYLES,
    counts,
    finish,
    new_figure,
    percents,
    refuse_axes,
    require_matplotlib,
    shown,
    tidy,
)

if TYPE_CHECKING:
    from divlearn.result import Result

#: What tells areas apart in grey print.
HATCHES = ("", "///", "...", "xxx", "\\\\\\", "---", "++", "oo")
#: Names that say more than the short ones.
IN_WORDS = {"gp": "Gaussian process", "sample": "random solutions"}
#: Candidates of an arm in an interval below which a share says nothing.
FEWEST = 5


def arms(result: Result, path: str | Path | None = None, ax: Any = None) -> Any:
    """Draw the share of candidates that each arm made, and how many entered the front.

    Parameters
    ----------
    result
        What to draw: a search by ``dl``.
    path, ax
        As for :func:`divlearn.plot.front`, and so is what comes back; ``ax`` is None:
        there are two panels.

    Examples
    --------
    >>> import divlearn as dl
    >>> result = dl.solve(dl.problems.get("bitsp-8"), 300, progress=False)
    >>> [axes.get_ylabel() for axes in dl.plot.arms(result).axes]
    ['share of candidates', 'entered the front']
    """
    require_matplotlib()
    refuse_axes(ax, "arms")
    course = read_course(result, "arms")
    evaluations = column(course["evaluations"])
    names = [name for name in course["tries"] if np.nanmax(_of(course, name)) > 0]
    tries = np.array([_steps(course["tries"][name]) for name in names])
    entered = np.array([_steps(course["entered"][name]) for name in names])
    figure = new_figure((7.2, 5.6))
    upper, lower = figure.subplots(2, 1, sharex=True)
    _use(upper, evaluations, tries, names)
    _success(lower, evaluations, tries, entered, names)
    lower.set_xlabel("evaluations")
    counts(lower.xaxis)
    figure.suptitle(
        shown(f"{result.problem}: use and success of arms", 80), fontsize="medium"
    )
    for axes in (upper, lower):
        axes.legend(frameon=False, loc="upper left", bbox_to_anchor=(1.01, 1.0))
    return finish(figure, path)


def _of(course: dict[str, Any], name: str) -> Floats:
    """How often an arm was used, as it grew."""
    return column(course["tries"][name])


def _steps(total: Any) -> Floats:
    """What was added from row to row; nothing as long as a name was unknown."""
    grown = np.nan_to_num(column(total))
    return np.diff(grown, prepend=0.0)


def _word(name: str) -> str:
    """What an arm is called."""
    return shown(IN_WORDS.get(name, name), 20)


def _use(axes: Any, places: Floats, tries: Floats, names: list[str]) -> None:
    """Draw shares as areas on top of one another, a step per interval."""
    shares = tries / np.maximum(tries.sum(axis=0), 1.0)
    edges = np.append(0.0, places)
    below = np.zeros(len(places))
    for k, name in enumerate(names):
        top = below + shares[k]
        axes.fill_between(
            edges,
            np.append(below, below[-1]),
            np.append(top, top[-1]),
            step="post",
            facecolor=STYLES[k % len(STYLES)][0],
            edgecolor="white",
            linewidth=0.0,
            hatch=HATCHES[k % len(HATCHES)],
            label=_word(name),
        )
        below = top
    axes.set_ylim(0, 1)
    axes.set_xlim(0, places[-1])
    axes.set_ylabel("share of candidates")
    percents(axes.yaxis)
    tidy(axes, "")


def _success(
    axes: Any, places: Floats, tries: Floats, entered: Floats, names: list[str]
) -> None:
    """Draw how many of an arm's candidates entered the front, by interval."""
    for k, (tried, good) in enumerate(zip(tries, entered, strict=True)):
        enough = tried >= FEWEST
        share = np.where(enough, good / np.maximum(tried, 1.0), np.nan)
        colour, dashes = STYLES[k % len(STYLES)]
        axes.plot(
            places,
            share,
            color=colour,
            linestyle=dashes,
            marker=MARKERS[k % len(MARKERS)],
            ms=3.5,
            linewidth=1.2,
            clip_on=False,
            label=_word(names[k]),
        )
    axes.set_ylim(-0.04, 1.04)
    axes.set_ylabel("entered the front")
    percents(axes.yaxis)
    tidy(axes)
