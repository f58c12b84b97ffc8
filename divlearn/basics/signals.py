"""Ctrl-C: who handles it for how long, and what it ends."""

from __future__ import annotations

import math
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

Handler = Callable[[int, FrameType | None], Any] | signal.Handlers


@contextmanager
def handling(handler: Handler) -> Iterator[bool]:
    """Handle Ctrl-C in another way for a while; yields whether that is possible.

    It is not ours in another thread, nor in a job that ignores it.
    """
    in_main = threading.current_thread() is threading.main_thread()
    if not in_main or signal.getsignal(signal.SIGINT) in (signal.SIG_IGN, None):
        yield False
        return
    previous = signal.signal(signal.SIGINT, handler)
    try:
        yield True
    finally:
        signal.signal(signal.SIGINT, previous)


def is_usual() -> bool:
    """Whether nobody handles Ctrl-C in a way of their own."""
    return signal.getsignal(signal.SIGINT) is signal.default_int_handler


class Interruption:
    """How often Ctrl-C was pressed and what that means for running evaluations.

    Parameters
    ----------
    at_once
        Whether the first one gives running evaluations up; else the second one does.
    in_process
        Whether evaluations run in this process, where only an exception ends them.
    limit
        Presses after which it is raised whatever is being done.

    Attributes
    ----------
    presses
        How often it was pressed.
    evaluating
        Whether an evaluation runs: to be said by whoever runs it.
    """

    def __init__(
        self, at_once: bool = True, in_process: bool = True, limit: float = math.inf
    ) -> None:
        self.at_once = at_once
        self.in_process = in_process
        self.limit = limit
        self.presses: int = 0
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
        with handling(self._handle):
            yield

    def _handle(self, number: int, frame: FrameType | None) -> None:
        """Count; end an evaluation that runs here."""
        self.presses += 1
        ends = self.abandon and self.in_process and self.evaluating
        if ends or self.presses > self.limit:
            raise KeyboardInterrupt
