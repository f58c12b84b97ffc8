"""One process at a time: a lock that dies with its holder."""

from __future__ import annotations

import os
import socket
import stat
import struct
import sys
import time
import weakref
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Self, TypeVar

from divlearn.basics.errors import InputError, StoreInUse
from divlearn.basics.paths import Identity, identity_of, require_folder_of

#: How often a lock that is taken is tried again, and seconds in between.
LOOKS, MOMENT = 5, 0.02

# A byte far behind those that SQLite locks, and behind the end of any file.
_FAR = 1 << 62

T = TypeVar("T")

_held: weakref.WeakSet[Lock] = weakref.WeakSet()


class Lock:
    """A lock on a file, let go even by a process that is killed.

    It consists of two: one on a file beside it, which says who holds it, and where the
    system can do that one on the file itself, which holds under any of its names.
    Processes that the holder forks do not keep it.

    Parameters
    ----------
    path
        The file that one process at a time may write; links are followed.
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
        self._beside: int | None = None
        self._itself: int | None = None
        self._identity: Identity | None = None

    def __enter__(self) -> Self:
        """Take the lock beside the file, or say who has it."""
        name = _beside(self.path)
        while True:
            self._beside = _open_beside(name, os.O_RDWR | os.O_CREAT)
            try:
                _hold_soon(self._beside)
            except OSError:
                holder = _read_holder(self._beside)
                self._close()
                raise self._in_use(holder) from None
            if _is_named(self._beside, name):
                break
            self._close()  # removed meanwhile: another one would hold a new file
        self._require_effect(name)
        _name_holder(self._beside)
        _held.add(self)
        return self

    def _require_effect(self, name: Path) -> None:
        """Refuse a file system that grants one lock twice, as some over networks do."""
        second = _open_beside(name, os.O_RDWR)
        try:
            _hold(second)
        except OSError:
            return
        finally:
            os.close(second)
        self._close()
        raise InputError(
            f"the store {str(self.path)!r} cannot be kept here: its file system does "
            "not keep locks, so two processes could spoil it; keep it on a local disk."
        )

    def hold_file(self) -> None:
        """Take the lock on the file itself, which has to be there by now.

        Closing a file drops all locks that SQLite has on it in this process, so this is
        taken before the file is opened and let go after it was closed.
        """
        known = os.stat(self.path)
        if known.st_nlink > 1:
            raise InputError(
                f"the store {str(self.path)!r} has {known.st_nlink} names (hard "
                "links), and SQLite keeps its log by name, so that it would be spoilt; "
                "remove the others, or copy the file and use the copy."
            )
        self._identity = (known.st_dev, known.st_ino)
        if any(other._identity == self._identity for other in _held - {self}):
            raise self._in_use(_this_process())
        if _LOCK_FAR is None:
            return
        self._itself = os.open(self.path, os.O_RDWR | os.O_CLOEXEC | os.O_NONBLOCK)
        try:
            _LOCK_FAR(self._itself)
        except OSError:
            raise self._in_use("under another name") from None

    def __exit__(self, *reason: object) -> None:
        """Let go. The file stays: to remove it would let two others in at once."""
        if self._beside is not None:
            with suppress(OSError):
                os.truncate(self._beside, 0)
        self._close()

    def _close(self) -> None:
        """Close the files, which lets go only if no other process has them open."""
        for number in (self._itself, self._beside):
            if number is not None:
                with suppress(OSError):
                    os.close(number)
        self._itself = self._beside = self._identity = None

    def _in_use(self, holder: str) -> StoreInUse:
        """Make the error for a file that somebody has."""
        known = holder if holder.startswith("under") else f"process {holder}"
        by = f" ({known})" if holder else ""
        user, advice = self.user, self.advice
        if holder == _this_process():  # such as a cell of a notebook that ran twice
            user, advice = "this process itself", "close() it first, or go on with it"
        return StoreInUse(
            f"the store {str(self.path)!r} is in use by {user}{by}; {advice}."
        )


def open_alone(
    lock: Lock,
    making: Callable[[Path], None],
    opening: Callable[[Path], T],
    what: str,
    remedy: str,
) -> T:
    """Take a lock and open the file that it is for, or neither.

    Parameters
    ----------
    lock
        Lock of the file.
    making
        Makes the file where there is none.
    opening
        Opens the file at a path.
    what, remedy
        What kind of file it is and what to do if it cannot be written, for the message.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     lock = Lock(Path(folder, "notes.txt"))
    ...     with open_alone(lock, Path.touch, Path.open, "the file", "move it"):
    ...         held = holder_of(lock.path)
    ...     lock.__exit__()
    ...     held is None, holder_of(lock.path)
    (False, None)
    """
    require_folder_of(what, lock.path)
    try:
        lock.__enter__()
        if identity_of(lock.path) is None:
            making(Path(os.path.realpath(lock.path)))
        lock.hold_file()
        return opening(lock.path)
    except OSError as error:
        lock.__exit__()
        raise InputError(
            f"{what} {str(lock.path)!r} cannot be written ({error.strerror}); {remedy}."
        ) from None
    except BaseException:
        lock.__exit__()
        raise


def when_free(opening: Callable[[], T], seconds: float) -> T:
    """Open what another process may have open, after waiting for it so long.

    Examples
    --------
    >>> when_free(lambda: "opened", seconds=1.0)
    'opened'
    """
    end = time.monotonic() + seconds
    while True:
        try:
            return opening()
        except StoreInUse:
            if time.monotonic() >= end:
                raise
        time.sleep(MOMENT)


def holder_of(path: Path) -> str | None:
    """Process and host that hold the lock of a file; None if it is free.

    Only looks: nothing is made where there is no lock.
    """
    try:
        beside = _open_beside(_beside(path), os.O_RDONLY)
    except (OSError, InputError):
        return None
    try:
        _hold(beside)
    except OSError:
        return _read_holder(beside) or "unknown"
    finally:
        os.close(beside)
    return None


# --- the file beside


def _beside(path: Path) -> Path:
    """The file that carries the lock, the same one by whatever link."""
    real = Path(os.path.realpath(path))
    return real.with_name(f"{real.name}.lock")


def _open_beside(path: Path, how: int) -> int:
    """Open the file of a lock; never one that a link leads to, which may be dear."""
    for name in ("O_NOFOLLOW", "O_NONBLOCK", "O_CLOEXEC", "O_BINARY"):
        how |= getattr(os, name, 0)
    number = -1
    try:
        number = os.open(path, how, 0o666)
        known = os.fstat(number)
        good = stat.S_ISREG(known.st_mode) and known.st_nlink <= 1
    except OSError:
        if not path.is_symlink():
            raise
        good = False
    if not good:
        if number >= 0:
            os.close(number)
        raise InputError(
            f"the lock {str(path)!r} is a link or no file, which divlearn never makes; "
            "look what it is, and remove it."
        )
    return number


def _is_named(number: int, path: Path) -> bool:
    """Whether an open file still has this name."""
    known = os.fstat(number)
    return os.name == "nt" or identity_of(path) == (known.st_dev, known.st_ino)


def _name_holder(number: int) -> None:
    """Say who has it; on a full disk the lock holds without a name."""
    with suppress(OSError):
        os.truncate(number, 0)
        os.write(number, f"{_this_process()}\n".encode())


def _this_process() -> str:
    """What the file beside says while this process has it."""
    return f"{os.getpid()} on {socket.gethostname()}"


def _read_holder(number: int) -> str:
    """Who has it."""
    with suppress(OSError):
        os.lseek(number, 0, os.SEEK_SET)
        return os.read(number, 400).decode(errors="replace").strip()
    return ""


def _hold_soon(number: int) -> None:
    """Lock the file; whoever only looks who holds it does so for a moment."""
    for _ in range(LOOKS):
        try:
            _hold(number)
        except OSError:
            time.sleep(MOMENT)
        else:
            return
    _hold(number)


def _forget_in_child() -> None:
    """A forked process must not keep the lock when its parent is killed."""
    for lock in list(_held):
        lock._close()


# --- what the systems offer


def _lock_far(number: int) -> None:
    """Lock a byte of an open file, whoever has it open; raises if it is taken."""
    import fcntl

    wish = struct.pack("hhqqi", fcntl.F_WRLCK, os.SEEK_SET, _FAR, 1, 0)
    fcntl.fcntl(number, fcntl.F_OFD_SETLK, wish)


#: Where locks belong to the open file, not to the process, they can be taken beside
#: those of SQLite.
_LOCK_FAR: Callable[[int], None] | None = (
    _lock_far if sys.platform == "linux" and sys.maxsize > 2**32 else None
)

if os.name == "nt":

    def _hold(number: int) -> None:
        """Lock the first byte behind what is ever written; raises if it is taken."""
        import msvcrt

        os.lseek(number, 1 << 30, os.SEEK_SET)
        msvcrt.locking(number, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]
        os.lseek(number, 0, os.SEEK_SET)

else:

    def _hold(number: int) -> None:
        """Lock the file; raises if it is taken."""
        import fcntl

        fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)

    os.register_at_fork(after_in_child=_forget_in_child)
