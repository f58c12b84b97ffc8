"""How a benchmark shows itself while it runs."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, TextIO

from divlearn.terminal.words import duration

if TYPE_CHECKING:
    from rich.console import Console

#: Least seconds between two pictures of a terminal.
REFRESH_SECONDS = 0.1
#: Least seconds between two lines of a log.
LOG_SECONDS = 5.0
BAR_WIDTH = 60


@dataclass(frozen=True)
class Reading:
    """A benchmark at one moment.

    Attributes
    ----------
    total, done, failed
        Numbers of jobs; those that an earlier sitting did are not among them.
    seconds_left
        Estimate; None where nothing is known yet.
    last
        The job that was done last, in a few words.
    noun
        What the jobs are.
    """

    total: int
    done: int = 0
    failed: int = 0
    seconds_left: float | None = None
    last: str = ""
    noun: str = "runs"

    def __str__(self) -> str:
        words = [f"{self.done:,} of {self.total:,} {self.noun}"]
        if self.failed:
            words.append(f"{self.failed:,} failed")
        if self.seconds_left is not None and self.done < self.total:
            words.append(f"about {duration(self.seconds_left)} left")
        return ", ".join(words)


class Display(Protocol):
    """Something that shows how a benchmark goes."""

    def announce(self, message: str) -> None:
        """Show a message."""

    def update(self, reading: Reading, last: bool = False) -> None:
        """Show where the benchmark is."""

    def close(self) -> None:
        """Leave the terminal tidy."""


class Quiet:
    """Shows nothing."""

    def announce(self, message: str) -> None:
        """Show nothing."""

    def update(self, reading: Reading, last: bool = False) -> None:
        """Show nothing."""

    def close(self) -> None:
        """Show nothing."""


class Log:
    """Writes a line now and then, for logs and pipes.

    Examples
    --------
    >>> log = Log("smoke", sys.stdout)
    >>> log.update(Reading(total=24, done=24, failed=1), last=True)
    smoke: 24 of 24 runs, 1 failed
    """

    def __init__(
        self,
        title: str,
        stream: TextIO,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.title = title
        self._stream = stream
        self._clock = clock
        self._shown = clock()
        self._last = ""

    def announce(self, message: str) -> None:
        """Write a line."""
        self._stream.write(f"{self.title}: {message}\n")
        self._stream.flush()

    def update(self, reading: Reading, last: bool = False) -> None:
        """Write where the benchmark is, if it was not written a moment ago."""
        text = str(reading)
        due = last or self._clock() - self._shown >= LOG_SECONDS
        if due and text != self._last:
            self._shown, self._last = self._clock(), text
            self.announce(text)

    def close(self) -> None:
        """Do nothing: every line was written at once."""


class Live:
    """Keeps a few lines of a terminal up to date."""

    def __init__(self, title: str, console: Console) -> None:
        self.title = title
        self._console = console
        self._live: Any = None
        self._shown = 0.0

    def announce(self, message: str) -> None:
        """Write a line above the display."""
        self._console.print(f"{self.title}: {message}", markup=False)

    def update(self, reading: Reading, last: bool = False) -> None:
        """Draw bar and numbers, if they were not drawn a moment ago."""
        if not last and time.monotonic() - self._shown < REFRESH_SECONDS:
            return
        self._shown = time.monotonic()
        if self._live is None:
            from rich.live import Live as RichLive

            self._live = RichLive(console=self._console, auto_refresh=False)
            self._live.start()
        self._live.update(self._render(reading), refresh=True)

    def close(self) -> None:
        """Give the terminal back."""
        if self._live is not None:
            self._live.stop()
            self._live = None

    def _render(self, reading: Reading) -> Any:
        """Put title, bar, numbers and the last run under one another."""
        from rich.console import Group
        from rich.text import Text

        full, empty = "#." if self._console.options.ascii_only else "━━"
        width = min(BAR_WIDTH, self._console.width)
        done = width * reading.done // max(1, reading.total)
        return Group(
            Text(self.title, style="bold"),
            Text.assemble((full * done, "green"), (empty * (width - done), "dim")),
            Text(str(reading)),
            Text(reading.last, style="dim", no_wrap=True, overflow="ellipsis"),
        )


def choose_display(title: str, stream: TextIO | None = None) -> Display:
    """Return a live display for a terminal, log lines for anything else."""
    from rich.console import Console

    stream = stream or sys.stderr
    console = Console(file=stream, highlight=False)
    if console.is_terminal and not console.is_dumb_terminal:
        return Live(title, console)
    return Log(title, stream)
