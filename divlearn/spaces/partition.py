"""Each of n things in one of several groups."""

from __future__ import annotations

from typing import Any

import numpy as np

from divlearn.basics.checks import require_whole
from divlearn.basics.errors import InputError
from divlearn.basics.typing import Codes, Value
from divlearn.kernels.rules.kinds import SIZES
from divlearn.spaces.base import CATEGORICAL, Segment, Space, integer_vector


class Partition(Space):
    """Each of ``n`` things in one of ``groups`` groups, of any or of given sizes.

    A value is an array with the number of each thing's group. Groups are told apart,
    as shifts, machines or teams are: to exchange all things of two groups gives another
    value.

    Parameters
    ----------
    n
        Number of things.
    groups
        Number of groups.
    sizes
        Size of each group, or a pair of its least and greatest size; by default any.

    Examples
    --------
    >>> from divlearn import Partition
    >>> Partition(4, 2).contains([0, 0, 1, 0])
    True
    >>> Partition(4, 2, sizes=[2, 2]).contains([0, 0, 1, 0])
    False
    >>> Partition(4, 2, sizes=[(1, 3), (1, 2)]).contains([0, 0, 1, 0])
    True
    """

    def __init__(self, n: int, groups: int, sizes: Any = None) -> None:
        self.n: int = require_whole("n", n, least=1)
        self.groups: int = require_whole("groups", groups, least=1)
        self.sizes: list[tuple[int, int]] | None = None
        self.require_room(self.n * self.groups)
        if sizes is not None:
            self.sizes = self._read_sizes(sizes)

    def _read_sizes(self, sizes: Any) -> list[tuple[int, int]]:
        """Least and greatest size of each group, none greater than n."""
        try:
            limits = [_read_limits(size, self.n) for size in sizes]
        except TypeError:
            limits = []
        if len(limits) != self.groups:
            raise InputError(
                f"sizes needs a size or a pair (least, greatest) for each of the "
                f"{self.groups} groups, got {sizes!r}."
            )
        least, most = (sum(column) for column in zip(*limits, strict=True))
        if not least <= self.n <= most:
            raise InputError(
                f"the groups hold {_range(least, most)} things by their sizes, but "
                f"there are {self.n}, got sizes = {sizes!r}."
            )
        return limits

    def segments(self) -> list[Segment]:
        """One segment of n positions with an action per group."""
        levels = [self.groups] * self.n
        if self.sizes is None:
            return [Segment(CATEGORICAL, levels)]
        limits = [limit for column in zip(*self.sizes, strict=True) for limit in column]
        return [Segment(CATEGORICAL, levels, rules=((SIZES, [self.groups, *limits]),))]

    def decode(self, codes: Codes) -> Value:
        """Return the group of each thing, a copy."""
        return codes.copy()

    def encode(self, value: Value) -> Codes:
        """Check the groups and their sizes."""
        codes = integer_vector(f"a value of {self!r}", value, self.n)
        if codes.min() < 0 or codes.max() >= self.groups:
            raise InputError(
                f"a value of {self!r} has groups 0 to {self.groups - 1}, got {value!r}."
            )
        found = np.bincount(codes, minlength=self.groups)
        for group, (least, most) in enumerate(self.sizes or []):
            if not least <= found[group] <= most:
                raise InputError(
                    f"a value of {self!r} has {_range(least, most)} things in group "
                    f"{group}, got {found[group]} in {codes.tolist()}."
                )
        return codes

    def describe(self) -> dict[str, Any]:
        """Kind, number of things and groups, and sizes."""
        sizes = None if self.sizes is None else [list(pair) for pair in self.sizes]
        size = {"n": self.n, "groups": self.groups, "sizes": sizes}
        return {"space": "partition", **size}

    def __repr__(self) -> str:
        if self.sizes is None:
            return f"Partition({self.n}, {self.groups})"
        sizes = [a if a == b else (a, b) for a, b in self.sizes]
        return f"Partition({self.n}, {self.groups}, sizes={sizes})"


def _read_limits(size: Any, n: int) -> tuple[int, int]:
    """Least and greatest size of a group from a number or a pair."""
    pair = [size, size] if np.ndim(size) == 0 else list(size)
    if len(pair) != 2:
        raise InputError(
            f"a size is a number or a pair (least, greatest), got {size!r}."
        )
    least, most = (require_whole("sizes", limit) for limit in pair)
    if least > most:
        raise InputError(f"a group needs least <= greatest size, got {size!r}.")
    return least, min(most, n)


def _range(least: int, most: int) -> str:
    """Limits in words."""
    return f"{least}" if least == most else f"{least} to {most}"
