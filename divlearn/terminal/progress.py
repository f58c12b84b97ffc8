"""Progress of a search: what all displays share, and which one to use."""

from __future__ import annotations

import sys
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, TextIO

from divlearn.terminal.pace import Pace, Reading

#: What is said while kernels are compiled.
COMPILING = "compiling kernels, the first time only (about a minute) ..."


class Progress(ABC):
    """A display of a running search, in the form that :func:`divlearn.solve` takes.

    A display of one's own implements the five methods that begin with an underscore.

    Parameters
    ----------
    title
        What is being solved, in a few words.
    clock
        Where the time comes from, in seconds.
    """

    def __init__(self, title: str, clock: Callable[[], float] = time.monotonic) -> None:
        self.title = title
        self._clock = clock
        self._pace: Pace | None = None
        self._optimizer: Any = None
        self._settled = False

    def start(self, optimizer: Any, budget: int | None, seconds: float | None) -> None:
        """Begin to show a search with its limits."""
        self._optimizer = optimizer
        self._pace = Pace(optimizer, budget, seconds, self._clock)
        self._begin(self._pace)

    def compiling(self) -> None:
        """Say that kernels are being compiled."""
        self.say(COMPILING)

    def say(self, message: str) -> None:
        """Show a message, above what is kept up to date."""
        self._announce(message)

    def update(self, optimizer: Any) -> None:
        """Show where the search is, unless it was shown a moment ago."""
        self._optimizer = optimizer
        if self._pace is None:
            return
        if not self._settled:
            self._settled = True
            self._pace.settle(optimizer)
        if self._due(self._pace.share(optimizer)):
            self._show(self._pace.read(optimizer))

    def finish(self) -> None:
        """Show where the search ended and leave the terminal tidy."""
        if self._pace is not None:
            self._show(self._pace.read(self._optimizer, exact=True))
            self._pace = None
        self._end()

    @abstractmethod
    def _begin(self, pace: Pace) -> None:
        """Open the display."""

    @abstractmethod
    def _announce(self, message: str) -> None:
        """Show a message, before the search begins or while it runs."""

    @abstractmethod
    def _due(self, share: float | None) -> bool:
        """Whether it is time to show the search again."""

    @abstractmethod
    def _show(self, reading: Reading) -> None:
        """Show the search at one moment."""

    @abstractmethod
    def _end(self) -> None:
        """Close the display."""


def choose_progress(title: str, stream: TextIO | None = None) -> Progress:
    """Return a live display for a terminal, log lines for anything else.

    Parameters
    ----------
    title
        What is being solved, in a few words.
    stream
        Where to write; standard error if None, so that standard output stays clean.

    Examples
    --------
    >>> import io
    >>> choose_progress("bitsp-20", io.StringIO())
    <LogProgress bitsp-20>
    """
    from rich.console import Console

    from divlearn.terminal.live import LiveProgress
    from divlearn.terminal.log import LogProgress

    stream = stream or sys.stderr
    console = Console(file=stream, highlight=False)
    if console.is_terminal and not console.is_dumb_terminal:
        return LiveProgress(title, console)
    return LogProgress(title, stream)
