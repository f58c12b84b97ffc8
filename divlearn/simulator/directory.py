"""A directory for each evaluation, made and removed here."""

from __future__ import annotations

import os
import shutil
import stat
import tempfile
from contextlib import suppress
from pathlib import Path

from divlearn.simulator.metrics import SimulatorFailure
from divlearn.workers.base import current_attempt

#: What may happen to a directory when its evaluation is over.
KEEP = ("failures", "always", "never")
#: Do not follow links, do not wait for pipes, change no ends of lines.
_PLAIN = sum(getattr(os, f"O_{x}", 0) for x in ("NOFOLLOW", "NONBLOCK", "BINARY"))


class Directory:
    """Where one evaluation works.

    Parameters
    ----------
    above
        Where to make it.
    """

    def __init__(self, above: Path) -> None:
        task = current_attempt()
        prefix = "evaluation-"
        if task is not None:
            prefix = f"{task.number:06d}-{task.attempt}-{task.replicate}-"
        try:
            above.mkdir(parents=True, exist_ok=True)
            self.path: Path = Path(tempfile.mkdtemp(prefix=prefix, dir=above))
        except OSError as error:
            raise SimulatorFailure(
                f"no directory can be made in {str(above)!r} ({error.strerror}); set "
                "directory in [evaluate] to one that you may write to."
            ) from None

    def write(self, name: str, content: bytes) -> None:
        """Write a file anew: one of that name that a simulator left is not followed."""
        path = self.path / name
        try:
            path.unlink(missing_ok=True)
            descriptor = os.open(
                path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _PLAIN, 0o644
            )
            with os.fdopen(descriptor, "wb") as file:
                file.write(content)
        except OSError as error:
            raise SimulatorFailure(
                f"{str(path)!r} cannot be written ({error.strerror})."
            ) from None

    def read(self, name: str, most: int) -> bytes:
        """Read a plain file of at most so many bytes; links are not followed."""
        path = self.path / name
        try:
            descriptor = os.open(path, os.O_RDONLY | _PLAIN)
            with os.fdopen(descriptor, "rb") as file:
                if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                    raise SimulatorFailure(f"{name} is not a plain file.")
                content = file.read(most + 1)
        except OSError as error:
            raise SimulatorFailure(
                f"the simulator left no file {name} in its directory "
                f"({error.strerror})."
            ) from None
        if len(content) > most:
            raise SimulatorFailure(f"{name} has more than {most:,} bytes.")
        return content

    def keep(self, stdout: bytes, stderr: bytes) -> None:
        """Leave it, with what was printed, for somebody to look at."""
        for name, content in (("stdout.txt", stdout), ("stderr.txt", stderr)):
            with suppress(SimulatorFailure):
                self.write(name, content)

    def remove(self) -> None:
        """Remove it with all that is in it."""
        shutil.rmtree(self.path, ignore_errors=True)
