"""What the file of a study says of it, checked before anything follows from it."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

from divlearn.methods.budget import SCHEDULE
from divlearn.study.forking.report import ForkReport
from divlearn.study.store.schema import damaged

#: Largest whole number that a note may hold.
MOST = 2**63 - 1


def checked(path: Path, notes: dict[str, Any]) -> dict[str, Any]:
    """Return the notes of a study that was begun, or say which one makes no sense.

    Parameters
    ----------
    path
        The file, for the message.
    notes
        As they were read; names that are not known here are left alone.

    Examples
    --------
    >>> try:
    ...     checked(Path("chip.db"), {"divlearn": 3})
    ... except ValueError as error:
    ...     print(str(error)[:68])
    the study 'chip.db' is damaged (table study, key divlearn: its value
    """
    for name, is_good in {**_ALWAYS, **_LATER}.items():
        if name not in notes and name in _LATER:
            continue
        if name not in notes or not is_good(notes[name]):
            told = "is missing" if name not in notes else "makes no sense"
            raise damaged(path, f"table study, key {name}: its value {told}")
    num_objectives = len(notes["problem"]["objectives"])
    for name in ("reference", "ideal"):
        point = notes[name]
        if point is not None and len(point) != num_objectives:
            raise damaged(path, f"table study, key {name}: its value makes no sense")
    return notes


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_number(value: Any) -> bool:
    return (
        isinstance(value, (int, float))
        and not isinstance(value, bool)
        and abs(value) <= MOST  # False for NaN
    )


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= MOST


def _is_lag(value: Any) -> bool:
    return _is_count(value) and value > 0


def _is_flag(value: Any) -> bool:
    return isinstance(value, bool)


def _is_object(value: Any) -> bool:
    return isinstance(value, dict)


def _are_texts(value: Any) -> bool:
    return isinstance(value, list) and all(map(_is_text, value))


def _is_point(value: Any) -> bool:
    return isinstance(value, list) and all(
        type(number) is float and math.isfinite(number) for number in value
    )


def _is_problem(value: Any) -> bool:
    """A space, objectives with senses, and constraints, all with different names."""
    if not isinstance(value, dict) or "space" not in value:
        return False
    objectives, constraints = value.get("objectives"), value.get("constraints")
    if not isinstance(objectives, list) or not isinstance(constraints, list):
        return False
    pairs = [o for o in objectives if isinstance(o, list) and len(o) == 2]
    names = [name for name, sense in pairs if sense in ("min", "max")] + constraints
    return (
        0 < len(objectives) <= len(names)
        and len(names) == len(objectives) + len(constraints)
        and all(isinstance(name, str) for name in names)
        and len(set(names)) == len(names)
    )


def _are_texts_by_name(value: Any) -> bool:
    return _is_object(value) and all(map(_is_text, value.values()))


def _is_report(value: Any) -> bool:
    """What a fork took over."""
    try:
        return bool(str(ForkReport.from_dict(value)))
    except (AttributeError, KeyError, TypeError, ValueError):
        return False


def _is_budget(value: Any) -> bool:
    return value in (None, SCHEDULE) or _is_count(value)


def _or_none(is_good: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda value: value is None or is_good(value)


#: What the file of every study says ...
_ALWAYS = {
    "divlearn": _is_text,
    "created": _is_number,
    "problem": _is_problem,
    "name": _is_text,
    "reference": _or_none(_is_point),
    "ideal": _or_none(_is_point),
    "method": _is_text,
    "settings": _is_object,
    "seed": _is_count,
    "lag": _is_lag,
    "ordered": _is_flag,
}
#: ... and what it says after its first run.
_LATER = {
    "budget": _is_budget,
    "target": _or_none(_is_count),
    "stopped": _or_none(_is_text),
    "origin": _or_none(_is_object),
    "fork": _or_none(_is_report),
    "used": _or_none(_is_object),
    "drawing": _or_none(_is_object),
    "units": _or_none(_are_texts_by_name),
    "extras": _are_texts,
    "noise": _or_none(_is_flag),
    "hooks": _is_flag,
    "archive_size": _or_none(_is_lag),
}
