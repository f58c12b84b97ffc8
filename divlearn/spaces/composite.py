"""Several spaces side by side."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from divlearn.basics.typing import Codes, Value
from divlearn.errors import InputError
from divlearn.spaces.base import Segment, Space


class Composite(Space):
    """Named parts, each a space; a value is a dict of name to value.

    Parameters
    ----------
    parts
        ``name=space`` for each part, in the order of the positions. Parts may be
        composites themselves.

    Examples
    --------
    >>> from divlearn import Composite, Integer, Permutation
    >>> space = Composite(order=Permutation(3), width=Integer(1, 4))
    >>> one, two = ({"order": [0, 1, 2], "width": w} for w in (1, 4))
    >>> space.distance(one, two)
    3.0
    """

    def __init__(self, **parts: Space) -> None:
        if not parts:
            raise InputError("Composite needs at least one part, name=space.")
        for name, part in parts.items():
            if not isinstance(part, Space):
                raise InputError(
                    f"part {name!r} of Composite must be a space such as "
                    f"Permutation(10) or Integer(1, 8), got {part!r}."
                )
        self.parts = parts
        ends = np.cumsum([part.num_positions for part in parts.values()])
        starts = [0, *ends[:-1]]
        self._slices = {
            name: slice(int(start), int(end))
            for name, start, end in zip(parts, starts, ends, strict=True)
        }

    def segments(self) -> list[Segment]:
        """Segments of all parts in order."""
        return [segment for part in self.parts.values() for segment in part.segments()]

    def decode(self, codes: Codes) -> Value:
        """Return a dict of each part's value."""
        return {
            name: part.decode(codes[self._slices[name]])
            for name, part in self.parts.items()
        }

    def encode(self, value: Value) -> Codes:
        """Encode every part."""
        if not isinstance(value, Mapping) or set(value) != set(self.parts):
            got = list(value) if isinstance(value, Mapping) else repr(value)
            raise InputError(
                f"a value of this Composite is a dict with the keys "
                f"{list(self.parts)}, got {got}."
            )
        return np.concatenate(
            [part.encode(value[name]) for name, part in self.parts.items()]
        )

    def describe(self) -> dict[str, Any]:
        """Parts by name, in order."""
        parts = [[name, part.describe()] for name, part in self.parts.items()]
        return {"space": "composite", "parts": parts}

    def __repr__(self) -> str:
        parts = ", ".join(f"{name}={part!r}" for name, part in self.parts.items())
        return f"Composite({parts})"
