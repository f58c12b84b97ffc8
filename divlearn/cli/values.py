"""Reading numbers and settings that come as text."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import Any

from divlearn.errors import InputError

#: Larger counts than this do not fit the counters of a search.
MOST = 10**15

_WORDS = {"true": True, "false": False, "none": None, "off": None}
_THOUSANDS = re.compile(r"\d{1,3}(,\d{3})+")


def read_whole(option: str, text: str, least: int, example: str) -> int:
    """Read a whole number written as 10000, 10_000, 10,000 or 1e4.

    Examples
    --------
    >>> read_whole("--budget", "1e4", 1, "10000")
    10000
    """
    number = _number(text)
    if not least <= number <= MOST or number != int(number):
        raise InputError(
            f"{option} must be a whole number of at least {least}, got {text!r}; "
            f"write for example {option} {example}."
        )
    return int(number)


def read_positive(option: str, text: str, example: str) -> float:
    """Read a positive number."""
    number = _number(text)
    if not 0 < number <= MOST:
        raise InputError(
            f"{option} must be a number above 0, got {text!r}; write for example "
            f"{option} {example}."
        )
    return float(number)


def read_point(option: str, text: str) -> list[float]:
    """Read numbers that are separated by commas."""
    numbers = [_number(part) for part in text.split(",")]
    if not all(map(math.isfinite, numbers)):
        raise InputError(
            f"{option} must be numbers with commas between them, one per objective, "
            f"got {text!r}; write for example {option} 65,65."
        )
    return [float(number) for number in numbers]


def read_pairs(option: str, texts: Sequence[str]) -> dict[str, Any]:
    """Read settings written as key=value.

    Examples
    --------
    >>> read_pairs("--set", ["patience=20", "refinement.moves=swap,reversal"])
    {'patience': 20, 'refinement.moves': ('swap', 'reversal')}
    """
    pairs = {}
    for text in texts:
        key, equals, value = text.partition("=")
        if not key or not equals:
            raise InputError(
                f"{option} must be a name and a value with = between them, got "
                f"{text!r}; write for example {option} patience=20."
            )
        pairs[key.strip()] = read_value(value.strip())
    return pairs


def read_value(text: str) -> Any:
    """Read a number, true, false, none, a list with commas, or a word.

    Examples
    --------
    >>> [read_value(text) for text in ("3", "1e4", "0.5", "true", "a,b", "swap")]
    [3, 10000, 0.5, True, ('a', 'b'), 'swap']
    """
    if "," in text:
        return tuple(read_value(part.strip()) for part in text.split(",") if part)
    if text.lower() in _WORDS:
        return _WORDS[text.lower()]
    number = _number(text)
    return text if math.isnan(number) else number


def _number(text: str) -> int | float:
    """Return the number a text stands for, nan if it stands for none."""
    text = text.strip()
    if _THOUSANDS.fullmatch(text):
        text = text.replace(",", "")
    try:
        return int(text)
    except ValueError:
        pass
    try:
        number = float(text)
    except ValueError:
        return math.nan
    whole = "." not in text and math.isfinite(number) and number == int(number)
    return int(number) if whole else number
