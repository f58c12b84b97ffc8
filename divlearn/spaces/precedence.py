"""What an order has to keep, as the numbers of a rule; what nothing keeps is refused.

Items that stand together count as one node where nodes are put in order. See
:mod:`divlearn.kernels.rules.orders` for the numbers and what is done with them.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from graphlib import CycleError, TopologicalSorter
from itertools import accumulate, pairwise
from typing import NamedTuple

from divlearn.basics.errors import InputError

Pairs = Sequence[tuple[int, int]]


class Demands(NamedTuple):
    """What is demanded of an order of n items."""

    names: list[str]  # (n,) of the items, for messages
    before: Pairs  # an item and one that comes after it
    fixed: dict[int, int]  # position and its item
    together: list[list[int]]  # items that stand side by side
    copies: list[int]  # (n,) first item that is the same thing; itself if there is none


def order_numbers(demands: Demands) -> list[int]:
    """Numbers of the rule; InputError if no order keeps all that is demanded.

    Examples
    --------
    >>> order_numbers(Demands(["item 0", "item 1"], [(1, 0)], {}, [], [0, 1]))
    [0, 1, 0, 1, 0, -1, -1, 0, 1, 0, 1, 1, 1]
    """
    names, before, fixed, together, copies = demands
    n = len(names)
    _refuse_repeated(names, fixed)
    refuse_cycle(before, names)
    if together:
        demanded = {"before": before, "fixed": fixed, "together": together}
        said = " and ".join(name for name, given in demanded.items() if given)
        if fixed:
            before, fixed = [*before, *_ends_as_pairs(n, fixed)], {}
        _refuse_cycles(names, before, together, f"{said} contradict each other")
    node = _nodes(n, together)
    ahead = _predecessors(n, before, node)
    earliest, latest = _windows(ahead, fixed)
    if fixed:
        _refuse_crowds(names, fixed, earliest, latest)
    groups = [k if k < len(together) else -1 for k in node]
    starts = accumulate((len(items) for items in ahead), initial=0)
    listed = (item for items in ahead for item in items)
    each = [*earliest, *latest, *groups, *copies]
    return [int(bool(fixed)), *each, *starts, *listed]


def _refuse_repeated(names: list[str], fixed: dict[int, int]) -> None:
    """An item has one place only."""
    places: dict[int, int] = {}
    for place, item in fixed.items():
        if item in places:
            raise InputError(
                f"fixed: {names[item]} cannot stand at positions {places[item]} and "
                f"{place} at once."
            )
        places[item] = place


def _ends_as_pairs(n: int, fixed: dict[int, int]) -> Pairs:
    """What items fixed at the first and last positions mean for all others."""
    head = next(p for p in range(n + 1) if p not in fixed)
    tail = next(p for p in range(n - 1, -2, -1) if p not in fixed)
    between = [p for p in fixed if head <= p <= tail]
    if between:
        raise InputError(
            f"fixed: position {between[0]} cannot be fixed where items stand together; "
            "whether groups of several sizes fit between fixed positions is a packing "
            "problem. Fix positions at the beginning and at the end only, or state the "
            "groups by valid or repair."
        )
    first = [fixed[p] for p in range(head)]
    last = [fixed[p] for p in range(tail + 1, n)] if head < n else []
    others = [a for a in range(n) if a not in set(first + last)]
    chain = [*pairwise(first), *pairwise(last)]
    chain += [(a, b) for a in first[-1:] for b in [*others, *last[:1]]]
    return chain + [(a, b) for a in others for b in last[:1]]


def _nodes(n: int, together: list[list[int]]) -> list[int]:
    """Number of each item's group, or one of its own."""
    node = [len(together) + a for a in range(n)]
    for k, items in enumerate(together):
        for item in items:
            node[item] = k
    return node


def _refuse_cycles(
    names: list[str], before: Pairs, together: list[list[int]], said: str
) -> None:
    """Nothing comes before itself, neither an item nor a group."""
    refuse_cycle(before, names, said)
    node = _nodes(len(names), together)
    named = [f"the group {items}" for items in together] + names
    pairs = [(node[a], node[b]) for a, b in before if node[a] != node[b]]
    refuse_cycle(pairs, named, said)


def refuse_cycle(
    before: Pairs, names: Sequence[str], said: str = "before contradicts itself"
) -> None:
    """Refuse pairs by which something comes before itself, and say how."""
    graph: dict[int, set[int]] = {}
    for first, second in before:
        graph.setdefault(second, set()).add(first)
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        way = " before ".join(names[a] for a in error.args[1])
        raise InputError(f"{said}: {way}.") from None


def _predecessors(n: int, before: Pairs, node: list[int]) -> list[list[int]]:
    """Items that each item waits for, those left out that others wait for already.

    What comes before an item of another group comes before the whole group.
    """
    members: dict[int, list[int]] = {}
    for item in range(n):
        members.setdefault(node[item], []).append(item)
    ahead: list[set[int]] = [set() for _ in range(n)]
    for a, b in before:
        for item in [b] if node[a] == node[b] else members[node[b]]:
            ahead[item].add(a)
    order = list(TopologicalSorter(dict(enumerate(ahead))).static_order())
    rank = {item: k for k, item in enumerate(order)}
    reached = [0] * n  # bits of all items that come before, directly or not
    kept: list[list[int]] = [[] for _ in range(n)]
    for item in order:
        for other in sorted(ahead[item], key=lambda a: -rank[a]):
            if not reached[item] >> other & 1:
                kept[item].append(other)
                reached[item] |= reached[other] | 1 << other
    return kept


def _windows(
    ahead: list[list[int]], fixed: dict[int, int]
) -> tuple[list[int], list[int]]:
    """First and last place of every item, by what is fixed and by chains."""
    n = len(ahead)
    place = {item: p for p, item in fixed.items()}
    earliest = [place.get(item, 0) for item in range(n)]
    latest = [place.get(item, n - 1) for item in range(n)]
    order = list(TopologicalSorter(dict(enumerate(ahead))).static_order())
    for item in order:
        for other in ahead[item]:
            earliest[item] = max(earliest[item], earliest[other] + 1)
    for item in reversed(order):
        for other in ahead[item]:
            latest[other] = min(latest[other], latest[item] - 1)
    return earliest, latest


def _refuse_crowds(
    names: list[str], fixed: dict[int, int], earliest: list[int], latest: list[int]
) -> None:
    """Refuse what leaves more items than places: the most urgent item goes first."""
    n = len(names)
    waiting: list[tuple[int, int]] = []
    by_first = sorted(range(n), key=lambda a: earliest[a], reverse=True)
    for place in range(n):
        while by_first and earliest[by_first[-1]] <= place:
            item = by_first.pop()
            heapq.heappush(waiting, (latest[item], item))
        if not waiting or waiting[0][0] < place:
            _refuse_crowd(names, fixed, earliest, latest)
        heapq.heappop(waiting)


def _refuse_crowd(
    names: list[str], fixed: dict[int, int], earliest: list[int], latest: list[int]
) -> None:
    """Name items that have too few places between them, as few as possible."""
    n = len(names)
    for width in range(n + 1):
        for first in range(n + 1 - width):
            inside = [
                a
                for a in range(n)
                if earliest[a] >= first and latest[a] < first + width
            ]
            if len(inside) > width:
                raise InputError(
                    f"fixed {fixed} and before leave no place: "
                    f"{', '.join(names[a] for a in inside)} would have to stand "
                    f"{_places(first, width)}."
                )
    raise AssertionError("some interval is too narrow where the urgent come too late")


def _places(first: int, width: int) -> str:
    """Positions in words."""
    if width == 0:
        return f"before position {first} and not before it"
    if width == 1:
        return f"at position {first}"
    return f"at positions {first} to {first + width - 1}"
