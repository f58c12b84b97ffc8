"""``Table``: rows with checksums, which show where somebody changed them."""

from __future__ import annotations

import struct
from binascii import crc_hqx
from hashlib import blake2b
from itertools import product
from typing import Any

Row = tuple[Any, ...]

#: Bytes of a checksum that are for the whole row; two more for each column follow,
#: by which a change can be named.
WHOLE = 8


class BadRow(ValueError):
    """A row is not as divlearn wrote it."""


class Table:
    """A table of a study's file.

    Parameters
    ----------
    name
        Its name; part of every checksum, so that rows cannot change places.
    columns
        Name and type of every column but the checksum, which is the last one; a type
        or None where a column may be empty.

    Attributes
    ----------
    selected
        Names of all columns, for SELECT.
    insert, replace
        Statements that take what :meth:`write` returns.

    Examples
    --------
    >>> table = Table("sizes", number=int, width=float, note=str | None)
    >>> row = table.write((3, 0.25, None))
    >>> table.read(row)
    (3, 0.25, None)
    >>> table.read((3, 0.26, *row[2:]))
    Traceback (most recent call last):
    ...
    divlearn.study.store.table.BadRow: column width does not agree with the checksum
    >>> table.place(row)
    'table sizes, number 3'
    """

    def __init__(self, name: str, **columns: Any) -> None:
        self.name = name
        self.columns: tuple[str, ...] = tuple(columns)
        self.selected: str = ", ".join((*columns, "checksum"))
        marks = ", ".join("?" * (len(columns) + 1))
        self.insert: str = f"INSERT INTO {name} ({self.selected}) VALUES ({marks})"
        self.replace: str = self.insert.replace("INSERT", "INSERT OR REPLACE")
        self._key = name.encode()
        self._zeros = (0,) * len(columns)
        self._pack = struct.Struct(f">{len(columns)}H").pack
        kinds = [getattr(kind, "__args__", (kind,)) for kind in columns.values()]
        self._main = tuple(kind[0] for kind in kinds)
        self._kinds = set(product(*kinds))

    def write(self, row: Row) -> Row:
        """Add the checksum to a row, whose values get the types of the columns."""
        if tuple(map(type, row)) not in self._kinds:
            typed = zip(self._main, row, strict=True)
            row = tuple(None if v is None else kind(v) for kind, v in typed)
        return (*row, self.checksum(row))

    def checksum(self, row: Row) -> bytes:
        """Checksum of a row: of all of it, then two bytes for each column."""
        # ascii() is exact and the same in every version of Python; repr() is not.
        # Loops in C only: this is done for every row that is written.
        parts = [*map(str.encode, map(ascii, row))]
        marks = self._pack(*map(crc_hqx, parts, self._zeros))
        return self._digest(parts, marks) + marks

    def read(self, row: Row) -> Row:
        """Check a row with its checksum; return it without."""
        *values, checksum = row
        content = tuple(values)
        if tuple(map(type, content)) not in self._kinds or type(checksum) is not bytes:
            raise BadRow(self._mistyped(content))
        parts = [*map(str.encode, map(ascii, content))]
        if checksum[:WHOLE] != self._digest(parts, checksum[WHOLE:]):
            column = self._changed(content, checksum)
            raise BadRow(f"column {column} does not agree with the checksum")
        return content

    def place(self, row: Row) -> str:
        """Which row this is, in words."""
        column = "number" if "number" in self.columns else self.columns[0]
        value = str(row[self.columns.index(column)])
        return f"table {self.name}, {column} {value[:40]}"

    def _digest(self, parts: list[bytes], marks: bytes) -> bytes:
        """Checksum of a whole row and of what is known of its columns."""
        content = b",".join(parts) + marks
        return blake2b(content, digest_size=WHOLE, person=self._key).digest()

    def _mistyped(self, row: Row) -> str:
        """Which column holds something of another kind."""
        for name, kind, value in zip(self.columns, self._main, row, strict=True):
            if type(value) is not kind and value is not None:
                kinds = f"{type(value).__name__}, not {kind.__name__}"
                return f"column {name} holds {kinds}"
        return "a column is empty"

    def _changed(self, row: Row, checksum: bytes) -> str:
        """Which column was changed; the checksum itself if no other one was."""
        expected = self.checksum(row)
        if checksum[:WHOLE] == expected[:WHOLE]:
            return "checksum"
        for i, name in enumerate(self.columns):
            # A change of one character is sure to show in two bytes.
            place = slice(WHOLE + 2 * i, WHOLE + 2 * i + 2)
            if checksum[place] != expected[place]:
                return name
        return "checksum"
