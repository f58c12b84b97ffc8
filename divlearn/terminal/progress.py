"""Progress of a search: what all displays share, and which one to use."""

from __future__ import annotations

import sys
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from contextlib import suppress
from typing import Any, ClassVar, TextIO

from divlearn.basics.text import printable
from divlearn.terminal.pace import Gauge, Moment, Pace
from divlearn.terminal.ticker import Ticker
from divlearn.terminal.words import compiling, duration

#: Seconds between two looks at the clock while nothing comes from the search.
TICK_SECONDS = 0.5


class Progress(ABC):
    """A display of a running search, in the form that :func:`divlearn.solve` takes.

    The search reports every outcome to it; while an evaluation or the compiler takes
    its time, a thread calls :meth:`tick`. Your own display implements the methods that
    begin with an underscore.

    Parameters
    ----------
    title
        What is being solved, in a few words.
    clock
        Where the time comes from, in seconds.
    ticking
        Whether a thread calls :meth:`tick`.
    """

    #: The display that is in use: one is enough, whoever else solves something inside.
    current: ClassVar[Progress | None] = None

    def __init__(
        self,
        title: str,
        clock: Callable[[], float] = time.monotonic,
        ticking: bool = True,
    ) -> None:
        self.title: str = printable(title)
        self._clock = clock
        self._pace: Gauge | None = None
        self._optimizer: Any = None
        self._reading: Any = None
        self._settled = False
        self._work = ""  # what is being compiled, in words
        self._since = 0.0  # when that began
        self._lock = threading.RLock()
        self._ticker = Ticker(self.tick, TICK_SECONDS) if ticking else None

    def compiling(self, what: str, seconds: float) -> None:
        """Say that kernels are being compiled, and how long that takes."""
        with self._lock:
            self._work, self._since = compiling(what, seconds), self._clock()
            self._compile(self._work, 0.0)
        self._use()

    def start(self, optimizer: Any, budget: int | None, seconds: float | None) -> None:
        """Begin to show a search with its limits.

        What is no search, such as the jobs of a benchmark, brings a gauge of its own:
        ``optimizer.gauge(clock)``.
        """
        with self._lock:
            if self._work:
                self._work = ""
                self._announce(f"compiled in {duration(self._clock() - self._since)}")
            self._optimizer = optimizer
            own = getattr(optimizer, "gauge", None)
            self._pace = (
                Pace(optimizer, budget, seconds, self._clock)
                if own is None
                else own(self._clock)
            )
            self._reading = self._pace.read(optimizer)
            self._begin(self._pace, self._reading)
        self._use()

    def say(self, message: str) -> None:
        """Show a message, above what is kept up to date."""
        with self._lock:
            self._announce(printable(message, lines=True))

    def update(self, optimizer: Any) -> None:
        """Show where the search is, unless it was shown a moment ago."""
        self._optimizer = optimizer
        if self._pace is None:
            return
        if not self._settled:
            self._settled = True
            self._pace.settle(optimizer)
        self._pace.note(optimizer)
        if self._due(self._pace.share(optimizer)):
            with self._lock:
                self._reading = self._pace.read(optimizer)
                self._show(self._reading)

    def tick(self) -> None:
        """Show how long the compiler or an evaluation has been at work."""
        with self._lock:
            if self._work:
                self._compile(self._work, self._clock() - self._since)
            elif self._pace is not None and self._reading is not None:
                later = self._pace.later(self._reading, self._optimizer)
                if self._due(later.share):
                    self._show(later)

    def finish(self) -> None:
        """Show where the search ended and leave the terminal tidy."""
        if self._ticker is not None:
            self._ticker.stop()
        with self._lock:
            if Progress.current is self:
                Progress.current = None
            self._work = ""
            if self._pace is not None:
                self._show(self._pace.final(self._optimizer), last=True)
                self._pace = None
            self._end()

    def _use(self) -> None:
        """Be the display that is in use, and let the time pass."""
        Progress.current = self
        if self._ticker is not None:
            self._ticker.start()

    @abstractmethod
    def _compile(self, work: str, elapsed: float) -> None:
        """Show what is compiled, and for how long."""

    @abstractmethod
    def _begin(self, pace: Gauge, reading: Moment) -> None:
        """Open the display."""

    @abstractmethod
    def _announce(self, message: str) -> None:
        """Show a message, before the search begins or while it runs."""

    @abstractmethod
    def _due(self, share: float | None) -> bool:
        """Whether it is time to show the search again."""

    @abstractmethod
    def _show(self, reading: Moment, last: bool = False) -> None:
        """Show the search at one moment, or at its end."""

    @abstractmethod
    def _end(self) -> None:
        """Close the display."""


def close_display() -> None:
    """Leave the terminal tidy when the process is about to end."""
    if Progress.current is not None:
        with suppress(Exception):
            Progress.current.finish()


def choose_progress(
    title: str, stream: TextIO | None = None, brief: bool = False
) -> Progress:
    """Return a live display for a terminal or notebook, log lines for anything else.

    Parameters
    ----------
    title
        What is being solved, in a few words.
    stream
        Where to write; standard error if None, so that standard output stays clean.
    brief
        Whether a live display shows nothing of a search that is over at once, and
        shrinks to a line at the end.

    Examples
    --------
    >>> import io
    >>> choose_progress("bitsp-20", io.StringIO())
    <LogProgress bitsp-20>
    """
    from rich.console import Console

    from divlearn.terminal.live import LiveProgress
    from divlearn.terminal.log import LogProgress
    from divlearn.terminal.places import Cell, Screen, in_notebook

    alone = Progress.current is None
    if stream is None and in_notebook() and alone:
        return LiveProgress(title, Cell(), brief=brief)
    stream = stream or sys.stderr
    console = Console(file=stream, highlight=False)
    if console.is_terminal and not console.is_dumb_terminal and alone:
        return LiveProgress(title, Screen(console), brief=brief)
    return LogProgress(title, stream)
