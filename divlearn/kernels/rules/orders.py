"""Orders with precedence, places that are taken, and groups that stay together.

A taken place is an item that is due there, so an item has a first and a last place
that it may have, and all together are unit jobs on one machine with release times and
deadlines. There one comparison says whether a choice leaves a way to the end: if as
many items are due until some place as there are places left, one of them is next.

The numbers of a rule on n items, from ``first`` on: whether last places matter; for
each item its first place, its last place, its group (-1 for none) and the first copy of
the same thing (itself if it is the only one); then where its predecessors begin, n + 1
numbers, and the predecessors of all items.
"""

from __future__ import annotations

from divlearn.basics.typing import Codes, Integers
from divlearn.kernels.jit import lean_kernel

# Marks of items and places share their words with the items that stand there: the word
# of number a says what item a is marked with, and how many items are due at place a.
_PLACED = 1 << 21
_DUE = _PLACED << 1


@lean_kernel
def _group(links: Integers, first: int, n: int, item: int) -> int:
    """Group of an item, -1 for none."""
    return int(links[first + 1 + 2 * n + item])


@lean_kernel
def _is_placed(marks: Integers, base: int, item: int) -> bool:
    """Whether an item is marked as placed."""
    return bool(marks[base + item] & _PLACED != 0)


@lean_kernel
def _place(
    links: Integers, first: int, n: int, marks: Integers, base: int, item: int
) -> None:
    """Mark an item as placed, so that it is no longer due."""
    marks[base + item] += _PLACED
    if links[first] == 1:
        marks[base + links[first + 1 + n + item]] -= _DUE


@lean_kernel
def _expect(links: Integers, first: int, n: int, marks: Integers, base: int) -> None:
    """Mark all items as due at their last place, where that matters."""
    if links[first] == 1:
        for item in range(n):
            marks[base + links[first + 1 + n + item]] += _DUE


@lean_kernel
def _latest(
    links: Integers, first: int, n: int, marks: Integers, base: int, place: int
) -> int:
    """Last place by which the next item is due, if the others are to be in time."""
    if links[first] == 0:
        return n
    due = 0
    for other in range(place, n):
        due += marks[base + other] // _DUE
        if due == other - place + 1:
            return other
    return n


@lean_kernel
def _open_group(
    links: Integers, first: int, n: int, marks: Integers, base: int, item: int
) -> int:
    """Group of the item placed last if some of it is not yet placed, else -1."""
    group = _group(links, first, n, item)
    if group < 0:
        return -1
    for other in range(n):
        same = _group(links, first, n, other) == group
        if same and not _is_placed(marks, base, other):
            return group
    return -1


@lean_kernel
def _may_follow(
    links: Integers,
    first: int,
    n: int,
    marks: Integers,
    base: int,
    place: int,
    group: int,
    latest: int,
    item: int,
) -> bool:
    """Whether an item may stand at ``place``, after those that are placed."""
    if _is_placed(marks, base, item):
        return False
    if links[first + 1 + item] > place or links[first + 1 + n + item] > latest:
        return False
    if group >= 0 and _group(links, first, n, item) != group:
        return False
    starts = first + 1 + 4 * n
    before = starts + n + 1
    for k in range(links[starts + item], links[starts + item + 1]):
        if not _is_placed(marks, base, links[before + k]):
            return False
    return True


@lean_kernel
def list_items(
    links: Integers,
    first: int,
    n: int,
    x: Codes,
    start: int,
    i: int,
    actions: Integers,
) -> int:
    """List the items that may stand at position ``i``; return how many there are."""
    for a in range(n):
        actions[a] = 0
    _expect(links, first, n, actions, 0)
    for j in range(start, i):
        _place(links, first, n, actions, 0, x[j])
    group = _open_group(links, first, n, actions, 0, x[i - 1]) if i > start else -1
    latest = _latest(links, first, n, actions, 0, i - start)
    for a in range(n):  # no item stands in these words, so their low bits are free
        if _may_follow(links, first, n, actions, 0, i - start, group, latest, a):
            actions[a] += 1
    count = 0
    for a in range(n):
        if actions[a] % 2 == 1:
            actions[count] = a
            count += 1
    return count


@lean_kernel
def keeps_order(links: Integers, first: int, n: int, x: Codes, start: int) -> bool:
    """Whether a permutation keeps the rule."""
    starts = first + 1 + 4 * n
    before = starts + n + 1
    for place in range(n):
        item = x[start + place]
        if links[first + 1 + item] > place or links[first + 1 + n + item] < place:
            return False
        for k in range(links[starts + item], links[starts + item + 1]):
            if not _holds(x, start, place, links[before + k]):
                return False
        if not _stays_together(links, first, n, x, start, place):
            return False
    return True


@lean_kernel
def _holds(x: Codes, start: int, count: int, item: int) -> bool:
    """Whether an item is among the first ``count`` ones."""
    found = False
    for j in range(start, start + count):
        found = found or x[j] == item
    return found


@lean_kernel
def _stays_together(
    links: Integers, first: int, n: int, x: Codes, start: int, place: int
) -> bool:
    """Whether the group of the item at ``place`` begins there or goes on."""
    group = _group(links, first, n, x[start + place])
    if group < 0 or place == 0:
        return True
    if _group(links, first, n, x[start + place - 1]) == group:
        return True
    for j in range(start, start + place):
        if _group(links, first, n, x[j]) == group:
            return False
    return True


@lean_kernel
def _number_copies(links: Integers, first: int, n: int, x: Codes, start: int) -> None:
    """Let copies of a thing stand in the order of their numbers.

    Which thing stands where stays as it is. The word of the first copy counts.
    """
    for j in range(start, start + n):
        original = links[first + 1 + 3 * n + x[j] % _PLACED]
        x[j] += original + x[start + original] // _PLACED - x[j] % _PLACED
        x[start + original] += _PLACED
    for j in range(start, start + n):
        x[j] %= _PLACED


@lean_kernel
def settle_order(links: Integers, first: int, n: int, x: Codes, start: int) -> None:
    """Read a permutation as a priority list: at each place the first that may follow.

    An order that keeps the rule stays as it is. Copies of a thing are numbered first,
    so that which thing stands where changes as little as possible. Upper bits of the
    codes hold the marks meanwhile, so that no other memory is needed.
    """
    _number_copies(links, first, n, x, start)
    _expect(links, first, n, x, start)
    group = -1
    for place in range(n):
        latest = _latest(links, first, n, x, start, place)
        found = place
        while found < n - 1 and not _may_follow(
            links, first, n, x, start, place, group, latest, x[start + found] % _PLACED
        ):
            found += 1
        item = x[start + found] % _PLACED
        for j in range(start + found, start + place, -1):
            x[j] += x[j - 1] % _PLACED - x[j] % _PLACED
        x[start + place] += item - x[start + place] % _PLACED
        _place(links, first, n, x, start, item)
        group = _open_group(links, first, n, x, start, item)
    for j in range(start, start + n):
        x[j] %= _PLACED
