"""Text from any source, made safe for files and terminals, in one place.

Messages of exceptions, output of simulators, names and categories may contain anything
that Python accepts as text. Messages that are *kept* are storable and fit a screen;
text that is *shown* is printable. Names and categories are kept exactly, as JSON that
escapes what UTF-8 cannot represent.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

#: A longer message loses its middle, because it has to fit on a screen.
MAX_MESSAGE = 1_200

# Characters that UTF-8 cannot represent, and the one that ends a text in C.
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
# Characters that a terminal obeys instead of showing: control characters, and those
# that reverse the direction of writing.
_UNPRINTABLE = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]"
)
_UNPRINTABLE_IN_LINES = re.compile(f"(?![\t\n]){_UNPRINTABLE.pattern}")


def storable(text: str) -> str:
    r"""Escape what a file cannot hold: lone surrogates and NUL.

    Examples
    --------
    >>> storable("caf\udce9")
    'caf\\udce9'
    """
    return text if text.isascii() and "\0" not in text else _escape(_UNSTORABLE, text)


def one_screen(message: str) -> str:
    """Make a message storable, and cut the middle out of a long one.

    The beginning names the argument and the end says what to do, so both stay.

    Examples
    --------
    >>> len(one_screen("x" * 5000)) < 1300
    True
    """
    message = storable(message)
    if len(message) <= MAX_MESSAGE:
        return message
    half = MAX_MESSAGE // 2 - 20  # with the words between, it is not cut again
    left_out = len(message) - 2 * half
    return f"{message[:half]} ... ({left_out:,} characters) ... {message[-half:]}"


def printable(text: str, *, lines: bool = False) -> str:
    r"""Escape what a terminal would obey; ``lines`` keeps line breaks and tabs.

    Examples
    --------
    >>> printable("red\x1b[31m\n")
    'red\\x1b[31m\\n'
    """
    if text.isprintable():
        return text
    return _escape(_UNPRINTABLE_IN_LINES if lines else _UNPRINTABLE, text)


def one_line(text: str, most: int = 400) -> str:
    r"""Write a message on one line; cut a long one between words.

    Examples
    --------
    >>> one_line("no\n licence"), one_line("one two three", most=8)
    ('no licence', 'one two ...')
    """
    line = printable(" ".join(text.split()))
    if len(line) <= most:
        return line
    words, _, rest = line[: most + 1].rpartition(" ")
    return f"{words or rest[:most]} ..."


def few_lines(lines: Sequence[str], most: int = 12, longest: int = 70) -> str:
    """Write the first of several lines, indented, and how many more there are.

    Examples
    --------
    >>> print(few_lines(["one", "two", "three"], most=2))
      one
      two
      ... and 1 more
    """
    shown = [one_line(line, longest) for line in lines[:most]]
    if len(lines) > most:
        shown.append(f"... and {len(lines) - most:,} more")
    return "\n".join(f"  {line}" for line in shown)


def said_by(error: BaseException) -> str:
    """Kind and message of an exception, even if its message cannot be read.

    Examples
    --------
    >>> said_by(KeyError("width")), said_by(ValueError())
    ("KeyError: 'width'", 'ValueError')
    """
    kind = type(error).__name__
    try:
        message = str(error)
    except Exception:
        message = "(its message cannot be read)"
    return f"{kind}: {message}" if message else kind


def as_json(value: Any, **options: Any) -> str:
    r"""Write exact JSON that any file can hold and any terminal can show.

    Parameters
    ----------
    value
        What to write.
    options
        Passed on to :func:`json.dumps`.

    Examples
    --------
    >>> as_json("é"), as_json("caf\udce9")
    ('"é"', '"caf\\udce9"')
    """
    text = json.dumps(value, ensure_ascii=False, **options)
    if not text.isascii() and _UNPRINTABLE_IN_LINES.search(text):
        text = json.dumps(value, ensure_ascii=True, **options)
    return text.replace("\x7f", "\\u007f")


def _escape(unwanted: re.Pattern[str], text: str) -> str:
    """Write unwanted characters as Python writes them in a string."""
    return unwanted.sub(lambda found: found[0].encode("unicode_escape").decode(), text)
