"""``Clock``: seconds that something has run, without its pauses."""

from __future__ import annotations

import time


class Clock:
    """A stopwatch that can be set.

    Parameters
    ----------
    seconds
        Where it stands; it does not run yet.

    Examples
    --------
    >>> clock = Clock(3.0)
    >>> clock.seconds, clock.runs
    (3.0, False)
    """

    def __init__(self, seconds: float = 0.0) -> None:
        self._before = seconds
        self._started: float | None = None

    @property
    def runs(self) -> bool:
        """Whether it runs."""
        return self._started is not None

    @property
    def seconds(self) -> float:
        """Seconds that it has run."""
        if self._started is None:
            return self._before
        return self._before + time.perf_counter() - self._started

    def start(self) -> None:
        """Let it run, if it does not run already."""
        if self._started is None:
            self._started = time.perf_counter()

    def stop(self) -> None:
        """Let it stand."""
        self.set(self.seconds)

    def set(self, seconds: float) -> None:
        """Let it stand at this time."""
        self._before, self._started = seconds, None

    def __getstate__(self) -> dict[str, float | None]:
        """Copies stand still: another process counts from another beginning."""
        return {"_before": self.seconds, "_started": None}
