"""A TOML document whose errors say where: file, line, table, key."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from divlearn.basics.checks import (
    require_flag,
    require_number,
    require_one_of,
    require_whole,
)
from divlearn.basics.errors import InputError

_PART = r"""(?:[A-Za-z0-9_-]+|"[^"]*"|'[^']*')"""
_KEY = rf"{_PART}(?:\s*\.\s*{_PART})*"
_LINE = re.compile(rf"\s*(?:\[\s*({_KEY})\s*\]|({_KEY})\s*=)")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")

#: Where to read on, for messages.
HELP = "docs/simulators.md shows an example"


def read_document(path: Path) -> Table:
    """Read a TOML file, or say where it breaks off."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise InputError(
            f"{str(path)!r} cannot be read ({error.strerror}); give the TOML file that "
            "describes the study."
        ) from None
    except UnicodeDecodeError as error:
        raise InputError(f"{path} is not text in UTF-8: {error}.") from None
    try:
        return Table(str(path), _lines_by_key(text), (), tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{path} is not TOML: {error}; {HELP}.") from None
    except RecursionError:
        raise InputError(
            f"{path} has too many tables or lists in one another; {HELP}."
        ) from None


class Table:
    """One table of a document, with checks of its keys and values.

    Parameters
    ----------
    file
        Name of the file, for messages.
    lines
        Line numbers of keys and headers, by their full names.
    path
        Full name of this table.
    content
        What tomllib made of it.
    """

    def __init__(
        self,
        file: str,
        lines: dict[tuple[str, ...], int],
        path: tuple[str, ...],
        content: dict[str, Any],
    ) -> None:
        self.file = file
        self.lines = lines
        self.path = path
        self.content = content

    def __str__(self) -> str:
        return f"[{'.'.join(self.path)}]" if self.path else "the file"

    def __contains__(self, key: str) -> bool:
        return key in self.content

    @contextmanager
    def at(self, key: str = "") -> Iterator[None]:
        """Let errors that are raised meanwhile say where in the file they arose."""
        try:
            yield
        except InputError as error:
            place = (*self.path, key) if key else self.path
            while place and place not in self.lines:  # an inline table has no line
                place = place[:-1]
            line = f", line {self.lines[place]}" if place else ""
            raise InputError(f"{self.file}{line}: {error}") from None

    def fail(self, key: str, message: str) -> InputError:
        """Make the error that a message about a key is."""
        try:
            with self.at(key):
                raise InputError(message)
        except InputError as error:
            return error

    def require_keys(self, allowed: Sequence[str]) -> None:
        """Refuse a key that means nothing, with the nearest one that does."""
        for key in self.content:
            if key not in allowed:
                near = get_close_matches(key, allowed, 1)
                hint = f" Did you mean {near[0]!r}?" if near else ""
                raise self.fail(
                    key,
                    f"{self} has the unknown key {key!r}.{hint} Allowed are "
                    f"{', '.join(allowed)}.",
                )

    def require_names(self) -> None:
        """Refuse keys that are no plain names."""
        for key in self.content:
            if not _NAME.fullmatch(key):
                raise self.fail(
                    key,
                    f"{key!r} in {self} is not a name: letters, digits, _ and - are "
                    "allowed, beginning with a letter or _.",
                )

    def table(self, key: str, otherwise: dict[str, Any] | None = None) -> Table:
        """Return a table within this one."""
        content = self.content.get(key, otherwise)
        if content is None:
            raise self.fail(key, f"[{key}] must be given; {HELP}.")
        if not isinstance(content, dict):
            raise self.fail(key, f"{key} in {self} must be a table, got {content!r}.")
        return Table(self.file, self.lines, (*self.path, key), content)

    def text(self, key: str, otherwise: str) -> str:
        """Return a text that is not empty."""
        value = self.content.get(key, otherwise)
        if not isinstance(value, str) or not value or "\0" in value:
            raise self.fail(key, f"{key} in {self} must be a text, got {value!r}.")
        return value

    def choice(self, key: str, allowed: Sequence[str], otherwise: str) -> str:
        """Return one of several words."""
        with self.at(key):
            return require_one_of(
                f"{key} in {self}", self.content.get(key, otherwise), allowed
            )

    def number(self, key: str, least: float) -> float | None:
        """Return a number, or None where there is none."""
        if key not in self.content:
            return None
        with self.at(key):
            return require_number(f"{key} in {self}", self.content[key], least)

    def whole(self, key: str, least: int) -> int | None:
        """Return a whole number, or None where there is none."""
        if key not in self.content:
            return None
        with self.at(key):
            return require_whole(f"{key} in {self}", self.content[key], least)

    def flag(self, key: str) -> bool | None:
        """Return a yes or no, or None where there is none."""
        value = self.content.get(key)
        if value is not None:
            with self.at(key):
                require_flag(f"{key} in {self}", value)
        return value


def _lines_by_key(text: str) -> dict[tuple[str, ...], int]:
    r"""Find the lines on which keys and headers of tables stand.

    Examples
    --------
    >>> _lines_by_key("a = 1\n[b.c]\nd.e = 2\n")
    {('a',): 1, ('b', 'c'): 2, ('b', 'c', 'd', 'e'): 3}
    """
    found: dict[tuple[str, ...], int] = {}
    table: tuple[str, ...] = ()
    for number, line in enumerate(text.splitlines(), 1):
        match = _LINE.match(line)
        if match is None:
            continue
        parts = tuple(p.strip("\"'") for p in re.findall(_PART, match[1] or match[2]))
        if match[1]:
            table = parts
        found.setdefault(table if match[1] else table + parts, number)
    return found
