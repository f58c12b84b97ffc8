"""How far apart solutions of a space are: by the metric of the space."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from divlearn.basics.errors import InputError
from divlearn.basics.typing import Floats, Integers, Value, Words
from divlearn.metrics.distance.base import SolutionDistance
from divlearn.metrics.distance.ruled import ruled_diameter
from divlearn.spaces import Space
from divlearn.spaces.base import CATEGORICAL, ORDINAL, PERMUTATION, Segment, num_steps
from divlearn.spaces.presence import presence, without_absent

#: Pairs of items packed at a time, a multiple of 64.
CHUNK = 64 * 128


class Parts(NamedTuple):
    """What q solutions are compared by; one column per solution."""

    words: Words  # bits, and the order of pairs of items, 64 to a word
    categories: Integers
    steps: Floats  # where ordered values are, in steps
    present: NDArray[np.bool_] | None  # solutions that have these parts; None for all


class SpaceDistance(SolutionDistance):
    """The metric of a space, as a share of its greatest value there.

    Kendall tau for permutations, Hamming for bits and categories, steps for ordered
    values (reals and other ordered values of which there are more than 256 count as 64
    steps wide), summed over the parts of a mixture; then divided by the distance
    between the two farthest solutions. So 0 means equal and 1 as different as possible:
    all pairs in opposite order, every bit and category different, every ordered value
    at the other end. For ``Binary`` this is the share of different bits. A part that
    one of two solutions lacks adds nothing.

    Parameters
    ----------
    space
        The space that the solutions belong to.

    Attributes
    ----------
    diameter
        The greatest distance in the space, by which all are divided. Where a space has
        structure, such as precedence, a distance that is not exceeded: of pairs of
        items that may stand in either order, for example, all.

    Examples
    --------
    >>> from divlearn import Binary, Permutation
    >>> from divlearn.metrics import SpaceDistance
    >>> SpaceDistance(Binary(4))([1, 0, 1, 0], [1, 1, 1, 0])
    0.25
    >>> SpaceDistance(Permutation(4))([0, 1, 2, 3], [1, 0, 3, 2])  # 2 of 6 pairs
    0.3333333333333333
    """

    def __init__(self, space: Space) -> None:
        if not isinstance(space, Space):
            raise InputError(
                f"space must be a space such as Permutation(30), got {space!r}."
            )
        self.space = space
        own = (without_absent(segment) for segment in space.segments())
        self.diameter: int = sum(ruled_diameter(part, _diameter(part)) for part in own)

    def prepare(self, solutions: Sequence[Value]) -> list[Parts]:
        """Check the solutions; sort what all have by kind, and the rest by itself."""
        codes = [self.space.encode(x) for x in solutions]
        segments = self.space.segments()
        ends = np.cumsum([0, *(len(arities) for _, arities, *_ in segments)])
        columns = np.array(codes, np.int64).reshape(len(codes), int(ends[-1])).T
        always, sometimes = [], []
        for (start, stop), segment in zip(pairwise(ends), segments, strict=True):
            run = (segment.kind, int(start), int(stop))
            present = presence(segment, columns, int(start))
            if present is None:
                always.append(run)
            else:
                sometimes.append(self._parts(columns, [run], present))
        return [self._parts(columns, always, None), *sometimes]

    def _parts(
        self,
        columns: Integers,
        runs: Sequence[tuple[int, int, int]],
        present: NDArray[np.bool_] | None,
    ) -> Parts:
        """Sort runs of positions, each its kind and where it is, by kind."""
        words: list[Words] = [np.empty((0, columns.shape[1]), np.uint64)]
        categories, steps = [columns[:0]], [columns[:0].astype(np.float64)]
        for kind, start, stop in runs:
            part = columns[start:stop]
            if kind == PERMUTATION:
                words += _orders_of_pairs(part)
            elif kind == CATEGORICAL:
                categories.append(part)
            elif kind == ORDINAL:
                steps.append(self._steps(start, part))
            else:
                words.append(_packed(part.astype(np.bool_)))
        return Parts(
            np.concatenate(words),
            np.concatenate(categories),
            np.concatenate(steps),
            present,
        )

    def _steps(self, first: int, codes: Integers) -> Floats:
        """Where ordered values are, in steps; shape (k, q) like the codes."""
        from divlearn.kernels.cells import coordinates_of

        steps = codes.astype(np.float64)
        for row, place in zip(steps, self.space.layout.places[first:], strict=False):
            if place.arity < place.levels:
                row[:] = coordinates_of(place, row) * num_steps(int(place.values))
        return steps

    def rows(self, prepared: list[Parts], chosen: Integers) -> Floats:
        """Add up what differs, word by word and position by position."""
        total = _differences(prepared[0], chosen)
        for parts in prepared[1:]:
            assert parts.present is not None
            both = parts.present[chosen, None] & parts.present
            total += np.where(both, _differences(parts, chosen), 0.0)
        return np.asarray(total / max(self.diameter, 1))


def _differences(parts: Parts, chosen: Integers) -> Floats:
    """What differs between the chosen solutions and all."""
    total = np.zeros((len(chosen), parts.words.shape[1]))
    for word in parts.words:
        total += np.bitwise_count(word[chosen, None] ^ word)
    for position in parts.categories:
        total += position[chosen, None] != position
    for position in parts.steps:
        total += np.abs(position[chosen, None] - position)
    return total


def _diameter(segment: Segment) -> int:
    """Greatest distance of two solutions within one segment without rules."""
    kind, arities, least, most, *_ = segment
    n = len(arities)
    if kind == PERMUTATION:
        return n * (n - 1) // 2
    if kind == CATEGORICAL:
        return sum(arity > 1 for arity in arities)
    if kind == ORDINAL:
        return sum(num_steps(values) for values in arities)
    # Two subsets with s items in total differ in s of them, or in 2n - s if s > n.
    sizes = min(max(n, 2 * least), 2 * most)
    return min(sizes, 2 * n - sizes)


def _orders_of_pairs(orders: Integers) -> list[Words]:
    """Bits that say which of two items comes first, for all pairs, packed."""
    n, count = orders.shape
    places = np.empty((n, count), np.min_scalar_type(n))
    np.put_along_axis(places, orders, np.arange(n)[:, None], axis=0)
    first, second = np.triu_indices(n, 1)
    return [
        _packed(places[first[k : k + CHUNK]] < places[second[k : k + CHUNK]])
        for k in range(0, len(first), CHUNK)
    ]


def _packed(bits: NDArray[Any]) -> Words:
    """Pack bits of shape (b, q) into words of shape (b / 64 rounded up, q)."""
    padded = np.pad(bits, ((0, -len(bits) % 64), (0, 0)))
    groups = padded.reshape(len(padded) // 64, 64, bits.shape[1])
    packed = np.packbits(groups, axis=1).transpose(0, 2, 1)
    return np.ascontiguousarray(packed).view(np.uint64)[:, :, 0]
