"""What all pictures share: a figure without a display, labels, colours, saving."""

from __future__ import annotations

import functools
import io
import math
import textwrap
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any

from divlearn.basics.errors import InputError, MissingExtra
from divlearn.basics.files import write_atomically
from divlearn.basics.text import printable

if TYPE_CHECKING:
    from divlearn.result import Result

#: Blue and vermilion, which can be told apart with any kind of colour vision.
FRONT_COLOUR, KNEE_COLOUR = "#0072B2", "#D55E00"
#: Colours that also differ in lightness.
COLOUR_MAP = "viridis"
#: Colours that can be told apart with any colour vision, each with its own line.
STYLES: tuple[tuple[str, Any], ...] = (
    ("#0072B2", "-"),
    ("#D55E00", "--"),
    ("#009E73", "-."),
    ("#CC79A7", ":"),
    ("#56B4E9", (0, (5, 1, 1, 1, 1, 1))),
    ("#000000", (0, (1, 2))),
    ("#E69F00", (0, (8, 2))),
    ("#666666", (0, (3, 1, 1, 1))),
)
#: One sign for each of the styles.
MARKERS = "os^Dv*XP"
SENSE_WORDS = {"min": "minimised", "max": "maximised"}
DOTS_PER_INCH = 150


def require_matplotlib() -> None:
    """Raise MissingExtra with the install command if matplotlib is missing."""
    try:
        import matplotlib  # noqa: F401
    except ImportError as error:
        raise MissingExtra(
            'pictures need matplotlib: pip install "divlearn[plot]".'
        ) from error


def new_figure(size: tuple[float, float]) -> Any:
    """Make a figure that needs no display, but that a notebook shows."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure: Any = Figure(figsize=size, layout="constrained")
    FigureCanvasAgg(figure)
    figure._repr_png_ = functools.partial(_picture_bytes, figure, "png")
    return figure


def new_axes(ax: Any, size: tuple[float, float], projection: str | None = None) -> Any:
    """Return ``ax``, or the axes of a new figure that needs no display."""
    if ax is None:
        return new_figure(size).add_subplot(projection=projection)
    if not hasattr(ax, "figure") or not hasattr(ax, "set_xlabel"):
        raise InputError(f"ax must be matplotlib axes or None, got {ax!r}.")
    if projection == "3d" and getattr(ax, "name", "") != "3d":
        raise InputError(
            "ax must be three-dimensional axes for three objectives; make them with "
            'figure.add_subplot(projection="3d").'
        )
    return ax


def finish(figure: Any, path: str | Path | None) -> Any:
    """Save the figure, or the one of these axes, if there is a path; return it."""
    figure = getattr(figure, "figure", None) or figure
    if path is not None:
        kind = Path(path).suffix[1:].lower()
        known = figure.canvas.get_supported_filetypes()
        if kind not in known:
            raise InputError(
                f"path must end in one of .{', .'.join(sorted(known))}, "
                f"got {str(path)!r}."
            )
        write_atomically(path, _picture_bytes(figure, kind))
    return figure


def _picture_bytes(figure: Any, kind: str) -> bytes:
    """Draw a figure and return the content of its file."""
    content = io.BytesIO()
    with warnings.catch_warnings():
        # Names may have signs that the font lacks; a box stands for them.
        warnings.filterwarnings("ignore", message="Glyph .* missing from font")
        figure.savefig(content, format=kind, dpi=DOTS_PER_INCH)
    return content.getvalue()


# --- words


def shown(text: str, width: int = 40, lines: int = 3) -> str:
    r"""A text of the user's, safe to draw, broken into a few lines of ``width``.

    Examples
    --------
    >>> shown("cost in $", 40)
    'cost in \\$'
    """
    rows = textwrap.wrap(printable(str(text)), width)
    if len(rows) > lines:
        rows = [*rows[: lines - 1], f"{rows[lines - 1][: max(1, width - 1)]}…"]
    return "\n".join(rows).replace("$", r"\$")


def axis_label(name: str, sense: str, width: int = 40) -> str:
    """Name an objective and say which way is better."""
    return shown(f"{name} ({SENSE_WORDS[sense]})", width)


def output_label(result: Result, name: str, width: int = 40) -> str:
    """Name an objective, with its sense, or any other output, with its unit."""
    sense, label = result.objectives.get(name), result.label(name)
    return shown(label, width) if sense is None else axis_label(label, sense, width)


def objective_labels(result: Result, width: int = 40) -> list[str]:
    """Name all objectives as :func:`output_label` does."""
    return [output_label(result, name, width) for name in result.objectives]


def title(result: Result) -> str:
    """Say what the picture shows."""
    count = len(result.F)
    text = f"{count:,} solution{'s' if count != 1 else ''}"
    if result.evaluations:
        text += f" from {result.evaluations:,} evaluations"
    return shown(f"{result.problem}: {text}" if result.problem else text, 80)


def number(value: float, span: float = 0.0) -> str:
    """Write a number; with enough digits to tell apart what differs by ``span``.

    Examples
    --------
    >>> number(1234567.0), number(0.125), number(1000.26, span=2)
    ('1.235e+06', '0.125', '1000.26')
    """
    if span <= 0 or abs(value) >= 1e6 or span < 1e-6:
        return f"{value:.4g}"
    return f"{value:.{max(0, 2 - math.floor(math.log10(span)))}f}"


def amount(value: float) -> str:
    """Write a value by itself.

    Examples
    --------
    >>> amount(277490.4), amount(6.43071), amount(1.5e-9)
    ('277,490', '6.4307', '1.5e-09')
    """
    return f"{value:,.0f}" if 1e4 <= abs(value) < 1e9 else f"{value:.5g}"


# --- axes


def panels_of(figure: Any, count: int, most: int, **shared: Any) -> list[Any]:
    """Make axes in rows of ``most`` at most, with numbers below each column.

    Rows are shorter where that leaves fewer gaps: four panels stand two by two.
    """
    rows, columns = shape_of(count, most)
    grid = figure.subplots(rows, columns, squeeze=False, **shared)
    for axes in grid.flat[count:]:
        axes.set_visible(False)
    for j in range(columns):
        lowest = max(i for i in range(rows) if i * columns + j < count)
        grid[lowest, j].tick_params(labelbottom=True)
    return list(grid.flat[:count])


def shape_of(count: int, most: int) -> tuple[int, int]:
    """Rows and columns of :func:`panels_of`."""
    rows = -(-count // min(count, most))
    return rows, -(-count // rows)


def add_scale(figure: Any, drawn: Any, axes: Any, label: str) -> None:
    """Draw the scale of colours beside axes, as high as they are."""
    place = axes.inset_axes([1.025, 0.0, 0.035, 1.0])
    bar = figure.colorbar(drawn, cax=place, label=label)
    plain_numbers(bar.ax.yaxis)
    bar.ax.tick_params(labelsize="small")


# --- the look of axes


def tidy(axes: Any, grid: str = "both") -> None:
    """Draw a light grid behind everything, no frame, and numbers without an offset."""
    axes.set_axisbelow(True)
    if grid:
        axes.grid(axis=grid, alpha=0.3, linewidth=0.6)
    axes.spines[["top", "right"]].set_visible(False)


def plain_numbers(axis: Any, marks: int = 6) -> None:
    """Mark an axis with a few numbers that need no sum and no factor to be read."""
    from matplotlib.ticker import MaxNLocator, ScalarFormatter

    axis.set_major_locator(MaxNLocator(marks, steps=[1, 2, 2.5, 5, 10]))
    form = ScalarFormatter(useOffset=False)
    form.set_powerlimits((-4, 7))
    axis.set_major_formatter(form)


def counts(axis: Any, marks: int = 6) -> None:
    """Mark an axis with whole numbers, thousands apart."""
    from matplotlib.ticker import MaxNLocator

    axis.set_major_locator(MaxNLocator(marks, integer=True, steps=[1, 2, 5, 10]))
    axis.set_major_formatter(lambda value, _: f"{value:,.0f}")


def percents(axis: Any) -> None:
    """Mark an axis with percents."""
    axis.set_major_formatter(lambda value, _: f"{value:.0%}")


def refuse_axes(ax: Any, kind: str) -> None:
    """Refuse axes for a picture that has several of its own."""
    if ax is not None:
        raise InputError(
            f"ax must be None for {kind!r}, which has several panels, got {ax!r}."
        )
