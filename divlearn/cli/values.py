"""What options hold: how numbers, points, lists and settings are read from text."""

from __future__ import annotations

import json
import math
import re
from typing import Any

import click

from divlearn.basics.errors import InputError

#: Larger counts than this do not fit the counters of a search.
MOST = 10**15

_WORDS = {"true": True, "false": False, "none": None, "off": None}
_THOUSANDS = re.compile(r"\d{1,3}(,\d{3})+")


class Value(click.ParamType[Any]):
    """Something that is read from the text of an option."""

    name = "value"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> Any:
        """Read the text that was typed, or say what is wrong with the option."""
        assert param is not None
        return self.read(param.opts[0], value) if isinstance(value, str) else value

    def read(self, option: str, text: str) -> Any:
        """Read the text of an option."""
        raise NotImplementedError


class Whole(Value):
    """A whole number, written as 10000, 10_000, 10,000 or 1e4.

    Parameters
    ----------
    least
        Smallest number that is allowed.
    example
        What the message on a wrong text shows.
    words
        What may stand instead of a number.

    Examples
    --------
    >>> Whole(1, "10000").read("--budget", "1e4")
    10000
    """

    least: int
    example: str
    words: tuple[str, ...]

    def __init__(self, least: int, example: str, words: tuple[str, ...] = ()) -> None:
        self.least, self.example, self.words = least, example, words

    def read(self, option: str, text: str) -> int | str:
        """Read a whole number, or one of the words."""
        if text in self.words:
            return text
        number = _number(text)
        if not self.least <= number <= MOST or number != int(number):
            raise InputError(
                f"{option} must be a whole number of at least {self.least}, got "
                f"{text!r}; write for example {option} {self.example}."
            )
        return int(number)


class Positive(Value):
    """A number above 0; ``example`` is shown where there is something else."""

    def __init__(self, example: str) -> None:
        self.example = example

    def read(self, option: str, text: str) -> float:
        """Read a positive number."""
        number = _number(text)
        if not 0 < number <= MOST:
            raise InputError(
                f"{option} must be a number above 0, got {text!r}; write for example "
                f"{option} {self.example}."
            )
        return float(number)


class Point(Value):
    """Numbers with commas between them, one per objective."""

    def read(self, option: str, text: str) -> list[float]:
        """Read the numbers."""
        numbers = [_number(part) for part in text.split(",")]
        if not all(map(math.isfinite, numbers)):
            raise InputError(
                f"{option} must be numbers with commas between them, one per "
                f"objective, got {text!r}; write for example {option} 65,65."
            )
        return [float(number) for number in numbers]


class Names(Value):
    """Names with commas between them."""

    def read(self, option: str, text: str) -> list[str]:
        """Read the names."""
        names = [name.strip() for name in text.split(",") if name.strip()]
        if not names:
            raise InputError(
                f"{option} must be names with commas between them, got none."
            )
        return names


class OneOf(Value):
    """One of a few words."""

    def __init__(self, *words: str) -> None:
        self.words = words

    def read(self, option: str, text: str) -> str:
        """Check the word."""
        from divlearn.basics.checks import require_one_of

        return require_one_of(option, text, self.words)


class Text(Value):
    """A name and a text, written as name=text."""

    def read(self, option: str, text: str) -> tuple[str, str]:
        """Read a name and what stands behind it."""
        name, equals, rest = text.partition("=")
        if not name.strip() or not equals or not rest.strip():
            raise InputError(
                f"{option} must be a name and a value with = between them, got "
                f"{text!r}; write for example {option} angle=30."
            )
        return name.strip(), rest.strip()


class Json(Value):
    """A design or anything else, written as JSON."""

    def read(self, option: str, text: str) -> Any:
        """Read JSON."""
        try:
            return json.loads(text)
        except (ValueError, RecursionError) as error:
            raise InputError(
                f"{option} must be JSON, such as '{{\"width\": 3}}', got {text!r} "
                f"({error})."
            ) from None


class Pair(Value):
    """A setting, written as key=value."""

    def read(self, option: str, text: str) -> tuple[str, Any]:
        """Read a name and its value."""
        key, equals, value = text.partition("=")
        if not key or not equals:
            raise InputError(
                f"{option} must be a name and a value with = between them, got "
                f"{text!r}; write for example {option} initial=20."
            )
        return key.strip(), read_value(value.strip())


class Renaming(Value):
    """A name of theirs and one of ours, written as theirs=ours."""

    def read(self, option: str, text: str) -> tuple[str, str]:
        """Read two names; the first may have = in it."""
        theirs, equals, ours = text.rpartition("=")
        if not theirs or not equals or not ours:
            raise InputError(
                f"{option} must be two names with = between them, got {text!r}; "
                f'write for example {option} "Cost [EUR]=cost".'
            )
        return theirs.strip(), ours.strip()


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
