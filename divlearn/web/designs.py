"""Designs as a page shows them: knobs that can be limited, and kinds of parts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

#: Longer lists are orders, subsets and the like, which no slider can limit.
MOST_ENTRIES = 6
#: Parts whose single entries say nothing.
TOGETHER = ("permutation", "subset", "partition")
#: Knobs that are offered.
MOST_KNOBS = 40


def knobs_of(x: Any, kinds: Mapping[str, str]) -> dict[str, Any]:
    """Single values of a design by name: numbers, texts, and entries of short lists.

    Examples
    --------
    >>> x = {"kind": "cpu", "sizes": [1, 2], "order": [1, 0]}
    >>> knobs_of(x, {"order": "permutation"})
    {'kind': 'cpu', 'sizes 0': 1, 'sizes 1': 2}
    >>> knobs_of(3.5, {})
    {'x': 3.5}
    """
    found = dict(_single("", x, kinds))
    return dict(list(found.items())[:MOST_KNOBS])


def _single(
    name: str, value: Any, kinds: Mapping[str, str]
) -> Iterator[tuple[str, Any]]:
    """Yield single values with their names."""
    if isinstance(value, Mapping):
        for key, part in value.items():
            yield from _single(f"{name} {key}".strip(), part, kinds)
    elif isinstance(value, (list, tuple)):
        if len(value) <= MOST_ENTRIES and kinds.get(name) not in TOGETHER:
            for i, part in enumerate(value):
                yield from _single(f"{name or 'x'} {i}", part, kinds)
    elif value is not None:
        yield name or "x", value


def kinds_of(description: Any) -> dict[str, str]:
    """Kind of every part of a space by name, from its description; "" for x itself.

    Examples
    --------
    >>> kinds_of({"space": "composite", "parts": [["order", {"space": "permutation"}]]})
    {'order': 'permutation'}
    """
    return dict(_kinds("", description))


def _kinds(name: str, description: Any) -> Iterator[tuple[str, str]]:
    """Yield names and kinds of parts; a description from a file may be anything."""
    if not isinstance(description, Mapping):
        return
    kind = description.get("space")
    if kind == "if":
        yield from _kinds(name, description.get("then"))
    elif kind == "composite":
        parts = description.get("parts")
        for part in parts if isinstance(parts, list) else []:
            if isinstance(part, (list, tuple)) and len(part) == 2:
                yield from _kinds(f"{name} {part[0]}".strip(), part[1])
    elif isinstance(kind, str):
        yield name, kind
