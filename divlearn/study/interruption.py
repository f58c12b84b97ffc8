"""Ctrl-C during a study: running evaluations are finished, or given up."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


class Interruption:
    """How often Ctrl-C was pressed and what that means.

    Parameters
    ----------
    at_once
        Whether the first one gives running evaluations up; else the second one does.
    in_process
        Whether evaluations run in this process, where only an exception ends them.
    """

    def __init__(self, at_once: bool, in_process: bool) -> None:
        self.at_once = at_once
        self.in_process = in_process
        self.presses = 0
        self.evaluating = False

    @property
    def stop(self) -> bool:
        """Whether nothing new is to be begun."""
        return self.presses > 0

    @property
    def abandon(self) -> bool:
        """Whether what is running is to be given up."""
        return self.presses > (0 if self.at_once else 1)

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Note Ctrl-C meanwhile, so that nothing is cut in the middle of a line."""
        in_main = threading.current_thread() is threading.main_thread()
        if not in_main or signal.getsignal(signal.SIGINT) in (signal.SIG_IGN, None):
            yield  # not ours to handle: another thread, a job that ignores Ctrl-C
            return
        previous = signal.signal(signal.SIGINT, self._handle)
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, previous)

    def _handle(self, number: int, frame: FrameType | None) -> None:
        """Count; end an evaluation that runs here."""
        self.presses += 1
        if self.abandon and self.in_process and self.evaluating:
            raise KeyboardInterrupt
