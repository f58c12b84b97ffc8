"""How a process begins: apart from the terminal, with its own streams and one line."""

from __future__ import annotations

import os
import signal
import sys
import threading
import traceback
import warnings
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection, Pipe
from typing import Any

from divlearn.workers.system import own_session

#: What a user or a system may send to us while a process is being made.
HELD_BACK = {signal.SIGINT, signal.SIGTERM}
#: Our ends of lines. A forked process must close its copies: otherwise those at the
#: other end would not notice when we are gone.
_OUR_ENDS: weakref.WeakSet[Any] = weakref.WeakSet()
_MAKING = threading.RLock()


def new_line() -> tuple[Any, Any]:
    """Return two ends, ours and theirs."""
    ours, theirs = Pipe()
    _OUR_ENDS.add(ours)
    return ours, theirs


@contextmanager
def making() -> Iterator[None]:
    """Make one process at a time, and hold signals back until it has left the terminal.

    Another process would get a copy of the new one's end of the line. The copy of the
    thread that forks goes on holding the lock.
    """
    with _MAKING:
        if os.name == "nt":
            yield
            return
        mask = signal.pthread_sigmask(signal.SIG_BLOCK, HELD_BACK)
        try:
            yield
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)


@contextmanager
def quiet_fork() -> Iterator[None]:
    """Fork without copies of unwritten text, and without a warning.

    Python warns of forks where threads run: a lock that one of them holds stays held
    in the copy. Ours touches none that threads of the parent are known to use.
    """
    for stream in (sys.stdout, sys.stderr):
        with suppress(Exception):
            stream.flush()
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", ".*fork", DeprecationWarning)
        yield


def live(
    set_apart: Callable[[], None],
    function: Callable[..., None],
    line: Connection,
    arguments: tuple[Any, ...],
) -> None:
    """The whole life of a forked process; it never returns to what was copied."""
    code = 1
    try:
        for end in list(_OUR_ENDS):
            end.close()
        _OUR_ENDS.clear()
        set_apart()
        _usual_signals()
        _own_streams()
        function(line, *arguments)
        code = 0
    except BaseException:
        with suppress(BaseException):
            traceback.print_exc()
    finally:
        with suppress(BaseException):
            sys.stdout.flush()
        os._exit(code)


def live_anew(
    function: Callable[..., None], line: Connection, arguments: tuple[Any, ...]
) -> None:
    """The life of a process that was started anew."""
    own_session()
    if os.name != "nt":
        signal.pthread_sigmask(signal.SIG_UNBLOCK, HELD_BACK)
    _own_streams()
    function(line, *arguments)


def _usual_signals() -> None:
    """Forget the handlers of the process that was copied."""
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for kind in (signal.SIGTERM, signal.SIGCHLD, signal.SIGALRM):
        signal.signal(kind, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, HELD_BACK)


def _own_streams() -> None:
    """Let what is printed go to standard error, and nothing be read.

    Standard output may be read by a program, line by line.
    """
    with suppress(OSError):
        nothing = os.open(os.devnull, os.O_RDWR)
        if nothing != 0:
            os.dup2(nothing, 0)
            os.close(nothing)
    with suppress(OSError):
        os.dup2(2, 1)
    for name, number in (("stdin", 0), ("stdout", 1), ("stderr", 2)):
        mode = "r" if name == "stdin" else "w"
        with suppress(OSError):
            text = open(  # noqa: SIM115 - for the whole life of the process
                number, mode, 1, "utf-8", "backslashreplace", closefd=False
            )
            setattr(sys, name, text)
