"""What a number in a saved state may be: rules, and how arrays are held to them.

Kernels validate nothing. So every array of a state file, and every field of its
records, has a rule here, and what has no rule is refused.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from divlearn.kernels.layout import Layout

#: More than any search counts, and far from where whole numbers overflow.
MANY = 2**48
#: Numbers looked at together: copies of an array take little memory.
_TOGETHER = 2**20

Arrays = Mapping[str, NDArray[Any]]


class Misfit(ValueError):
    """Something in a file is not what a search could have written."""


@dataclass(frozen=True)
class Scope:
    """What a rule may refer to.

    Attributes
    ----------
    arrays
        Arrays of the file.
    fresh
        Those of a search that has not begun.
    layout
        Layout of the space.
    waiting
        Number of candidates under way.
    """

    arrays: Arrays
    fresh: Arrays
    layout: Layout
    waiting: int

    def length(self, name: str) -> int:
        """Number of rows of an array."""
        return len(self.arrays[name])

    def setting(self, name: str) -> int:
        """A whole number that the settings determine."""
        return int(self.fresh["control"][name][0])


#: A bound, or how to find it.
Bound = int | Callable[[Scope], int]


@dataclass(frozen=True)
class Same:
    """What problem and settings determine; a file only repeats it, up to rounding."""

    def fault(self, found: NDArray[Any], fresh: NDArray[Any], scope: Scope) -> str:
        """What is wrong; "" for nothing."""
        if found.dtype.names is not None:
            parts = [self.fault(found[n], fresh[n], scope) for n in found.dtype.names]
            return next(filter(None, parts), "")
        if found.dtype.kind == "f":
            same = np.isclose(found, fresh, 1e-9, 0.0, equal_nan=True).all()
        else:
            same = np.array_equal(found, fresh)
        return "" if same else "is not what the problem and the settings say"


@dataclass(frozen=True)
class Whole:
    """Whole numbers from ``least`` to ``most``: counts, flags, indices."""

    least: Bound = 0
    most: Bound = MANY

    def fault(self, found: NDArray[Any], fresh: NDArray[Any], scope: Scope) -> str:
        """What is wrong; "" for nothing."""
        least, most = (
            bound if isinstance(bound, int) else bound(scope)
            for bound in (self.least, self.most)
        )
        if found.size and not (least <= int(found.min()) and int(found.max()) <= most):
            return f"must be from {least} to {most}"
        return ""


@dataclass(frozen=True)
class Number:
    """Numbers; not a number passes as well, which kernels never make an index of."""

    least: float = -math.inf
    most: Callable[[Scope], float] | float = math.inf
    finite: bool = False

    def fault(self, found: NDArray[Any], fresh: NDArray[Any], scope: Scope) -> str:
        """What is wrong; "" for nothing."""
        most = self.most(scope) if callable(self.most) else self.most
        if math.isinf(self.least) and math.isinf(most) and not self.finite:
            return ""
        flat = found.reshape(-1)
        for first in range(0, flat.size, _TOGETHER):
            part = flat[first : first + _TOGETHER]
            if self.finite and not np.isfinite(part).all():
                return "must be finite"
            if (part < self.least).any() or (part > most).any():
                return f"must be from {self.least:g} to {most:g}"
        return ""


@dataclass(frozen=True)
class Random:
    """Words of the random generator, which stands still where all are zero."""

    def fault(self, found: NDArray[Any], fresh: NDArray[Any], scope: Scope) -> str:
        """What is wrong; "" for nothing."""
        return "" if found.any() else "must not be all zero"


Rule = Same | Whole | Number | Random
#: Rules by name of an array; for records by field.
Table = Mapping[str, Rule | Mapping[str, Rule]]

FLAG, COUNT, ANY, SAME = Whole(0, 1), Whole(), Number(), Same()
#: Something that is counted down, also below zero.
COUNTDOWN = Whole(-MANY, MANY)
#: Squares, variances and the like.
POSITIVE = Number(0.0)


def hold(table: Table, scope: Scope) -> None:
    """Hold arrays to their rules; what is determined is replaced by what it should be.

    Raises
    ------
    Misfit
        Names the first array, or field, that breaks its rule or has none.
    """
    for name, found in scope.arrays.items():
        rule = table.get(name)
        if isinstance(rule, Mapping):
            for field in found.dtype.names or ():
                label = f"{name}.{field}"
                fresh = scope.fresh[name][field]
                _hold(label, rule.get(field), found[field], fresh, scope)
        else:
            _hold(name, rule, found, scope.fresh[name], scope)


def _hold(
    label: str,
    rule: Rule | None,
    found: NDArray[Any],
    fresh: NDArray[Any],
    scope: Scope,
) -> None:
    """Hold one array, or one field of records, to its rule."""
    fault = "is not known" if rule is None else rule.fault(found, fresh, scope)
    if fault:
        raise Misfit(f"{label} {fault}")
    if isinstance(rule, Same):
        found[...] = fresh


def require(holds: bool, what: str) -> None:
    """Refuse what does not hold together."""
    if not holds:
        raise Misfit(what)
