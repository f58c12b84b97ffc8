"""``Watch``: one file that is looked at again and again.

A watch never writes, and holds no file open between two looks.
"""

from __future__ import annotations

import math
import os
import time
from abc import ABC, abstractmethod
from collections import deque
from pathlib import Path
from typing import Any

from divlearn.basics.errors import DivlearnError
from divlearn.basics.text import one_line, said_by
from divlearn.problems.drawings import Drawing
from divlearn.web.matters import understood

#: Changes of a front that are remembered; who knows less gets all of it.
MOST_CHANGES = 200

Columns = dict[str, Any]


class Watch(ABC):
    """A file of one kind.

    Attributes
    ----------
    path
        The file.
    error
        Why it cannot be shown; empty if it can.
    version
        Raised whenever the front changes.
    share
        How much of the file has been read, from 0 to 1, while the first reading of a
        large one goes on; None when all of it is known.
    """

    kind = ""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.error: str = ""
        self.version: int = 0
        self.share: float | None = None
        self._until = math.inf
        self._seen: object = None
        self._changes: deque[tuple[int, list[int], list[int]]] = deque(
            maxlen=MOST_CHANGES
        )

    def look(self, seconds: float = math.inf) -> bool:
        """Read what is new, for so long; say whether anything is.

        Whoever gives it little time looks again while there is a ``share``.
        """
        self._until = time.monotonic() + seconds
        mark = self._mark()
        if mark == self._seen and not self._restless():
            return False
        try:
            self._read()
            self.error = ""
        except DivlearnError as error:
            self.error = str(error)
        except OSError as error:
            self.error = f"{self.path.name} cannot be read ({error.strerror})."
        except Exception as error:  # one bad file must not take all others along
            self.error = (
                f"{self.path.name} cannot be shown ({one_line(said_by(error))}); it "
                "may have been changed by another program."
            )
        # After an error, look again: whoever held the file may let go of it.
        self._seen = None if self.error or self.share is not None else mark
        return True

    def _mark(self) -> object:
        """What changes whenever the file does."""
        return tuple(_stat(Path(f"{self.path}{end}")) for end in ("", "-wal"))

    def _restless(self) -> bool:
        """Whether there may be news although the file has not changed."""
        return False

    @abstractmethod
    def _read(self) -> None:
        """Read what is new."""

    def _late(self) -> bool:
        """Whether the time of this look is over."""
        return time.monotonic() > self._until

    # --- what a page is told

    @abstractmethod
    def head(self) -> Columns:
        """What a list of studies shows."""

    @abstractmethod
    def body(self) -> Columns:
        """What the page of one study shows, but for the rows of its front."""

    @abstractmethod
    def rows(self, numbers: list[int] | None = None) -> Columns:
        """Rows of the front as columns: all, or those with numbers."""

    @abstractmethod
    def designs(self, numbers: list[int]) -> dict[int, Any]:
        """Designs with numbers, as the user declared them."""

    def drawing(self) -> Drawing | None:
        """How designs are drawn; None if nobody said so."""
        return None

    def replay(self) -> Columns | None:
        """How the front grew; None if nobody knows."""
        return None

    def matters(self) -> dict[str, Any]:
        """What matters, worked out here and now."""
        return understood(self.path)

    def front(self, have: int = -1) -> Columns:
        """The front, or what has changed since the version that somebody has."""
        late = [change for change in self._changes if change[0] > have]
        known = late and late[0][0] == have + 1
        if have == self.version or known:
            gone: set[int] = set()
            new: set[int] = set()
            for _, added, removed in late:
                new = (new | set(added)) - set(removed)
                gone |= set(removed)
            rows = self.rows(sorted(new))
            return {
                "version": self.version,
                "since": have,
                "gone": sorted(gone),
                **rows,
            }
        return {"version": self.version, **self.rows()}

    def _changed(self, before: list[int], after: list[int]) -> None:
        """Remember how the front changed."""
        old, new = set(before), set(after)
        self.version += 1
        self._changes.append((self.version, sorted(new - old), sorted(old - new)))

    def _anew(self) -> None:
        """Forget changes: everybody has to take the whole front."""
        self.version += 2
        self._changes.clear()


def _stat(path: Path) -> tuple[int, ...] | None:
    """Identity, size and time of a file; None if there is none, or nothing in it."""
    try:
        found = os.stat(path)
    except OSError:
        return None
    if not found.st_size:  # who only reads may leave an empty log behind
        return None
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns
