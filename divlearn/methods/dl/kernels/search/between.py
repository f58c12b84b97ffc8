"""What an exchange of two items of an order costs because of those between them.

With m(b, c) what it costs that item b comes before c rather than after it, and i < j,
exchanging items a and b at the places i and j costs

    m(b, a) + sum over items c between them of m(b, c) - sum over c of m(a, c).

The last sum runs along while one looks from place i outwards, but the first one is of
another item for every j. Asked for pair by pair it would take the time of an order for
each. So these sums are kept for the place that is looked from,

    sums[j] = sum over items c strictly between i and j of m(x[j], c),

and brought up to date, in the time of an order, where the next place is looked from
and where an item is moved. In all of this m(b, c) = -m(c, b), and the items are those
before the move.
"""

from __future__ import annotations

from divlearn.basics.typing import Codes, Floats
from divlearn.kernels.jit import lean_kernel


@lean_kernel
def look_from(items: Codes, margin: Floats, sums: Floats, i: int) -> None:
    """Write the sums for place ``i``.

    Parameters
    ----------
    items
        The order x, shape (n,).
    margin
        What it costs that an item comes before another, less what the reverse costs,
        shape (n, n).
    sums
        As above, shape (n,).
    i
        Place that is looked from.
    """
    for j in range(items.shape[0]):
        row, total = margin[items[j]], 0.0
        for k in range(min(i, j) + 1, max(i, j)):
            total += row[items[k]]
        sums[j] = total


@lean_kernel
def look_on(items: Codes, margin: Floats, sums: Floats, i: int) -> int:
    """Bring the sums from place ``i`` to the next one, which is returned."""
    n = items.shape[0]
    if i + 1 == n:
        look_from(items, margin, sums, 0)
        return 0
    left, entered = margin[items[i]], margin[items[i + 1]]
    for j in range(i):
        sums[j] -= left[items[j]]
    sums[i] = 0.0
    for j in range(i + 2, n):
        sums[j] += entered[items[j]]
    return i + 1


@lean_kernel
def note_exchange(items: Codes, margin: Floats, sums: Floats, i: int, j: int) -> None:
    """Bring the sums for ``i`` to those once items at ``i`` and ``j`` are exchanged."""
    n, way, total = items.shape[0], 1 if j > i else -1, 0.0
    gone, come = margin[items[j]], margin[items[i]]
    for k in range(min(i, j) + 1, max(i, j)):
        total += come[items[k]]
    sums[j] = total
    k = j + way
    while 0 <= k < n:
        sums[k] += gone[items[k]] - come[items[k]]
        k += way


@lean_kernel
def note_insertion(items: Codes, margin: Floats, sums: Floats, i: int, j: int) -> None:
    """Bring the sums for ``i`` to what they are once its item is inserted at ``j``."""
    n, way, total = items.shape[0], 1 if j > i else -1, 0.0
    gone, come = margin[items[i + way]], margin[items[i]]
    k = i + way
    while k != j:
        item = items[k + way]
        sums[k] = sums[k + way] + gone[item]
        total += come[item]
        k += way
    sums[j] = total
    k = j + way
    while 0 <= k < n:
        sums[k] += gone[items[k]] - come[items[k]]
        k += way
