"""What all pictures share: a figure without a display, labels, colours, saving."""

from __future__ import annotations

import functools
import io
import textwrap
from pathlib import Path
from typing import TYPE_CHECKING, Any

from divlearn.basics.files import write_atomically
from divlearn.basics.text import printable
from divlearn.errors import InputError, MissingExtra

if TYPE_CHECKING:
    from divlearn.result import Result

#: Blue and vermilion, which can be told apart with any kind of colour vision.
FRONT_COLOUR, KNEE_COLOUR = "#0072B2", "#D55E00"
#: Colours that also differ in lightness.
COLOUR_MAP = "viridis"
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


def finish(ax: Any, path: str | Path | None) -> Any:
    """Save the figure if there is a path, and return it."""
    if path is not None:
        kind = Path(path).suffix[1:].lower()
        known = ax.figure.canvas.get_supported_filetypes()
        if kind not in known:
            raise InputError(
                f"path must end in one of .{', .'.join(sorted(known))}, "
                f"got {str(path)!r}."
            )
        write_atomically(path, _picture_bytes(ax.figure, kind))
    return ax.figure


def _picture_bytes(figure: Any, kind: str) -> bytes:
    """Draw a figure and return the content of its file."""
    content = io.BytesIO()
    figure.savefig(content, format=kind, dpi=DOTS_PER_INCH)
    return content.getvalue()


def axis_label(name: str, sense: str, width: int = 40) -> str:
    """Name an objective and say which way is better."""
    return "\n".join(textwrap.wrap(f"{printable(name)} ({SENSE_WORDS[sense]})", width))


def title(result: Result) -> str:
    """Say what the picture shows."""
    count = len(result.F)
    text = f"{count:,} solution{'s' if count != 1 else ''}"
    if result.evaluations:
        text += f" from {result.evaluations:,} evaluations"
    return f"{printable(result.problem)}: {text}" if result.problem else text
