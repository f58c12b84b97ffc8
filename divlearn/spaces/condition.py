"""``If``: a part of a composite that exists only where others have certain values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from typing import Any, NamedTuple

import numpy as np

from divlearn.basics.errors import InputError
from divlearn.basics.typing import Codes
from divlearn.spaces.base import ORDINAL, PERMUTATION, Segment, Space
from divlearn.spaces.choice import Ordinal

#: Keys of limits.
LIMITS = ("min", "max")
#: A part of more values than this is not compared with single ones.
MOST_VALUES = 2**20


class If:
    """A part that exists only where earlier parts of its composite have given values.

    Where it does not exist, solutions have no such key, the function is not given it,
    and nothing is learned about it.

    Parameters
    ----------
    then
        The space of the part; a :class:`Composite` for several parts at once.
    conditions
        ``name=value``, ``name=(value, value, ...)`` or, for ordered values,
        ``name={"min": low, "max": high}`` with one limit or both, which belong to it.
        Of several conditions all must hold. The names are parts with a single value
        that were declared before; they may be conditional themselves.

    Examples
    --------
    >>> from divlearn import Categorical, Composite, Ordinal
    >>> kind = Categorical(["cpu", "gpu"])
    >>> space = Composite(kind=kind, cache=If(kind="cpu", then=Ordinal([16, 32, 64])))
    >>> space.contains({"kind": "gpu"}), space.contains({"kind": "cpu", "cache": 32})
    (True, True)
    >>> space.contains({"kind": "gpu", "cache": 32})
    False
    """

    def __init__(self, *, then: Space, **conditions: Any) -> None:
        if not isinstance(then, Space):
            raise InputError(
                "then must be a space such as Integer(1, 8), or a Composite of "
                f"several, got {then!r}; join the conditions of nested Ifs in one."
            )
        if not conditions:
            raise InputError(
                'If needs at least one condition, such as If(kind="cpu", then=...).'
            )
        self.then = then
        self.conditions: dict[str, Any] = {
            name: _kept(value) for name, value in conditions.items()
        }

    def __repr__(self) -> str:
        words = [f"{name}={value!r}" for name, value in self.conditions.items()]
        return f"If({', '.join([*words, f'then={self.then!r}'])})"


def _kept(value: Any) -> Any:
    """What a user gave as a condition, so that it can be read more than once."""
    if isinstance(value, (str, bytes, tuple, range)) or not isinstance(value, Iterable):
        return value
    return dict(value) if isinstance(value, Mapping) else list(value)


#: Codes from low to high, both included, ascending.
Ranges = tuple[tuple[int, int], ...]


class Condition(NamedTuple):
    """What a part is asked for: codes at one position, in ranges with both ends."""

    name: str  # of the part that decides
    position: int  # of its value in the composite
    ranges: Ranges

    def holds(self, codes: Codes) -> bool:
        """Whether codes, shape (n,), fulfil it."""
        code = codes[self.position]
        return any(low <= code <= high for low, high in self.ranges)

    def numbers(self, start: int) -> list[int]:
        """Write it for a segment that begins at ``start``."""
        ends = [end for both in self.ranges for end in both]
        return [self.position - start, len(self.ranges), *ends]


class Part(NamedTuple):
    """A part of a composite, and where it stands."""

    name: str
    space: Space
    segments: list[Segment]
    start: int
    stop: int
    conditions: tuple[Condition, ...] = ()
    flags: int = 0  # positions before those of the space: 1 if it has one of its own

    @property
    def inside(self) -> slice:
        """Positions of the space itself."""
        return slice(self.start + self.flags, self.stop)

    def exists(self, codes: Codes) -> bool:
        """Whether a solution has this part."""
        return all(condition.holds(codes) for condition in self.conditions)

    def describe(self, before: Mapping[str, Part]) -> dict[str, Any]:
        """Describe the space and, if it has any, its conditions."""
        description = self.space.describe()
        if not self.conditions:
            return description
        when = [[c.name, _values(before[c.name], c)] for c in self.conditions]
        return {"space": "if", "when": when, "then": description}


# --- from what a user wrote to conditions


def conditions_of(name: str, given: If, before: Mapping[str, Part]) -> list[Condition]:
    """Read the conditions of part ``name``, with the parts declared ``before`` it."""
    found = [_condition(name, on, given, before) for on in given.conditions]
    _require_possible(name, found, before)
    return found


def _condition(name: str, on: str, given: If, before: Mapping[str, Part]) -> Condition:
    """Read one condition."""
    if on not in before:
        near = get_close_matches(on, before, 1)
        hint = f" Did you mean {near[0]!r}?" if near else ""
        known = ", ".join(before) or "none"
        raise InputError(
            f"part {name!r} exists if {on!r} has a certain value, but no part of that "
            f"name is declared before it ({known}); declare {on!r} first.{hint}"
        )
    parent, wanted = before[on], given.conditions[on]
    _require_single(name, parent)
    codes = _codes(name, parent, wanted)
    levels = _num_values(parent)
    if len(codes) == levels and not parent.conditions:
        raise InputError(
            f"part {name!r} exists if {on} is {wanted!r}, which is always so; leave "
            "the condition out."
        )
    return Condition(on, parent.inside.start, tuple(_ranges(codes)))


def _require_single(name: str, parent: Part) -> None:
    """Refuse a condition on anything but a single value."""
    inner = parent.space.segments()
    single = len(inner) == 1 and len(inner[0].levels) == 1
    if not single or inner[0].kind == PERMUTATION:
        raise InputError(
            f"part {name!r} can only depend on a part that has a single value, such as "
            f"Categorical, Integer or Binary(), got {parent.name}={parent.space!r}."
        )


def _num_values(parent: Part) -> int:
    """Number of values of a part that has one of them."""
    return parent.space.segments()[0].levels[0]


def _codes(name: str, parent: Part, wanted: Any) -> Sequence[int]:
    """Codes of a part that a condition asks for, ascending."""
    if isinstance(wanted, Mapping) and not parent.space.contains(wanted):
        return _codes_within(name, parent, wanted)
    one = not isinstance(wanted, Iterable) or isinstance(wanted, (str, bytes))
    if one or parent.space.contains(wanted):
        wanted = [wanted]
    if _num_values(parent) > MOST_VALUES:
        raise InputError(
            f"part {name!r} exists if {parent.name} has a certain value, but "
            f"{parent.space!r} has too many to meet one; give limits, such as "
            f'{parent.name}={{"min": ...}}.'
        )
    codes = sorted({_code(name, parent, value) for value in wanted})
    if not codes:
        raise InputError(
            f"part {name!r} exists if {parent.name} is one of no values, which is "
            "never so; list at least one."
        )
    return codes


def _code(name: str, parent: Part, value: Any) -> int:
    """Code of one value of a part."""
    try:
        return int(parent.space.encode(value)[0])
    except InputError as error:
        raise InputError(
            f"part {name!r} exists if {parent.name} is {value!r}, which it never is: "
            f"{error}"
        ) from None


def _codes_within(name: str, parent: Part, limits: Mapping[str, Any]) -> range:
    """Codes of ordered values within limits."""
    if not limits or not set(limits) <= set(LIMITS):
        raise InputError(
            f"part {name!r} must give limits on {parent.name} by min and max, got "
            f"{dict(limits)!r}."
        )
    segment = parent.space.segments()[0]
    if segment.kind != ORDINAL:
        raise InputError(
            f"part {name!r} gives limits on {parent.name}, which has no order; list "
            f"values, such as {parent.name}=({_plain(parent, 0)!r},)."
        )
    low = _first(name, parent, limits["min"]) if "min" in limits else 0
    high = _last(name, parent, limits["max"]) if "max" in limits else segment.levels[0]
    if "max" not in limits:
        high -= 1
    if low > high:
        raise InputError(
            f"part {name!r} exists if {parent.name} is within {dict(limits)!r}, which "
            f"is never so for {parent.space!r}."
        )
    return range(low, high + 1)


def _first(name: str, parent: Part, limit: Any) -> int:
    """Code of the least value that is not below a limit."""
    if isinstance(parent.space, Ordinal):
        return _code(name, parent, limit)
    return _bisect(name, parent, limit, lambda value: value < limit)


def _last(name: str, parent: Part, limit: Any) -> int:
    """Code of the greatest value that is not above a limit."""
    if isinstance(parent.space, Ordinal):
        return _code(name, parent, limit)
    return _bisect(name, parent, limit, lambda value: value <= limit) - 1


def _bisect(name: str, parent: Part, limit: Any, is_before: Any) -> int:
    """Number of values that come before a limit; they ascend with their codes."""
    low, high = 0, _num_values(parent)
    try:
        while low < high:
            middle = (low + high) // 2
            if is_before(_plain(parent, middle)):
                low = middle + 1
            else:
                high = middle
    except TypeError:
        raise InputError(
            f"part {name!r} must give limits on {parent.name} as numbers, got "
            f"{limit!r}."
        ) from None
    return low


def _require_possible(
    name: str, conditions: Sequence[Condition], before: Mapping[str, Part]
) -> None:
    """Refuse conditions that contradict one another, or those of what they ask."""
    allowed: dict[int, Ranges] = {}
    for condition in _with_earlier(conditions, before):
        known = allowed.get(condition.position, condition.ranges)
        allowed[condition.position] = _common(known, condition.ranges)
        if not allowed[condition.position]:
            raise InputError(
                f"part {name!r} can never exist: its conditions, and those of the "
                f"parts they name, want different values of {condition.name!r}."
            )


def _with_earlier(
    conditions: Iterable[Condition], before: Mapping[str, Part]
) -> Iterator[Condition]:
    """Conditions, and those of the parts that they name."""
    for condition in conditions:
        yield condition
        yield from _with_earlier(before[condition.name].conditions, before)


def _common(one: Ranges, other: Ranges) -> Ranges:
    """Codes that are in both.

    Examples
    --------
    >>> _common(((0, 2), (5, 9)), ((2, 6),))
    ((2, 2), (5, 6))
    """
    both = ((max(a, c), min(b, d)) for a, b in one for c, d in other)
    return tuple((low, high) for low, high in both if low <= high)


def _ranges(codes: Sequence[int]) -> list[tuple[int, int]]:
    """Join neighbouring codes.

    Examples
    --------
    >>> _ranges([0, 1, 2, 5])
    [(0, 2), (5, 5)]
    """
    if isinstance(codes, range):
        return [(codes[0], codes[-1])]
    ranges: list[tuple[int, int]] = []
    for code in codes:
        if ranges and ranges[-1][1] == code - 1:
            ranges[-1] = (ranges[-1][0], code)
        else:
            ranges.append((code, code))
    return ranges


def in_words(part: Part, before: Mapping[str, Part]) -> str:
    """When a part exists, in words; empty if always."""
    return " and ".join(
        f"{c.name} is {_said(_values(before[c.name], c))}" for c in part.conditions
    )


def _said(values: Any) -> str:
    """Values, or limits of them, in words."""
    if isinstance(values, dict):
        return f"from {values['min']!r} to {values['max']!r}"
    return " or ".join(map(repr, values))


def _values(parent: Part, condition: Condition) -> Any:
    """Values that a condition allows, the same however they were given."""
    (low, high), *more = condition.ranges
    ordered = parent.space.segments()[0].kind == ORDINAL
    if ordered and not more and low < high:
        return {"min": _plain(parent, low), "max": _plain(parent, high)}
    return [
        _plain(parent, code)
        for low, high in condition.ranges
        for code in range(low, high + 1)
    ]


def _plain(parent: Part, code: int) -> Any:
    """Value of a code, as plain data."""
    value = parent.space.decode(np.array([code], np.int64))
    return value.item() if isinstance(value, np.generic) else value
