"""Random solutions from one seed, and rows of codes that become solutions."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from divlearn.basics.typing import Codes
from divlearn.kernels.layout import sample
from divlearn.kernels.random import seed_words
from divlearn.kernels.structure import settle

if TYPE_CHECKING:
    from divlearn.kernels.layout import Layout


class Sampler:
    """Random solutions of a space, one after the other.

    Parameters
    ----------
    layout
        Layout of the space.
    seed
        The same seed gives the same solutions.

    Attributes
    ----------
    words
        The random words, shape (4,), for further draws from the same stream.

    Examples
    --------
    >>> import divlearn as dl
    >>> Sampler(dl.Permutation(5).layout, seed=0).draw(3).shape
    (3, 5)
    """

    def __init__(self, layout: Layout, seed: int) -> None:
        self._layout = layout
        self.words: NDArray[np.uint64] = np.empty(4, np.uint64)
        seed_words(self.words, np.uint64(seed))

    def draw(self, count: int) -> Codes:
        """Draw solutions, shape (count, n)."""
        rows = np.empty((count, len(self._layout.places)), np.int64)
        for row in rows:
            sample(self._layout, self.words, row)
        return rows


def settle_rows(layout: Layout, rows: Codes, seed: int) -> None:
    """Let rows, shape (q, n), keep what a space demands, in place."""
    words = np.empty(4, np.uint64)
    seed_words(words, np.uint64(seed))
    for row in rows:
        settle(layout, row, words)
