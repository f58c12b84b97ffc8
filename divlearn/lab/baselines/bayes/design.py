"""Solutions to begin with: every value of every position about equally often."""

from __future__ import annotations

import numpy as np

from divlearn.basics.typing import Integers
from divlearn.kernels.layout import PERMUTATION, SUBSET, Layout
from divlearn.lab.baselines.scales import Scales, continuous
from divlearn.methods.others.sampling import Sampler, settle_rows

#: Limit on solutions before the first model.
MOST_INITIAL = 20


def initial_size(num_positions: int, budget: int | None) -> int:
    """Number of solutions before the first model: 2 (n + 1), within limits.

    Examples
    --------
    >>> initial_size(4, 150), initial_size(50, 200), initial_size(50, 12)
    (10, 20, 6)
    """
    size = min(2 * (num_positions + 1), MOST_INITIAL)
    return size if budget is None else max(1, min(size, budget // 2))


def initial_design(layout: Layout, count: int, seed: int) -> Integers:
    """Draw a Latin hypercube over the values; permutations and subsets are random.

    Values that do not exist in a solution are absent.

    Parameters
    ----------
    layout
        Layout of the space.
    count
        Number of solutions.
    seed
        Seed of the draw.

    Returns
    -------
    Codes, shape (count, n).

    Examples
    --------
    >>> import divlearn as dl
    >>> sorted(initial_design(dl.Integer(1, 3).layout, 6, 0)[:, 0].tolist())
    [0, 0, 1, 1, 2, 2]
    """
    rows = Sampler(layout, seed).draw(count)
    rng = np.random.default_rng(seed)
    is_continuous = continuous(layout)
    for segment in layout.segments:
        length = segment.stop - segment.start
        free = segment.least == 0 and segment.most == length
        if segment.kind == PERMUTATION or (segment.kind == SUBSET and not free):
            continue
        for i in range(segment.start, segment.stop):
            share = (rng.permutation(count) + rng.random(count)) / count
            if is_continuous[i]:
                scales = Scales(layout, np.array([i]))
                rows[:, i] = scales.codes(share[:, None])[:, 0]
            else:
                rows[:, i] = (share * layout.places[i].values).astype(np.int64)
    settle_rows(layout, rows, seed)
    return rows
