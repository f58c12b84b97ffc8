"""What items load, learned from orders that turned out longer or shorter than expected.

Where an order is longer than expected, one of the routes that were expected is too
heavy: one without which, with loads as they are, the order is just as long as it turned
out to be. Where there is none, or the order is shorter, a lesson asks how it was cut in
truth, which is seen where another room gives just that length. Those routes are not too
heavy, nor are parts of them.
"""

from __future__ import annotations

import math

from divlearn.basics.typing import Codes, Floats, Words
from divlearn.kernels.jit import lean_kernel
from divlearn.kernels.random import below, uniform
from divlearn.methods.dl.kernels.models.routes.cutting import cut_order
from divlearn.methods.dl.kernels.models.routes.model import (
    FAR,
    ROUNDING,
    Routes,
    limit_of,
)
from divlearn.methods.dl.kernels.variation import copy_codes

#: Loads of a route that turned out too heavy, and of one that did not, once learned.
TOO_HEAVY, LIGHT_ENOUGH = 1.005, 0.995
#: Rooms by which a cut may be explained, and halvings until it is.
LEAST_ROOM, MOST_ROOM, HALVINGS = 0.3, 2.0, 14
#: One lesson in so many blames any of the routes, of which the load is at least this:
#: a route that is blamed in vain again and again would never be left alone else.
ANY_BLAMED, SUSPECT = 3, 0.5
#: Items that may be too heavy alone, tried in each lesson that is not understood.
ITEMS_TRIED = 4
#: What is added to the load of each of them by chance.
CHANCE = 1.0


@lean_kernel
def learn_loads(routes: Routes, x: Codes, values: Floats, rng: Words) -> bool:
    """Correct loads by the outputs that an order turned out to have.

    Returns
    -------
    Whether the length of all routes was not as expected.
    """
    record, n = routes.record[0], routes.loads.shape[0]
    length, limit = values[record.total], limit_of(routes, int(x[n]))
    margin = margin_of(routes, length)
    expected = cut_for_room(routes, x, 1.0, limit)
    if abs(length - expected) <= margin:
        return False
    tight = min(limit, values[1 - record.total] + margin)
    if length < expected:
        low, high = _room_for(routes, x, length + margin, 1.0, MOST_ROOM, tight)
        if abs(cut_for_room(routes, x, high, tight) - length) <= margin:
            _relieve(routes, x)
        else:
            _relieve_item(routes, x, length, margin, tight, rng)
        return True
    _list_expected(routes)
    if _blame_surely(routes, x, length, margin, tight, rng):
        return True
    low, high = _room_for(routes, x, length - margin, LEAST_ROOM, 1.0, tight)
    found = abs(cut_for_room(routes, x, low, tight) - length) <= margin
    _note_known(routes, found)
    cut_for_room(routes, x, 1.0, limit)
    _blame(routes, x, rng)
    return True


@lean_kernel
def margin_of(routes: Routes, length: float) -> float:
    """Errors of this size mean nothing."""
    return float(FAR * routes.record[0].usual + ROUNDING * abs(length))


@lean_kernel
def cut_for_room(routes: Routes, x: Codes, room: float, limit: float) -> float:
    """Cut an order by present loads where routes load ``room``; return the length."""
    ways, cheapest, previous = routes.ways, routes.cheapest, routes.previous
    return cut_order(x, ways, routes.loads, room, limit, -1, 0, cheapest, previous)


@lean_kernel
def _room_for(
    routes: Routes, x: Codes, length: float, low: float, high: float, limit: float
) -> tuple[float, float]:
    """Narrow rooms down to where an order becomes as short as ``length``."""
    for _ in range(HALVINGS):
        room = 0.5 * (low + high)
        if cut_for_room(routes, x, room, limit) <= length:
            high = room
        else:
            low = room
    return low, high


@lean_kernel
def _list_expected(routes: Routes) -> None:
    """List where the expected routes end, the last one first; 0 after the first one."""
    stop, count = routes.loads.shape[0], 0
    while stop > 0:
        routes.ends[count] = stop
        count += 1
        stop = routes.previous[stop]
    routes.ends[count] = 0


@lean_kernel
def _blame_surely(
    routes: Routes, x: Codes, length: float, margin: float, limit: float, rng: Words
) -> bool:
    """Make an expected route too heavy without which the order is just so long.

    If there are several, any of those that are the heaviest or, by chance, another one.
    """
    loads, ends, most, first, last = routes.loads, routes.ends, -1.0, 0, 0
    chance = CHANCE if below(rng, ANY_BLAMED) == 0 else 0.0
    count = 0
    while ends[count] > 0:
        start, stop = int(ends[count + 1]), int(ends[count])
        count += 1
        if stop - start == 1:
            continue
        without = cut_order(
            x,
            routes.ways,
            loads,
            1.0,
            limit,
            start,
            stop,
            routes.cheapest,
            routes.previous,
        )
        if abs(without - length) > margin:
            continue
        blamed = _load_of(routes, x, start, stop) + chance * uniform(rng)
        if blamed > most:
            most, first, last = blamed, start, stop
    if last > first:
        _make_heavy(routes, x, first, last)
    return last > first


@lean_kernel
def _make_heavy(routes: Routes, x: Codes, first: int, last: int) -> None:
    """Make a route too heavy, evenly."""
    heavier = TOO_HEAVY - _load_of(routes, x, first, last)
    for k in range(first, last):
        routes.loads[x[k]] += max(0.0, heavier) / (last - first)


@lean_kernel
def _note_known(routes: Routes, found: bool) -> None:
    """Note the place where the true route of every place ends; -1 if not ``found``."""
    stop = routes.loads.shape[0]
    while stop > 0:
        start = routes.previous[stop]
        for k in range(start, stop):
            routes.known[k] = stop if found else -1
        stop = start


@lean_kernel
def _load_of(routes: Routes, x: Codes, start: int, stop: int) -> float:
    """Load of ``x[start:stop]``."""
    load = 0.0
    for k in range(start, stop):
        load += routes.loads[x[k]]
    return load


@lean_kernel
def _relieve(routes: Routes, x: Codes) -> None:
    """Make all routes lighter, evenly, that load more than a vehicle carries."""
    stop = routes.loads.shape[0]
    while stop > 0:
        start = int(routes.previous[stop])
        load = _load_of(routes, x, start, stop)
        if load > 1.0 and stop - start > 1:
            less = (load - LIGHT_ENOUGH) / (stop - start)
            for k in range(start, stop):
                routes.loads[x[k]] = max(0.0, routes.loads[x[k]] - less)
        stop = start


@lean_kernel
def _relieve_item(
    routes: Routes, x: Codes, length: float, margin: float, limit: float, rng: Words
) -> None:
    """Make an item lighter that, weighing nothing, makes the order just so long."""
    loads = routes.loads
    for _ in range(ITEMS_TRIED):
        a = below(rng, loads.shape[0])
        load, loads[a] = loads[a], 0.0
        explained = abs(cut_for_room(routes, x, 1.0, limit) - length) <= margin
        loads[a] = load
        if not explained:
            continue
        stop, start, most = loads.shape[0], 0, 0.0
        while stop > 0:  # only the route of this item may be too heavy
            start = int(routes.previous[stop])
            most = max(most, _load_of(routes, x, start, stop))
            stop = start
        if most > 1.0:
            loads[a] = max(0.0, load - (most - LIGHT_ENOUGH))
        return


@lean_kernel
def _blame(routes: Routes, x: Codes, rng: Words) -> None:
    """Make one of the expected routes too heavy, evenly: mostly the heaviest.

    A route that is part of a true one is not to blame.
    """
    stop, most, first, last = routes.loads.shape[0], -1.0, 0, 0
    chance = CHANCE if below(rng, ANY_BLAMED) == 0 else 0.0
    while stop > 0:
        start = int(routes.previous[stop])
        known = routes.known[start] >= 0
        light = known and routes.known[start] == routes.known[stop - 1]
        load = _load_of(routes, x, start, stop)
        if stop - start > 1 and not light and (chance == 0.0 or load > SUSPECT):
            blamed = load + chance * uniform(rng)
            if blamed > most:
                most, first, last = blamed, start, stop
        stop = start
    if last > first:
        _make_heavy(routes, x, first, last)


# --- solutions that are kept


@lean_kernel
def note_routes(routes: Routes, x: Codes, values: Floats) -> bool:
    """Keep a solution in which loads matter: without them, or as they are, it errs.

    Returns
    -------
    Whether it is kept.
    """
    record, n = routes.record[0], routes.loads.shape[0]
    length, limit = values[record.total], limit_of(routes, int(x[n]))
    margin = margin_of(routes, length)
    weightless = length - cut_for_room(routes, x, math.inf, limit) <= margin
    if weightless and abs(cut_for_room(routes, x, 1.0, limit) - length) <= margin:
        return False
    row = record.heavy % routes.outcomes.shape[0]
    copy_codes(x, routes.heavy[row])
    routes.outcomes[row, 0], routes.outcomes[row, 1] = values[0], values[1]
    record.heavy += 1
    return True


@lean_kernel
def num_heavy(routes: Routes) -> int:
    """How many solutions are kept."""
    return int(min(routes.record[0].heavy, routes.outcomes.shape[0]))


@lean_kernel
def learn_heavy(routes: Routes, row: int, rng: Words) -> bool:
    """Learn loads from a solution that was kept; whether it was not as expected."""
    return learn_loads(routes, routes.heavy[row], routes.outcomes[row], rng)
