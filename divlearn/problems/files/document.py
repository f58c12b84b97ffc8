"""Keywords and sections of TSPLIB and VRPLIB files.

A file has lines ``KEYWORD : value``, then sections of numbers, then ``EOF``, as defined
by G. Reinelt, "TSPLIB 95" (1995). Deviations in published files are accepted if their
meaning is clear: no space before the colon, no colon, a missing ``EOF``, keywords after
sections, nodes in any order.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from difflib import get_close_matches

from divlearn.basics.errors import InputError
from divlearn.problems.files.text import Row, TextFile, quote

_KEYWORD = re.compile(r"([A-Za-z]\w*)\s*(:?)\s*(.*)", re.ASCII | re.DOTALL)

#: Keywords that may appear without a colon.
KEYWORDS = (
    "NAME",
    "TYPE",
    "COMMENT",
    "DIMENSION",
    "CAPACITY",
    "EDGE_WEIGHT_TYPE",
    "EDGE_WEIGHT_FORMAT",
    "EDGE_DATA_FORMAT",
    "NODE_COORD_TYPE",
    "DISPLAY_DATA_TYPE",
    "VEHICLES",
    "DISTANCE",
    "SERVICE_TIME",
)
SECTIONS = (
    "NODE_COORD_SECTION",
    "EDGE_WEIGHT_SECTION",
    "DEMAND_SECTION",
    "DEPOT_SECTION",
    "DISPLAY_DATA_SECTION",
)


@dataclass
class Section:
    """Numbers under a heading."""

    name: str
    line: int
    rows: list[Row] = field(default_factory=list)


@dataclass
class Document:
    """A file split into keywords and sections, before they are interpreted.

    Attributes
    ----------
    file
        Where it comes from.
    entries
        The line of each keyword, with the value as its text.
    sections
        The sections by name.
    """

    file: TextFile
    entries: dict[str, Row] = field(default_factory=dict)
    sections: dict[str, Section] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """Name of the instance."""
        entry = self.entries.get("NAME")
        return self.file.path.stem if entry is None or not entry.text else entry.text

    def entry(self, keyword: str, example: str) -> Row:
        """Return the value of a required keyword."""
        if keyword in self.entries:
            return self.entries[keyword]
        near = get_close_matches(keyword, self.entries, 1, cutoff=0.85)
        hint = f" (but {near[0]} in line {self.entries[near[0]].line})" if near else ""
        raise self.file.error_at_end(
            f"a line '{keyword} : {example}'", f"none in the file{hint}"
        )

    def word(self, keyword: str, allowed: tuple[str, ...]) -> str:
        """Return the value of a keyword that must be one of the allowed words."""
        entry = self.entry(keyword, allowed[0])
        # Some files name a person after the word.
        word = entry.text.split()[0].upper() if entry.text else ""
        if word not in allowed:
            expected = f"{keyword} to be one of {', '.join(allowed)}"
            raise self.file.error(entry.line, expected, quote(entry.text))
        return word

    def number(self, keyword: str, example: str) -> float:
        """Return the value of a keyword that must be one number."""
        entry = self.entry(keyword, example)
        numbers = self.file.numbers(entry, what=f"{keyword} to be a number")
        if len(numbers) != 1:
            expected = f"{keyword} to be one number"
            raise self.file.error(entry.line, expected, quote(entry.text))
        return numbers[0]

    def size(self, most: int) -> int:
        """Return the number of nodes."""
        number, entry = self.number("DIMENSION", "100"), self.entries["DIMENSION"]
        size = self.file.whole(entry, number, "DIMENSION", least=2)
        if size > most:
            expected = f"DIMENSION to be at most {most:,}"
            remedy = "tables of all distances would not fit into memory"
            raise self.file.error(entry.line, expected, f"{size:,}", remedy)
        return size

    def section(self, name: str) -> Section:
        """Return a required section."""
        if name not in self.sections:
            raise self.file.error_at_end(f"a {name}", "none in the file")
        return self.sections[name]


def parse(file: TextFile) -> Document:
    """Split a file into keywords and sections."""
    document = Document(file)
    section: Section | None = None
    for row in file.rows:
        if not row.text[0].isalpha():
            if section is None:
                expected = "a keyword, such as 'DIMENSION : 100'"
                raise file.error(row.line, expected, quote(row.text))
            section.rows.append(row)
            continue
        keyword, colon, value = _split(file, row)
        if keyword == "EOF":
            file.closed = True
            break
        if keyword in SECTIONS:
            section = _begin_section(document, keyword, Row(row.line, value))
        elif keyword.endswith("_SECTION"):
            raise _unknown_section(file, row, keyword)
        elif colon or keyword in KEYWORDS:
            section = None
            _add_entry(document, keyword, Row(row.line, value))
        else:
            raise file.error(row.line, "numbers or a keyword", quote(row.text))
    return document


def _split(file: TextFile, row: Row) -> tuple[str, str, str]:
    """Take keyword, colon and value from a line."""
    match = _KEYWORD.fullmatch(row.text)
    if match is None:
        raise file.error(row.line, "numbers or a keyword", quote(row.text))
    return match[1].upper(), match[2], match[3].strip()


def _begin_section(document: Document, name: str, row: Row) -> Section:
    """Begin a section; numbers on the line of its name belong to it."""
    if name in document.sections:
        raise _repeated(document, name, row, document.sections[name].line)
    section = document.sections[name] = Section(name, row.line)
    if row.text:
        section.rows.append(row)
    return section


def _add_entry(document: Document, keyword: str, row: Row) -> None:
    """Keep the value of a keyword; comments may have several lines."""
    if keyword in document.entries and keyword != "COMMENT":
        raise _repeated(document, keyword, row, document.entries[keyword].line)
    document.entries[keyword] = row


def _repeated(document: Document, name: str, row: Row, first: int) -> InputError:
    """Make the error for something that appears twice."""
    got = f"a second one; the first is in line {first}"
    return document.file.error(row.line, f"one {name}", got)


def _unknown_section(file: TextFile, row: Row, keyword: str) -> InputError:
    """Make the error for a section that may change the problem."""
    near = get_close_matches(keyword, SECTIONS, 1, cutoff=0.85)
    remedy = f"did you mean {near[0]}" if near else "it may change the problem"
    return file.error(row.line, f"one of {', '.join(SECTIONS)}", keyword, remedy)
