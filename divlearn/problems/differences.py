"""What differs between two problems, one line each, in the words of the user."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from divlearn.spaces import differences as spaces
from divlearn.spaces.differences import text_of

_SENSES = {"min": "minimize", "max": "maximize"}
#: Parts of a description that have words of their own.
_KNOWN = ("space", "objectives", "constraints", "limits", "instance")


def differences(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[str]:
    """Say what differs between two problems; nothing if they are the same.

    Parameters
    ----------
    old, new
        What ``describe`` of the problems says, as plain data after JSON.

    Examples
    --------
    >>> from divlearn import Integer, Problem
    >>> def problem(high, **senses):
    ...     return Problem(Integer(0, high), len, senses).describe()
    >>> differences(problem(9, cost="min"), problem(12, cost="max", mass="min"))
    ['space: integer 0..9 -> 0..12', 'cost: minimize -> maximize', \
'mass: new objective, minimize']
    """
    lines = [
        *spaces.differences(old.get("space"), new.get("space")),
        *_of_objectives(_named(old, "objectives"), _named(new, "objectives")),
        *_of_constraints(old, new),
        *_of_instances(old.get("instance"), new.get("instance")),
    ]
    for part in dict.fromkeys([*old, *new]):
        if part not in _KNOWN and old.get(part) != new.get(part):
            lines.append(
                f"{part}: {text_of(old.get(part))} -> {text_of(new.get(part))}"
            )
    if not lines and old != new:  # such as a list that holds the same names twice
        lines.append("problem: described otherwise")
    return lines


def _of_objectives(old: dict[str, Any], new: dict[str, Any]) -> Iterator[str]:
    """Yield senses that changed, and objectives that came, went or moved."""
    for name, sense in old.items():
        if name not in new:
            yield f"{name}: objective dropped"
        elif new[name] != sense:
            yield f"{name}: {_sense(sense)} -> {_sense(new[name])}"
    for name, sense in new.items():
        if name not in old:
            yield f"{name}: new objective, {_sense(sense)}"
    yield from _moved("objectives", old, new)


def _of_constraints(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[str]:
    """Yield constraints that came, went or moved, and limits that changed."""
    before, after = _constraints(old), _constraints(new)
    for name, limit in before.items():
        if name not in after:
            yield f"{name}: constraint dropped"
        elif after[name] != limit:
            yield f"{name}: limit {text_of(limit)} -> {text_of(after[name])}"
    for name, limit in after.items():
        if name not in before:
            told = "" if limit is None else f", limit {text_of(limit)}"
            yield f"{name}: new constraint{told}"
    yield from _moved("constraints", before, after)


def _constraints(problem: Mapping[str, Any]) -> dict[str, Any]:
    """Limits of a simulator by constraint; None for constraints of other problems."""
    names, limits = problem.get("constraints"), problem.get("limits")
    known = limits if isinstance(limits, Mapping) else {}
    listed = names if isinstance(names, list) else []
    return {str(name): known.get(str(name)) for name in listed}


def _of_instances(old: Any, new: Any) -> Iterator[str]:
    """Yield whether a compiled objective or its data is another one."""
    if old == new:
        return
    (data, noise), (other, other_noise) = map(_data_and_noise, (old, new))
    if data != other:
        yield "instance: its data or its compiled objective is another one"
    if noise != other_noise:
        yield f"noise: {noise or 'none'} -> {other_noise or 'none'}"


def _data_and_noise(instance: Any) -> tuple[str, str]:
    """The two parts of an instance's description."""
    data, _, noise = str(instance).partition(" with noise ")
    return data, noise


def _moved(what: str, old: dict[str, Any], new: dict[str, Any]) -> Iterator[str]:
    """Yield whether names that both have come in another order."""
    after = [name for name in new if name in old]
    if [name for name in old if name in new] != after:
        yield f"{what} in another order: {', '.join(after)}"


def _named(problem: Mapping[str, Any], part: str) -> dict[str, Any]:
    """Pairs of a description as a dict."""
    pairs = problem.get(part)
    found = pairs if isinstance(pairs, list) else []
    return {str(p[0]): p[1] for p in found if isinstance(p, list) and len(p) == 2}


def _sense(sense: Any) -> str:
    """What is done to an objective."""
    return _SENSES.get(str(sense), text_of(sense))
