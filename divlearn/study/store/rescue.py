"""Saving a study whose file was removed while it was open."""

from __future__ import annotations

import os
import sqlite3
import tempfile
from contextlib import closing, suppress
from pathlib import Path

from divlearn.basics.errors import StoreError
from divlearn.basics.paths import create, identity_of
from divlearn.basics.sqlite import connect_to_write
from divlearn.study.store.table import Row


class Watch:
    """Notices when a path no longer leads to the file that is open.

    Parameters
    ----------
    path
        The file, which is open by now.

    Examples
    --------
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "chip.db")
    ...     path.touch()
    ...     watch = Watch(path)
    ...     before = watch.change()
    ...     path.unlink()
    ...     before, watch.change()
    ('', 'was removed or renamed')
    """

    def __init__(self, path: Path) -> None:
        self._path = str(path)
        self._log = f"{os.path.realpath(path)}-wal"
        self._file = identity_of(path)
        self._log_file = identity_of(self._log)

    def change(self) -> str:
        """Say what happened to the file; "" as long as it is where it was."""
        now = identity_of(self._path)
        if now != self._file:
            return "was removed or renamed" if now is None else "was replaced"
        log = identity_of(self._log)
        if self._log_file is None:
            self._log_file = log
        elif log != self._log_file:
            return "has lost its log (-wal), which was removed or replaced"
        return ""


def copy_elsewhere(
    connection: sqlite3.Connection, path: Path
) -> tuple[sqlite3.Connection, Path]:
    """Write a whole study to a new file; beside the old one if that can be done.

    Parameters
    ----------
    connection
        The study, of which the operating system keeps the content as long as it is
        open.
    path
        Where it was.

    Returns
    -------
    A connection to the new file, and its path.
    """
    reasons = []
    for folder in (path.parent, Path.cwd(), Path(tempfile.gettempdir())):
        try:
            return _copy(connection, _free_name(folder / path.name))
        except (OSError, sqlite3.Error) as error:
            reasons.append(f"{folder}: {error}")
    raise StoreError(
        f"the study {str(path)!r} was removed while it was open, and what it held "
        f"could not be written elsewhere ({'; '.join(reasons)}). As long as this "
        "process lives, study.trials() has it."
    )


def _free_name(path: Path) -> Path:
    """Make an empty file with a name that says what it is."""
    number = 1
    while True:
        name = f"{path.stem}.rescued-{number}{path.suffix or '.db'}"
        try:
            os.close(create(path.with_name(name)))
        except FileExistsError:
            number += 1
        else:
            return path.with_name(name)


def _copy(
    connection: sqlite3.Connection, target: Path
) -> tuple[sqlite3.Connection, Path]:
    """Copy a database into an empty file."""
    try:
        with closing(sqlite3.connect(target)) as copied:
            connection.backup(copied)
        return connect_to_write(target), target
    except BaseException:
        with suppress(OSError):
            target.unlink()
        raise


def let_go(connection: sqlite3.Connection) -> None:
    """Close a file that has lost its name.

    What its log holds is moved into it, which completes a file that was renamed; and
    an empty log cannot spoil a file that takes the old name.
    """
    with suppress(sqlite3.Error):
        _: list[Row] = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    with suppress(sqlite3.Error):
        connection.close()
