"""Designs against objectives: how knobs, items and orders change along the front."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from divlearn.basics.errors import InputError
from divlearn.basics.typing import Floats
from divlearn.plot.figure import (
    COLOUR_MAP,
    FRONT_COLOUR,
    counts,
    finish,
    new_figure,
    objective_labels,
    plain_numbers,
    refuse_axes,
    require_matplotlib,
    shown,
    tidy,
    title,
)

if TYPE_CHECKING:
    from divlearn.result import Result

#: Knobs with a panel of their own; designs of more are drawn as bands.
MOST_KNOBS = 6
#: Colour of what is chosen.
FLAG_COLOUR = "#5b8db8"
#: What stands for a knob that a design lacks.
LACKING = "none"
#: Texts that a knob may have to be drawn on an axis.
MOST_TEXTS = 12


def designs(result: Result, path: str | Path | None = None, ax: Any = None) -> Any:
    """Draw how designs change along the front.

    Up to six knobs, those that vary most clearly with an objective, are drawn against
    every objective. Designs that are one long row, such as orders, choices and vectors,
    give a band per item or position: solutions side by side, sorted by the first
    objective, the objectives below.

    Parameters
    ----------
    result
        What to draw; it needs two solutions or more.
    path, ax
        As for :func:`divlearn.plot.front`, and so is what comes back; ``ax`` is None:
        there are several panels.

    Examples
    --------
    >>> import divlearn as dl
    >>> result = dl.Result(
    ...     [{"blades": 3}, {"blades": 5}, {"blades": 7}],
    ...     [[1, 9], [2, 3], [6, 1]],
    ...     objectives=["cost", "time"],
    ... )
    >>> [axes.get_xlabel() for axes in dl.plot.designs(result).axes]
    ['', 'blades']
    """
    require_matplotlib()
    refuse_axes(ax, "designs")
    if len(result.F) < 2:
        raise InputError(
            f"'designs' needs two solutions or more, this result has {len(result.F)}."
        )
    band = _band(result)
    figure = _panels(result) if band is None else _bands(result, *band)
    return finish(figure, path)


# --- knobs


def _panels(result: Result) -> Any:
    """Draw the clearest knobs against all objectives."""
    knobs = _clearest(result)
    if not knobs:
        raise InputError(
            "'designs' needs knobs that differ between solutions; all solutions of "
            "this front have the same values, or values that cannot be drawn."
        )
    objectives = objective_labels(result, 26)
    size = 1.0 + 2.3 * len(knobs), 0.8 + 2.1 * len(objectives)
    figure = new_figure((max(5.0, size[0]), size[1]))
    panels = figure.subplots(
        len(objectives), len(knobs), sharex="col", sharey="row", squeeze=False
    )
    for j, (name, values) in enumerate(knobs.items()):
        places, texts = _places(values)
        for k, axes in enumerate(panels[:, j]):
            style = {"s": 14, "color": FRONT_COLOUR, "alpha": 0.6, "linewidths": 0}
            axes.scatter(places, result.F[:, k], **style)
            _mark(axes, texts)
            tidy(axes)
            if j == 0:
                axes.set_ylabel(objectives[k])
                plain_numbers(axes.yaxis, 5)
        panels[-1, j].set_xlabel(shown(result.label(name), 22))
    figure.suptitle(title(result), fontsize="medium")
    return figure


def _clearest(result: Result) -> dict[str, list[Any]]:
    """The knobs that vary most clearly with an objective, in the order of designs."""
    rows = result.designs()
    columns = {name: [row.get(name) for row in rows] for name in rows[0]}
    scored = {name: _clarity(v, result.F) for name, v in columns.items()}
    best = sorted(
        (n for n in scored if scored[n] is not None), key=lambda n: -(scored[n] or 0.0)
    )[:MOST_KNOBS]
    return {name: columns[name] for name in columns if name in best}


def _clarity(values: list[Any], outputs: Floats) -> float | None:
    """Largest correlation of ranks with an objective; None if nothing can be drawn."""
    if len({repr(value) for value in values}) < 2:
        return None
    try:
        places, texts = _places(values)
    except TypeError:
        return None
    if texts is not None and len(texts) > MOST_TEXTS:
        return None
    known = ~np.isnan(places)
    ranks = _ranks(places[known])
    if known.sum() < 2 or np.ptp(ranks) == 0:
        return 0.0
    others = (_ranks(column[known]) for column in outputs.T)
    return max(
        (abs(float(np.corrcoef(ranks, r)[0, 1])) for r in others if np.ptp(r) > 0),
        default=0.0,
    )


def _ranks(values: Floats) -> Floats:
    """Ranks, equal ones for equal values."""
    ranks: Floats = np.unique(values, return_inverse=True)[1].astype(float)
    return ranks


def _places(values: list[Any]) -> tuple[Floats, list[str] | None]:
    """Where values stand on an axis, and the texts of its marks if they are no numbers.

    What a design lacks has a mark of its own.
    """
    numbers = [v for v in values if v is not None]
    flags = any(isinstance(v, bool) for v in numbers)
    plain = not flags and all(isinstance(v, (int, float)) for v in numbers)
    if plain and len(numbers) == len(values):
        return np.array(values, float), None
    texts = sorted({_text(v) for v in values}, key=lambda text: (text == LACKING, text))
    if plain:
        order = sorted({float(v) for v in numbers})
        texts = [*(f"{v:g}" for v in order), LACKING]
    return np.array([texts.index(_text(v)) for v in values], float), texts


def _text(value: Any) -> str:
    """A value as a mark of an axis."""
    if value is None:
        return LACKING
    if isinstance(value, (bool, np.bool_)):
        return "yes" if value else "no"
    return f"{value:g}" if isinstance(value, (int, float)) else str(value)


def _mark(axes: Any, texts: list[str] | None) -> None:
    """Mark the lower axis."""
    if texts is None:
        plain_numbers(axes.xaxis, 4)
        return
    short = [shown(text, 10, 2) for text in texts]
    longest = max(len(row) for text in short for row in text.split("\n"))
    turned = {"rotation": 90} if longest * len(texts) > 34 else {}
    axes.set_xticks(range(len(texts)), short, fontsize="small", **turned)
    axes.set_xlim(-0.5, len(texts) - 0.5)


# --- bands


def _band(result: Result) -> tuple[Floats, str, str, bool] | None:
    """Numbers by item or position and solution; None if designs are made of knobs.

    Returns
    -------
    The numbers, shape (n, k); what they are; what the rows are; and whether they are
    only 0 and 1.
    """
    first = result.X[0]
    if isinstance(first, dict):
        arrays = {n: v for n, v in first.items() if np.ndim(v) == 1 and len(v) > 2}
        if len(first) > len(arrays) or len(arrays) != 1:
            return None
        rows = [np.asarray(x[next(iter(arrays))]) for x in result.X]
    else:
        rows = [np.asarray(x) for x in result.X]
    if rows[0].ndim != 1 or rows[0].dtype.kind not in "biuf":
        return None
    kind = _kind(result)
    if kind == "subset":
        count = 1 + max(int(row.max(initial=0)) for row in rows)
        grid = np.array([np.isin(np.arange(count), row) for row in rows], float)
        return grid.T, "chosen", "item", True
    if len({len(row) for row in rows}) > 1 or len(rows[0]) <= 2:
        return None
    grid = np.array(rows, float)
    if kind == "permutation" and all(len(set(r.tolist())) == len(r) for r in rows):
        tours = (result.drawing or {}).get("kind") == "tour"
        return _straight(grid, tours).T, "position", "item", False
    if rows[0].dtype == bool or set(np.unique(grid)) <= {0.0, 1.0}:
        return grid.T, "chosen", "item", True
    return grid.T, "value", "position", False


def _straight(orders: Floats, tours: bool) -> Floats:
    """The place of every item in every order, shape (k, n).

    Tours begin at item 0 and go the way on which item 1 comes earlier, so that equal
    tours look equal.
    """
    places = np.argsort(orders, axis=1).astype(float)
    if tours:
        n = orders.shape[1]
        places = (places - places[:, :1]) % n
        turned = places[:, 1] > n / 2
        places[turned] = (n - places[turned]) % n
    return places


def _kind(result: Result) -> str:
    """What the space calls itself; the only part of one, if it has only one."""
    space = result.learned.get("space")
    if isinstance(space, dict) and space.get("space") == "composite":
        parts = space.get("parts") or [("", {})]
        space = parts[0][1] if len(parts) == 1 else {}
    return str(space.get("space", "")) if isinstance(space, dict) else ""


def _bands(result: Result, grid: Floats, what: str, rows: str, flags: bool) -> Any:
    """Draw a band per row, and the objectives below."""
    m, count = len(result.objectives), len(result.F)
    height = float(np.clip(0.1 * len(grid), 2.2, 5.5))
    figure = new_figure((7.6, height + 1.25 * m + 0.6))
    ratios = [height, *([1.1] * m)]
    panels = figure.subplots(1 + m, 1, sharex=True, height_ratios=ratios)
    _draw_grid(figure, panels[0], grid, what, flags)
    panels[0].set_ylabel(rows)
    panels[0].yaxis.get_major_locator().set_params(integer=True)
    pairs = zip(panels[1:], objective_labels(result, 16), result.F.T, strict=True)
    for axes, label, column in pairs:
        style = {"color": FRONT_COLOUR, "marker": ".", "linewidth": 0.8, "ms": 4}
        axes.plot(range(count), column, **style)
        axes.set_ylabel(label, fontsize="small")
        plain_numbers(axes.yaxis, 3)
        tidy(axes)
    first = shown(next(iter(result.objectives)), 40)
    panels[-1].set_xlabel(f"solutions of the front, sorted by {first}")
    counts(panels[-1].xaxis)
    figure.suptitle(title(result), fontsize="medium")
    return figure


def _draw_grid(figure: Any, axes: Any, grid: Floats, what: str, flags: bool) -> None:
    """Draw the cells, with a scale or, for flags, two words."""
    style = {"aspect": "auto", "interpolation": "nearest"}
    if flags:
        from matplotlib.colors import ListedColormap
        from matplotlib.patches import Patch

        axes.imshow(grid, cmap=ListedColormap(["white", FLAG_COLOUR]), **style)
        marks = [Patch(facecolor=FLAG_COLOUR, edgecolor="0.4", label="chosen")]
        marks.append(Patch(facecolor="white", edgecolor="0.4", label="not chosen"))
        place = {"loc": "lower right", "bbox_to_anchor": (1.0, 1.0), "borderpad": 0.1}
        axes.legend(handles=marks, ncols=2, frameon=False, fontsize="small", **place)
        return
    drawn = axes.imshow(grid, cmap=COLOUR_MAP, **style)
    bar = figure.colorbar(drawn, ax=axes, label=what, pad=0.01)
    if what == "position":
        counts(bar.ax.yaxis)
