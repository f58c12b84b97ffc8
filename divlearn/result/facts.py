"""Facts that are true of all designs of a front, or of a share of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from divlearn.basics.typing import Codes, Floats, Integers
from divlearn.kernels.layout import ORDINAL, PERMUTATION
from divlearn.result.common import Common, Fact
from divlearn.result.importance.factors import random_codes
from divlearn.spaces import Permutation, Space, Subset
from divlearn.spaces.names import Stretch, stretches

#: Random designs that facts are compared with.
RANDOM = 4_000
#: Facts that are kept.
MOST_FACTS = 60
#: Relations of an order that as many random designs would show by chance; with more,
#: none of them is told.
MOST_BY_CHANCE = 0.05
#: Characters of a number at the end of a range.
MOST_DIGITS = 8
#: Pairs of items in all orders beyond which only places are compared.
MOST_COMPARED = 10**9
#: Values that are written out, of more those that are missing.
MOST_VALUES = 4


class Block(NamedTuple):
    """A part of all designs: codes of good ones, (k, w), and of random ones, (r, w)."""

    label: str
    part: Space
    kind: int
    good: Codes
    random: Codes
    values: Integers  # (w,) number of values at each position
    share: float

    def fact(self, kind: str, words: str, good: Any, random: Any) -> Fact:
        """A fact; ``good`` and ``random`` say of which designs it is true."""
        expected = (float(np.sum(random)) + 0.5) / (len(self.random) + 1.0)
        rounded = round(expected, 4)
        bits = round(-float(np.log2(expected)), 2) if np.mean(random) < 1.0 else 0.0
        share = round(float(np.mean(good)), 4)
        return Fact(self.label, kind, words, share, rounded, bits)


def common_facts(space: Space, codes: Codes, share: float = 1.0) -> Common:
    """What designs, shape (k, n), have in common."""
    if len(codes) < 2:
        return Common([], len(codes), share)
    random = random_codes(space.layout, RANDOM)
    facts: list[Fact] = []
    for stretch in stretches(space):
        block = _block(space, stretch, codes, random, share)
        if block is not None:
            facts += _facts(block)
    facts.sort(key=lambda fact: -round(fact.bits, 1))  # what is left is chance
    return Common(facts[:MOST_FACTS], len(codes), share)


def _block(
    space: Space, stretch: Stretch, codes: Codes, random: Codes, share: float
) -> Block | None:
    """A part in the designs that have it; None if too few have."""
    if stretch.space is None:
        return None
    there = _exists(space, stretch, codes), _exists(space, stretch, random)
    if there[0].sum() < 2 or not there[1].any():
        return None
    label = stretch.part if there[0].all() else f"{stretch.part} (where there is one)"
    own = slice(stretch.start, stretch.stop)
    good, others = codes[there[0]][:, own], random[there[1]][:, own]
    values = space.layout.places.values[own]
    return Block(label, stretch.space, stretch.kind, good, others, values, share)


def _exists(space: Space, stretch: Stretch, codes: Codes) -> Any:
    """Which designs have a part, shape (k,)."""
    if stretch.flag >= 0:
        return codes[:, stretch.flag] == 0
    own = slice(stretch.start, stretch.stop)
    return (codes[:, own] < space.layout.places.values[own]).all(axis=1)


def _facts(block: Block) -> Iterator[Fact]:
    """Facts about one part."""
    if block.kind == PERMUTATION:
        yield from _of_order(block)
    elif isinstance(block.part, Subset):
        yield from _of_items(block)
    else:
        for i in range(block.good.shape[1]):
            yield from _of_position(block, i)


# --- values


def _of_position(block: Block, i: int) -> Iterator[Fact]:
    """Facts about one position: its value, or the values that occur."""
    good, random = block.good[:, i], block.random[:, i]
    codes, counts = np.unique(good, return_counts=True)
    usual = codes[np.argmax(counts)]
    if (good == usual).mean() >= block.share:
        words = f"{_index(block, i)}= {_value(block, i, usual)!r}"
        yield block.fact("value", words, good == usual, random == usual)
    elif block.kind == ORDINAL:
        fact = _range(block, i)
        if fact.bits or block.good.shape[1] == 1:
            yield fact
    elif block.good.shape[1] == 1 and len(np.unique(random)) > 2:
        kept = np.sort(codes[_fewest(counts, block.share * len(good))])
        words = _listed(block, i, kept, np.unique(random))
        yield block.fact("values", words, np.isin(good, kept), np.isin(random, kept))


def _index(block: Block, i: int) -> str:
    """Which of several positions of a part it is."""
    return f"[{i}] " if block.good.shape[1] > 1 else ""


def _range(block: Block, i: int) -> Fact:
    """The shortest range that holds the values of enough designs."""
    good, random = np.sort(block.good[:, i]), block.random[:, i]
    count = int(np.ceil(block.share * len(good)))
    starts = np.arange(len(good) - count + 1)
    first = int(starts[np.argmin(good[starts + count - 1] - good[starts])])
    low, high = good[first], good[first + count - 1]
    ends = [_shown(block, i, code) for code in (low, high, 0, block.values[i] - 1)]
    words = f"{ends[0]} to {ends[1]} of {ends[2]} to {ends[3]}"
    if ends[:2] == ends[2:]:
        words = f"all of {ends[0]} to {ends[1]}"
    inside = [(row >= low) & (row <= high) for row in (good, random)]
    return block.fact("range", _index(block, i) + words, *inside)


def _fewest(counts: Integers, needed: float) -> Integers:
    """The most frequent entries that together are enough."""
    order = np.argsort(-counts, kind="stable")
    enough = int(np.searchsorted(np.cumsum(counts[order]), needed)) + 1
    return order[:enough]


def _listed(block: Block, i: int, kept: Codes, all_of: Codes) -> str:
    """Values that occur, or those that do not where these are fewer."""
    missing = np.setdiff1d(all_of, kept)
    if not len(missing):
        return f"all {len(kept)} values"
    if len(kept) <= MOST_VALUES or len(kept) <= len(missing):
        names = [f"{_value(block, i, code)!r}" for code in kept]
        return f"{', '.join(names[:-1])} or {names[-1]}"
    return f"never {', '.join(f'{_value(block, i, code)!r}' for code in missing)}"


def _value(block: Block, i: int, code: int) -> Any:
    """What the user calls a code of a position."""
    codes = block.good[0].copy()
    codes[i] = code
    value = block.part.decode(codes)
    if np.ndim(value) == 1 and len(value) == len(codes):
        value = value[i]
    return value.item() if isinstance(value, np.generic) else value


def _shown(block: Block, i: int, code: int) -> str:
    """A value as an end of a range: long numbers are cut."""
    value = _value(block, i, code)
    text = repr(value)
    long = isinstance(value, float) and len(text) > MOST_DIGITS
    return f"{value:.4g}" if long else text


# --- sets


def _of_items(block: Block) -> Iterator[Fact]:
    """Items that designs always have, or never."""
    for item in range(block.good.shape[1]):
        for code, kind in ((1, "always"), (0, "never")):
            good, random = block.good[:, item] == code, block.random[:, item] == code
            # What all random designs have is demanded, and no news.
            if good.mean() >= block.share and not random.all():
                yield block.fact(kind, f"{kind} with {item}", good, random)


# --- orders


def _of_order(block: Block) -> Iterator[Fact]:
    """Items at the same place, next to each other, or before each other."""
    if isinstance(block.part, Permutation) and block.part.counts is not None:
        yield from _things(block)
        return
    places = np.argsort(block.good, axis=1), np.argsort(block.random, axis=1)
    fixed = _fixed(places[0], block.share)
    related = block.good.shape[1] * block.good.size <= MOST_COMPARED
    found = (_placed, _adjacent, _before) if related else (_placed,)
    for fact in (fact for find in found for fact in find(block, *places, fixed)):
        if fact.bits:  # what all random designs have is demanded, and no news
            yield fact


def _things(block: Block) -> Iterator[Fact]:
    """Things of which there are several, at one place."""
    good, random = (block.part.decode(rows) for rows in (block.good, block.random))
    for place in range(good.shape[1]):
        thing = int(np.argmax(np.bincount(good[:, place])))
        same = good[:, place] == thing
        fact = block.fact(
            "place", f"thing {thing} at place {place}", same, random[:, place] == thing
        )
        if same.mean() >= block.share and fact.bits:
            yield fact


def _fixed(good: Integers, share: float) -> Any:
    """Which items have one place, shape (n,)."""
    usual = [np.argmax(np.bincount(column)) for column in good.T]
    return (good == usual).mean(axis=0) >= share


def _placed(
    block: Block, good: Integers, random: Integers, fixed: Any
) -> Iterator[Fact]:
    """Items at one place."""
    for item in np.flatnonzero(fixed):
        place = int(np.argmax(np.bincount(good[:, item])))
        both = good[:, item] == place, random[:, item] == place
        yield block.fact("place", f"item {item} at place {place}", *both)


def _adjacent(
    block: Block, good: Integers, random: Integers, fixed: Any
) -> Iterator[Fact]:
    """Items next to each other, unless their places say so."""
    n = good.shape[1]
    shares = _pair_shares(good, lambda a, b: np.abs(a - b) == 1)
    for a, b in np.argwhere(np.triu(shares >= block.share, 1)):
        if not (fixed[a] and fixed[b]) and n > 2:
            beside = [np.abs(rows[:, a] - rows[:, b]) == 1 for rows in (good, random)]
            yield block.fact("adjacent", f"{a} next to {b}", *beside)


def _before(
    block: Block, good: Integers, random: Integers, fixed: Any
) -> Iterator[Fact]:
    """Items before others, without those that follow from the rest."""
    count, n = good.shape
    if n * (n - 1) * 0.5 ** (block.share * count) > MOST_BY_CHANCE:
        return
    true = _pair_shares(good, lambda a, b: a < b) >= block.share
    np.fill_diagonal(true, False)
    implied = (true.astype(np.int64) @ true) > 0  # whole numbers: without BLAS
    # What is first or last needs no other word.
    implied[fixed & (good.max(axis=0) == 0)] = True
    implied[:, fixed & (good.min(axis=0) == n - 1)] = True
    for a, b in np.argwhere(true & ~implied):
        if not (fixed[a] and fixed[b]):
            before = [rows[:, a] < rows[:, b] for rows in (good, random)]
            yield block.fact("before", f"{a} before {b}", *before)


def _pair_shares(places: Integers, related: Any) -> Floats:
    """Share of orders in which two items are related, shape (n, n)."""
    total = np.zeros((places.shape[1],) * 2)
    for row in places:
        total += related(row[:, None], row)
    return total / len(places)
