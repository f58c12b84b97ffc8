"""Which files are shown: those that were given, and those in folders that were."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path

from divlearn.basics.errors import InputError
from divlearn.basics.plugins import VIEWS, load_plugin, plugins
from divlearn.result.file import FORMAT
from divlearn.study.store.schema import STUDY
from divlearn.web.favourites import ENDING
from divlearn.web.outcome import ResultWatch
from divlearn.web.study import StudyWatch
from divlearn.web.watch import Watch

#: How deep folders are searched, and how many files are shown.
DEEPEST, MOST = 4, 100
#: What an SQLite file begins with, and where it says whose it is.
SQLITE, APPLICATION = b"SQLite format 3\0", slice(68, 72)


@dataclass(frozen=True)
class Source:
    """A file to show.

    Attributes
    ----------
    id
        Names it in addresses: letters and digits, the same after a restart.
    path
        The file.
    label
        What people see: the path below the folder that was given.
    """

    id: str
    path: Path
    label: str


def find(given: Sequence[Path]) -> list[Source]:
    """Files to show, in the order in which they were given, each once."""
    found: dict[Path, Source] = {}
    for place in given:
        for path, label in _files(place):
            whole = path.resolve()
            if whole not in found and len(found) < MOST:
                name = blake2b(str(whole).encode(errors="replace"), digest_size=6)
                found[whole] = Source(name.hexdigest(), path, label)
    return list(found.values())


def watch_of(path: Path) -> Watch:
    """Choose how to look at a file by how it begins."""
    try:
        with path.open("rb") as file:
            begins = file.read(200)
    except OSError:
        begins = b""
    if begins.startswith(SQLITE) and begins[APPLICATION] != STUDY.letters.encode():
        for point in plugins(VIEWS).values():
            letters, make = load_plugin(point)
            if begins[APPLICATION] == letters:
                watch: Watch = make(path)
                return watch
    looks = begins.lstrip()[:1] in (b"{", b"[")
    if looks or (not begins and path.suffix == ".json"):
        return ResultWatch(path)
    return StudyWatch(path)


def _files(place: Path) -> Iterator[tuple[Path, str]]:
    """Files of one place with what they are called."""
    if not place.is_dir():
        yield place, place.name
        return
    root = place.resolve()
    for path in sorted(_below(place, DEEPEST)):
        # A link may lead anywhere; only what is inside is shown.
        if path.resolve().is_relative_to(root):
            yield path, str(path.relative_to(place))


def _below(folder: Path, depth: int) -> Iterator[Path]:
    """Studies and results in a folder and the folders in it."""
    try:
        entries = sorted(folder.iterdir())
    except OSError:
        return
    for entry in entries:
        if entry.name.startswith("."):
            continue
        if entry.is_dir() and not entry.is_symlink():
            if depth > 1:
                yield from _below(entry, depth - 1)
        elif entry.suffix == ".db" or _is_result(entry):
            yield entry


def _is_result(path: Path) -> bool:
    """Whether a file is a result of divlearn."""
    if path.suffix != ".json" or path.name.endswith(ENDING):
        return False
    try:
        with path.open("rb") as file:
            return FORMAT.encode() in file.read(200)
    except OSError:
        return False


def require_places(given: Sequence[str]) -> list[Path]:
    """Paths from the command line; those that are nothing are refused."""
    places = [Path(one) for one in given]
    for place in places:
        if not place.exists():
            raise InputError(
                f"{str(place)!r} does not exist; give files of studies, results or "
                "folders with some."
            )
    return places
