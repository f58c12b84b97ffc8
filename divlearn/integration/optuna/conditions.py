"""When parameters exist: conditions that explain what trials have and lack.

A trial of Optuna does not say why it has no parameter ``depth``. But if all that have
it, and no other, have ``model = "forest"``, that is why, until a trial says otherwise.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from divlearn.spaces import Space
from divlearn.spaces.base import ORDINAL

#: Ordered values up to this number are also compared one by one.
MOST_SINGLE = 256


class Parent(NamedTuple):
    """A parameter that may decide about another one.

    Attributes
    ----------
    name
        Its name in the space.
    space
        Its space, of one position.
    codes
        Its code in each trial; None where it does not exist.
    """

    name: str
    space: Space
    codes: Sequence[int | None]

    @property
    def levels(self) -> int:
        """Number of codes."""
        return self.space.segments()[0].levels[0]

    @property
    def ordered(self) -> bool:
        """Whether its values have an order."""
        return self.space.segments()[0].kind == ORDINAL

    def at(self, code: int) -> Any:
        """The value of a code."""
        return self.space.decode(np.array([code], np.int64))


class _Reason(NamedTuple):
    """What a parent must be, and the trials that it excludes by that."""

    parent: Parent
    wanted: Any
    excluded: frozenset[int]

    @property
    def merit(self) -> tuple[int, bool, bool]:
        """How much it explains; of equal ones, categories are the likeliest."""
        few = self.parent.levels <= MOST_SINGLE
        return len(self.excluded), not self.parent.ordered, few


def explain(exists: Sequence[bool], parents: Sequence[Parent]) -> dict[str, Any] | None:
    """Find conditions that hold in all trials with a parameter, and in no other.

    Parameters
    ----------
    exists
        Whether each trial has the parameter; some have it and some have not.
    parents
        Parameters that may decide.

    Returns
    -------
    Conditions as of :class:`divlearn.If`, by name; None if there are none.

    Examples
    --------
    >>> from divlearn import Integer
    >>> layers = Parent("layers", Integer(1, 4), [0, 1, 2, 3])
    >>> explain([False, True, True, True], [layers])
    {'layers': {'min': 2}}
    """
    unexplained = {i for i, there in enumerate(exists) if not there}
    found: dict[str, Any] = {}
    while unexplained:
        reasons = [
            _reason(exists, parent, unexplained)
            for parent in parents
            if parent.name not in found and _always_there(exists, parent)
        ]
        # Of equal reasons the last counts: the nearest before the parameter.
        best = max(reversed(reasons), key=lambda r: r.merit, default=None)
        if best is None or not best.excluded:
            return None
        found[best.parent.name] = best.wanted
        unexplained -= best.excluded
    return found


def _always_there(exists: Sequence[bool], parent: Parent) -> bool:
    """Whether a parent exists in all trials with the parameter."""
    pairs = zip(exists, parent.codes, strict=True)
    return all(code is not None for there, code in pairs if there)


def _reason(exists: Sequence[bool], parent: Parent, absent: set[int]) -> _Reason:
    """What a parent must be, as far as trials tell."""
    inside = {
        code
        for there, code in zip(exists, parent.codes, strict=True)
        if there and code is not None
    }
    outside = [(i, parent.codes[i]) for i in sorted(absent)]
    listed = _Reason(
        parent,
        tuple(parent.at(code) for code in sorted(inside)),
        frozenset(i for i, code in outside if code not in inside),
    )
    if not parent.ordered:
        return listed
    within = _within_limits(parent, inside, outside)
    better = len(listed.excluded) > len(within.excluded)
    return listed if better and parent.levels <= MOST_SINGLE else within


def _within_limits(
    parent: Parent, inside: set[int], outside: list[tuple[int, int | None]]
) -> _Reason:
    """Limits halfway between the trials that have the parameter and the others."""
    low, high = min(inside), max(inside)
    others = [code for _, code in outside if code is not None]
    below = max((code for code in others if code < low), default=None)
    above = min((code for code in others if code > high), default=None)
    first = 0 if below is None else (below + low) // 2 + 1
    last = parent.levels - 1 if above is None else (above + high) // 2
    wanted = {}
    if below is not None:
        wanted["min"] = parent.at(first)
    if above is not None:
        wanted["max"] = parent.at(last)
    return _Reason(
        parent,
        wanted or {"min": parent.at(0)},
        frozenset(i for i, c in outside if c is None or not first <= c <= last),
    )
