"""What a user calls the parts and the positions of a space."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from divlearn.spaces.base import CATEGORICAL, PERMUTATION, Space
from divlearn.spaces.composite import Composite
from divlearn.spaces.permutation import Permutation
from divlearn.spaces.subset import Subset

#: What a part is called that has no name of its own.
UNNAMED = "x"


class Stretch(NamedTuple):
    """Positions in a row that belong to one part and one segment.

    Attributes
    ----------
    part
        Name of the part; parts of parts by both names, ``left.kind``.
    kind
        Kind of the segment, see :mod:`divlearn.kernels.layout`.
    start, stop
        First position, and the one after the last.
    names
        Of the positions, or of the items where an order or a subset is made of items.
    space
        The part by itself; None for a position that only says whether a part exists.
    flag
        Position that says whether the part exists; -1 if there is none.
    """

    part: str
    kind: int
    start: int
    stop: int
    names: tuple[str, ...]
    space: Space | None
    flag: int = -1


def stretches(space: Space) -> list[Stretch]:
    """All positions of a space by part and segment, in order.

    Examples
    --------
    >>> from divlearn import Binary, Composite, Integer, Permutation
    >>> space = Composite(speed=Integer(0, 9), on=Binary(2), order=Permutation(2))
    >>> for stretch in stretches(space):
    ...     print(stretch.part, stretch.start, stretch.names)
    speed 0 ('speed',)
    on 1 ('on[0]', 'on[1]')
    order 3 ('order: item 0', 'order: item 1')
    """
    return list(_stretches(space, "", 0, -1))


def position_names(space: Space) -> list[str]:
    """What a user calls every position of a space.

    Examples
    --------
    >>> from divlearn import Binary, Integer
    >>> position_names(Composite(speed=Integer(0, 9), on=Binary(2)))
    ['speed', 'on[0]', 'on[1]']
    """
    return [
        f"{stretch.part}[{i}]" if stretch.kind == PERMUTATION else name
        for stretch in stretches(space)
        for i, name in enumerate(stretch.names)
    ]


def _stretches(space: Space, label: str, start: int, flag: int) -> Iterator[Stretch]:
    """The stretches of a part that begins at position ``start``."""
    if isinstance(space, Composite):
        for name, part in space.placed.items():
            own, at = f"{label}.{name}" if label else name, start + part.start
            if part.flags:
                there = (f"{own} (there)",)
                yield Stretch(own, CATEGORICAL, at, at + 1, there, None)
            below = at if part.flags else flag
            yield from _stretches(part.space, own, start + part.inside.start, below)
        return
    label, first = label or UNNAMED, 0
    for segment in space.segments():
        size = len(segment.levels)
        names = tuple(_names(space, label, segment.kind, range(first, first + size)))
        ends = start + first, start + first + size
        yield Stretch(label, segment.kind, *ends, names, space, flag)
        first += size


def _names(space: Space, label: str, kind: int, numbers: range) -> list[str]:
    """Names of positions of one part."""
    if isinstance(space, Permutation) and space.counts is not None:
        things = space.decode(np.arange(space.n))
        return [f"{label}: thing {thing}" for thing in things]
    if kind == PERMUTATION or isinstance(space, Subset):
        return [f"{label}: item {i}" for i in numbers]
    if space.num_positions == 1:
        return [label]
    return [f"{label}[{i}]" for i in numbers]
