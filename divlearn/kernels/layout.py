"""What positions a solution has and which actions each one allows.

Every space is a row of segments over one integer vector: permutations, subsets (bits
with a limited number of ones), unordered categories and ordered values.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from divlearn.basics.typing import Codes, Integers, Records, Words
from divlearn.kernels.cells import CELLS, WIDE, cell_edges, coordinate
from divlearn.kernels.drawing import draw_segment
from divlearn.kernels.jit import kernel, lean_kernel
from divlearn.kernels.rules.answers import answer_address
from divlearn.kernels.rules.kinds import WHEN
from divlearn.kernels.rules.presence import is_absent
from divlearn.kernels.structure import keeps_rules, ruled_actions, sample_ruled
from divlearn.kernels.views import viewed

PERMUTATION, SUBSET, CATEGORICAL, ORDINAL = 0, 1, 2, 3


PLACE = np.dtype(
    [
        ("arity", "i8"),  # number of actions at the position
        ("offset", "i8"),  # number of actions before the position
        ("segment", "i8"),  # segment that holds the position
        ("levels", "i8"),  # number of codes: one per action, unless it is wide
        ("values", "i8"),  # codes that are values: all, or all but the last
        ("first_code", "i8"),  # number of codes before the position
        ("edge", "i8"),  # where its cells begin in ``edges``, if it is wide
        ("log_from", "f8"),  # value of code 0 on a logarithmic scale; 0: linear
        ("decides", "i8"),  # 1: its code decides whether others exist
    ]
)
SEGMENT = np.dtype(
    [
        ("kind", "i8"),  # PERMUTATION, SUBSET, CATEGORICAL or ORDINAL
        ("start", "i8"),  # first position
        ("stop", "i8"),  # position after the last
        ("least", "i8"),  # least number of ones of a subset, else 0
        ("most", "i8"),  # greatest number of ones of a subset, else 0
    ]
)
RULE = np.dtype(
    [
        ("kind", "i8"),  # what it says, see kernels.structure
        ("segment", "i8"),  # segment that it is about
        ("first", "i8"),  # its numbers are links[first:last]
        ("last", "i8"),
    ]
)


@viewed
class Layout(NamedTuple):
    """Positions and segments as records, and rules on what goes together.

    Action ``a`` of position ``i`` has the number ``places[i].offset + a`` in every
    table of actions. Codes are actions, except at wide positions
    (:mod:`divlearn.kernels.cells`).
    """

    places: Records  # (n,) of PLACE
    segments: Records  # (s,) of SEGMENT
    rules: Records  # (r,) of RULE, by segment; most spaces have none
    links: Integers  # numbers of all rules one after the other
    edges: Integers  # first codes of the cells of wide positions, and their ends
    answer: Words  # (1,) where the answers of rules are in this process; 0: no rules

    def __reduce__(self) -> tuple[Any, ...]:
        """Leave the address behind when it is copied or pickled."""
        return with_answer, tuple(self)[:-1]


def with_answer(
    places: Records, segments: Records, rules: Records, links: Integers, edges: Integers
) -> Layout:
    """Make a layout that knows where its rules are answered."""
    found = Layout(places, segments, rules, links, edges, np.zeros(1, np.uint64))
    if len(rules):
        found.answer[0] = answer_address(found)
    return found


def build_layout(segments: Sequence[Any]) -> Layout:
    """Join segments ``(kind, levels, least, most, rules, ...)`` into one layout.

    They are those of :class:`divlearn.spaces.base.Segment`; the rules and what follows
    them may be left out.
    """
    lengths = [len(segment[1]) for segment in segments]
    places = np.zeros(sum(lengths), PLACE).view(np.recarray)
    places.segment = np.repeat(np.arange(len(segments)), lengths)
    places.levels = [levels for segment in segments for levels in segment[1]]
    places.first_code = np.cumsum(places.levels) - places.levels
    places.log_from, absent = (
        np.repeat([_further(segment, field) for segment in segments], lengths)
        for field in (5, 6)
    )
    places.values = places.levels - (absent > 0)
    edges = _set_actions(places, np.repeat([s[0] for s in segments], lengths))
    places.offset = np.cumsum(places.arity) - places.arity
    rows = np.zeros(len(segments), SEGMENT).view(np.recarray)
    rows.kind, rows.least, rows.most = (
        [segment[field] for segment in segments] for field in (0, 2, 3)
    )
    rows.stop = np.cumsum(lengths)
    rows.start = rows.stop - lengths
    rules, links = _join_rules(segments)
    places.decides[_deciders(rows, rules, links)] = 1
    return with_answer(places, rows, rules, links, edges)


def _deciders(rows: Records, rules: Records, links: Integers) -> list[int]:
    """Positions that conditions look at."""
    found = []
    for rule in rules[rules.kind == WHEN]:
        at = rule.first
        while at < rule.last:
            found.append(int(rows.start[rule.segment] + links[at]))
            at += 2 + 2 * links[at + 1]
    return found


def _further(segment: Sequence[Any], field: int) -> float:
    """A field that plain segments leave out: 0 for none."""
    return float(segment[field]) if len(segment) > field else 0.0


def _set_actions(places: Records, kinds: Integers) -> Integers:
    """Count the actions of all positions, and divide the codes of wide ones."""
    places.arity = places.levels
    edges: list[int] = []
    shared: dict[tuple[int, int, float], int] = {}
    for i in np.flatnonzero((kinds == ORDINAL) & (places.values > WIDE)):
        place = places[i]
        levels, values = int(place.levels), int(place.values)
        alike = (levels, values, float(place.log_from))
        if alike not in shared:
            shared[alike] = len(edges)
            edges += cell_edges(values, alike[2]) + [levels] * (levels - values)
        place.edge = shared[alike]
        place.arity = CELLS + levels - values
    return np.array(edges, np.int64)


def _join_rules(segments: Sequence[Any]) -> tuple[Records, Integers]:
    """Rules of all segments as records, and their numbers in one row."""
    found: list[tuple[int, int, int, int]] = []
    links: list[int] = []
    for s, segment in enumerate(segments):
        for kind, numbers in segment[4] if len(segment) > 4 else ():
            found.append((kind, s, len(links), len(links) + len(numbers)))
            links.extend(numbers)
    return np.array(found, RULE).view(np.recarray), np.array(links, np.int64)


@lean_kernel
def count_ones(x: Codes, start: int, stop: int) -> int:
    """Number of ones in ``x[start:stop]``."""
    total = 0
    for i in range(start, stop):
        total += x[i]
    return total


@lean_kernel
def available_actions(layout: Layout, x: Codes, i: int, actions: Integers) -> int:
    """List the actions allowed at position ``i`` given ``x[:i]``.

    Writes them into ``actions`` and returns how many there are, at least one: a
    construction in the order of positions never runs into a dead end. Of wide
    positions they are cells.
    """
    allowed = ruled_actions(layout, x, i, actions)
    if allowed >= 0:
        return allowed
    segment = layout.segments[layout.places[i].segment]
    start, stop, kind = segment.start, segment.stop, segment.kind
    if kind == PERMUTATION:
        for a in range(stop - start):
            actions[a] = 1
        for j in range(start, i):
            actions[x[j]] = 0
        count = 0
        for a in range(stop - start):
            if actions[a] == 1:
                actions[count] = a
                count += 1
        return count
    if kind == SUBSET:
        ones = count_ones(x, start, i)
        count = 0
        if ones + (stop - i - 1) >= segment.least:
            actions[count] = 0
            count += 1
        if ones < segment.most:
            actions[count] = 1
            count += 1
        return count
    arity = layout.places[i].arity
    for a in range(arity):
        actions[a] = a
    return int(arity)


@lean_kernel
def sample(layout: Layout, words: Words, x: Codes) -> None:
    """Draw a random solution into ``x``.

    Permutations, free bits and values are uniform, on a logarithmic scale in their
    logarithm; a subset with limits draws its size uniformly and then its members. What
    rules forbid is settled.
    """
    for s in range(layout.segments.shape[0]):
        draw_segment(layout, s, words, x)
    sample_ruled(layout, words, x)


@lean_kernel
def is_member(layout: Layout, x: Codes) -> bool:
    """Whether ``x`` is a solution of the space."""
    for i in range(x.shape[0]):
        if x[i] < 0 or x[i] >= layout.places[i].levels:
            return False
    for segment in layout.segments:
        start, stop, kind = segment.start, segment.stop, segment.kind
        if kind == SUBSET:
            ones = count_ones(x, start, stop)
            if ones < segment.least or ones > segment.most:
                return False
        elif kind == PERMUTATION:
            for i in range(start, stop):
                for j in range(start, i):
                    if x[i] == x[j]:
                        return False
    return keeps_rules(layout, x)


@kernel
def distance(layout: Layout, x: Codes, y: Codes) -> float:
    """Metric of the space, summed over segments.

    Permutations: Kendall tau, the number of pairs in opposite order. Bits and
    categories: Hamming, the number of different positions. Ordered values: the
    number of steps between them, where a wide position counts as one of as many
    values as it has actions: two ends are 63 apart, a tenth of the range 6.3. What one
    of the two lacks does not count.
    """
    total = 0.0
    for segment in layout.segments:
        start, stop, kind = segment.start, segment.stop, segment.kind
        if is_absent(layout, x, start) or is_absent(layout, y, start):
            continue
        if kind == PERMUTATION:
            total += _kendall_tau(x, y, start, stop)
        else:
            for i in range(start, stop):
                if kind == ORDINAL:
                    total += _steps_between(layout, i, x[i], y[i])
                elif x[i] != y[i]:
                    total += 1
    return float(total)


@lean_kernel
def _steps_between(layout: Layout, i: int, a: int, b: int) -> float:
    """Number of steps between two ordered values; a part of one if they are wide."""
    place = layout.places[i]
    if place.arity == place.levels:
        return float(abs(a - b))
    apart = coordinate(layout, i, a) - coordinate(layout, i, b)
    return abs(apart) * (CELLS - 1)


@kernel
def _kendall_tau(x: Codes, y: Codes, start: int, stop: int) -> int:
    """Pairs of items that ``x`` and ``y`` hold in opposite order."""
    place = np.empty(stop - start, np.int64)
    for i in range(start, stop):
        place[y[i]] = i
    total = 0
    for i in range(start, stop):
        for j in range(i + 1, stop):
            if place[x[i]] > place[x[j]]:
                total += 1
    return total
