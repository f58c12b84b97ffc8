"""Options of a method: changed by name, written as plain data and read back.

A method is a dataclass, and some of its fields are dataclasses of their own, its
*parts*; an option of a part is named with a dot, as ``refinement.steps``.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any, TypeVar

from divlearn.basics.checks import require_one_of
from divlearn.basics.errors import InputError

D = TypeVar("D", bound=Any)

#: Parts of a method by the names of their fields.
Parts = Mapping[str, type]


def option_names(kind: type, parts: Parts) -> list[str]:
    """Names of all options, those of parts with a dot."""
    names = [f.name for f in dataclasses.fields(kind)]
    for part, inner in parts.items():
        names += [f"{part}.{f.name}" for f in dataclasses.fields(inner)]
    return names


def replaced(method: D, parts: Parts, changes: Mapping[str, Any]) -> D:
    """Return a copy of a dataclass with some options changed."""
    own: dict[str, Any] = {}
    inside: dict[str, dict[str, Any]] = {}
    names = option_names(type(method), parts)
    for name, value in changes.items():
        part, _, inner = name.partition(".")
        require_one_of("setting", name, names, _related(part, names, parts))
        if inner:
            inside.setdefault(part, {})[inner] = value
        else:
            own[part] = value
    for part, inner_changes in inside.items():
        base = own.get(part, getattr(method, part)) or parts[part]()
        own[part] = dataclasses.replace(base, **inner_changes)
    return dataclasses.replace(method, **own)


def _related(part: str, names: list[str], parts: Parts) -> list[str]:
    """Names of a part's options; of all parts and single options if unknown."""
    return [
        name
        for name in names
        if name.startswith(f"{part}.") or (part not in parts and "." not in name)
    ]


def require_parts(method: Any, parts: Parts, optional: tuple[str, ...] = ()) -> None:
    """Check that each part is of its class; optional ones may be None."""
    for name, kind in parts.items():
        part = getattr(method, name)
        if not isinstance(part, kind) and not (part is None and name in optional):
            raise InputError(f"{name} must be a {kind.__name__}, got {part!r}.")


def described(value: Any) -> Any:
    """Turn options into numbers, strings, lists and dicts.

    An object with a method ``describe`` describes itself.
    """
    if hasattr(value, "describe"):
        return value.describe()
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return described_fields(value)
    if isinstance(value, Mapping):
        return {str(key): described(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [described(item) for item in value]
    return value.tolist() if hasattr(value, "tolist") else value


def described_fields(value: Any) -> dict[str, Any]:
    """All fields of a dataclass as plain data."""
    fields = dataclasses.fields(value)
    return {f.name: described(getattr(value, f.name)) for f in fields}
