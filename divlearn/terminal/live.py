"""Progress as a live display: a bar, the facts and a picture of the front."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from divlearn.terminal.pace import Pace, Reading
from divlearn.terminal.picture import front_picture
from divlearn.terminal.progress import Progress
from divlearn.terminal.words import facts

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.live import Live
    from rich.text import Text

#: Least seconds between two pictures; more often is dearer and no more use.
REFRESH_SECONDS = 0.25
#: Length of the bar, in characters.
BAR_WIDTH = 60
#: Largest picture of the front, in characters; smaller in a small terminal.
PICTURE_SIZE = (56, 10)


class LiveProgress(Progress):
    """Keep a few lines of a terminal up to date.

    Parameters
    ----------
    title
        What is being solved, in a few words.
    console
        The terminal.
    clock
        Where the time comes from, in seconds.

    Examples
    --------
    >>> import io
    >>> from rich.console import Console
    >>> LiveProgress("bitsp-20", Console(file=io.StringIO()))
    <LiveProgress bitsp-20>
    """

    def __init__(
        self,
        title: str,
        console: Console,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(title, clock)
        self._console = console
        self._live: Live | None = None
        self._last = clock() - REFRESH_SECONDS

    def _begin(self, pace: Pace) -> None:
        self._open()

    def _announce(self, message: str) -> None:
        # A plain line, above the display once it is open, which is with the search.
        self._console.print(f"{self.title}: {message}", markup=False)

    def _due(self, share: float | None) -> bool:
        return self._clock() - self._last >= REFRESH_SECONDS

    def _show(self, reading: Reading) -> None:
        self._last = self._clock()
        self._open().update(self._render(reading), refresh=True)

    def _end(self) -> None:
        if self._live is not None:
            self._live.stop()
            self._live = None

    def _open(self) -> Live:
        """Return the region of the terminal that is kept up to date."""
        if self._live is None:
            from rich.live import Live

            # Drawn only by update(): no thread competes with the search.
            self._live = Live(console=self._console, auto_refresh=False)
            self._live.start()
        return self._live

    def _render(self, reading: Reading) -> RenderableType:
        """Put title, bar, facts and picture under one another."""
        from rich.console import Group
        from rich.text import Text

        rows: list[RenderableType] = [Text(self.title, style="bold")]
        if reading.share is not None:
            rows.append(self._bar(reading.share))
        rows.append(Text(", ".join(facts(reading))))
        rows.extend(Text(line, no_wrap=True) for line in self._picture(reading))
        return Group(*rows)

    def _bar(self, share: float) -> Text:
        """Draw how much of the budget is used."""
        from rich.text import Text

        full, empty = "#." if self._console.options.ascii_only else "━━"
        width = min(BAR_WIDTH, self._console.width)
        done = round(width * share)
        return Text.assemble((full * done, "green"), (empty * (width - done), "dim"))

    def _picture(self, reading: Reading) -> list[str]:
        """Draw the front as large as the terminal allows; nothing if too small."""
        width = min(PICTURE_SIZE[0], self._console.width - 14)
        height = min(PICTURE_SIZE[1], self._console.height - 8)
        if width < 10 or height < 3 or self._console.options.ascii_only:
            return []
        objectives = self._optimizer.problem.objectives
        return front_picture(reading.front, objectives, width, height)

    def __repr__(self) -> str:
        return f"<LiveProgress {self.title}>"
