"""Routes as lists of items, shortened by annealing under a limit and a room.

Bringing an item and one near it together changes one route or two at a few places,
which say how much longer they become. Only changes that are wanted are made: the routes
are built anew, measured and weighed, and all others stay as they are.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from divlearn.basics.typing import Codes, Floats, Integers, Words
from divlearn.kernels.jit import lean_kernel
from divlearn.kernels.random import below, uniform
from divlearn.kernels.views import viewed

#: Ways to bring two items together, longest stretch that is moved, and one look in so
#: many cuts a route in two.
NUM_MOVES, LONGEST_MOVED, DIVIDES = 4, 3, 30
EXCHANGE_ENDS, TURN_ENDS, MOVE, SWAP = range(NUM_MOVES)
#: The same inside a route, and cutting it in two.
TURN, MOVE_INSIDE, DIVIDE = range(NUM_MOVES, NUM_MOVES + 3)
#: A change that costs more than this many times what one may usually cost is not made.
NEVER = 16.0
#: A change below this is rounding.
_LEAST = 1e-12


@viewed
class Fleet(NamedTuple):
    """Routes of n items, at most n of them, and room to work."""

    items: Integers  # (n, n) items of each route, in the order of visits
    sizes: Integers  # (n,) how many
    lengths: Floats  # (n,) of the routes, there and back
    route: Integers  # (n,) which route an item is in
    place: Integers  # (n,) where in it
    change: Integers  # (7,) scratch: kind, two routes, and places in them, see below
    trial: Integers  # (2, n) scratch: two routes after a change
    trial_sizes: Integers  # (2,) scratch


def new_fleet(n: int) -> Fleet:
    """Room for the routes of ``n`` items."""
    return Fleet(
        items=np.zeros((n, n), np.int64),
        sizes=np.zeros(n, np.int64),
        lengths=np.zeros(n),
        route=np.zeros(n, np.int64),
        place=np.zeros(n, np.int64),
        change=np.zeros(7, np.int64),
        trial=np.zeros((2, n), np.int64),
        trial_sizes=np.zeros(2, np.int64),
    )


@lean_kernel
def read_fleet(fleet: Fleet, x: Codes, previous: Integers, ways: Floats) -> float:
    """Take over the routes of an order that was cut; return their length."""
    stop, r, total = fleet.route.shape[0], 0, 0.0
    for k in range(stop):
        fleet.sizes[k] = 0
        fleet.lengths[k] = 0.0
    while stop > 0:
        start = previous[stop]
        for k in range(start, stop):
            fleet.items[r, k - start] = x[k]
            fleet.route[x[k]], fleet.place[x[k]] = r, k - start
        fleet.sizes[r] = stop - start
        fleet.lengths[r] = _length(fleet.items[r], stop - start, ways)
        total += fleet.lengths[r]
        r += 1
        stop = start
    return total


@lean_kernel
def write_order(fleet: Fleet, x: Codes) -> None:
    """Write one route after the other into ``x``."""
    at = 0
    for r in range(fleet.sizes.shape[0]):
        for k in range(fleet.sizes[r]):
            x[at] = fleet.items[r, k]
            at += 1


@lean_kernel
def anneal_fleet(
    fleet: Fleet,
    ways: Floats,
    loads: Floats,
    near: Integers,
    room: float,
    limit: float,
    looks: int,
    hot: float,
    cold: float,
    rng: Words,
    best: Codes,
) -> float:
    """Shorten all routes; write the shortest that were met into ``best``.

    Parameters
    ----------
    fleet
        Routes to begin with.
    ways, loads, near
        What lies between items and the depot, what items load, items near each.
    room, limit
        Load and length that no route may exceed by a change.
    looks, hot, cold
        Changes that are looked at, and what a change may usually cost at the first
        and at the last of them.
    rng
        Random generator.
    best
        An order, shape (n + 1,); what follows the items stays.

    Returns
    -------
    How much shorter the best is than the first.
    """
    heat, cooling = hot, (cold / hot) ** (1.0 / looks)
    saved, most = 0.0, 0.0
    write_order(fleet, best)
    for _ in range(looks):
        heat *= cooling
        if not _draw_change(fleet, near, rng):
            continue
        worse = _price(fleet, ways)
        if worse > NEVER * heat:
            continue
        if worse > _LEAST and worse > -heat * math.log(1.0 - uniform(rng)):
            continue
        r, s = int(fleet.change[1]), int(fleet.change[2])
        _build(fleet)
        left = _trial_length(fleet, 0, ways)
        right = _trial_length(fleet, 1, ways) if s >= 0 else 0.0
        if not _is_allowed(fleet, 0, left, loads, room, limit):
            continue
        if s >= 0 and not _is_allowed(fleet, 1, right, loads, room, limit):
            continue
        _keep_trial(fleet, 0, r, left)
        if s >= 0:
            _keep_trial(fleet, 1, s, right)
        saved -= worse
        if saved > most + _LEAST:
            most = saved
            write_order(fleet, best)
    return most


@lean_kernel
def _draw_change(fleet: Fleet, near: Integers, rng: Words) -> bool:
    """Draw a change that brings two items together; whether there is one.

    It is kind, route r of the first item and s of the other, -1 for the same one, place
    i in r and j in s, and for what is moved where it stops and whether it is turned.
    """
    change, a = fleet.change, below(rng, near.shape[0])
    if below(rng, DIVIDES) == 0:
        return _draw_division(fleet, a)
    b = near[a, below(rng, near.shape[1])]
    r, s = int(fleet.route[a]), int(fleet.route[b])
    drawn = below(rng, NUM_MOVES * LONGEST_MOVED * 2)
    kind, turned = drawn % NUM_MOVES, drawn // NUM_MOVES % 2
    count = 1 + drawn // (NUM_MOVES * 2)
    i, j = int(fleet.place[a]), int(fleet.place[b])
    stop = min(j + count, int(fleet.sizes[s]))
    if r != s:
        if kind == SWAP:
            i += 1 - 2 * turned
        change[0], change[1], change[2], change[3] = kind, r, s, i
        change[4], change[5], change[6] = j, stop, turned
        return kind != SWAP or 0 <= i < fleet.sizes[r]
    change[1], change[2] = r, -1
    if kind == MOVE:
        change[0], change[3] = MOVE_INSIDE, i
        change[4], change[5], change[6] = j, stop, turned
        return not j <= i < stop
    earlier = int(kind == SWAP)  # the later one beside the earlier, from the other side
    change[0] = TURN
    change[3], change[4] = min(i, j) - earlier, max(i, j) - earlier
    return True


@lean_kernel
def _draw_division(fleet: Fleet, a: int) -> bool:
    """Let the rest of a route behind an item be one of its own."""
    change = fleet.change
    for s in range(fleet.sizes.shape[0]):
        if fleet.sizes[s] == 0:
            change[0], change[1], change[2] = DIVIDE, fleet.route[a], s
            change[3] = fleet.place[a]
            return True
    return False


@lean_kernel
def _at(fleet: Fleet, route: int, place: int) -> int:
    """Item at a place of a route; the depot before and behind all of them."""
    if 0 <= place < fleet.sizes[route]:
        return int(fleet.items[route, place])
    return int(fleet.sizes.shape[0])


@lean_kernel
def _price(fleet: Fleet, ways: Floats) -> float:
    """How much longer all routes become by the change that was drawn."""
    change = fleet.change
    kind, r, i, j = int(change[0]), int(change[1]), int(change[3]), int(change[4])
    a, behind = _at(fleet, r, i), _at(fleet, r, i + 1)
    if kind == DIVIDE:
        depot = fleet.sizes.shape[0]
        return _longer(ways, a, behind, a, depot) + float(ways[depot, behind])
    if kind == TURN:
        z, w = _at(fleet, r, j), _at(fleet, r, j + 1)
        return _longer(ways, a, behind, a, z) + _longer(ways, z, w, behind, w)
    s = r if kind == MOVE_INSIDE else int(change[2])
    b, before, after = _at(fleet, s, j), _at(fleet, s, j - 1), _at(fleet, s, j + 1)
    if kind == EXCHANGE_ENDS:
        return _longer(ways, a, behind, a, b) + _longer(ways, before, b, before, behind)
    if kind == TURN_ENDS:
        return _longer(ways, a, behind, a, b) + _longer(ways, b, after, behind, after)
    if kind == SWAP:
        left = _at(fleet, r, i - 1)
        longer = _longer(ways, left, a, left, b) + _longer(ways, a, behind, b, behind)
        longer += _longer(ways, before, b, before, a)
        return longer + _longer(ways, b, after, a, after)
    stop = int(change[5])
    last, after = _at(fleet, s, stop - 1), _at(fleet, s, stop)
    if kind == MOVE_INSIDE and i + 1 == j:
        behind = after
    first, end = (last, b) if change[6] == 1 else (b, last)
    longer = _longer(ways, before, b, before, after) - float(ways[last, after])
    return longer + _longer(ways, a, behind, a, first) + float(ways[end, behind])


@lean_kernel
def _longer(ways: Floats, a: int, b: int, c: int, d: int) -> float:
    """By how much the way from c to d is longer than that from a to b."""
    old = ways[np.uint64(a), np.uint64(b)]
    return float(ways[np.uint64(c), np.uint64(d)] - old)


@lean_kernel
def _build(fleet: Fleet) -> None:
    """Build the routes after the change that was drawn."""
    change, sizes = fleet.change, fleet.sizes
    kind, r, s = int(change[0]), int(change[1]), int(change[2])
    i, j, stop, turned = int(change[3]), int(change[4]), int(change[5]), change[6] == 1
    fleet.trial_sizes[0] = fleet.trial_sizes[1] = 0
    if kind == SWAP:
        _take(fleet, 0, r, 0, sizes[r], False)
        _take(fleet, 1, s, 0, sizes[s], False)
        fleet.trial[0, i], fleet.trial[1, j] = fleet.items[s, j], fleet.items[r, i]
        return
    if kind == MOVE_INSIDE:
        _move_inside(fleet, r, i, j, stop, turned)
        return
    _take(fleet, 0, r, 0, i + 1, False)
    if kind == DIVIDE:
        _take(fleet, 1, r, i + 1, sizes[r], False)
    elif kind == TURN:
        _take(fleet, 0, r, i + 1, j + 1, True)
        _take(fleet, 0, r, j + 1, sizes[r], False)
    elif kind == MOVE:
        _take(fleet, 0, s, j, stop, turned)
        _take(fleet, 0, r, i + 1, sizes[r], False)
        _take(fleet, 1, s, 0, j, False)
        _take(fleet, 1, s, stop, sizes[s], False)
    elif kind == TURN_ENDS:
        _take(fleet, 0, s, 0, j + 1, True)
        _take(fleet, 1, r, i + 1, sizes[r], True)
        _take(fleet, 1, s, j + 1, sizes[s], False)
    else:
        _take(fleet, 0, s, j, sizes[s], False)
        _take(fleet, 1, s, 0, j, False)
        _take(fleet, 1, r, i + 1, sizes[r], False)


@lean_kernel
def _move_inside(fleet: Fleet, r: int, i: int, j: int, stop: int, turned: bool) -> None:
    """Take a few items of a route from place j to behind place i."""
    if i < j:
        _take(fleet, 0, r, 0, i + 1, False)
        _take(fleet, 0, r, j, stop, turned)
        _take(fleet, 0, r, i + 1, j, False)
        _take(fleet, 0, r, stop, fleet.sizes[r], False)
    else:
        _take(fleet, 0, r, 0, j, False)
        _take(fleet, 0, r, stop, i + 1, False)
        _take(fleet, 0, r, j, stop, turned)
        _take(fleet, 0, r, i + 1, fleet.sizes[r], False)


@lean_kernel
def _take(
    fleet: Fleet, side: int, route: int, start: int, stop: int, turned: bool
) -> None:
    """Add a stretch of a route to one of the two that are built."""
    at = fleet.trial_sizes[side]
    for k in range(stop - start):
        from_place = stop - 1 - k if turned else start + k
        fleet.trial[side, at + k] = fleet.items[route, from_place]
    fleet.trial_sizes[side] += max(0, stop - start)


@lean_kernel
def _length(items: Integers, size: int, ways: Floats) -> float:
    """Length of a route from the depot through ``size`` items and back."""
    if size == 0:
        return 0.0
    depot = np.uint64(ways.shape[0] - 1)
    last = np.uint64(items[0])
    length = ways[depot, last]
    for k in range(1, size):
        item = np.uint64(items[k])
        length += ways[last, item]
        last = item
    return float(length + ways[last, depot])


@lean_kernel
def _trial_length(fleet: Fleet, side: int, ways: Floats) -> float:
    """Length of one of the two routes that were built."""
    return _length(fleet.trial[side], fleet.trial_sizes[side], ways)


@lean_kernel
def _is_allowed(
    fleet: Fleet, side: int, length: float, loads: Floats, room: float, limit: float
) -> bool:
    """Whether a route that was built keeps limit and room, or has one item."""
    size, load = fleet.trial_sizes[side], 0.0
    if size <= 1:
        return True
    if length > limit:
        return False
    for k in range(size):
        load += loads[fleet.trial[side, k]]
    return bool(load <= room)


@lean_kernel
def _keep_trial(fleet: Fleet, side: int, route: int, length: float) -> None:
    """Let one of the two routes that were built take the place of a route."""
    size = fleet.trial_sizes[side]
    fleet.sizes[route], fleet.lengths[route] = size, length
    for k in range(size):
        item = fleet.trial[side, k]
        fleet.items[route, k] = item
        fleet.route[item], fleet.place[item] = route, k
