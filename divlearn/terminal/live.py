"""Progress as a live display: a bar, the facts and a picture of the front."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from divlearn.terminal.pace import Gauge, Moment
from divlearn.terminal.places import Place
from divlearn.terminal.progress import Progress
from divlearn.terminal.words import duration

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.text import Text

#: Least seconds between two pictures; more often is dearer and no more use.
REFRESH_SECONDS = 0.25
#: A brief display shows nothing of what is over within so many seconds.
DELAY_SECONDS = 0.7
#: Length of the bar, in characters.
BAR_WIDTH = 60
#: Largest picture of the front, in characters; smaller in a small terminal.
PICTURE_SIZE = (56, 10)
#: What turns while something takes its time, with and without Unicode.
SPINNER, PLAIN_SPINNER = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏", "|/-\\"


class LiveProgress(Progress):
    """Keep a few lines up to date.

    Parameters
    ----------
    title
        What is being solved, in a few words.
    place
        Where to draw: a terminal or a notebook.
    clock
        Where the time comes from, in seconds.
    ticking
        Whether it is drawn also while nothing comes from the search.
    brief
        Whether to show nothing of what is over at once, and to shrink to one line at
        the end.

    Examples
    --------
    >>> import io
    >>> from rich.console import Console
    >>> from divlearn.terminal.places import Screen
    >>> LiveProgress("bitsp-20", Screen(Console(file=io.StringIO())))
    <LiveProgress bitsp-20>
    """

    def __init__(
        self,
        title: str,
        place: Place,
        clock: Callable[[], float] = time.monotonic,
        ticking: bool = True,
        brief: bool = False,
    ) -> None:
        super().__init__(title, clock, ticking)
        self._place = place
        self._brief = brief
        self._shown = False
        self._turns = 0
        self._last = clock() - REFRESH_SECONDS
        self._not_before = clock() + (DELAY_SECONDS if brief else 0.0)

    def _compile(self, work: str, elapsed: float) -> None:
        from rich.text import Text

        so_far = f"{self._spin()} {work}, {duration(elapsed)} so far"
        self._put(Text(f"{self.title}\n{so_far}"))

    def _begin(self, pace: Gauge, reading: Moment) -> None:
        if self._clock() >= self._not_before:
            self._show(reading)

    def _announce(self, message: str) -> None:
        self._place.write(f"{self.title}: {message}")

    def _due(self, share: float | None) -> bool:
        now = self._clock()
        return now >= self._not_before and now - self._last >= REFRESH_SECONDS

    def _show(self, reading: Moment, last: bool = False) -> None:
        self._last = self._clock()
        if not (last and self._brief):
            self._put(self._render(reading, last))
        elif self._shown:
            from rich.text import Text

            self._put(Text(f"{self.title}: {', '.join(reading.facts())}"))

    def _end(self) -> None:
        self._place.close()

    def _put(self, what: RenderableType) -> None:
        """Draw, and remember that something is there."""
        self._shown = True
        self._place.put(what)

    def _render(self, reading: Moment, last: bool) -> RenderableType:
        """Put title, bar, facts, what is waited for and picture under one another."""
        from rich.console import Group
        from rich.text import Text

        rows: list[RenderableType] = [Text(self.title, style="bold")]
        if reading.share is not None:
            rows.append(self._bar(reading.share))
        rows.append(Text(", ".join(reading.facts())))
        if not last and reading.waiting():
            rows.append(Text(f"{self._spin()} {reading.waiting()}"))
        *drawn, caption = self._picture(reading) or [""]
        rows.extend(Text(line, no_wrap=True) for line in drawn)
        if caption:  # it may be broken, the picture may not
            fits = len(caption) <= self._place.width
            rows.append(Text(caption if fits else caption.strip()))
        return Group(*rows)

    def _spin(self) -> str:
        """The next position of what turns."""
        self._turns += 1
        signs = PLAIN_SPINNER if self._place.ascii_only else SPINNER
        return signs[self._turns % len(signs)]

    def _bar(self, share: float) -> Text:
        """Draw how much of the budget is used."""
        from rich.text import Text

        full, empty = "#." if self._place.ascii_only else "━╌"
        width = min(BAR_WIDTH, self._place.width)
        done = round(width * share)
        return Text.assemble((full * done, "green"), (empty * (width - done), "dim"))

    def _picture(self, reading: Moment) -> list[str]:
        """Draw the front as large as there is room; nothing if either is too small."""
        width = min(PICTURE_SIZE[0], self._place.width - 14)
        height = min(PICTURE_SIZE[1], self._place.height - 9)
        too_small = width < 10 or height < 3 or self._place.ascii_only
        return [] if too_small else reading.picture(width, height)

    def __repr__(self) -> str:
        return f"<LiveProgress {self.title}>"
