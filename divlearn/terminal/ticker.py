"""``Ticker``: something is done again and again while others are busy."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import suppress

#: Seconds to wait for a call to end; it may wait for whoever stops it.
PATIENCE = 2.0


class Ticker:
    """Calls a function at intervals, in a thread that ends with the process.

    Parameters
    ----------
    function
        What to call; an error of its own ends the ticking and nothing else.
    seconds
        Between two calls.

    Examples
    --------
    >>> import time
    >>> calls = []
    >>> ticker = Ticker(lambda: calls.append(1), seconds=0.001)
    >>> ticker.start()
    >>> while not calls:
    ...     time.sleep(0.001)
    >>> ticker.stop()
    """

    def __init__(self, function: Callable[[], None], seconds: float) -> None:
        self._function = function
        self._seconds = seconds
        self._stopped = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Begin, unless it has begun."""
        if self._thread is None:
            self._stopped.clear()
            self._thread = threading.Thread(
                target=self._tick, name="divlearn progress", daemon=True
            )
            self._thread.start()

    def stop(self) -> None:
        """Make no further call, and wait for the present one."""
        self._stopped.set()
        thread, self._thread = self._thread, None
        if thread is not None and thread is not threading.current_thread():
            thread.join(PATIENCE)

    def _tick(self) -> None:
        """What the thread does."""
        with suppress(Exception):  # a display is not worth an error
            while not self._stopped.wait(self._seconds):
                self._function()
