"""How well each encoding predicted the outputs while the search went on."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from divlearn.basics.errors import InputError
from divlearn.plot.course import column, read_course
from divlearn.plot.figure import (
    MARKERS,
    STYLES,
    counts,
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

#: Errors beyond this share are all the same: the encoding predicts nothing.
TOP = 1.1


def encodings(result: Result, path: str | Path | None = None, ax: Any = None) -> Any:
    """Draw what each encoding leaves unexplained of the differences of each output.

    0 % means that the encoding predicts what a step changes, 100 % that it knows no
    more than nothing.

    Parameters
    ----------
    result
        What to draw: a search by ``dl``.
    path, ax
        As for :func:`divlearn.plot.front`, and so is what comes back; ``ax`` is None:
        there is a panel per output.

    Examples
    --------
    >>> import divlearn as dl
    >>> result = dl.solve(dl.problems.get("bitsp-8"), 300, progress=False)
    >>> len(dl.plot.encodings(result).axes)
    2
    """
    require_matplotlib()
    refuse_axes(ax, "encodings")
    course = read_course(result, "encodings")
    errors = {n: e for n, e in course.get("errors", {}).items() if isinstance(e, dict)}
    if not errors:
        raise InputError(
            "the search had not learned enough to judge an encoding; search longer."
        )
    rows, columns = shape_of(len(errors), 3)
    figure = new_figure((3.2 * columns + 1.8, 2.9 * rows + 0.8))
    panels = panels_of(figure, len(errors), 3, sharex=True, sharey=True)
    names = list(dict.fromkeys(name for one in errors.values() for name in one))
    for axes, (output, lines) in zip(panels, errors.items(), strict=True):
        _lines(axes, course, lines, names)
        axes.set_title(output_label(result, output, 34), fontsize="medium")
    for axes in panels[::columns]:
        axes.set_ylabel("unexplained share")
    figure.supxlabel("evaluations", fontsize="medium")
    figure.suptitle(
        shown(f"{result.problem}: error of the encodings", 80), fontsize="medium"
    )
    handles, labels = panels[0].get_legend_handles_labels()
    figure.legend(handles, labels, frameon=False, loc="outside right center")
    return finish(figure, path)


def _lines(axes: Any, course: Any, lines: dict[str, Any], names: list[str]) -> None:
    """Draw the errors of one output."""
    evaluations = column(course["evaluations"])
    for k, name in enumerate(names):
        colour, dashes = STYLES[k % len(STYLES)]
        errors = column(lines.get(name, [None] * len(evaluations)))
        axes.plot(
            evaluations,
            np.minimum(errors, TOP),
            color=colour,
            linestyle=dashes,
            marker=MARKERS[k % len(MARKERS)],
            markevery=max(1, len(evaluations) // 8),
            ms=4,
            linewidth=1.4,
            label=shown(name, 24),
        )
    axes.set_ylim(-0.03, TOP + 0.03)
    percents(axes.yaxis)
    counts(axes.xaxis, 4)
    tidy(axes)
