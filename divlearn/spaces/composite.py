"""Several spaces side by side."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from divlearn.basics.errors import InputError
from divlearn.basics.typing import Codes, Value
from divlearn.spaces.base import Segment, Space
from divlearn.spaces.condition import If, Part, conditions_of, in_words
from divlearn.spaces.presence import absent_codes, conditional


class Composite(Space):
    """Named parts, each a space; a value is a dict of name to value.

    A value has no key for a part that does not exist in it.

    Parameters
    ----------
    parts
        ``name=space`` for each part, in the order of the positions. Parts may be
        composites themselves, or exist only sometimes (:class:`If`).

    Examples
    --------
    >>> from divlearn import Composite, Integer, Permutation
    >>> space = Composite(order=Permutation(3), width=Integer(1, 4))
    >>> one, two = ({"order": [0, 1, 2], "width": w} for w in (1, 4))
    >>> space.distance(one, two)
    3.0
    """

    def __init__(self, *unnamed: object, **parts: Space | If) -> None:
        if unnamed:
            raise InputError(
                "Composite takes its parts by name, as Composite(width=Real(0, 1)), "
                f"or Composite(**parts) if they are in a dict; got {unnamed[0]!r}."
            )
        if not parts:
            raise InputError("Composite needs at least one part, name=space.")
        self.parts = parts
        self.placed: dict[str, Part] = {}
        for name, part in parts.items():
            self.placed[name] = _placed(name, part, self.placed)

    def segments(self) -> list[Segment]:
        """Segments of all parts in order."""
        return [segment for part in self.placed.values() for segment in part.segments]

    def decode(self, codes: Codes) -> Value:
        """Return a dict of the values of all parts that exist."""
        return {
            name: part.space.decode(codes[part.inside])
            for name, part in self.placed.items()
            if part.exists(codes)
        }

    def encode(self, value: Value) -> Codes:
        """Encode every part that exists; one that does not must be missing or None."""
        if not isinstance(value, Mapping) or not set(value) <= set(self.parts):
            raise self._misfit(value)
        codes = np.zeros(self.num_positions, np.int64)
        for part in self.placed.values():
            self._write(part, value, codes)
        return codes

    def has_part(self, name: str, value: Mapping[str, Any]) -> bool:
        """Whether a solution with the earlier parts of ``value`` has part ``name``."""
        codes = np.zeros(self.num_positions, np.int64)
        for part in self.placed.values():
            if part.name == name:
                return part.exists(codes)
            self._write(part, value, codes)
        raise InputError(f"name must be one of {list(self.parts)}, got {name!r}.")

    def _write(self, part: Part, value: Mapping[str, Any], codes: Codes) -> None:
        """Write the codes of one part behind those of all before it."""
        if not part.exists(codes):
            self._require_none(part, value)
            codes[part.start : part.stop] = absent_codes(part.segments)
            return
        if part.name not in value:
            raise self._misfit(value, part.name)
        codes[part.start : part.inside.start] = 0
        try:
            codes[part.inside] = part.space.encode(value[part.name])
        except InputError as error:  # many parts may have the same space
            raise InputError(f"{part.name!r}: {error}") from None

    def _misfit(self, value: Value, missing: str | None = None) -> InputError:
        """Say which keys a value needs."""
        got = list(value) if isinstance(value, Mapping) else repr(value)
        keys = f"the keys {[n for n, p in self.placed.items() if not p.conditions]}"
        for name, part in self.placed.items():
            if part.conditions:
                keys += f", {name!r} if {in_words(part, self.placed)}"
        lacks = "" if missing is None else f", which lacks {missing!r}"
        if isinstance(value, Mapping) and (more := set(value) - set(self.parts)):
            lacks = f"; there is no {min(map(repr, more))}"
        return InputError(
            f"a value of this Composite is a dict with {keys}, got {got}{lacks}."
        )

    def _require_none(self, part: Part, value: Mapping[str, Any]) -> None:
        """Refuse a value of a part that does not exist."""
        given = value.get(part.name)
        if given is not None:
            raise InputError(
                f"{part.name!r} has the value {given!r}, but exists only if "
                f"{in_words(part, self.placed)}; leave it out."
            )

    def describe(self) -> dict[str, Any]:
        """Parts by name, in order."""
        parts = [[n, part.describe(self.placed)] for n, part in self.placed.items()]
        return {"space": "composite", "parts": parts}

    def __repr__(self) -> str:
        parts = ", ".join(f"{name}={part!r}" for name, part in self.parts.items())
        return f"Composite({parts})"


def _placed(name: str, given: Space | If, before: Mapping[str, Part]) -> Part:
    """Put a part behind those ``before`` it."""
    start = max((part.stop for part in before.values()), default=0)
    if isinstance(given, If):
        conditions = conditions_of(name, given, before)
        segments, flags = conditional(given.then.segments(), conditions, start)
        stop = start + sum(len(segment.levels) for segment in segments)
        return Part(name, given.then, segments, start, stop, tuple(conditions), flags)
    if isinstance(given, Space):
        stop = start + given.num_positions
        return Part(name, given, given.segments(), start, stop)
    raise InputError(
        f"part {name!r} of Composite must be a space such as Permutation(10) or "
        f"Integer(1, 8), or If(..., then=space), got {given!r}."
    )
