"""Where a live display is drawn: in a terminal, or in a cell of a notebook."""

from __future__ import annotations

import html
import io
import sys
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.live import Live

#: Size of what is drawn in a notebook, in characters.
CELL_SIZE = (88, 24)


class Place(Protocol):
    """Room for a few lines that are kept up to date.

    Attributes
    ----------
    width, height
        Its size in characters.
    ascii_only
        Whether it can show nothing but ASCII.
    """

    @property
    def width(self) -> int:
        """Characters in a line."""

    @property
    def height(self) -> int:
        """Number of lines."""

    @property
    def ascii_only(self) -> bool:
        """Whether it can show nothing but ASCII."""

    def put(self, what: RenderableType) -> None:
        """Show this in place of what was shown before."""

    def write(self, line: str) -> None:
        """Show a line that stays, above what is kept up to date."""

    def close(self) -> None:
        """Leave what is shown as it is."""


class Screen:
    """The lower end of a terminal.

    Parameters
    ----------
    console
        The terminal.
    """

    def __init__(self, console: Console) -> None:
        self._console = console
        self._live: Live | None = None

    @property
    def width(self) -> int:
        """Characters in a line."""
        return self._console.width

    @property
    def height(self) -> int:
        """Number of lines."""
        return self._console.height

    @property
    def ascii_only(self) -> bool:
        """Whether it can show nothing but ASCII."""
        return self._console.options.ascii_only

    def put(self, what: RenderableType) -> None:
        """Show this in place of what was shown before."""
        if self._live is None:
            from rich.live import Live

            # What others print goes above the display, but not from a file to it.
            self._live = Live(
                console=self._console,
                auto_refresh=False,
                redirect_stdout=_is_terminal(sys.stdout),
                redirect_stderr=_is_terminal(sys.stderr),
            )
            self._live.start()
        self._live.update(what, refresh=True)

    def write(self, line: str) -> None:
        """Show a line that stays, above what is kept up to date."""
        self._console.print(line, markup=False)

    def close(self) -> None:
        """Leave what is shown as it is, and put the cursor behind it."""
        if self._live is not None:
            self._live.stop()
            self._live = None


class Cell:
    """The output of a cell in a notebook, as plain text in HTML.

    It needs no widgets: what was shown is replaced by its name, which every front end
    of IPython knows how to do.
    """

    width, height = CELL_SIZE
    ascii_only = False

    def __init__(self) -> None:
        self._handle: Any = None

    def put(self, what: RenderableType) -> None:
        """Show this in place of what was shown before."""
        from IPython.display import HTML, display

        text = html.escape(self._text(what))
        shown = HTML(f'<pre style="line-height: 1.2">{text}</pre>')
        if self._handle is None:
            self._handle = display(shown, display_id=True)
        else:
            self._handle.update(shown)

    def write(self, line: str) -> None:
        """Show a line that stays."""
        sys.stdout.write(f"{line}\n")

    def close(self) -> None:
        """Leave what is shown as it is."""
        self._handle = None

    def _text(self, what: RenderableType) -> str:
        """Draw without colours."""
        from rich.console import Console

        stream = io.StringIO()
        Console(file=stream, width=self.width, color_system=None).print(what)
        return stream.getvalue()


def is_watched() -> bool:
    """Whether somebody looks: standard error is a terminal, or this is a notebook."""
    return in_notebook() or _is_terminal(sys.stderr)


def in_notebook() -> bool:
    """Whether the code runs in a kernel of Jupyter or the like."""
    if "IPython" not in sys.modules:
        return False
    shell = getattr(sys.modules["IPython"], "get_ipython", lambda: None)()
    return getattr(shell, "kernel", None) is not None


def _is_terminal(stream: Any) -> bool:
    """Whether a stream is a terminal; there may be no stream at all."""
    try:
        return bool(stream.isatty())
    except (AttributeError, ValueError):  # none, or closed
        return False
