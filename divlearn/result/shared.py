"""What all solutions of a front have in common, in the user's names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from divlearn.basics.typing import Value

#: How many things of one kind are listed.
MOST_LISTED = 12


def shared(solutions: Sequence[Value], space: Mapping[str, Any]) -> list[str]:
    """Say what all solutions agree on, one line per knob.

    Parameters
    ----------
    solutions
        Values as the user declared them.
    space
        Description of the space, as :meth:`Space.describe` writes it.

    Examples
    --------
    >>> from divlearn import Composite, Integer, Subset
    >>> space = Composite(speed=Integer(0, 9), parts=Subset(4, 2))
    >>> both = [{"speed": 3, "parts": [0, 1]}, {"speed": 3, "parts": [0, 2]}]
    >>> shared(both, space.describe())
    ['speed = 3', 'parts: always with 0, never with 3']
    """
    return list(_agreed(list(solutions), space, ""))


def varying(solutions: Sequence[Value], space: Mapping[str, Any]) -> list[str]:
    """Say how single-valued knobs vary, one line per knob.

    Examples
    --------
    >>> from divlearn import Integer
    >>> varying([3, 7, 4], Integer(0, 9).describe())
    ['x: 3 to 7']
    """
    return list(_ranges(list(solutions), space, ""))


def _agreed(values: list[Value], space: Mapping[str, Any], label: str) -> Iterator[str]:
    """Yield what is the same in all values of a space, or of a part of one."""
    kind = space.get("space")
    if kind == "composite":
        for name, part in space["parts"]:
            yield from _agreed(*_of_part(values, name, part, label))
        return
    if not values:
        return
    label = label or "x"
    if kind == "permutation":
        yield from _agreed_orders(np.array(values), label)
    elif kind == "subset":
        yield from _agreed_sets(values, int(space["n"]), label)
    elif _is_plain(values[0]):
        if all(_plain(v) == _plain(values[0]) for v in values):
            yield f"{label} = {_plain(values[0])!r}"
    elif kind in ("binary", "categorical", "ordinal", "integer"):
        yield from _agreed_places([list(v) for v in values], label)


def _ranges(values: list[Value], space: Mapping[str, Any], label: str) -> Iterator[str]:
    """Yield the values that single knobs take."""
    kind = space.get("space")
    if kind == "composite":
        for name, part in space["parts"]:
            yield from _ranges(*_of_part(values, name, part, label))
        return
    if not values:
        return
    label = label or "x"
    if not _is_plain(values[0]) or kind not in ("integer", "ordinal", "categorical"):
        return
    found = list(dict.fromkeys(map(_plain, values)))
    if len(found) < 2:
        return
    if kind == "integer":
        yield f"{label}: {min(found)} to {max(found)}"
        return
    declared = list(space["values"])
    found.sort(key=lambda value: declared.index(value) if value in declared else -1)
    if kind == "ordinal":
        yield f"{label}: {found[0]!r} to {found[-1]!r}"
    else:
        yield f"{label}: {listed([repr(value) for value in found])}"


def _of_part(
    values: list[Value], name: str, part: Mapping[str, Any], label: str
) -> tuple[list[Value], Mapping[str, Any], str]:
    """Values of a part in the solutions that have it, its space, and what it is called.

    Examples
    --------
    >>> part = {"space": "if", "when": [], "then": {"space": "integer"}}
    >>> _of_part([{"size": 3}, {}], "size", part, "")
    ([3], {'space': 'integer'}, 'size (where there is one)')
    """
    found, label = [v[name] for v in values if name in v], _joined(label, name)
    if len(found) < len(values):
        label += " (where there is one)"
    return found, part["then"] if part.get("space") == "if" else part, label


def _agreed_orders(orders: Any, label: str) -> Iterator[str]:
    """Yield places with one item, and items that are always neighbours."""
    same = np.flatnonzero((orders == orders[0]).all(axis=0))
    if len(same):
        places = [f"item {orders[0, i]} at place {i}" for i in same]
        yield f"{label}: {listed(places)}"
    pairs = [{frozenset(pair) for pair in pairwise(order)} for order in orders.tolist()]
    common = sorted(sorted(pair) for pair in set.intersection(*pairs))
    fixed = set(same.tolist())
    place = {int(item): i for i, item in enumerate(orders[0])}
    # Neighbours that have the same places in all solutions need no mention.
    new = [pair for pair in common if not {place[item] for item in pair} <= fixed]
    if new:
        words = [f"{first} and {second}" for first, second in new]
        yield f"{label}: always next to each other {listed(words)}"


def _agreed_sets(values: list[Value], size: int, label: str) -> Iterator[str]:
    """Yield items that all sets have, and those that none has."""
    sets = [{int(item) for item in value} for value in values]
    always, ever = set.intersection(*sets), set.union(*sets)
    words = []
    if always:
        words.append(f"always with {listed([str(i) for i in sorted(always)])}")
    if never := sorted(set(range(size)) - ever):
        words.append(f"never with {listed([str(i) for i in never])}")
    if words:
        yield f"{label}: {', '.join(words)}"


def _agreed_places(rows: list[list[Value]], label: str) -> Iterator[str]:
    """Yield places of arrays that are the same in all."""
    same = [i for i, first in enumerate(rows[0]) if all(r[i] == first for r in rows)]
    if same:
        yield listed([f"{label}[{i}] = {_plain(rows[0][i])!r}" for i in same])


def listed(words: Sequence[str], most: int = MOST_LISTED) -> str:
    """Join words with commas; of many, list only the first."""
    more = f" and {len(words) - most:,} more" if len(words) > most else ""
    return ", ".join(words[:most]) + more


def _joined(label: str, name: str) -> str:
    """Name of a part inside another part."""
    return f"{label}.{name}" if label else name


def _is_plain(value: Value) -> bool:
    """Whether a value is one thing rather than several."""
    return not isinstance(value, (np.ndarray, list, tuple, dict))


def _plain(value: Value) -> Any:
    """A number of NumPy as one of Python."""
    return value.item() if isinstance(value, np.generic) else value
