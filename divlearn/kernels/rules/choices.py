"""Subsets with forced and forbidden members, and members that exclude each other.

The numbers of a rule on n items, from ``first`` on: the number of components, where
they begin, and the most items that may join; for each item whether it is ``FORBIDDEN``,
``FORCED`` or ``FREE``; where its rivals begin, n + 1 numbers, and the rivals of all
items; where each component begins, and the free items of all components. A component
holds free items that exclude each other, directly or through others, or one item
alone. So one of each can always be chosen, whatever was chosen of the others.
"""

from __future__ import annotations

from divlearn.basics.typing import Codes, Integers, Words
from divlearn.kernels.jit import lean_kernel
from divlearn.kernels.random import below

FORBIDDEN, FORCED, FREE = 0, 1, 2
_HEAD = 3


@lean_kernel
def _status(links: Integers, first: int, item: int) -> int:
    """Whether an item is forbidden, forced or free."""
    return int(links[first + _HEAD + item])


@lean_kernel
def _rival(
    links: Integers, first: int, n: int, x: Codes, start: int, item: int, until: int
) -> int:
    """A chosen item below ``until`` that excludes ``item``; -1 for none."""
    starts = first + _HEAD + n
    rivals = starts + n + 1
    for k in range(links[starts + item], links[starts + item + 1]):
        other = links[rivals + k]
        if other < until and x[start + other] == 1:
            return int(other)
    return -1


@lean_kernel
def list_bits(
    links: Integers,
    first: int,
    n: int,
    x: Codes,
    start: int,
    i: int,
    least: int,
    most: int,
    actions: Integers,
) -> int:
    """List what position ``i`` of a subset may be, 0 or 1 or both."""
    item = i - start
    status = _status(links, first, item)
    if status != FREE:
        actions[0] = status
        return 1
    sure = 0
    for other in range(n):
        chosen = x[start + other] if other < item else _status(links, first, other)
        sure += 1 if chosen == 1 else 0
    count = 0
    if sure >= least or sure + _reach(links, first, x, start, item) >= least:
        actions[count] = 0
        count += 1
    if sure < most and _rival(links, first, n, x, start, item, item) < 0:
        actions[count] = 1
        count += 1
    return count


@lean_kernel
def _reach(links: Integers, first: int, x: Codes, start: int, item: int) -> int:
    """How many further items after ``item`` can surely join: one of each component."""
    total, starts = 0, first + links[first + 1]
    members = starts + links[first] + 1
    for c in range(links[first]):
        joins = False
        for k in range(links[starts + c], links[starts + c + 1]):
            other = links[members + k]
            if other < item and x[start + other] == 1:
                joins = False
                break
            joins = joins or other > item
        total += 1 if joins else 0
    return total


@lean_kernel
def may_flip(
    links: Integers, first: int, n: int, x: Codes, start: int, item: int
) -> bool:
    """Whether an item may join or leave, as far as single items are concerned."""
    if _status(links, first, item) != FREE:
        return False
    return bool(x[start + item] == 1) or _rival(links, first, n, x, start, item, n) < 0


@lean_kernel
def keeps_choice(links: Integers, first: int, n: int, x: Codes, start: int) -> bool:
    """Whether a subset keeps the rule; its size is not looked at."""
    for item in range(n):
        status = _status(links, first, item)
        if status != FREE and x[start + item] != status:
            return False
        if x[start + item] == 1 and _rival(links, first, n, x, start, item, item) >= 0:
            return False
    return True


@lean_kernel
def settle_choice(
    links: Integers,
    first: int,
    n: int,
    x: Codes,
    start: int,
    least: int,
    most: int,
    words: Words,
) -> None:
    """Add and drop as few items as the rule and the limits demand."""
    for item in range(n):
        if _status(links, first, item) != FREE:
            x[start + item] = _status(links, first, item)
    size = 0
    for item in range(n):
        while x[start + item] == 1:
            rival = _rival(links, first, n, x, start, item, item)
            if rival < 0:
                size += 1
                break
            loser = rival if below(words, 2) == 0 else item
            x[start + loser] = 0
            size -= 1 if loser == rival else 0
    while size > most and _flip(links, first, n, x, start, 1, words):
        size -= 1
    while size < least and _flip(links, first, n, x, start, 0, words):
        size += 1


@lean_kernel
def _flip(
    links: Integers, first: int, n: int, x: Codes, start: int, bit: int, words: Words
) -> bool:
    """Drop (``bit`` 1) or add (0) a random free item; False if there is none."""
    # Reservoir sampling: all that may be flipped are equally likely.
    chosen, seen = -1, 0
    for item in range(n):
        if _status(links, first, item) != FREE or x[start + item] != bit:
            continue
        if bit == 1 or _rival(links, first, n, x, start, item, n) < 0:
            seen += 1
            if below(words, seen) == 0:
                chosen = item
    if chosen >= 0:
        x[start + chosen] = 1 - bit
    return chosen >= 0


@lean_kernel
def sample_choice(
    links: Integers,
    first: int,
    n: int,
    x: Codes,
    start: int,
    least: int,
    most: int,
    words: Words,
) -> None:
    """Draw a size, then members one after the other."""
    size = 0
    for item in range(n):
        x[start + item] = 1 if _status(links, first, item) == FORCED else 0
        size += x[start + item]
    smallest = max(least, size)
    largest = max(smallest, min(most, size + links[first + 2]))
    wanted = smallest + below(words, largest - smallest + 1)
    while size < wanted and _flip(links, first, n, x, start, 0, words):
        size += 1
