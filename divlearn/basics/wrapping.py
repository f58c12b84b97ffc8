"""Text in columns, and wrapped between words, with nothing lost."""

from __future__ import annotations

import shutil
import sys
import textwrap
from collections.abc import Sequence
from typing import Any

#: Columns that descriptions need next to their names; otherwise they go below.
LEAST_BESIDE = 30
#: How a line begins that is meant to be copied; it is never broken.
COMMANDS = ("divlearn ", "pip ", "python ")


def columns(stream: Any = None) -> int | None:
    """Width of the terminal behind a stream; None for a pipe or a file.

    Parameters
    ----------
    stream
        Standard output if None.
    """
    stream = sys.stdout if stream is None else stream
    try:
        return shutil.get_terminal_size().columns if stream.isatty() else None
    except (AttributeError, ValueError):  # no stream at all, or a closed one
        return None


def wrapped(text: str, width: int | None) -> str:
    r"""Break long lines; continuation lines are indented a little further.

    Examples
    --------
    >>> print(wrapped("  last outcome 5.54 s ago, 3 failed", 20))
      last outcome 5.54
        s ago, 3 failed
    """
    if width is None:
        return text
    return "\n".join(row for line in text.split("\n") for row in _rows(line, width))


def _rows(line: str, width: int) -> list[str]:
    """Break one line into several."""
    content = line.lstrip(" ")
    if len(line) <= width or content.startswith(COMMANDS):
        return [line]
    indent = line[: len(line) - len(content)]
    return textwrap.wrap(
        content,
        width,
        initial_indent=indent,
        subsequent_indent=f"{indent}  " if indent else "",
        break_long_words=False,
        break_on_hyphens=False,
    )


def listing(
    pairs: Sequence[tuple[str, str]], width: int | None = None, indent: str = ""
) -> str:
    """Write names with descriptions, side by side if there is room.

    Examples
    --------
    >>> print(listing([("a", "first"), ("long", "second one")]))
    a     first
    long  second one
    >>> print(listing([("a", "first"), ("long", "second one")], width=12))
    a
      first
    long
      second one
    """
    longest = len(indent) + max((len(name) for name, _ in pairs), default=0) + 2
    rows: list[str] = []
    for name, text in pairs:
        beside = f"{indent}{name}".ljust(longest)
        if width is None or longest + len(text) <= width:
            rows.append(f"{beside}{text}")
        elif width - longest >= LEAST_BESIDE:
            broken = textwrap.wrap(text, width - longest, break_long_words=False)
            rows.append(beside + broken[0])
            rows += [" " * longest + line for line in broken[1:]]
        else:
            rows += [f"{indent}{name}", *_rows(f"{indent}  {text}", width)]
    return "\n".join(rows)


def aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """Cells below each other, the first column to the left."""
    widths = [max(len(row[j]) for row in rows) for j in range(len(rows[0]))]
    return [
        "  ".join(
            [row[0].ljust(widths[0])]
            + [cell.rjust(w) for cell, w in zip(row[1:], widths[1:], strict=True)]
        ).rstrip()
        for row in rows
    ]
