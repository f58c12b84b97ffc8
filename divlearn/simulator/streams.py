"""What a process writes, read as it comes, until the process has ended.

A pipe ends only when everybody who has it has closed it. A process that a simulator
left behind may have it for ever, so its end is not what is waited for.
"""

from __future__ import annotations

import os
import select
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

from divlearn.workers.system import POSIX

#: Milliseconds between looks whether the process has ended.
TICK = 100
#: Seconds for what is still in the pipe when it has.
REST = 0.5


def chunks(pipe: Any, ended: Callable[[], bool]) -> Iterator[bytes]:
    """Yield what comes through a pipe, until its end or that of who writes.

    Parameters
    ----------
    pipe
        File object over a pipe, which nobody else reads.
    ended
        Says whether the process that writes has ended.
    """
    deadline = None
    descriptor = pipe.fileno()
    while deadline is None or time.monotonic() < deadline:
        over = ended()  # before the look: what was written last is then seen
        if _is_ready(descriptor):
            chunk = os.read(descriptor, 65_536)
            if not chunk:
                return
            yield chunk
        elif over:
            return
        if over and deadline is None:
            deadline = time.monotonic() + REST


def _is_ready(descriptor: int) -> bool:
    """Wait a moment for something to read; True where one can only wait for ever."""
    if not POSIX:
        return True
    waiting = select.poll()
    waiting.register(descriptor, select.POLLIN)
    return bool(waiting.poll(TICK))


class Tail:
    """The last bytes of a stream.

    Parameters
    ----------
    most
        Bytes to keep.
    enough
        Called once there are more; by default the first bytes are forgotten.
    """

    def __init__(self, most: int, enough: Callable[[], None] | None = None) -> None:
        self.content: bytes = b""
        self.overflow: bool = False
        self._most, self._enough = most, enough

    def read(self, parts: Iterator[bytes]) -> None:
        """Take all that comes, so that who writes never waits."""
        with suppress(OSError, ValueError):
            for chunk in parts:
                self.overflow |= len(self.content) + len(chunk) > self._most
                self.content = (self.content + chunk)[-self._most :]
                if self.overflow and self._enough is not None:
                    self._enough()
                    return


def lines_of(parts: Iterator[bytes], most: int) -> Iterator[bytes]:
    r"""Yield whole lines; one that is too long is yielded as far as it came.

    Examples
    --------
    >>> list(lines_of(iter([b"a\nb", b"c\n", b"rest"]), 100))
    [b'a\n', b'bc\n', b'rest']
    """
    rest = b""
    for chunk in parts:
        *whole, rest = (rest + chunk).split(b"\n")
        yield from (line + b"\n" for line in whole)
        if len(rest) > most:
            break
    if rest:
        yield rest


def last_lines(content: bytes, lines: int = 8, characters: int = 800) -> str:
    r"""The end of a text, for a message.

    Examples
    --------
    >>> last_lines(b"one\ntwo\n", lines=1)
    'two'
    """
    text = content.decode("utf-8", "replace").strip()
    return "\n".join(text.splitlines()[-lines:])[-characters:]
