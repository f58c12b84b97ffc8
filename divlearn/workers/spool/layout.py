"""What the directory of a spool holds: jobs, answers, and who may read them."""

from __future__ import annotations

import errno
import hashlib
import json
import os
import re
import stat
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from divlearn.basics.checks import require_number
from divlearn.basics.errors import InputError
from divlearn.basics.paths import create, scratch_beside
from divlearn.basics.text import as_json
from divlearn.basics.typing import Codes
from divlearn.spaces import Space
from divlearn.spaces.plain import as_plain
from divlearn.workers.base import Attempt

FORMAT = 1
ABOUT, PROBLEM = "spool.json", "problem.pickle"
#: Where jobs wait, are worked on, are answered, and are when nobody works on them.
NEW, CLAIMED, DONE, GONE = "new", "claimed", "done", "lost"
ROOMS = (NEW, CLAIMED, DONE, GONE)
#: Names of jobs: number, replicate, attempt, and a hash of study and design.
_NAME = re.compile(r"(\d{8,12})-(\d+)-(\d+)-([0-9a-f]{16})\.json")
#: Bytes of a job or an answer that are read.
MOST = 16_000_000
#: Seconds of silence after which a worker counts as lost, unless told otherwise: more
#: than network file systems may keep an old time of a file.
LEASE = 300.0


@dataclass(frozen=True)
class About:
    """What ``spool.json`` says.

    Attributes
    ----------
    study
        Which study the jobs belong to.
    problem
        Its name, for messages.
    open
        Whether a coordinator may add jobs.
    lease
        Seconds of silence after which a worker counts as lost.
    timeout
        Seconds that an evaluation may take.
    pickle
        Hash of the pickled problem; None if there is none.
    why
        Why there is none, in words.
    """

    study: str
    problem: str
    open: bool = True
    lease: float = LEASE
    timeout: float | None = None
    pickle: str | None = None
    why: str = ""


class Layout:
    """The rooms of a spool and what is moved between them.

    Parameters
    ----------
    path
        The directory.
    """

    def __init__(self, path: str | Path) -> None:
        self.path: Path = Path(path)

    def make(self) -> None:
        """Make the directories, for their owner alone: jobs name code to be run."""
        if not self.path.parent.is_dir():
            raise InputError(
                f"the spool {str(self.path)!r} cannot be made: the directory "
                f"{str(self.path.parent)!r} does not exist; make it first."
            )
        try:
            for folder in (self.path, *(self.path / room for room in ROOMS)):
                with suppress(FileExistsError):
                    folder.mkdir(mode=0o700)
                if not folder.is_dir():
                    raise NotADirectoryError(0, "it is no directory")
        except OSError as error:
            raise InputError(
                f"the spool {str(self.path)!r} cannot be used ({error.strerror}); name "
                "a directory that you may write to."
            ) from None

    # --- whole files

    def write(self, place: Path, content: bytes, durable: bool = False) -> None:
        """Write a file that appears whole or not at all."""
        scratch = scratch_beside(place)
        try:
            with os.fdopen(create(scratch), "wb") as file:
                file.write(content)
                if durable:
                    file.flush()
                    os.fsync(file.fileno())
            scratch.replace(place)
        except OSError:
            with suppress(OSError):
                scratch.unlink()
            raise

    def read(self, place: Path) -> Any:
        """Read JSON; raises ValueError if it is none, OSError if it is not there."""
        how = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
        try:
            number = os.open(place, how)
        except OSError as error:
            if error.errno != errno.ESTALE:  # a network file system remembers it
                raise
            number = os.open(place, how)
        with os.fdopen(number, "rb") as file:
            if not stat.S_ISREG(os.fstat(number).st_mode):
                raise ValueError("it is no file")
            content = file.read(MOST + 1)
        if len(content) > MOST:
            raise ValueError(f"it has more than {MOST:,} bytes")
        try:
            return json.loads(content)
        except RecursionError:
            raise ValueError("it is nested too deeply") from None

    # --- what the spool is

    def about(self) -> About | None:
        """What the spool is; None if nobody has said so yet."""
        try:
            said = self.read(self.path / ABOUT)
        except FileNotFoundError:
            return None
        except (OSError, ValueError) as error:
            raise InputError(
                f"{str(self.path / ABOUT)!r} cannot be read ({error}); is that the "
                "directory of a spool?"
            ) from None
        if not isinstance(said, dict) or said.pop("format", None) != FORMAT:
            raise InputError(
                f"{str(self.path / ABOUT)!r} is not of this version of divlearn; use "
                "the same one for the study and its workers."
            )
        try:
            about = About(**said)
            require_number("lease", about.lease, 0.01)
        except (TypeError, InputError):
            raise InputError(
                f"{str(self.path / ABOUT)!r} makes no sense; run the study again."
            ) from None
        return about

    def describe(self, about: About) -> None:
        """Say what the spool is."""
        text = as_json({"format": FORMAT, **vars(about)}, indent=1)
        self.write(self.path / ABOUT, text.encode(), durable=True)

    # --- jobs

    def names(self, room: str) -> list[str]:
        """Jobs in a room, in their order; other files are passed over."""
        try:
            found = os.listdir(self.path / room)
        except OSError:
            return []
        return sorted(name for name in found if _NAME.fullmatch(name))

    def at(self, room: str, name: str) -> Path:
        """Where a job is, or would be."""
        return self.path / room / name

    def move(self, name: str, source: str, target: str) -> bool:
        """Move a job from room to room; False if somebody else has done so."""
        try:
            self.at(source, name).rename(self.at(target, name))
        except OSError:
            return False
        return True

    def remove(self, name: str, *rooms: str) -> None:
        """Remove a job from rooms, as far as it is there."""
        for room in rooms:
            with suppress(OSError):
                self.at(room, name).unlink()


def job_name(attempt: Attempt, study: str, codes: Codes) -> str:
    """The file of an evaluation: the same one for the same study, design and try."""
    facts = [study, attempt.number, attempt.replicate, attempt.seed]
    content = json.dumps(facts).encode() + np.ascontiguousarray(codes, "<i8").tobytes()
    digest = hashlib.sha256(content).hexdigest()[:16]
    return f"{attempt.number:08d}-{attempt.replicate}-{attempt.attempt}-{digest}.json"


def key_of(name: str) -> tuple[str, str, str]:
    """What all tries of one evaluation have in common.

    Examples
    --------
    >>> key_of("00000012-0-1-0123456789abcdef.json")
    ('00000012', '0', '0123456789abcdef')
    """
    number, replicate, _, digest = name.removesuffix(".json").split("-")
    return number, replicate, digest


def write_job(attempt: Attempt, codes: Codes) -> bytes:
    """A job as JSON: the design by names for any program, as codes for ours."""
    job = {
        "number": attempt.number,
        "attempt": attempt.attempt,
        "replicate": attempt.replicate,
        "seed": attempt.seed,
        "design": as_plain(attempt.x),
        "codes": np.asarray(codes).tolist(),
    }
    return as_json(job).encode()


def read_job(job: Any, space: Space) -> Attempt:
    """The evaluation that a job asks for; raises ValueError if it makes no sense."""
    try:
        codes = np.array(job["codes"], np.int64)
        x = space.decode(codes)
        number, attempt = int(job["number"]), int(job["attempt"])
        seed = None if job["seed"] is None else int(job["seed"])
        return Attempt(number, attempt, int(job["replicate"]), x, seed, codes)
    except (KeyError, TypeError, ValueError, IndexError, OverflowError) as error:
        raise ValueError(f"the job makes no sense ({error!r})") from None
