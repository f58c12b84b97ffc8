"""Favourites with notes, in a file beside the study and never in it."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

from divlearn.basics.errors import InputError
from divlearn.basics.files import write_atomically
from divlearn.basics.text import as_json, storable

#: How the names of such files end.
ENDING = ".favourites.json"
FORMAT = "divlearn favourites"
VERSION = 1
#: Characters of a note, favourites of a study, and bytes of their file.
LONGEST, MOST, LARGEST = 20_000, 1_000, 30_000_000


class Favourites:
    """Designs that somebody marked, by number, with a note each.

    Parameters
    ----------
    path
        The study or result beside which the file stands.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     kept = Favourites(Path(folder, "chip.db"))
    ...     kept.put(7, "ask Ann")
    ...     kept.path.name, [one["note"] for one in kept.all()]
    ('chip.db.favourites.json', ['ask Ann'])
    """

    def __init__(self, path: Path) -> None:
        self.path: Path = path.with_name(path.name + ENDING)

    def all(self) -> list[dict[str, Any]]:
        """Every favourite as a dict with ``number``, ``note`` and ``added``."""
        return list(self._read().values())

    def put(self, number: int, note: str) -> None:
        """Mark a design, or change its note."""
        kept = self._read()
        added = kept.get(number, {}).get("added", time.time())
        kept[number] = {"number": number, "note": _checked(note), "added": added}
        if len(kept) > MOST:
            raise InputError(f"there are {MOST:,} favourites already; remove some.")
        self._write(kept)

    def remove(self, number: int) -> None:
        """Unmark a design."""
        kept = self._read()
        if kept.pop(number, None) is not None:
            self._write(kept)

    def _read(self) -> dict[int, dict[str, Any]]:
        """What the file holds by number; nothing if there is none."""
        try:
            if self.path.stat().st_size > LARGEST:
                raise ValueError("it is too large")
            document = json.loads(self.path.read_text("utf-8"))
            listed = document["favourites"]
            if document["format"] != FORMAT or document["version"] > VERSION:
                raise ValueError("it is of another kind, or newer")
            return {int(one["number"]): _one(one) for one in listed}
        except FileNotFoundError:
            return {}
        except OSError as error:
            raise self._unreadable(str(error.strerror)) from None
        except (KeyError, RecursionError, TypeError, ValueError) as error:
            raise self._unreadable(str(error)) from None

    def _unreadable(self, why: str) -> InputError:
        """The error for a file that somebody else wrote."""
        return InputError(
            f"the favourites in {self.path.name!r} cannot be read ({why}); move the "
            "file away to begin anew."
        )

    def _write(self, kept: dict[int, dict[str, Any]]) -> None:
        """Write the file; it appears whole or not at all."""
        listed = [kept[number] for number in sorted(kept)]
        document = {"format": FORMAT, "version": VERSION, "favourites": listed}
        write_atomically(self.path, (as_json(document, indent=1) + "\n").encode())


def _one(entry: dict[str, Any]) -> dict[str, Any]:
    """Check a favourite from a file."""
    note, added = entry["note"], entry["added"]
    return {"number": int(entry["number"]), "note": str(note), "added": float(added)}


def _checked(note: Any) -> str:
    """A note as it is kept."""
    if not isinstance(note, str) or len(note) > LONGEST:
        raise InputError(f"a note must be text of at most {LONGEST:,} characters.")
    return storable(note)
