"""Ctrl-C before, after and without a search, which handles it itself."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from types import MappingProxyType
from typing import Any

from divlearn.basics.signals import handling
from divlearn.cli.output import INTERRUPTED, echo, error_as_json

BEFORE_THE_SEARCH = (
    "Stopped by Ctrl-C before the search began; run the same line again to begin it."
)


@contextmanager
def leaving_at_once(
    as_json: bool = False,
    message: str = BEFORE_THE_SEARCH,
    more: Mapping[str, Any] = MappingProxyType({}),
) -> Iterator[None]:
    """Let Ctrl-C end the process while code is loaded and compiled.

    An exception in the middle of a compilation is lost or leaves the compiler in a
    state of which nothing is known; and there is nothing to save yet.

    Parameters
    ----------
    as_json
        Whether to say it as JSON too.
    message
        What to say then.
    more
        What JSON says beside it.
    """

    def leave(number: int, frame: Any) -> None:
        from divlearn.terminal.progress import close_display

        close_display()  # it may have hidden the cursor
        echo(f"\n{message}", err=True)
        if as_json:
            echo(error_as_json(message, INTERRUPTED, **more))
        sys.stdout.flush()
        os._exit(INTERRUPTED)

    with handling(leave):
        yield


@contextmanager
def undisturbed() -> Iterator[None]:
    """Let a second, impatient Ctrl-C wait until the files are written."""
    with handling(signal.SIG_IGN):
        yield


@contextmanager
def noticing() -> Iterator[Callable[[], bool]]:
    """Take note of Ctrl-C; what is yielded says whether it came."""
    came: list[int] = []
    with handling(lambda number, frame: came.append(number)):
        yield lambda: bool(came)
