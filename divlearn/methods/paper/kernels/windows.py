"""Subproblems: windows that drift apart, given groups, and nearest neighbours."""

from __future__ import annotations

import math

from divlearn.basics.typing import Codes
from divlearn.kernels.jit import lean_kernel
from divlearn.kernels.layout import PERMUTATION
from divlearn.methods.paper.kernels.state import SearchState


@lean_kernel
def lay_windows(state: SearchState) -> None:
    """Set stride and number of the windows for this iteration.

    The overlap is o_t = floor(o_0 t^-alpha) and the stride s - o_t.
    """
    control = state.control[0]
    shrunk = math.exp(-control.overlap_decay * math.log(control.iteration))
    # The small number undoes rounding where o_0 t^-alpha is a whole number.
    control.stride = max(1, control.window - int(control.overlap * shrunk + 1e-9))
    rest = state.layout.places.shape[0] - control.window
    control.num_windows = 1
    if rest > 0:
        control.num_windows += (rest + control.stride - 1) // control.stride
    if control.use_windows == 0:
        control.num_windows = 0
    elif state.group_ends.shape[0] > 0:
        control.num_windows = state.group_ends.shape[0]


@lean_kernel
def num_subproblems(state: SearchState) -> int:
    """K: windows or groups, then neighbour subproblems."""
    control = state.control[0]
    return int(control.num_windows + control.num_neighbourhoods)


@lean_kernel
def multiplicity(state: SearchState, i: int) -> int:
    """The number of windows, or groups, that contain position ``i``; at least 1."""
    control = state.control[0]
    if state.group_counts.shape[0] > 0:
        return int(max(1, state.group_counts[i] * control.use_windows))
    last = min(control.num_windows - 1, i // control.stride)
    first = max(0, (i - control.window) // control.stride + 1)
    return int(max(1, last - first + 1))


@lean_kernel
def num_holding(state: SearchState, i: int, code: int) -> int:
    """k_i, the number of subproblems that contain position ``i``; at least 1.

    Neighbour subproblems are those of this iteration whose centre is drawn. Where they
    are of items, ``code`` is the item at the position.
    """
    control = state.control[0]
    count = multiplicity(state, i)
    if control.count_neighbourhoods == 0 or state.neighbours.shape[0] == 0:
        return count
    if control.num_windows == 0:
        count = 0
    if control.items == 0:
        count += state.near[i]
    elif state.layout.segments[state.layout.places[i].segment].kind == PERMUTATION:
        count += state.near[code]
    else:
        for centre in state.centres:
            count += 1 if centre >= 0 else 0
    return int(max(1, count))


@lean_kernel
def forget_centres(state: SearchState) -> None:
    """No neighbourhood of this iteration has a centre yet."""
    for q in range(state.centres.shape[0]):
        state.centres[q] = -1
    for j in range(state.near.shape[0]):
        state.near[j] = 0


@lean_kernel
def note_centre(state: SearchState) -> None:
    """Count the neighbourhood that begins, instead of an earlier one in its place."""
    control = state.control[0]
    q = control.subproblem - control.num_windows
    if q >= state.centres.shape[0]:
        return  # drawn beyond the last one
    if state.centres[q] >= 0:
        for j in state.neighbours[state.centres[q]]:
            state.near[j] -= 1
    state.centres[q] = control.centre
    for j in state.neighbours[control.centre]:
        state.near[j] += 1


@lean_kernel
def list_positions(state: SearchState, x: Codes) -> int:
    """Write the current subproblem's positions, ascending; return their number.

    Neighbours that are items of a permutation stand where ``x`` holds them.
    """
    control = state.control[0]
    k = control.subproblem
    n = x.shape[0]
    if k < control.num_windows and state.group_ends.shape[0] > 0:
        return _list_group(state, k)
    if k < control.num_windows:
        start = k * control.stride
        stop = min(n, start + control.window)
        for i in range(start, stop):
            state.subset[i - start] = i
        return int(stop - start)
    return _list_neighbours(state, x)


@lean_kernel
def _list_group(state: SearchState, k: int) -> int:
    """Write the positions of group ``k``."""
    start = 0 if k == 0 else state.group_ends[k - 1]
    count = state.group_ends[k] - start
    for i in range(count):
        state.subset[i] = state.groups[start + i]
    return int(count)


@lean_kernel
def _list_neighbours(state: SearchState, x: Codes) -> int:
    """Mark the neighbours of the centre, then list the marked positions."""
    control = state.control[0]
    near, mark, n = state.neighbours[control.centre], state.scratch, x.shape[0]
    if control.items == 0:
        for i in range(n):
            mark[i] = 0
        for j in near:
            mark[j] = 1
        count = 0
        for i in range(n):
            if mark[i] == 1:
                state.subset[count] = i
                count += 1
        return count
    for item in range(state.neighbours.shape[0]):
        mark[item] = 0
    for item in near:
        mark[item] = 1
    count = 0
    for i in range(n):
        kind = state.layout.segments[state.layout.places[i].segment].kind
        # Genes beside the permutation belong to every neighbourhood.
        if kind != PERMUTATION or mark[x[i]] == 1:
            state.subset[count] = i
            count += 1
    return count
