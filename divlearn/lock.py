"""One process at a time: a lock that dies with its holder."""

from __future__ import annotations

import os
import socket
import time
import weakref
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import IO, Self, TypeVar

from divlearn.errors import InputError

#: How often a lock that is taken is tried again, and seconds in between.
LOOKS, MOMENT = 5, 0.02

T = TypeVar("T")

_held: weakref.WeakSet[Lock] = weakref.WeakSet()


class Lock:
    """A lock on a file beside another one, let go even by a process that is killed.

    Processes that the holder forks do not keep it.

    Parameters
    ----------
    path
        The file that one process at a time may write.
    user
        Who else may have it, for the message.
    advice
        What to do then.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "bench.db")
    ...     with Lock(path):
    ...         holder_of(path).split()[0] == str(os.getpid())
    ...     print(holder_of(path))
    True
    None
    """

    def __init__(
        self,
        path: Path,
        user: str = "another process",
        advice: str = "wait until it is done, or choose another file",
    ) -> None:
        self.path = path
        self.user = user
        self.advice = advice
        self._file: IO[str] | None = None

    def __enter__(self) -> Self:
        """Take the lock, or say who has it."""
        # Opened for appending: a process that is refused must not empty the file.
        file = _beside(self.path).open("a+")
        try:
            _hold_soon(file)
        except OSError:
            file.seek(0)
            holder = file.read().strip()
            file.close()
            by = f" (process {holder})" if holder else ""
            raise InputError(
                f"the store {str(self.path)!r} is in use by {self.user}{by}; "
                f"{self.advice}."
            ) from None
        try:
            file.truncate(0)
            file.write(f"{os.getpid()} on {socket.gethostname()}\n")
            file.flush()
        except OSError:  # of a full disk; the lock holds without a name in it
            with suppress(OSError):
                file.truncate(0)
        self._file = file
        _held.add(self)
        return self

    def __exit__(self, *reason: object) -> None:
        """Let go. The file stays: to remove it would let two others in at once."""
        if self._file is not None:
            with suppress(OSError):
                self._file.truncate(0)
            self._close()

    def _close(self) -> None:
        """Close the file, which lets go only if no other process has it open."""
        if self._file is not None:
            with suppress(OSError):
                self._file.close()
            self._file = None


def open_alone(lock: Lock, opening: Callable[[Path], T], what: str, remedy: str) -> T:
    """Take a lock and open the file that it is for, or neither.

    Parameters
    ----------
    lock
        Lock of the file.
    opening
        Opens the file at a path; its directory is made before.
    what, remedy
        What kind of file it is and what to do if it cannot be written, for the message.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     lock = Lock(Path(folder, "new", "notes.txt"))
    ...     with open_alone(lock, lambda path: path.open("w"), "the file", "move it"):
    ...         held = holder_of(lock.path)
    ...     lock.__exit__()
    ...     held is None, holder_of(lock.path)
    (False, None)
    """
    try:
        lock.path.parent.mkdir(parents=True, exist_ok=True)
        lock.__enter__()
    except OSError as error:
        raise InputError(
            f"{what} {str(lock.path)!r} cannot be written ({error.strerror}); {remedy}."
        ) from None
    try:
        return opening(lock.path)
    except BaseException:
        lock.__exit__()
        raise


def holder_of(path: Path) -> str | None:
    """Process and host that hold the lock of a file; None if it is free.

    Only looks: nothing is made where there is no lock.
    """
    beside = _beside(path)
    try:
        with beside.open("r") as file:
            try:
                _hold(file)
            except OSError:
                return file.read().strip() or "unknown"
    except OSError:
        pass
    return None


def _beside(path: Path) -> Path:
    """The file that carries the lock."""
    return path.with_name(f"{path.name}.lock")


def _hold_soon(file: IO[str]) -> None:
    """Lock the file; whoever only looks who holds it does so for a moment."""
    for _ in range(LOOKS):
        try:
            _hold(file)
        except OSError:
            time.sleep(MOMENT)
        else:
            return
    _hold(file)


def _forget_in_child() -> None:
    """A forked process must not keep the lock when its parent is killed."""
    for lock in list(_held):
        lock._close()


if os.name == "nt":

    def _hold(file: IO[str]) -> None:
        """Lock the first byte behind what is ever written; raises if it is taken."""
        import msvcrt

        file.seek(1 << 30)
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]

else:

    def _hold(file: IO[str]) -> None:
        """Lock the file; raises if it is taken."""
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)

    os.register_at_fork(after_in_child=_forget_in_child)
