"""What the figures of studies are made of: bars, bands, boxes, heat maps."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from divlearn.basics.typing import Floats
from divlearn.lab.bench.panels import COLOURS, MARKERS, legend_columns, tidy
from divlearn.lab.bench.statistics import spread_of
from divlearn.plot.figure import COLOUR_MAP

__all__ = [
    "COLOURS",
    "MARKERS",
    "bars",
    "boxes",
    "counted",
    "heat",
    "legend_below",
    "level",
    "line",
    "new_panels",
    "sweep",
    "tidy",
]

#: Width and height of one panel, in inches.
PANEL = (3.3, 2.7)
#: Lines and fillings that differ without colour.
STYLES = ("-", "--", "-.", ":")
HATCHES = ("", "///", "...", "xxx")
#: Distance of the marks on a line without marks, as a share of the figure's diagonal.
SPARSE = 0.1
#: Where a colour of a heat map is dark enough for white letters.
DARK = 0.55


def new_panels(
    rows: int, columns: int, *, size: tuple[float, float] = PANEL
) -> tuple[Any, list[Any]]:
    """Make a figure with rows and columns of panels, in reading order."""
    from matplotlib.figure import Figure

    width, height = size[0] * columns, size[1] * rows + 0.5
    figure = Figure(figsize=(width, height), layout="constrained")
    return figure, list(figure.subplots(rows, columns, squeeze=False).ravel())


def legend_below(figure: Any, panels: Sequence[Any]) -> None:
    """Add one legend for all panels below them."""
    entries: dict[str, Any] = {}
    for axes in panels:
        handles, labels = axes.get_legend_handles_labels()
        entries |= dict(zip(labels, handles, strict=True))
    columns = legend_columns(list(entries), figure.get_figwidth())
    figure.legend(
        entries.values(),
        entries.keys(),
        loc="outside lower center",
        ncols=columns,
        fontsize="small",
        frameon=False,
    )


def bars(
    axes: Any, names: Sequence[str], groups: Sequence[ArrayLike], kinds: Sequence[int]
) -> None:
    """Draw a bar per name: mean and standard deviation of its values.

    Parameters
    ----------
    axes
        Where to draw.
    names
        What stands below the bars.
    groups
        Values of each bar, shape (units,) each.
    kinds
        Number of the colour and of the filling of each bar.
    """
    spreads = [spread_of(group) for group in groups]
    axes.bar(
        range(len(names)),
        [one.mean for one in spreads],
        yerr=[0.0 if np.isnan(one.deviation) else one.deviation for one in spreads],
        color=[COLOURS[kind % len(COLOURS)] for kind in kinds],
        hatch=[HATCHES[kind % len(HATCHES)] for kind in kinds],
        edgecolor="white",
        error_kw={"lw": 0.9, "capsize": 2.5},
    )
    axes.set_xticks(range(len(names)), names, rotation=40, ha="right", fontsize="small")


def sweep(
    axes: Any,
    x: Sequence[float],
    groups: Sequence[ArrayLike],
    label: str,
    kind: int,
    *,
    middle: str = "mean",
) -> None:
    """Draw a line over the values of an option, with a band.

    Parameters
    ----------
    axes
        Where to draw.
    x
        Values of the option.
    groups
        Values of the runs at each of them.
    label
        What the legend calls it.
    kind
        Number of its colour, marker and line.
    middle
        ``"mean"`` with a standard deviation around it, or ``"median"`` with the
        quartiles.
    """
    spreads = [spread_of(group) for group in groups]
    if middle == "median":
        heights = [one.median for one in spreads]
        low = [one.low_quartile for one in spreads]
        high = [one.high_quartile for one in spreads]
    else:
        heights = [one.mean for one in spreads]
        reach = np.nan_to_num([one.deviation for one in spreads])
        low, high = list(heights - reach), list(heights + reach)
    line(axes, x, heights, label, kind, marked=True)
    axes.fill_between(
        x, low, high, color=COLOURS[kind % len(COLOURS)], alpha=0.13, lw=0
    )


def line(
    axes: Any,
    x: ArrayLike,
    y: ArrayLike,
    label: str,
    kind: int,
    *,
    marked: bool = False,
) -> None:
    """Draw a line of its own colour and style, with marks if there are few points.

    Lines whose style was taken before have a few marks in any case, so that they can be
    told apart without colour.
    """
    again = kind // len(COLOURS)  # how often all colours were taken before
    repeated = kind >= len(STYLES)
    axes.plot(
        x,
        y,
        STYLES[(again if marked else kind + again) % len(STYLES)],
        color=COLOURS[kind % len(COLOURS)],
        marker=MARKERS[(kind + again) % len(MARKERS)] if marked or repeated else "",
        markevery=None if marked or not repeated else SPARSE,
        ms=3.5,
        lw=1.3,
        label=label,
    )


def counted(axis: Any) -> None:
    """Number a logarithmic axis of counts by 1, 2, 5, 10, ... in plain digits."""
    from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator

    axis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
    axis.set_major_formatter(FuncFormatter(lambda number, _: f"{number:,.6g}"))
    axis.set_minor_locator(NullLocator())


def level(axes: Any, height: float, label: str) -> None:
    """Draw a dashed line across a panel, such as that of a specialised solver."""
    if not np.isnan(height):
        axes.axhline(
            height, color="0.25", lw=1.1, ls=(0, (5, 3)), label=label, zorder=1
        )


def boxes(
    axes: Any, names: Sequence[str], groups: Sequence[Floats], kinds: Sequence[int]
) -> None:
    """Draw a box plot per name: quartiles, whiskers of 1.5 ranges, outliers."""
    known = [group[~np.isnan(group)] for group in groups]
    drawn = axes.boxplot(
        known,
        positions=range(len(known)),
        widths=0.6,
        patch_artist=True,
        medianprops={"color": "black", "lw": 1.2},
        flierprops={"ms": 3, "marker": ".", "markeredgecolor": "0.3"},
    )
    for patch, kind in zip(drawn["boxes"], kinds, strict=True):
        patch.set(facecolor=COLOURS[kind % len(COLOURS)], alpha=0.55)
        patch.set_hatch(HATCHES[kind % len(HATCHES)])
    axes.set_xticks(range(len(names)), names, rotation=40, ha="right", fontsize="small")


def heat(
    axes: Any, rows: Sequence[str], columns: Sequence[str], numbers: Floats, form: str
) -> None:
    """Draw numbers as a map of colours, each written into its field.

    Parameters
    ----------
    axes
        Where to draw.
    rows, columns
        What stands beside and below.
    numbers
        Shape (rows, columns).
    form
        How to write a number, such as ``".3f"``.
    """
    axes.imshow(numbers, cmap=COLOUR_MAP, aspect="auto")
    axes.set_xticks(range(len(columns)), columns, rotation=40, ha="right")
    axes.set_yticks(range(len(rows)), rows)
    axes.tick_params(labelsize="small")
    axes.grid(False)
    least, most = np.nanmin(numbers), np.nanmax(numbers)
    for place, number in np.ndenumerate(numbers):
        share = (number - least) / (most - least) if most > least else 0.0
        colour = "white" if share < DARK else "black"
        text = "-" if np.isnan(number) else f"{number:{form}}"
        axes.text(
            place[1], place[0], text, color=colour, ha="center", va="center", size=7
        )
