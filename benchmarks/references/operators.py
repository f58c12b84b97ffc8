"""Random solutions of a layout."""

from __future__ import annotations

import numpy as np

from divlearn.kernels.layout import Layout, sample
from divlearn.kernels.random import seed_words


def random_codes(layout: Layout, count: int, seed: int) -> np.ndarray:
    """Draw solutions as divlearn does, shape (count, n)."""
    words = np.empty(4, np.uint64)
    seed_words(words, np.uint64(seed))
    rows = np.empty((count, len(layout.places)), np.int64)
    for row in rows:
        sample(layout, words, row)
    return rows
