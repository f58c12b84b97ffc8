"""Text files; errors name file, line, what was expected and what was found."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from pathlib import Path
from reprlib import Repr
from typing import NamedTuple

from divlearn.basics.errors import InputError

_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)
_GZIP = b"\x1f\x8b"

#: Beyond this, squares and sums of numbers would overflow.
MOST = 1e100

_short = Repr()
_short.maxstring = 60


class Row(NamedTuple):
    """A line that is not blank, with its number in the file."""

    line: int
    text: str


class TextFile:
    """A file as lines, and errors about them.

    Parameters
    ----------
    path
        The file, as the user named it.
    text
        What is in it.

    Attributes
    ----------
    path, text
        As given.
    rows
        The lines that are not blank.
    last
        Number of the last line.
    ended
        Whether the last line ends with a line break, so that no number in it can have
        lost its last digits.
    closed
        Whether the file says where it ends.
    """

    path: Path
    text: str
    ended: bool
    closed: bool

    def __init__(self, path: Path, text: str) -> None:
        self.path, self.text = path, text
        lines = text.split("\n")
        self.ended, self.closed = not lines[-1].strip(), False
        self.rows: list[Row] = [
            Row(number, line.strip())
            for number, line in enumerate(lines, start=1)
            if line.strip()
        ]
        self.last: int = self.rows[-1].line if self.rows else 1

    def error(
        self, line: int, expected: str, got: str, remedy: str | None = None
    ) -> InputError:
        """Make the error for a line."""
        where = f"{self.path}, line {line}"
        advice = "" if remedy is None else f"; {remedy}"
        return InputError(f"{where}: expected {expected}, got {got}{advice}.")

    def error_at_end(
        self, expected: str, got: str = "the end of the file"
    ) -> InputError:
        """Make the error for something missing at the end."""
        return self.error(self.last, expected, got, self._hint(self.last))

    def too_few(self, line: int, expected: str, count: int) -> InputError:
        """Make the error for a list that ends early, in this line."""
        return self.error(line, expected, f"{count} up to here", self._hint(line))

    def _hint(self, line: int) -> str | None:
        """Say what may have caused a missing end."""
        cut = line == self.last and not self.closed
        return "the file may be cut off" if cut else None

    def require_end(self) -> None:
        """Refuse a last line without a line break: its last number may be cut off."""
        if not self.ended and not self.closed:
            raise self.error(
                self.last,
                "a line break at the end of the last line",
                "the end of the file",
                "the last number may be cut off: if it is not, add the line break",
            )

    def numbers(
        self, row: Row, least: float | None = None, what: str = "a number"
    ) -> list[float]:
        """Read the numbers in a line."""
        words = row.text.split()
        try:
            numbers = [float(word) for word in words]
        except ValueError:
            numbers = [math.nan]
        # float() also knows "nan", "inf" and "1_000".
        plain = row.text.isascii() and "_" not in row.text
        if plain and sum(map(abs, numbers)) <= MOST:
            if least is None or min(numbers) >= least:
                return numbers
            what = f"{what} of at least {least:g}"
        wrong = next((word for word in words if not _is_number(word, least)), row.text)
        raise self.error(row.line, what, quote(wrong))

    def whole(self, row: Row, number: float, what: str, least: int = 0) -> int:
        """Check that a number in a line is whole."""
        if number != math.floor(number) or number < least or number > 2**53:
            expected = f"{what}, a whole number of at least {least}"
            raise self.error(row.line, expected, f"{number:g}")
        return int(number)

    def wrong_count(
        self, row: Row, numbers: Sequence[float], expected: str
    ) -> InputError:
        """Make the error for a line that holds too many or too few numbers."""
        got = f"{len(numbers)} number{'s' * (len(numbers) != 1)}: {quote(row.text)}"
        return self.error(row.line, expected, got, self._hint(row.line))


def quote(text: str) -> str:
    """Put a text from a file into quotes, without its middle if it is long."""
    return _short.repr(text)


def _is_number(word: str, least: float | None) -> bool:
    """Whether a word is a finite number that is large enough."""
    if not _NUMBER.fullmatch(word) or abs(float(word)) > MOST:
        return False
    return least is None or float(word) >= least


def open_text(path: str | Path) -> TextFile:
    """Read a file, or say why it cannot be read."""
    target = as_path(path)
    try:
        content = target.read_bytes()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise InputError(
            f"path must be an instance file, got {str(path)!r}, which cannot be read "
            f"({reason})."
        ) from None
    if content.startswith(_GZIP):
        raise InputError(f"{target} is compressed; unpack it first: gunzip {target}.")
    return TextFile(target, _decode(content))


def as_path(path: str | Path) -> Path:
    """Check that this is a path."""
    try:
        return Path(path)
    except TypeError:
        raise InputError(f"path must be the name of a file, got {path!r}.") from None


def _decode(content: bytes) -> str:
    """Turn bytes into text; old files have comments in Latin-1."""
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = content.decode("latin-1")
    return text.replace("\r\n", "\n").replace("\r", "\n")
