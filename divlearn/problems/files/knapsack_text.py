"""Knapsacks from text files: plain numbers in one of six layouts.

The layout follows from how many numbers the first three lines have. Lines that begin
with ``#`` are comments.

Items line by line:

- ``n m c``, then the c capacities, then per item its c weights and m values;
- ``n m``, then the capacity, then per item its weight and m values;
- ``n capacity``, or ``n`` and ``capacity`` in two lines, then per item its values, one
  or more, and its weight.

Lists over all items, with line breaks anywhere:

- ``n m c``, then m lists of values, c lists of weights, the c capacities (MOCOlib);
- the number of problems, and for each ``n c optimum``, its values, c lists of weights,
  the c capacities (OR-Library).
"""

from __future__ import annotations

from typing import Any

from divlearn.basics.errors import InputError
from divlearn.problems.files.knapsack_items import Line, read_items
from divlearn.problems.files.knapsack_lists import read_library, read_lists
from divlearn.problems.files.text import TextFile


def read_knapsack(file: TextFile, instance: int | None = None) -> dict[str, Any]:
    """Return the arguments of a Knapsack.

    Parameters
    ----------
    file
        The file.
    instance
        Which of the problems in an OR-Library file, from 0; the first if None.
    """
    lines = [
        (row, file.numbers(row, least=0.0))
        for row in file.rows
        if not row.text.startswith("#")
    ]
    layout = _recognise(lines)
    if layout == "OR-Library":
        arguments = read_library(file, lines, instance)
    elif instance is not None:
        raise InputError(
            f"instance chooses among several problems, but {file.path} has one; leave "
            "instance out."
        )
    elif layout == "lists":
        arguments = read_lists(file, lines)
    else:
        arguments = read_items(file, lines, layout)
    file.require_end()
    return arguments | {"name": file.path.stem}


def _recognise(lines: list[Line]) -> str:
    """Say which layout the first three lines have."""
    counts = [len(numbers) for _, numbers in lines[:3]] + [0, 0, 0]
    first, second, third = counts[:3]
    if first == 1 and second == 3:
        return "OR-Library"
    if first == 1 and second == 1:
        return "lists" if third == 1 else "n, capacity"
    if first == 3:
        n, m, c = lines[0][1]
        by_items = second == c and third == m + c
        in_lists = second == n or (second == third == 1)
        return "lists" if in_lists and not by_items else "n m c"
    return "n m" if second == 1 else "n capacity"
