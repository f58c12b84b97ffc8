"""Segments of parts that exist only sometimes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from divlearn.basics.typing import Codes, Integers
from divlearn.kernels.rules.kinds import KEPT, WHEN
from divlearn.spaces.base import CATEGORICAL, PERMUTATION, SUBSET, Segment
from divlearn.spaces.condition import Condition


def conditional(
    segments: Iterable[Segment], conditions: Sequence[Condition], start: int
) -> tuple[list[Segment], int]:
    """Segments of a part that exists under conditions, and how many stand before them.

    Positions have one code more, their last, which says that they are absent. Orders
    and subsets with rules have none to spare: a position before all others says it.

    Parameters
    ----------
    segments
        Of the part by itself.
    conditions
        When it exists.
    start
        First position of the part in the composite.
    """
    inner = [_freed(segment) for segment in segments]
    flags = int(any(_is_new(segment) for segment in inner))
    rows = [Segment(CATEGORICAL, [1])] * flags + inner
    ready: list[Segment] = []
    at = start
    for row in rows:
        ready.append(_conditional(row, conditions, start, at))
        at += len(row.levels)
    return ready, flags


def _freed(segment: Segment) -> Segment:
    """A subset of any size as bits that are set one by one."""
    free = segment.least == 0 and segment.most == len(segment.levels)
    if segment.kind == SUBSET and free and not segment.rules:
        return Segment(CATEGORICAL, segment.levels)
    return segment


def _belongs_together(segment: Segment) -> bool:
    """Whether codes cannot become absent one by one."""
    ruled = any(kind not in (WHEN, KEPT) for kind, _ in segment.rules)
    return ruled or segment.kind in (PERMUTATION, SUBSET)


def _is_new(segment: Segment) -> bool:
    """Whether codes belong together, and nothing says yet when they are absent."""
    return _belongs_together(segment) and not any(k == KEPT for k, _ in segment.rules)


def _conditional(
    segment: Segment, conditions: Sequence[Condition], start: int, at: int
) -> Segment:
    """Add the rule to a segment at position ``at`` of a part that begins at start."""
    if _belongs_together(segment):
        if not _is_new(segment):  # follows a position that follows the conditions
            return segment
        rule = (KEPT, [start - at, *_kept_codes(segment)])
        return segment._replace(rules=(rule, *segment.rules))
    if segment.absent:  # asks for something that is absent where this part is
        return segment
    numbers = [number for c in conditions for number in c.numbers(at)]
    levels = [levels + 1 for levels in segment.levels]
    return segment._replace(levels=levels, rules=((WHEN, numbers),), absent=True)


def _kept_codes(segment: Segment) -> list[int]:
    """Codes of an order or a subset where it does not exist: the simplest solution."""
    n, least = len(segment.levels), segment.least
    ordered = segment.kind == PERMUTATION  # else the first items, or all of no group
    codes = np.arange(n) if ordered else (np.arange(n) < least).astype(np.int64)
    if not segment.rules:
        return [int(code) for code in codes]
    from divlearn.kernels.layout import build_layout, is_member, sample
    from divlearn.kernels.random import seed_words

    layout = build_layout([segment])
    if not is_member(layout, codes):
        words = np.empty(4, np.uint64)
        seed_words(words, np.uint64(0))
        sample(layout, words, codes)
    return [int(code) for code in codes]


def lacks(segment: Segment, codes: Sequence[int]) -> bool:
    """Whether a solution that begins with ``codes`` lacks the segment that follows."""
    for kind, numbers in segment.rules:
        if kind == WHEN and not _all_hold(numbers, codes):
            return True
        if kind == KEPT and codes[len(codes) + numbers[0]] == 1:
            return True
    return False


def _all_hold(numbers: Sequence[int], codes: Sequence[int]) -> bool:
    """Whether the conditions of a rule hold for the segment after ``codes``."""
    at = 0
    while at < len(numbers):
        code, end = codes[len(codes) + numbers[at]], at + 2 + 2 * numbers[at + 1]
        ends = numbers[at + 2 : end]
        pairs = zip(ends[::2], ends[1::2], strict=True)
        if not any(low <= code <= high for low, high in pairs):
            return False
        at = end
    return True


def without_absent(segment: Segment) -> Segment:
    """A segment with the codes of values only."""
    rules = tuple(rule for rule in segment.rules if rule[0] not in (WHEN, KEPT))
    levels = [k - int(segment.absent) for k in segment.levels]
    return segment._replace(levels=levels, rules=rules, absent=False)


def deciders(segments: Iterable[Segment]) -> set[int]:
    """Positions that conditions look at."""
    found: set[int] = set()
    start = 0
    for segment in segments:
        for kind, numbers in segment.rules:
            at = 0
            while kind == WHEN and at < len(numbers):
                found.add(start + numbers[at])
                at += 2 + 2 * numbers[at + 1]
        start += len(segment.levels)
    return found


def presence(
    segment: Segment, columns: Integers, start: int
) -> NDArray[np.bool_] | None:
    """Which of q solutions have a segment; None if all have it.

    Parameters
    ----------
    segment
        The segment.
    columns
        Codes of the solutions, shape (n, q).
    start
        First position of the segment.
    """
    if segment.absent:
        return np.asarray(columns[start] != segment.levels[0] - 1)
    for kind, numbers in segment.rules:
        if kind == KEPT:
            return np.asarray(columns[start + numbers[0]] != 1)
    return None


def absent_codes(segments: Iterable[Segment]) -> Codes:
    """Codes of a conditional part in solutions that lack it."""
    codes: list[int] = []
    for segment in segments:
        kept = [numbers[1:] for kind, numbers in segment.rules if kind == KEPT]
        codes += kept[0] if kept else [levels - 1 for levels in segment.levels]
    return np.array(codes, np.int64)
