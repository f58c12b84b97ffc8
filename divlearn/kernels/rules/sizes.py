"""Groups of limited size: how often each value may stand in a segment.

The numbers of a rule, from ``first`` on: the number of groups, the least size of each
group, and the greatest size of each.
"""

from __future__ import annotations

from divlearn.basics.typing import Codes, Integers, Words
from divlearn.kernels.jit import lean_kernel
from divlearn.kernels.random import below


@lean_kernel
def _size(x: Codes, start: int, stop: int, group: int) -> int:
    """How many positions hold ``group``."""
    total = 0
    for i in range(start, stop):
        total += 1 if x[i] == group else 0
    return total


@lean_kernel
def list_groups(
    links: Integers,
    first: int,
    x: Codes,
    start: int,
    stop: int,
    i: int,
    actions: Integers,
) -> int:
    """List the groups that position ``i`` may join; return how many there are.

    A group that is too small needs some of the positions that are left; one that is
    not may be joined if positions are left beyond what is needed.
    """
    groups = links[first]
    for group in range(groups):
        actions[group] = 0
    for j in range(start, i):
        actions[x[j]] += 1
    needed = 0
    for group in range(groups):
        needed += max(0, links[first + 1 + group] - actions[group])
    spare, count = stop - i - needed, 0
    for group in range(groups):
        size = actions[group]
        short = size < links[first + 1 + group]
        if short or (spare > 0 and size < links[first + 1 + groups + group]):
            actions[count] = group
            count += 1
    return count


@lean_kernel
def may_leave(
    links: Integers, first: int, x: Codes, start: int, stop: int, i: int
) -> bool:
    """Whether position ``i`` may join some other group, without further changes."""
    groups, room = links[first], False
    if _size(x, start, stop, x[i]) <= links[first + 1 + x[i]]:
        return False
    for group in range(groups):
        most = links[first + 1 + groups + group]
        room = room or (group != x[i] and _size(x, start, stop, group) < most)
    return room


@lean_kernel
def may_move(
    links: Integers, first: int, x: Codes, start: int, stop: int, i: int, group: int
) -> bool:
    """Whether ``i`` may join ``group`` on a way: beside the sizes by one move at most.

    From allowed sizes everything may be moved, from others only back to allowed ones.
    """
    if keeps_sizes(links, first, x, start, stop):
        return True
    old, groups = x[i], links[first]
    over = _size(x, start, stop, old) > links[first + 1 + groups + old]
    short = _size(x, start, stop, group) < links[first + 1 + group]
    if not (over or short):
        return False
    x[i] = group
    allowed = keeps_sizes(links, first, x, start, stop)
    x[i] = old
    return allowed


@lean_kernel
def keeps_sizes(links: Integers, first: int, x: Codes, start: int, stop: int) -> bool:
    """Whether all groups have an allowed size."""
    groups = links[first]
    for group in range(groups):
        size = _size(x, start, stop, group)
        least, most = links[first + 1 + group], links[first + 1 + groups + group]
        if size < least or size > most:
            return False
    return True


@lean_kernel
def settle_sizes(
    links: Integers, first: int, x: Codes, start: int, stop: int, words: Words
) -> None:
    """Move as few things as the sizes demand to other groups, at random."""
    groups = links[first]
    for group in range(groups):
        excess = _size(x, start, stop, group) - links[first + 1 + groups + group]
        for _ in range(excess):
            i = _member(x, start, stop, group, words)
            x[i] = _receiver(links, first, x, start, stop, words)
    for group in range(groups):
        lack = links[first + 1 + group] - _size(x, start, stop, group)
        for _ in range(lack):
            x[_giver(links, first, x, start, stop, words)] = group


@lean_kernel
def _member(x: Codes, start: int, stop: int, group: int, words: Words) -> int:
    """A random position that holds ``group``."""
    chosen, seen = start, 0
    for i in range(start, stop):
        if x[i] == group:
            seen += 1
            if below(words, seen) == 0:
                chosen = i
    return chosen


@lean_kernel
def _receiver(
    links: Integers, first: int, x: Codes, start: int, stop: int, words: Words
) -> int:
    """A random group with room; one that is too small, if there is one."""
    groups, chosen, seen, found_short = links[first], 0, 0, False
    for group in range(groups):
        size = _size(x, start, stop, group)
        short = size < links[first + 1 + group]
        if size >= links[first + 1 + groups + group] or (found_short and not short):
            continue
        if short and not found_short:
            found_short, seen = True, 0
        seen += 1
        if below(words, seen) == 0:
            chosen = group
    return int(chosen)


@lean_kernel
def _giver(
    links: Integers, first: int, x: Codes, start: int, stop: int, words: Words
) -> int:
    """A random position of a group that can do without it."""
    groups, chosen, seen = links[first], start, 0
    for group in range(groups):
        if _size(x, start, stop, group) > links[first + 1 + group]:
            for i in range(start, stop):
                if x[i] == group:
                    seen += 1
                    if below(words, seen) == 0:
                        chosen = i
    return chosen
