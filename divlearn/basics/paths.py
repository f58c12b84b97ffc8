"""Paths from users: anything that is not and cannot be a file is refused early."""

from __future__ import annotations

import os
import secrets
import stat
from pathlib import Path
from typing import Any

from divlearn.basics.errors import InputError

#: Device and number of a file, which identify it whatever its name.
Identity = tuple[int, int]

_KINDS = (
    (stat.S_ISDIR, "a directory"),
    (stat.S_ISFIFO, "a pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)
_ONLY_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_CLOEXEC", 0)


def file_path(name: str, path: Any) -> Path:
    """Check that this names a file, or a place where one can be made.

    Parameters
    ----------
    name
        Name of the argument, for messages.
    path
        What was given.

    Examples
    --------
    >>> file_path("path", "chip.db").name
    'chip.db'
    >>> file_path("path", "/")
    Traceback (most recent call last):
    ...
    divlearn.InputError: path must be the name of a file, got '/'.
    """
    try:
        read = Path(path)
    except TypeError:
        read = Path("")
    if not read.name or "\0" in str(read):
        raise InputError(f"{name} must be the name of a file, got {path!r}.")
    try:
        mode = read.stat().st_mode
    except (FileNotFoundError, NotADirectoryError):
        return read
    except OSError as error:
        raise InputError(
            f"{name} {str(read)!r} cannot be used ({error.strerror}); name another "
            "file."
        ) from None
    for is_kind, kind in _KINDS:
        if is_kind(mode):
            raise InputError(
                f"{name} must be the name of a file, got {str(read)!r}, which is "
                f"{kind}."
            )
    return read


def require_folder_of(name: str, path: Path) -> None:
    """Refuse a file in a missing directory, so that no typo creates one."""
    folder = path.parent
    if folder.is_dir():
        return
    if folder.exists():
        raise InputError(
            f"{name} {str(path)!r} cannot be written: {str(folder)!r} is not a "
            "directory; choose a file in a directory that you may write to."
        )
    raise InputError(
        f"{name} {str(path)!r} cannot be written: the directory {str(folder)!r} does "
        "not exist; make it first, or name a file in another one."
    )


def identity_of(path: str | Path) -> Identity | None:
    """Device and number of the file with this name; None if there is none."""
    try:
        known = os.stat(path)
    except (OSError, ValueError):
        return None
    return known.st_dev, known.st_ino


def scratch_beside(path: Path) -> Path:
    """A name in the same directory that is unused and cannot be guessed."""
    return path.with_name(f".{path.name}.{secrets.token_hex(6)}.part")


def create(path: Path) -> int:
    """Make a new file, following no link, and open it for writing."""
    return os.open(path, _ONLY_NEW | getattr(os, "O_BINARY", 0), 0o666)
