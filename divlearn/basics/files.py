"""Files that appear whole or not at all, and hashes of their content."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from divlearn.basics.errors import InputError
from divlearn.basics.paths import create, file_path, require_folder_of, scratch_beside


def write_atomically(path: str | Path, content: bytes) -> None:
    """Write to another name and rename, so that no reader sees half a file."""
    target = file_path("path", path)
    require_folder_of("path", target)
    scratch = scratch_beside(target)
    try:
        with os.fdopen(create(scratch), "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        scratch.replace(target)
    except OSError as error:
        with suppress(OSError):
            scratch.unlink()
        raise InputError(
            f"path {str(target)!r} cannot be written ({error.strerror}); choose a file "
            "in a directory that you may write to."
        ) from error


def digest_of(files: Sequence[str]) -> str:
    """Hash the content of files."""
    digest = hashlib.sha256()
    for path in files:
        try:
            digest.update(hashlib.sha256(Path(path).read_bytes()).digest())
        except OSError as error:
            raise InputError(
                f"file {path!r} cannot be read ({error.strerror}); paths are relative "
                "to the file that names them."
            ) from None
    return digest.hexdigest()[:32]
