"""Which variables matter for which output, as bars."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from divlearn.basics.errors import InputError
from divlearn.plot.figure import (
    FRONT_COLOUR,
    finish,
    new_figure,
    output_label,
    panels_of,
    percents,
    refuse_axes,
    require_matplotlib,
    shape_of,
    shown,
    tidy,
)

if TYPE_CHECKING:
    from divlearn.result import Result

#: Variables with a bar, those that matter most.
MOST_BARS = 15
#: Outputs side by side.
MOST_COLUMNS = 3
#: Colour of what nothing explains.
REST_COLOUR = "0.75"


def importance(
    result: Result,
    path: str | Path | None = None,
    ax: Any = None,
    positions: bool = False,
) -> Any:
    """Draw the share of every output that its variables explain.

    Parameters
    ----------
    result
        What to draw.
    path, ax
        As for :func:`divlearn.plot.front`, and so is what comes back; ``ax`` is None:
        there is a panel per output.
    positions
        Whether single positions and items are drawn instead of the parts that they
        belong to, as in :meth:`divlearn.Result.importance`.

    Examples
    --------
    >>> import divlearn as dl
    >>> space = dl.Composite(width=dl.Integer(1, 9), kind=dl.Categorical("abc"))
    >>> problem = dl.Problem(space, lambda x: (x["width"], -x["width"]), ["a", "b"])
    >>> result = dl.solve(problem, 30, seed=1)
    >>> len(dl.plot.importance(result).axes) >= 2
    True
    """
    require_matplotlib()
    refuse_axes(ax, "importance")
    found = result.importance(positions)
    targets = {n: found[n] for n, known in found.targets.items() if known.shares}
    if not targets:
        raise InputError(
            "nothing is known about what matters: search longer, or look at a result "
            "that was not read from an old file."
        )
    variables = found.variables[:MOST_BARS]
    rows, columns = shape_of(len(targets), MOST_COLUMNS)
    height = max(2.2, 0.28 * (len(variables) + 1) + 1.2)
    figure = new_figure((2.0 + 2.9 * columns, height * rows + 0.4))
    shared = {"sharex": True, "sharey": True}
    panels = panels_of(figure, len(targets), MOST_COLUMNS, **shared)
    for axes, (name, shares) in zip(panels, targets.items(), strict=True):
        _bars(axes, variables, shares)
        axes.set_title(output_label(result, name, 34), fontsize="medium")
    for axes in panels[-columns:]:
        axes.set_xlabel("share of the variance")
    figure.suptitle(shown(f"{result.problem}: what matters", 80), fontsize="medium")
    return finish(figure, path)


def _bars(axes: Any, variables: list[str], shares: dict[str, float]) -> None:
    """Draw a bar per variable, and what is left."""
    sizes = [shares.get(name, 0.0) for name in variables]
    known = sum(v for name, v in shares.items() if name in variables)
    rest = max(0.0, 1.0 - known)
    places = range(len(variables) + 1)
    colours = [FRONT_COLOUR] * len(variables) + [REST_COLOUR]
    drawn = axes.barh(places, [*sizes, rest], color=colours, height=0.7)
    axes.bar_label(
        drawn, [f"{v:.0%}" for v in [*sizes, rest]], padding=2, fontsize="x-small"
    )
    axes.set_yticks(places, [*(shown(v, 24) for v in variables), "not explained"])
    axes.tick_params(axis="y", length=0, labelsize="small")
    axes.set_ylim(len(places) - 0.4, -0.6)
    axes.set_xlim(0, 1.12)
    axes.set_xticks([0, 0.5, 1.0])
    percents(axes.xaxis)
    tidy(axes, "x")
