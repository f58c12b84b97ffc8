"""Progress as plain lines, for logs and pipes."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TextIO

from divlearn.terminal.pace import Gauge, Moment
from divlearn.terminal.progress import Progress
from divlearn.terminal.words import duration

#: A line is written after a tenth of the budget, but at most every 5 seconds ...
STEP = 0.1
LEAST_SECONDS = 5.0
#: ... and at least every minute, so that a log shows that the search is alive.
MOST_SECONDS = 60.0
#: Seconds between two lines while kernels are compiled.
COMPILING_SECONDS = 15.0


class LogProgress(Progress):
    """Write a line now and then.

    Parameters
    ----------
    title
        What is being solved, in a few words.
    stream
        Where the lines go.
    clock
        Where the time comes from, in seconds.
    ticking
        Whether lines are also written while nothing comes from the search.

    Examples
    --------
    >>> import sys
    >>> log = LogProgress("bitsp-20", sys.stdout, ticking=False)
    >>> log.compiling("permutations", 88.0)
    bitsp-20: compiling for permutations, the first time only: about 90 s of CPU
    time ...
    """

    def __init__(
        self,
        title: str,
        stream: TextIO,
        clock: Callable[[], float] = time.monotonic,
        ticking: bool = True,
    ) -> None:
        super().__init__(title, clock, ticking)
        self._stream = stream
        self._last_seconds = clock()
        self._last_share = 0.0

    def _compile(self, work: str, elapsed: float) -> None:
        if elapsed == 0.0:
            self._announce(f"{work} ...")
        elif self._clock() - self._last_seconds >= COMPILING_SECONDS:
            self._announce(f"still compiling, {duration(elapsed)} so far")
        else:
            return
        self._last_seconds = self._clock()

    def _begin(self, pace: Gauge, reading: Moment) -> None:
        if pace.aim:
            self._announce(pace.aim)
        self._last_seconds = self._clock()
        self._last_share = reading.share or 0.0

    def _announce(self, message: str) -> None:
        self._stream.write(f"{self.title}: {message}\n")
        self._stream.flush()

    def _due(self, share: float | None) -> bool:
        waited = self._clock() - self._last_seconds
        stepped = share is None or share - self._last_share >= STEP
        return waited >= MOST_SECONDS or (waited >= LEAST_SECONDS and stepped)

    def _show(self, reading: Moment, last: bool = False) -> None:
        self._last_seconds = self._clock()
        self._last_share = reading.share or 0.0
        words = reading.facts()
        if not last and reading.waiting():
            words.append(reading.waiting())
        self._announce(", ".join(words))

    def _end(self) -> None:
        self._stream.flush()

    def __repr__(self) -> str:
        return f"<LogProgress {self.title}>"
