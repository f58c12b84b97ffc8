"""Knapsacks from text files with lists over all items and line breaks anywhere."""

from __future__ import annotations

from typing import Any

import numpy as np

from divlearn.basics.checks import require_whole
from divlearn.basics.errors import InputError
from divlearn.basics.typing import Floats
from divlearn.problems.files.knapsack_items import Line, put_together, read_count
from divlearn.problems.files.text import Row, TextFile


class Stream:
    """Numbers one after another, wherever the lines end."""

    def __init__(self, file: TextFile, lines: list[Line]) -> None:
        self.file = file
        self._numbers = [(row, number) for row, found in lines for number in found]
        self._place = 0

    @property
    def row(self) -> Row:
        """The line of the number taken last."""
        return self._numbers[self._place - 1][0]

    def take(self, count: int, what: str) -> Floats:
        """Return the next numbers."""
        taken = self._numbers[self._place : self._place + count]
        if len(taken) < count:
            expected = f"{count} number{'s' * (count > 1)}, {what}"
            raise self.file.too_few(self.file.last, expected, len(taken))
        self._place += count
        return np.array([number for _, number in taken])

    def count(self, what: str) -> int:
        """Return the next number, which counts something."""
        number = float(self.take(1, what)[0])
        return read_count(self.file, self.row, number, what)

    def problem(self, n: int, m: int, c: int) -> dict[str, Any]:
        """Return the arguments of a Knapsack."""
        values = self.take(m * n, "the values of all items").reshape(m, n)
        weights = self.take(c * n, "the weights of all items").reshape(c, n)
        capacity = self.take(c, "the capacities")
        return put_together(self.file, self.row, values.T, weights.T, capacity)

    def end(self) -> None:
        """Refuse numbers after the end."""
        if self._place < len(self._numbers):
            row = self._numbers[self._place][0]
            raise self.file.error(row.line, "the end of the file", "more numbers")


def read_lists(file: TextFile, lines: list[Line]) -> dict[str, Any]:
    """Read a file of MOCOlib."""
    stream = Stream(file, lines)
    n = stream.count("the number of items")
    m = stream.count("the number of values per item")
    c = stream.count("the number of constraints")
    arguments = stream.problem(n, m, c)
    stream.end()
    return arguments


def read_library(
    file: TextFile, lines: list[Line], instance: int | None
) -> dict[str, Any]:
    """Read one problem of a file of OR-Library; the others are checked as well."""
    stream = Stream(file, lines)
    number = stream.count("the number of problems")
    chosen = require_whole("instance", 0 if instance is None else instance)
    if chosen >= number:
        raise InputError(
            f"instance must be below {number}, the number of problems in {file.path}, "
            f"got {chosen}."
        )
    arguments: dict[str, Any] = {}
    for place in range(number):
        n = stream.count("the number of items")
        c = stream.count("the number of constraints")
        stream.take(1, "the best known value, or 0")
        found = stream.problem(n, 1, c)
        if place == chosen:
            arguments = found
    stream.end()
    return arguments
