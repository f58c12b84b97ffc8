"""One process at a time: a lock that dies with its holder."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import IO, Self

from divlearn.errors import InputError


class Lock:
    """A lock on a file beside another one, let go even by a process that is killed.

    Parameters
    ----------
    path
        The file that one process at a time may write.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with Lock(Path(folder, "bench.db")):
    ...         Path(folder, "bench.db.lock").exists()
    True
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file: IO[str] | None = None

    def __enter__(self) -> Self:
        """Take the lock, or say who has it."""
        # Opened for appending: a process that is refused must not empty the file.
        file = self.path.with_name(f"{self.path.name}.lock").open("a+")
        try:
            _hold(file)
        except OSError:
            file.seek(0)
            holder = file.read().strip()
            file.close()
            by = f" (process {holder})" if holder else ""
            raise InputError(
                f"the store {str(self.path)!r} is in use by another benchmark{by}; "
                "wait until it is done, or choose another --out or --store."
            ) from None
        file.truncate(0)
        file.write(f"{os.getpid()}\n")
        file.flush()
        self._file = file
        return self

    def __exit__(self, *reason: object) -> None:
        """Let go. The file stays: to remove it would let two others in at once."""
        if self._file is not None:
            with suppress(OSError):
                self._file.truncate(0)
            self._file.close()
            self._file = None


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
