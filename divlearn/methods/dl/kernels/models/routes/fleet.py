"""Routes as lists of items, shortened by annealing under a limit and a room.

Bringing an item and one near it together changes one route or two, which are built
anew and measured; all others stay as they are. So a look takes the time of two routes,
where cutting a whole order takes that of all of them.
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
        r, s = _make_change(fleet, near, rng)
        if r < 0:
            continue
        left = _trial_length(fleet, 0, ways)
        right = _trial_length(fleet, 1, ways) if s >= 0 else 0.0
        before = fleet.lengths[r] + (fleet.lengths[s] if s >= 0 else 0.0)
        worse = left + right - before
        if worse > _LEAST and worse > -heat * math.log(1.0 - uniform(rng)):
            continue
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
def _make_change(fleet: Fleet, near: Integers, rng: Words) -> tuple[int, int]:
    """Build one or two routes anew; return which, -1 for none."""
    a = below(rng, near.shape[0])
    if below(rng, DIVIDES) == 0:
        return _divide(fleet, a)
    b = near[a, below(rng, near.shape[1])]
    move, r, s = below(rng, NUM_MOVES), int(fleet.route[a]), int(fleet.route[b])
    count, turned = 1 + below(rng, LONGEST_MOVED), below(rng, 2) == 1
    i, j = fleet.place[a], fleet.place[b]
    if r != s:
        if move == SWAP:
            return _swap(fleet, r, s, i + 1 if not turned else i - 1, j)
        if move == MOVE:
            _begin(fleet)
            _take(fleet, 0, r, 0, i + 1, False)
            stop = min(j + count, fleet.sizes[s])
            _take(fleet, 0, s, j, stop, turned)
            _take(fleet, 0, r, i + 1, fleet.sizes[r], False)
            _take(fleet, 1, s, 0, j, False)
            _take(fleet, 1, s, stop, fleet.sizes[s], False)
            return r, s
        _exchange_ends(fleet, r, s, i, j, move == TURN_ENDS)
        return r, s
    if move == MOVE:
        return _move_inside(fleet, r, i, j, count, turned), -1
    _begin(fleet)
    first, last = min(i, j), max(i, j)
    if move == SWAP:  # the later one beside the earlier one, from the other side
        first -= 1
        last -= 1
    _take(fleet, 0, r, 0, first + 1, False)
    _take(fleet, 0, r, first + 1, last + 1, True)
    _take(fleet, 0, r, last + 1, fleet.sizes[r], False)
    return r, -1


@lean_kernel
def _exchange_ends(fleet: Fleet, r: int, s: int, i: int, j: int, turn: bool) -> None:
    """Go on from place i of one route as from j in the other, or back from there."""
    m, n = fleet.sizes[r], fleet.sizes[s]
    _begin(fleet)
    _take(fleet, 0, r, 0, i + 1, False)
    if turn:
        _take(fleet, 0, s, 0, j + 1, True)
        _take(fleet, 1, r, i + 1, m, True)
        _take(fleet, 1, s, j + 1, n, False)
    else:
        _take(fleet, 0, s, j, n, False)
        _take(fleet, 1, s, 0, j, False)
        _take(fleet, 1, r, i + 1, m, False)


@lean_kernel
def _swap(fleet: Fleet, r: int, s: int, i: int, j: int) -> tuple[int, int]:
    """Exchange the items at two places of two routes."""
    if i < 0 or i >= fleet.sizes[r]:
        return -1, -1
    _begin(fleet)
    _take(fleet, 0, r, 0, fleet.sizes[r], False)
    _take(fleet, 1, s, 0, fleet.sizes[s], False)
    fleet.trial[0, i], fleet.trial[1, j] = fleet.items[s, j], fleet.items[r, i]
    return r, s


@lean_kernel
def _move_inside(fleet: Fleet, r: int, i: int, j: int, count: int, turned: bool) -> int:
    """Take a few items of a route from place j to behind place i."""
    n = fleet.sizes[r]
    stop = min(j + count, n)
    if j <= i < stop:
        return -1
    _begin(fleet)
    if i < j:
        _take(fleet, 0, r, 0, i + 1, False)
        _take(fleet, 0, r, j, stop, turned)
        _take(fleet, 0, r, i + 1, j, False)
        _take(fleet, 0, r, stop, n, False)
    else:
        _take(fleet, 0, r, 0, j, False)
        _take(fleet, 0, r, stop, i + 1, False)
        _take(fleet, 0, r, j, stop, turned)
        _take(fleet, 0, r, i + 1, n, False)
    return r


@lean_kernel
def _divide(fleet: Fleet, a: int) -> tuple[int, int]:
    """Let the rest of a route behind an item be one of its own."""
    r, n = int(fleet.route[a]), fleet.sizes.shape[0]
    for s in range(n):
        if fleet.sizes[s] == 0:
            _begin(fleet)
            _take(fleet, 0, r, 0, fleet.place[a] + 1, False)
            _take(fleet, 1, r, fleet.place[a] + 1, fleet.sizes[r], False)
            return r, s
    return -1, -1


@lean_kernel
def _begin(fleet: Fleet) -> None:
    """Empty the two routes to build."""
    fleet.trial_sizes[0] = fleet.trial_sizes[1] = 0


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
