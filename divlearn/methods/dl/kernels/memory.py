"""What a search remembers of single solutions: parents, past differences, the seen."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from divlearn.basics.typing import Codes, Floats, Integers, Words
from divlearn.kernels.jit import lean_kernel
from divlearn.kernels.layout import PERMUTATION, Layout
from divlearn.kernels.views import viewed
from divlearn.methods.dl.kernels.models.encodings import Changes, pair_action
from divlearn.methods.dl.kernels.variation import copy_codes

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_MIX1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX2 = np.uint64(0x94D049BB133111EB)
_S27, _S30, _S31 = np.uint64(27), np.uint64(30), np.uint64(31)
_CYCLE = np.uint64(0xD1B54A32D192ED03)
_NOTHING = np.uint64(0)
_ONE = np.uint64(1)


@viewed
class Parents(NamedTuple):
    """Solutions that candidates were derived from, the latest ones only."""

    solutions: Codes  # (P, n)
    outputs: Floats  # (P, m + c) objectives minimised, then constraints
    serials: Integers  # (P,) number of the parent, from 1 on; 0 for none


@viewed
class Ring(NamedTuple):
    """The latest differences: what a step changed and what came of it."""

    parents: NDArray[np.int32]  # (R, n), or (R, 0) where changes are listed instead
    children: NDArray[np.int32]  # (R, n), or (R, 0)
    deltas: Floats  # (R, m + c) outputs of the child minus those of the parent
    changes: Integers  # (R, E, W) by encoding: see list_in_ring; or (0, 0, 0)


@lean_kernel
def remember_parent(parents: Parents, serial: int, x: Codes, y: Floats) -> None:
    """Keep ``x`` with outputs ``y`` as parent number ``serial``."""
    row = serial % parents.serials.shape[0]
    parents.serials[row] = serial
    copy_codes(x, parents.solutions[row])
    for j in range(y.shape[0]):
        parents.outputs[row, j] = y[j]


@lean_kernel
def find_parent(parents: Parents, serial: int) -> int:
    """Row of parent number ``serial``, or -1 if it is forgotten."""
    row = serial % parents.serials.shape[0]
    if serial <= 0 or parents.serials[row] != serial:
        return -1
    return int(row)


@lean_kernel
def remember_difference(
    ring: Ring, row: int, parent: Codes, before: Floats, child: Codes, after: Floats
) -> None:
    """Write a difference into ``row`` of the ring."""
    for i in range(ring.parents.shape[1]):
        ring.parents[row, i] = parent[i]
        ring.children[row, i] = child[i]
    for j in range(before.shape[0]):
        ring.deltas[row, j] = after[j] - before[j]


# --- differences of long solutions: what changed is listed, the rest is left out


@lean_kernel
def lists_changes(ring: Ring) -> bool:
    """Whether the ring lists changed actions in the place of whole solutions."""
    return bool(ring.changes.shape[0] > 0)


@lean_kernel
def list_in_ring(ring: Ring, row: int, e: int, changes: Changes, count: int) -> bool:
    """Write the changed actions of encoding ``e`` into ``row`` of the ring.

    Action a is written as a + 1 if it came and as -a - 1 if it went; 0 ends the list,
    which stays empty if there are more than it has room for, or one changed twice.

    Returns
    -------
    Whether they were written.
    """
    listed = ring.changes[row, e]
    fits = count <= listed.shape[0]
    for k in range(listed.shape[0]):
        listed[k] = 0
    for k in range(count if fits else 0):
        fits = fits and abs(changes.signs[k]) == 1.0
    for k in range(count if fits else 0):
        number = changes.actions[k] + 1
        listed[k] = number if changes.signs[k] > 0.0 else -number
    return bool(fits)


@lean_kernel
def recall_changes(ring: Ring, row: int, e: int, changes: Changes) -> int:
    """Read the changed actions of encoding ``e`` again; return how many there are."""
    listed, count = ring.changes[row, e], 0
    while count < listed.shape[0] and listed[count] != 0:
        changes.actions[count] = abs(listed[count]) - 1
        changes.signs[count] = 1.0 if listed[count] > 0 else -1.0
        count += 1
    return count


# --- seen solutions: a set of 64-bit hashes, open addressing


@lean_kernel
def _mixed(number: np.uint64) -> np.uint64:
    """Scramble the bits of a number (splitmix64)."""
    w = number * _GOLDEN + _GOLDEN
    w = (w ^ (w >> _S30)) * _MIX1
    w = (w ^ (w >> _S27)) * _MIX2
    mixed: np.uint64 = w ^ (w >> _S31)
    return mixed


@lean_kernel
def hash_solution(layout: Layout, x: Codes, as_cycle: bool) -> np.uint64:
    """Hash of a solution; as a cycle, rotations and reflections have the same one."""
    total = _CYCLE if as_cycle else _NOTHING
    for segment in layout.segments:
        start, stop = segment.start, segment.stop
        if as_cycle and segment.kind == PERMUTATION:
            size = stop - start
            base = layout.places[start].offset
            for i in range(start, stop):
                a = x[i]
                b = x[i + 1] if i + 1 < stop else x[start]
                pair = base + pair_action(a, b, size, False)
                total = total + _mixed(np.uint64(pair))
        else:
            for i in range(start, stop):
                code = layout.places[i].first_code + x[i]
                total = total + _mixed(np.uint64(code))
    return total | _ONE  # never 0, which marks a free place


@lean_kernel
def is_seen(seen: Words, key: np.uint64) -> bool:
    """Whether the set holds ``key``."""
    mask = np.uint64(seen.shape[0] - 1)
    place = (key >> _ONE) & mask
    while seen[place] != _NOTHING:
        if seen[place] == key:
            return True
        place = (place + _ONE) & mask
    return False


@lean_kernel
def mark_seen(seen: Words, key: np.uint64) -> bool:
    """Put ``key`` into the set; False if it was there. One place must stay free."""
    mask = np.uint64(seen.shape[0] - 1)
    place = (key >> _ONE) & mask
    while seen[place] != _NOTHING:
        if seen[place] == key:
            return False
        place = (place + _ONE) & mask
    seen[place] = key
    return True


def enlarged_set(seen: Words) -> Words:
    """Copy into a set of twice the size."""
    larger = np.zeros(2 * len(seen), np.uint64)
    _move_set(seen, larger)
    return larger


@lean_kernel
def _move_set(seen: Words, larger: Words) -> None:
    """Put all of one set into another."""
    for key in seen:
        if key != _NOTHING:
            mark_seen(larger, key)
