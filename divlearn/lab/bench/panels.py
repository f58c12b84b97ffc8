"""What all pictures of a benchmark share: panels, colours, one legend."""

from __future__ import annotations

import io
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from divlearn.basics.files import write_atomically
from divlearn.lab.bench.summary import Report
from divlearn.lab.bench.task import Case
from divlearn.plot.figure import DOTS_PER_INCH

#: Colours that people with any colour vision can tell apart, after Okabe and Ito.
COLOURS = (
    "#0072B2",
    "#D55E00",
    "#009E73",
    "#CC79A7",
    "#E69F00",
    "#56B4E9",
    "#000000",
    "#999999",
)
MARKERS = "os^Dv<>P"
#: Width and height of one panel, in inches, and panels side by side.
PANEL = (3.7, 2.9)
MOST_COLUMNS = 3
#: Inches of a legend in small print: a row, a line with the room around it, a letter.
LEGEND_ROW, LEGEND_SIGN, LEGEND_LETTER = 0.18, 0.75, 0.08


def first_runs(report: Report, case: Case) -> dict[str, str]:
    """Keys of the runs on the first instance with the first seed, by method."""
    place = report.suite.instances_of(case)[0], report.suite.seeds[0]
    return {
        method: report.cells[case.label, method].runs[place].key
        for method in report.methods
        if place in report.cells[case.label, method].runs
    }


def new_panels(
    kinds: Sequence[str | None], width: float = 1.0
) -> tuple[Any, list[Any]]:
    """Make a figure with panels, each flat or spatial, some times as wide as usual."""
    from matplotlib.figure import Figure

    count = len(kinds)
    columns = 2 if count == 4 else min(MOST_COLUMNS, count)
    rows = math.ceil(count / columns)
    size = width * PANEL[0] * columns, PANEL[1] * rows + 0.5
    figure = Figure(figsize=size, layout="constrained")
    panels = [
        figure.add_subplot(rows, columns, number + 1, projection=kind)
        for number, kind in enumerate(kinds)
    ]
    return figure, panels


def tidy(axes: Any, title: str) -> None:
    """Give a panel its title and a light look."""
    axes.set_title(title, fontsize="medium")
    axes.tick_params(which="both", labelsize="small")
    if getattr(axes, "name", "") != "3d":
        axes.grid(alpha=0.25)
        axes.spines[["top", "right"]].set_visible(False)


def finish(figure: Any, panels: list[Any], title: str, path: Path) -> None:
    """Add one legend for all panels, and write the picture."""
    entries: dict[str, Any] = {}
    for axes in panels:
        handles, labels = axes.get_legend_handles_labels()
        entries |= dict(zip(labels, handles, strict=True))
    figure.suptitle(title, fontsize="medium")
    columns = legend_columns(list(entries), figure.get_figwidth())
    rows = math.ceil(len(entries) / columns)
    figure.set_figheight(figure.get_figheight() + LEGEND_ROW * (rows - 1))
    figure.legend(
        entries.values(),
        entries.keys(),
        loc="outside lower center",
        ncols=columns,
        fontsize="small",
        frameon=False,
    )
    save(figure, path)


def legend_columns(labels: Sequence[str], width: float) -> int:
    """How many labels fit side by side into so many inches, at most five.

    Examples
    --------
    >>> legend_columns(["dl", "uniform"], 7.4), legend_columns(["x" * 20] * 9, 7.4)
    (2, 3)
    """
    each = LEGEND_SIGN + LEGEND_LETTER * max(map(len, labels), default=0)
    return max(1, min(5, len(labels), int(width / each)))


def save(figure: Any, path: Path) -> None:
    """Write the picture as PNG."""
    content = io.BytesIO()
    figure.savefig(content, format="png", dpi=DOTS_PER_INCH)
    write_atomically(path, content.getvalue())
