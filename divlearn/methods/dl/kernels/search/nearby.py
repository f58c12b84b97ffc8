"""What a candidate would add to the front, judged by members near its origin first.

Candidates are made from a member of the archive by a few changes. With more than two
objectives, where a gain is a comparison with all members, those far worse than the
origin in some objective need not be asked: a candidate that is worse by ``u`` at most
is missed by them by what they are worse, less ``u``. Where members are so many that
they stand in a tree, that knows whom to ask.
"""

from __future__ import annotations

from divlearn.basics.typing import Floats
from divlearn.kernels.archive import has_tree
from divlearn.kernels.jit import lean_kernel
from divlearn.kernels.tree_search import least_missed
from divlearn.methods.dl.kernels.front import ask_sooner, gain, missed_by
from divlearn.methods.dl.kernels.state import DifferenceState

#: Rings around the origin: how much worse their members are, in units of the box.
INNER, OUTER = 0.1, 0.2


@lean_kernel
def gather_around(state: DifferenceState, member: int) -> None:
    """Let candidates be made from a member: list those near it first.

    With two objectives the order of the archive is another one, and stays.
    """
    around, keys, m = state.inside.around, state.archive.keys, state.low.shape[0]
    for j in range(m):
        around.centre[j] = keys[member, j]
    if m == 2 or has_tree(state.archive, state.control[0].archive_size):
        return
    around.stops[2] = state.control[0].archive_size
    around.stops[1] = _list_first(state, around.stops[2], OUTER)
    around.stops[0] = _list_first(state, around.stops[1], INNER)


@lean_kernel
def _list_first(state: DifferenceState, size: int, radius: float) -> int:
    """Bring those of the first ``size`` members within a radius forward; count them."""
    keys, order, centre = (
        state.archive.keys,
        state.archive.order,
        state.inside.around.centre,
    )
    near = 0
    for rank in range(size):
        slot, within = order[rank], True
        for j in range(centre.shape[0]):
            width = state.high[j] - state.low[j]
            reach = radius * (width if width > 0.0 else 1.0)
            if keys[slot, j] - centre[j] > reach:
                within = False
                break
        if within:
            order[rank], order[near] = order[near], slot
            near += 1
    return near


@lean_kernel
def is_feasible(y: Floats, m: int) -> bool:
    """Whether outputs ``y`` keep all constraints."""
    excess = 0.0
    for j in range(m, y.shape[0]):
        excess = max(excess, y[j])
    return excess <= 0.0


@lean_kernel
def promised(state: DifferenceState, y: Floats, most: float) -> float:
    """What predicted outputs ``y`` would add to the front; 0 if not feasible.

    With other than two objectives also 0 if that is not above ``most``.
    """
    m = state.low.shape[0]
    if not is_feasible(y, m):
        return 0.0
    if m == 2:
        size = state.control[0].archive_size
        return gain(state.archive, size, y, state.low, state.high)
    return _gain_around(state, y, most)


@lean_kernel
def _gain_around(state: DifferenceState, y: Floats, most: float) -> float:
    """The gain by the rings from the inside, as long as they may make a difference."""
    archive, low, high = state.archive, state.low, state.high
    around = state.inside.around
    worse, least, first = -1.0, -1.0, 0
    for j in range(around.centre.shape[0]):
        width = high[j] - low[j] if high[j] > low[j] else 1.0
        worse = max(worse, (y[j] - around.centre[j]) / width)
        if (around.centre[j] - y[j]) / width > least:
            least, first = (around.centre[j] - y[j]) / width, j
    if least <= most:
        return 0.0
    least = min(1.0, least)
    if has_tree(archive, state.control[0].archive_size):
        return least_missed(archive.tree, y, low, high, least, most)
    width = high[first] - low[first] if high[first] > low[first] else 1.0
    start, radius = 0, -1.0
    for ring in range(around.stops.shape[0]):
        if radius - worse >= least:
            break
        for rank in range(start, around.stops[ring]):
            key = archive.keys[archive.order[rank]]
            # Most members differ where the candidate is better than its origin.
            if key[first] - y[first] >= least * width:
                continue
            missed = missed_by(key, y, low, high, least)
            if missed < least:
                least = missed
                if least <= most:
                    ask_sooner(archive, start, rank)
                    return 0.0
        start, radius = around.stops[ring], INNER if ring == 0 else OUTER
    return least
