"""How a search shows itself: the protocol, and which display is used when."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import TYPE_CHECKING, Protocol

from divlearn.basics.errors import InputError
from divlearn.basics.signals import handling, is_usual
from divlearn.workers.base import current_attempt

if TYPE_CHECKING:
    from divlearn.methods.base import Compilation
    from divlearn.optimizer.optimizer import Optimizer

#: Environment variable that decides where nobody says ``progress=``: 0 or 1.
SWITCH = "DIVLEARN_PROGRESS"
#: What an object that is told how a search goes must have.
CALLS = ("compiling", "start", "update", "say", "finish")


class Display(Protocol):
    """Something that shows how a search goes."""

    def compiling(self, what: str, seconds: float) -> None:
        """Say that kernels are compiled, because they are not in the cache yet.

        Parameters
        ----------
        what
            What they are for, such as "permutations".
        seconds
            About how many seconds of CPU time that takes.
        """

    def start(
        self, optimizer: Optimizer, budget: int | None, seconds: float | None
    ) -> None:
        """Say that the search begins; before it, all that it needs was compiled."""

    def update(self, optimizer: Optimizer) -> None:
        """Show where it is."""

    def say(self, message: str) -> None:
        """Show a message while it runs, such as what Ctrl-C has set going."""

    def finish(self) -> None:
        """Say that it is over; called in any case, also if it never began."""


class Silent:
    """Shows nothing."""

    def compiling(self, what: str, seconds: float) -> None:
        """Show nothing."""

    def start(
        self, optimizer: Optimizer, budget: int | None, seconds: float | None
    ) -> None:
        """Show nothing."""

    def update(self, optimizer: Optimizer) -> None:
        """Show nothing."""

    def say(self, message: str) -> None:
        """Show nothing."""

    def finish(self) -> None:
        """Show nothing."""


def display_for(progress: Display | bool | None, title: str) -> Display:
    """Return what shows a search, on standard error.

    Parameters
    ----------
    progress
        True for a live display in a terminal or a notebook and log lines elsewhere,
        False for nothing, or your own object. None decides by the environment variable
        ``DIVLEARN_PROGRESS``, 0 or 1; without it, True in a terminal or a notebook, and
        False in pipes, under pytest and in an objective that is being evaluated.
    title
        What is being solved, in a few words.

    Examples
    --------
    >>> display_for(False, "tour").__class__.__name__
    'Silent'
    """
    if progress is None:
        progress = _wanted()
    if progress is False:
        return Silent()
    if progress is True:
        from divlearn.terminal import choose_progress

        return choose_progress(title, brief=True)
    if not all(callable(getattr(progress, name, None)) for name in CALLS):
        raise InputError(
            "progress must be True, False, None or an object with the methods "
            f"{', '.join(CALLS)} of divlearn.terminal.display.Display, "
            f"got {progress!r}."
        )
    return progress


@contextmanager
def patiently(display: Display) -> Iterator[None]:
    """Let Ctrl-C wait for the compiler, which it would leave in an unknown state.

    It is then raised at the end; pressed twice, at once. Whoever handles Ctrl-C in
    another way goes on to do so.
    """
    if not is_usual():
        yield
        return
    pressed = False

    def handle(number: int, frame: FrameType | None) -> None:
        nonlocal pressed
        if pressed:
            raise KeyboardInterrupt
        pressed = True
        display.say("Ctrl-C: it ends with the compiler; press it again not to wait.")

    with handling(handle):
        yield
    if pressed:
        raise KeyboardInterrupt


def announce(work: Compilation | None, display: Display) -> None:
    """Say what has to be compiled, if anything."""
    if work is not None:
        display.compiling(work.what, work.seconds)


def _wanted() -> bool:
    """Whether to show anything where nobody has said so."""
    from divlearn.terminal import Progress
    from divlearn.terminal.places import is_watched

    if Progress.current is not None or current_attempt() is not None:
        return False  # an objective that solves something itself
    switch = os.environ.get(SWITCH, "")
    if switch:
        if switch not in ("0", "1"):
            raise InputError(
                f"the environment variable {SWITCH} must be 0 (show no progress) or 1 "
                f"(show it), got {switch!r}."
            )
        return switch == "1"
    return is_watched() and not _is_tested()


def _is_tested() -> bool:
    """Whether pytest runs this."""
    return "PYTEST_CURRENT_TEST" in os.environ
