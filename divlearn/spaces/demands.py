"""Pairs, groups and fixed places from users, as checked lists of numbers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from divlearn.basics.checks import require_whole
from divlearn.basics.errors import InputError


def read_pairs(name: str, given: Any, n: int, what: str) -> list[tuple[int, int]]:
    """Pairs of different items, each once, sorted.

    Examples
    --------
    >>> read_pairs("before", [(2, 0), [0, 1], (2, 0)], 3, "item")
    [(0, 1), (2, 0)]
    """
    pairs = set()
    for pair in _lists(name, given, "pairs, such as [(0, 1)]"):
        items = [read_number(name, a, n, what) for a in pair]
        if len(items) != 2 or items[0] == items[1]:
            raise InputError(
                f"{name} lists pairs of two different {what}s, the earlier one first, "
                f"got {pair!r}."
            )
        pairs.add((items[0], items[1]))
    return sorted(pairs)


def read_groups(name: str, given: Any, n: int, what: str) -> list[list[int]]:
    """Groups of items, each sorted and without repetition; those of one have none.

    Examples
    --------
    >>> read_groups("together", [[3, 1]], 4, "item")
    [[1, 3]]
    """
    groups = _lists(name, given, f"groups of {what}s, such as [[0, 1]]")
    return [read_items(name, group, n, what) for group in groups]


def read_items(name: str, given: Any, n: int, what: str) -> list[int]:
    """Different items, sorted."""
    entries = _entries(name, given, f"{what}s, such as [0, 2]")
    items = [read_number(name, a, n, what) for a in entries]
    if len(set(items)) < len(items):
        raise InputError(f"{name} names a {what} twice, got {given!r}.")
    return sorted(items)


def read_fixed(name: str, given: Any, n: int, places: int, what: str) -> dict[int, int]:
    """Positions and their items, by position; from a dict or a list of pairs.

    Examples
    --------
    >>> read_fixed("fixed", {"4": 0, 1: 3}, 5, 5, "item")
    {1: 3, 4: 0}
    """
    pairs = given.items() if isinstance(given, Mapping) else given
    found: dict[int, int] = {}
    if given is None:
        return found
    if not _is_list(pairs) or not all(_is_list(p) and len(p) == 2 for p in pairs):
        raise InputError(
            f"{name} is a dict of position to {what}, such as {{0: 3}}, got {given!r}."
        )
    for place, item in pairs:
        if isinstance(place, str) and place.isdecimal():
            place = int(place)  # keys of TOML and JSON are text
        place = read_number(name, place, places, "position")
        if place in found:
            raise InputError(f"{name} names position {place} twice, got {given!r}.")
        found[place] = read_number(name, item, n, what)
    return dict(sorted(found.items()))


def read_number(name: str, value: Any, n: int, what: str) -> int:
    """Check the number of an item, a thing or a position."""
    number = require_whole(f"each {what} in {name}", value, least=0)
    if number >= n:
        raise InputError(f"{name}: {what}s are numbered 0 to {n - 1}, got {number}.")
    return number


def _entries(name: str, given: Any, of_what: str) -> list[Any]:
    """Entries of a list or an array; none for None."""
    if given is None:
        return []
    if not _is_list(given):
        raise InputError(f"{name} needs a list of {of_what}, got {given!r}.")
    return list(given)


def _lists(name: str, given: Any, of_what: str) -> list[Any]:
    """Entries that are lists themselves."""
    entries = _entries(name, given, of_what)
    if not all(_is_list(entry) for entry in entries):
        raise InputError(f"{name} needs a list of {of_what}, got {given!r}.")
    return entries


def _is_list(value: Any) -> bool:
    """Whether something is a list, a tuple, a set or an array, and no text."""
    return (
        isinstance(value, Iterable)
        and hasattr(value, "__len__")
        and not isinstance(value, str | bytes | Mapping)
    )
