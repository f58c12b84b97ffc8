"""The file of a fork, which appears whole or not at all."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from divlearn.basics.errors import InputError
from divlearn.basics.lock import Lock
from divlearn.basics.paths import require_folder_of, scratch_beside
from divlearn.study.store.schema import WORDS

#: What SQLite and locks keep beside a file.
_BESIDE = ("-wal", "-shm", "-journal", ".lock")


def make_whole(path: Path, fill: Callable[[Path], None]) -> None:
    """Make a study that nobody sees before it is complete, also through a power cut.

    Parameters
    ----------
    path
        The new file, which must not exist.
    fill
        Makes the study at another path beside it, and closes it. If this process is
        killed meanwhile, what is left there is removed by the next one.
    """
    require_folder_of("path", path)
    target = Path(os.path.realpath(path))
    try:
        with Lock(target, WORDS.user, WORDS.in_use):
            _require_new(path, target)
            _make(target, fill)
    except OSError as error:
        raise InputError(
            f"the study {str(path)!r} cannot be written ({error.strerror}); "
            f"{WORDS.unwritable}."
        ) from error


def _make(target: Path, fill: Callable[[Path], None]) -> None:
    """Make the study under another name, and rename it."""
    _remove_leftovers(target)
    scratch = scratch_beside(target)
    try:
        fill(scratch)
        _sync(scratch)
        _remove_leftovers(target, but=scratch)  # later nobody would
        scratch.replace(target)
        _sync(target.parent)
    finally:
        _remove_leftovers(target)


def _require_new(path: Path, target: Path) -> None:
    """Refuse a name that is taken, also by the log of a study that was removed."""
    for name in (target, Path(f"{target}-wal")):
        if name.exists():
            raise InputError(
                f"a fork must have a file of its own, but {str(path)!r} exists; name "
                "another file."
                if name == target
                else f"the log {str(name)!r} of another study is there; remove it, or "
                "name another file."
            )


def _remove_leftovers(target: Path, but: Path | None = None) -> None:
    """Remove what this fork, or one that was killed, has left beside the file.

    Whoever makes files for this name has its lock, so nobody is using them.
    """
    ends = "|".join(map(re.escape, _BESIDE))
    name = rf"\.+{re.escape(target.name)}(\.[0-9a-f]{{12}}\.part)+({ends})?"
    for found in target.parent.iterdir():
        if re.fullmatch(name, found.name) and found != but:
            with suppress(OSError):
                found.unlink()


def _sync(path: Path) -> None:
    """Wait until the disk has a file, or the names in a directory."""
    try:
        number = os.open(path, os.O_RDONLY)
    except OSError:  # directories cannot be opened on Windows
        return
    try:
        os.fsync(number)
    finally:
        os.close(number)
