"""Checks of arguments, with messages that say what to do."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from difflib import get_close_matches
from typing import Any

import numpy as np

from divlearn.basics.errors import InputError


def require_number(
    name: str, value: object, least: float = -math.inf, most: float = math.inf
) -> float:
    """Check that ``value`` is a finite number from ``least`` to ``most``."""
    try:
        number = math.nan if isinstance(value, (bool, str, bytes)) else float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        number = math.nan
    if not math.isfinite(number) or not least <= number <= most:
        raise InputError(f"{name} must be {_range_text(least, most)}, got {value!r}.")
    return number


def require_whole(
    name: str, value: object, least: int | None = 0, most: int | None = None
) -> int:
    """Check that ``value`` is a whole number within limits; 1e4 counts as one."""
    lower = -math.inf if least is None else least
    upper = math.inf if most is None else most
    if isinstance(value, (int, np.integer)) and not isinstance(value, bool):
        whole: int | None = int(value)
    elif isinstance(value, (float, np.floating)) and float(value).is_integer():
        whole = int(value)
    else:
        whole = None
    if whole is None or not lower <= whole <= upper:
        text = _range_text(lower, upper).replace("finite ", "")
        text = text.replace("a number", "a whole number")
        raise InputError(f"{name} must be {text}, got {value!r}.")
    return whole


def require_optional_whole(name: str, value: object, least: int) -> None:
    """Check a whole number that may be None."""
    if value is not None:
        require_whole(name, value, least)


def require_flag(name: str, value: object) -> None:
    """Check that ``value`` is True or False."""
    if not isinstance(value, (bool, np.bool_)):
        raise InputError(f"{name} must be True or False, got {value!r}.")


def require_text(name: str, value: object) -> str:
    """Check that ``value`` is a text, which may be empty."""
    if not isinstance(value, str):
        raise InputError(f"{name} must be a text, got {value!r}.")
    return value


def require_one_of(
    name: str,
    value: object,
    allowed: Iterable[str],
    shown: Iterable[str] | None = None,
) -> str:
    """Check that ``value`` is one of the allowed words; suggest the nearest one.

    If there are many, ``shown`` are those that the message lists.
    """
    words = list(allowed)
    if not isinstance(value, str) or value not in words:
        near = get_close_matches(str(value), words, 1)
        hint = f" Did you mean {near[0]!r}?" if near else ""
        if ":" in str(value):  # half of a name such as package.module:Name
            hint = " Something of your own is named package.module:Name."
        listed = ", ".join(words if shown is None else shown)
        raise InputError(f"{name} must be one of {listed}; got {value!r}.{hint}")
    return value


def _range_text(least: float, most: float) -> str:
    """Describe a range in words."""
    if math.isinf(least) and math.isinf(most):
        return "a finite number"
    if math.isinf(most):
        return f"a number of at least {least:g}"
    return f"a number from {least:g} to {most:g}"


def require_functions(argument: str, value: Any, form: str) -> list[Callable[..., Any]]:
    """Return a list of functions, given as such or as a single one.

    Parameters
    ----------
    argument, value
        Name and value.
    form
        How they are called, for the message, such as ``callback(study, trial)``.

    Examples
    --------
    >>> require_functions("callbacks", print, "callback(text)") == [print]
    True
    """
    functions = [value] if callable(value) else value
    if not isinstance(functions, Iterable) or not all(map(callable, functions)):
        raise InputError(f"{argument} must be functions {form}, got {value!r}.")
    return list(functions)
