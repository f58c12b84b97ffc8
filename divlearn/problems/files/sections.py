"""The numbers in a section of a TSPLIB or VRPLIB file."""

from __future__ import annotations

import numpy as np

from divlearn.basics.typing import Floats
from divlearn.problems.files.document import Document, Section
from divlearn.problems.files.text import Row


def read_stream(document: Document, name: str, count: int, of: str) -> Floats:
    """Read exactly ``count`` numbers, however they are broken into lines."""
    section, numbers = document.section(name), list[float]()
    expected = f"{count} numbers in {name}, {of}"
    for row in section.rows:
        numbers += document.file.numbers(row)
        if len(numbers) > count:
            raise document.file.error(row.line, expected, "more of them")
    if len(numbers) < count:
        raise document.file.too_few(_end(section), expected, len(numbers))
    return np.array(numbers)


def read_nodes(
    document: Document, name: str, count: int, columns: tuple[str, ...]
) -> tuple[Floats, list[Row]]:
    """Read a section with a line per node.

    Returns
    -------
    The numbers, shape (count, 1 + columns), with the node's number first, and the
    lines; both sorted by node number, which may begin anywhere.
    """
    section = document.section(name)
    _require_count(document, section, count)
    text = f"a node number and its {', '.join(columns)}"
    table = np.empty((count, 1 + len(columns)))
    for place, row in enumerate(section.rows):
        numbers = document.file.numbers(row)
        if len(numbers) != len(columns) + 1:
            raise document.file.wrong_count(row, numbers, text)
        document.file.whole(row, numbers[0], "a node number")
        table[place] = numbers
    order = np.argsort(table[:, 0], kind="stable")
    rows = [section.rows[place] for place in order]
    _refuse_repeats(document, table[order, 0], rows)
    return table[order], rows


def _require_count(document: Document, section: Section, count: int) -> None:
    """Refuse too few lines or too many."""
    expected = f"{count} nodes in {section.name}, as DIMENSION says"
    if len(section.rows) < count:
        raise document.file.too_few(_end(section), expected, len(section.rows))
    if len(section.rows) > count:
        line = section.rows[count].line
        raise document.file.error(line, expected, "more of them")


def _refuse_repeats(document: Document, nodes: Floats, rows: list[Row]) -> None:
    """Refuse a node that appears twice; equal numbers are neighbours."""
    twice = np.flatnonzero(nodes[1:] == nodes[:-1])
    if len(twice):
        first, second = rows[twice[0]], rows[twice[0] + 1]
        got = f"node {nodes[twice[0]]:g} again, as in line {first.line}"
        raise document.file.error(second.line, "a new node", got)


def _end(section: Section) -> int:
    """Line where a section ends."""
    return section.rows[-1].line if section.rows else section.line
