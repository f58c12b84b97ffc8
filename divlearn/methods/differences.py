"""What differs between two methods, one line per option."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from divlearn.spaces.differences import change, joined

#: What a method is called whose options fit no name.
CUSTOM = "custom"


def differences(
    old: Mapping[str, Any], new: Mapping[str, Any], names: tuple[str, str]
) -> list[str]:
    """Say what differs between two methods; nothing if they are the same.

    Parameters
    ----------
    old, new
        What ``describe`` of the methods says, as plain data after JSON.
    names
        What the user calls them; options of two that have names are left out.

    Examples
    --------
    >>> differences({"method": "dl"}, {"method": "random"}, ("dl", "random"))
    ['method: dl -> random']
    >>> from divlearn import DL
    >>> narrow = DL(window=5).describe()
    >>> differences(DL().describe(), narrow, ("dl", "custom"))
    ['option window: none -> 5']
    """
    if old == new:
        return []
    first, second = names
    another = old.get("method") != new.get("method")
    if another or (first != second and CUSTOM not in names):
        shown = (_name(first, old), _name(second, new))
        return [f"method: {shown[0]} -> {shown[1]}"]
    return [f"option {line}" for line in _of_options("", old, new)]


def _name(name: str, description: Mapping[str, Any]) -> str:
    """What to call a method."""
    return str(description.get("method")) if name == CUSTOM else name


def _of_options(label: str, old: Any, new: Any) -> Iterator[str]:
    """Yield options that differ, and options of options."""
    if old == new:
        return
    if not isinstance(old, Mapping) or not isinstance(new, Mapping):
        yield f"{label}: {change(old, new)}"
        return
    for name in dict.fromkeys([*old, *new]):
        yield from _of_options(joined(label, name), old.get(name), new.get(name))
