"""The picture of one solution."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from divlearn.basics.errors import InputError
from divlearn.basics.units import measured, unit_of
from divlearn.plot.design.bars import draw_groups, draw_schedule
from divlearn.plot.design.choice import draw_choice
from divlearn.plot.design.maps import draw_assignment, draw_maps
from divlearn.plot.design.network import draw_network, draw_rows
from divlearn.plot.figure import (
    amount,
    finish,
    refuse_axes,
    require_matplotlib,
    shown,
)

if TYPE_CHECKING:
    from divlearn.result import Result

#: Who draws which kind of sketch.
DRAWERS: dict[str, Callable[[dict[str, Any]], Any]] = {
    "tour": draw_maps,
    "routes": draw_maps,
    "schedule": draw_schedule,
    "groups": draw_groups,
    "choice": draw_choice,
    "network": draw_network,
    "rows": draw_rows,
    "assignment": draw_assignment,
}


def design(
    result: Result,
    path: str | Path | None = None,
    ax: Any = None,
    row: int | None = None,
) -> Any:
    """Draw one solution: a tour, routes, a schedule, a choice, groups, an assignment.

    Built-in problems say how they are drawn; for your own say it by
    ``Problem(..., drawing=...)``, see :mod:`divlearn.problems.drawings`.

    Parameters
    ----------
    result
        Where the solution is.
    path, ax
        As for :func:`divlearn.plot.front`, and so is what comes back; ``ax`` is None:
        there may be several panels.
    row
        Number of the solution in the front; the knee if None.

    Examples
    --------
    >>> import divlearn as dl
    >>> result = dl.solve(dl.problems.get("bitsp-8"), 300, progress=False)
    >>> len(dl.plot.design(result).axes)  # a map for each length
    2
    """
    require_matplotlib()
    refuse_axes(ax, "design")
    choice = result.knee() if row is None else result[row]
    sketch = result.sketch(choice.index)
    if sketch is None:
        raise InputError(
            "nobody said how designs of this problem are drawn; give the problem a "
            "drawing, such as Problem(..., drawing=drawings.Tour(places)), see "
            "divlearn.problems.drawings."
        )
    figure = DRAWERS[sketch["kind"]](sketch)
    values = ", ".join(
        f"{name} {measured(amount(value), unit_of(result.units, name))}"
        for name, value in choice.f.items()
    )
    which = "the knee" if row is None else f"solution {choice.index}"
    name = f"{result.problem}, {which}: " if result.problem else f"{which}: "
    figure.suptitle(shown(name + values, 90), fontsize="medium")
    if sketch["note"]:
        figure.supxlabel(shown(sketch["note"], 90), fontsize="small", color="0.35")
    return finish(figure, path)
