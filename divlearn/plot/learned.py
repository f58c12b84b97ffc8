"""What was learned of single actions: colours for effects, sizes for certainty."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from divlearn.basics.checks import require_one_of
from divlearn.basics.errors import InputError
from divlearn.basics.typing import Floats
from divlearn.plot.figure import (
    add_scale,
    finish,
    new_figure,
    output_label,
    panels_of,
    refuse_axes,
    require_matplotlib,
    shape_of,
    shown,
)
from divlearn.plot.values import Labels

if TYPE_CHECKING:
    from divlearn.result import Result

#: From low to high; lightness alone says the same.
EFFECTS = "cividis"
#: What rows and columns of the table of an order are.
AXES = {
    "position": ("position", "item"),
    "successor": ("item", "item that follows it"),
    "neighbour": ("item", "item beside it"),
    "precedence": ("item", "item that comes later"),
}
#: Tables of unordered pairs, and the sign of what the other order adds.
MIRRORED = {"neighbour": 1.0, "precedence": -1.0}
#: What the scale shows.
ADDED = "added to the value"
#: Values of a position with a label of their own.
MOST_LABELS = 12
#: Colour of a cell that was never tried.
BLANK = "0.93"


def learned(
    result: Result,
    path: str | Path | None = None,
    ax: Any = None,
    output: str | None = None,
) -> Any:
    """Draw what every action adds to an output, and how certain that is.

    An action is a value of a knob, or what the encoding in use says of an order: an
    item at a position, an item after another. The larger a square, the more certain;
    what was never tried is blank.

    Parameters
    ----------
    result
        What to draw: a search by ``dl``.
    path, ax
        As for :func:`divlearn.plot.front`, and so is what comes back; ``ax`` is None:
        there is a panel per output.
    output
        Name of one objective or constraint; None for all objectives.

    Examples
    --------
    >>> import divlearn as dl
    >>> result = dl.solve(dl.problems.get("bitsp-8"), 300, progress=False)
    >>> dl.plot.learned(result, output="length 1").axes[0].get_xlabel()
    'item beside it'
    """
    require_matplotlib()
    refuse_axes(ax, "learned")
    tables = _tables(result)
    if output is not None:
        require_one_of("output", output, list(tables))
        tables = {output: tables[output]}
    elif any(name in tables for name in result.objectives):
        tables = {n: t for n, t in tables.items() if n in result.objectives}
    orders = all("by" in table for table in tables.values())
    figure = (_orders if orders else _values)(result, tables)
    return finish(figure, path)


def _tables(result: Result) -> dict[str, Any]:
    """What is known by output, or why nothing is."""
    tables = result.learned.get("tables")
    if not isinstance(tables, dict) or not tables:
        raise InputError(
            "the result holds no tables of what was learned: they come from method "
            "'dl' over one order of up to 100 items, or over knobs without orders, "
            "after enough evaluations; a study keeps them when its run ends."
        )
    return tables


# --- orders


def _orders(result: Result, tables: dict[str, Any]) -> Any:
    """Draw a square of cells for each output."""
    rows, columns = shape_of(len(tables), 3)
    figure = new_figure((5.2 * columns, 4.2 * rows + 0.5))
    panels = panels_of(figure, len(tables), 3)
    for axes, (name, table) in zip(panels, tables.items(), strict=True):
        drawn = _squares(axes, *_cells(table))
        side, below = AXES.get(table["by"], ("", ""))
        axes.set_xlabel(below)
        axes.set_ylabel(side)
        axes.set_title(output_label(result, name, 36), fontsize="medium")
        axes.set_box_aspect(1)
        add_scale(figure, drawn, axes, ADDED)
    _head(figure, result)
    return figure


def _cells(table: dict[str, Any]) -> tuple[Floats, Floats]:
    """Effects and certainties; what is known of a pair is known both ways."""
    effect = np.array(table["effect"], float) * table["scale"] / 100.0
    digits = np.array([[int(d) for d in row] for row in table["certainty"]]) / 9.0
    if table["by"] in MIRRORED:
        effect = effect + MIRRORED[table["by"]] * effect.T
        digits = digits + digits.T
    return effect, digits


def _squares(axes: Any, effect: Floats, certainty: Floats) -> Any:
    """Draw a square per cell, as large as it is certain; returns the squares."""
    from matplotlib.collections import PatchCollection
    from matplotlib.patches import Rectangle

    rows, columns = np.nonzero(certainty > 0)
    sides = np.sqrt(certainty[rows, columns]) * 0.94
    patches = [
        Rectangle((j - side / 2, i - side / 2), side, side)
        for i, j, side in zip(rows, columns, sides, strict=True)
    ]
    drawn = PatchCollection(patches, cmap=EFFECTS, linewidth=0)
    drawn.set_array(effect[rows, columns])
    axes.set_facecolor(BLANK)
    axes.add_collection(drawn)
    height, width = effect.shape
    axes.set_xlim(-0.5, width - 0.5)
    axes.set_ylim(height - 0.5, -0.5)
    axes.xaxis.get_major_locator().set_params(integer=True)
    axes.yaxis.get_major_locator().set_params(integer=True)
    return drawn


# --- knobs


def _values(result: Result, tables: dict[str, Any]) -> Any:
    """Draw a strip of cells for each knob, a panel for each output."""
    space = result._space()
    labels = None if space is None else Labels(space)
    most = max(len(table.get("positions", ())) for table in tables.values())
    rows, columns = shape_of(len(tables), 2)
    figure = new_figure((5.4 * columns, max(2.4, 0.34 * most + 1.3) * rows + 0.5))
    panels = panels_of(figure, len(tables), 2)
    for axes, (name, table) in zip(panels, tables.items(), strict=True):
        drawn = _strips(axes, table, labels)
        axes.set_title(output_label(result, name, 44), fontsize="medium")
        add_scale(figure, drawn, axes, ADDED)
    _head(figure, result)
    return figure


def _strips(axes: Any, table: dict[str, Any], labels: Labels | None) -> Any:
    """Draw a row per position, its values side by side over the whole width."""
    from matplotlib.collections import PatchCollection
    from matplotlib.patches import Rectangle

    patches, effects, names = [], [], []
    for i, row in enumerate(table["positions"]):
        names.append(str(row["at"]) if labels is None else labels.names[row["at"]])
        size = len(row["codes"])
        for k, (effect, digit) in enumerate(
            zip(row["effect"], row["certainty"], strict=True)
        ):
            side = np.sqrt(int(digit) / 9.0) * 0.92
            place = ((k + 0.5 - side / 2) / size, i - 0.5 * side * 0.8)
            if side > 0:
                patches.append(Rectangle(place, side / size, side * 0.8))
                effects.append(effect * table["scale"] / 100.0)
            if labels is not None and size <= MOST_LABELS:
                _write(axes, (k + 0.5) / size, i, labels.of(row["at"], row["codes"][k]))
        if labels is not None and size > MOST_LABELS:
            ends = (labels.of(row["at"], row["codes"][k]) for k in (0, -1))
            _write(axes, 0.01, i, next(ends), "left")
            _write(axes, 0.99, i, next(ends), "right")
    drawn = PatchCollection(patches, cmap=EFFECTS, linewidth=0)
    drawn.set_array(np.array(effects))
    axes.set_facecolor(BLANK)
    axes.add_collection(drawn)
    axes.set_yticks(range(len(names)), [shown(name, 22) for name in names])
    axes.tick_params(axis="y", length=0, labelsize="small")
    axes.set_ylim(len(names) - 0.45, -0.55)
    axes.set_xlim(0, 1)
    axes.set_xticks([])
    axes.set_xlabel("values, from the first to the last")
    return drawn


def _write(axes: Any, x: float, y: float, text: str, side: str = "center") -> None:
    """Write a value over its cell, in a frame that stands out from any colour."""
    axes.text(
        x,
        y,
        shown(text, 12, 1),
        ha=side,
        va="center",
        fontsize=6.5,
        bbox={"facecolor": "white", "alpha": 0.7, "linewidth": 0, "pad": 0.6},
        zorder=4,
    )


def _head(figure: Any, result: Result) -> None:
    """Say what is shown, and how to read it."""
    words = "larger is more certain, blank was never tried"
    text = f"{result.problem}: what was learned ({words})"
    figure.suptitle(shown(text, 100), fontsize="medium")
