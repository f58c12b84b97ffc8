"""What differs between two spaces, one line per knob, in the words of the user."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from divlearn.basics.text import as_json, one_line

#: Values of a list that are written out.
MOST_LISTED = 8


def differences(old: Any, new: Any) -> list[str]:
    r"""Say what differs between two spaces.

    Parameters
    ----------
    old, new
        What ``describe`` of the spaces says, as plain data; a file may hold anything.

    Examples
    --------
    >>> from divlearn import Categorical, Composite, Integer
    >>> old = Composite(blades=Integer(3, 9), metal=Categorical(["tin", "zinc"]))
    >>> new = Composite(blades=Integer(3, 12), angle=Integer(0, 9))
    >>> print("\n".join(differences(old.describe(), new.describe())))
    blades: integer 3..9 -> 3..12
    metal: knob dropped
    angle: new knob, integer 0..9
    """
    return list(_between("", old, new))


def in_words(space: Any) -> str:
    """Describe a space briefly.

    Examples
    --------
    >>> in_words({"space": "integer", "low": 1, "high": 8, "n": 3})
    'integer 1..8, n 3'
    """
    kind = _kind(space)
    if kind is None:
        return text_of(space)
    if kind == "if":
        condition, then = _condition(space)
        return f"{in_words(then)}, {condition}"
    if kind == "composite":
        return f"composite of {_cut([name for name, _ in parts_in(space)])}"
    head, said = kind, {"space"}
    if "low" in space and "high" in space:
        head, said = f"{kind} {_range(space)}", {"space", "low", "high"}
    elif isinstance(space.get("values"), list):
        head, said = (
            f"{kind} {_cut(map(text_of, space['values']))}",
            {"space", "values"},
        )
    if head != kind and space.get("n") == 1:
        said.add("n")
    more = {k: _said(space, k) for k in space if k not in said}
    words = [f"{k} {text_of(v)}" for k, v in more.items() if v is not None]
    return ", ".join([head, *words])


def change(old: Any, new: Any) -> str:
    """Say how a value has changed: what was added to a list, or both values.

    Examples
    --------
    >>> change({"0": 3}, {"0": 3, "4": 1}), change(3, 4)
    ('added 4: 1', '3 -> 4')
    """
    before, after = _entries(old), _entries(new)
    if before is None or after is None:
        return f"{text_of(old)} -> {text_of(new)}"
    added = [text for key, text in after.items() if key not in before]
    removed = [text for key, text in before.items() if key not in after]
    words = [f"added {_cut(added)}"] * bool(added)
    words += [f"removed {_cut(removed)}"] * bool(removed)
    return ", ".join(words) or "in another order"


def text_of(value: Any) -> str:
    """Write a plain value as one would type it, on one short line.

    Examples
    --------
    >>> text_of(None), text_of(True), text_of("tin"), text_of([1, 2])
    ('none', 'true', "'tin'", '[1, 2]')
    """
    if value is None:
        return "none"
    if isinstance(value, str):
        return one_line(repr(value), 60)
    return one_line(as_json(value, default=str), 60)


# --- two spaces


def _between(label: str, old: Any, new: Any) -> Iterator[str]:
    """Yield what differs between two spaces, or two parts of them."""
    if old == new:
        return
    if "if" in (_kind(old), _kind(new)):
        (before, old), (after, new) = _condition(old), _condition(new)
        if before != after:
            yield f"{label}: {before} -> {after}"
        yield from _between(label, old, new)
        return
    kind = _kind(new)
    if kind == "composite" == _kind(old):
        yield from _between_parts(label, dict(parts_in(old)), dict(parts_in(new)))
    elif kind is not None and kind == _kind(old):
        yield from _between_arguments(label or "space", kind, old, new)
    else:
        yield f"{label or 'space'}: {in_words(old)} -> {in_words(new)}"


def _between_parts(
    label: str, old: dict[str, Any], new: dict[str, Any]
) -> Iterator[str]:
    """Yield what differs between the knobs of two composites."""
    for name, part in old.items():
        place = joined(label, name)
        if name in new:
            yield from _between(place, part, new[name])
        else:
            yield f"{place}: knob dropped"
    for name, part in new.items():
        if name not in old:
            yield f"{joined(label, name)}: new knob, {in_words(part)}"
    before = [name for name in old if name in new]
    after = [name for name in new if name in old]
    if before != after:
        place = f"knobs of {label}" if label else "knobs"
        yield f"{place} in another order: {_cut(after)}"


def _between_arguments(
    label: str, kind: str, old: Mapping[str, Any], new: Mapping[str, Any]
) -> Iterator[str]:
    """Yield what differs between two spaces of one kind."""
    every = dict.fromkeys([*old, *new])
    names = [n for n in every if _said(old, n) != _said(new, n)]
    words = []
    if {"low", "high"} & {*names} and "low" in old and "low" in new:
        words.append(f"{kind} {_range(old)} -> {_range(new)}")
        names = [name for name in names if name not in ("low", "high")]
    elif names and not {"values", "low"} & {*old}:
        words.append(kind)
    for name in names:
        if _kind(old.get(name)) and _kind(new.get(name)):
            yield from _between(label, old[name], new[name])
        else:
            words.append(f"{name} {change(*_flags(old.get(name), new.get(name)))}")
    if words and words != [kind]:
        yield f"{label}: {', '.join(words)}"


# --- words


def joined(label: str, name: str) -> str:
    """Name of a part within a part."""
    return f"{label}.{name}" if label else str(name)


def _kind(space: Any) -> str | None:
    """Kind of a space; None for what describes none."""
    kind = space.get("space") if isinstance(space, Mapping) else None
    return kind if isinstance(kind, str) else None


def parts_in(space: Mapping[str, Any]) -> list[tuple[str, Any]]:
    """Parts of a composite by name; without what makes no sense."""
    parts = space.get("parts")
    pairs = parts if isinstance(parts, list) else []
    return [(str(p[0]), p[1]) for p in pairs if _is_pair(p)]


def _is_pair(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 2


def _said(space: Mapping[str, Any], name: str) -> Any:
    """An argument; what goes without saying is the same whether it is said or not."""
    value = space.get(name)
    return None if value is False or value in ([], {}) else value


def _condition(space: Any) -> tuple[str, Any]:
    """When a part exists, in words, and its space."""
    if _kind(space) != "if":
        return "always", space
    when = space.get("when")
    pairs = when if isinstance(when, list) else []
    words = [f"{p[0]} is {_meant(p[1])}" for p in pairs if _is_pair(p)]
    return f"if {' and '.join(words)}", space.get("then")


def _meant(wanted: Any) -> str:
    """Values of a condition, or limits of them."""
    if isinstance(wanted, Mapping):
        return f"{text_of(wanted.get('min'))}..{text_of(wanted.get('max'))}"
    values = wanted if isinstance(wanted, list) else [wanted]
    return " or ".join(map(text_of, values))


def _flags(old: Any, new: Any) -> tuple[Any, Any]:
    """Two arguments; one that is not given beside a flag is off."""
    if isinstance(old, bool) or isinstance(new, bool):
        return old or False, new or False
    return old, new


def _range(space: Mapping[str, Any]) -> str:
    """Limits of numbers."""
    return f"{text_of(space.get('low'))}..{text_of(space.get('high'))}"


def _entries(value: Any) -> dict[str, str] | None:
    """Entries of a list or a dict in full and briefly; None for what is neither."""
    if isinstance(value, Mapping):
        return {
            as_json([key, entry], default=str): f"{key}: {text_of(entry)}"
            for key, entry in value.items()
        }
    if isinstance(value, list):
        return {as_json(entry, default=str): text_of(entry) for entry in value}
    return {} if value is None else None


def _cut(texts: Iterable[str]) -> str:
    """The first of several texts, and how many there are."""
    known = list(texts)
    more = [f"... ({len(known):,} in all)"] if len(known) > MOST_LISTED else []
    return ", ".join([*known[:MOST_LISTED], *more])
