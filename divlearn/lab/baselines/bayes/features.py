"""What a model is told about a solution: numbers per part of the space.

The columns of all parts are side by side. Permutations become features whose products
are similarities (pairs in order, or edges), ordered values and bits one number in [0,
1], categories one column per value. An absent category is one more value, and an absent
number is in the middle: what decides on it is another feature.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from divlearn.basics.typing import Floats, Integers
from divlearn.kernels.layout import CATEGORICAL, PERMUTATION, Layout
from divlearn.lab.baselines.scales import Scales

#: Covariances of permutations: their similarity, its exponential, or the sum of both.
PERMUTATION_KERNELS = ("both", "kendall", "mallows")


class Columns(NamedTuple):
    """Which columns of the features belong to which part, and how they are compared.

    Attributes
    ----------
    similar
        First column and the one after the last, for each permutation.
    ordered
        The same for all ordered values and bits together.
    category
        The same for all categories together.
    owner
        For each column of ``category``, the number of its position among the
        positions with categories.
    kernel
        One of :data:`PERMUTATION_KERNELS`.
    """

    similar: tuple[tuple[int, int], ...]
    ordered: tuple[int, int]
    category: tuple[int, int]
    owner: tuple[int, ...]
    kernel: str = PERMUTATION_KERNELS[0]

    @property
    def num_ordered(self) -> int:
        """Number of ordered values and bits."""
        return self.ordered[1] - self.ordered[0]

    @property
    def num_categories(self) -> int:
        """Number of positions with categories."""
        return len(set(self.owner))


class Encoder:
    """Turn codes into features.

    Parameters
    ----------
    layout
        Layout of the space.
    edges
        Whether permutations are tours, described by their edges; otherwise by which of
        two items comes first, which makes the product of two rows Kendall's tau.
    directed
        Whether an edge and its reverse are two different edges.
    kernel
        Covariance of permutations, one of :data:`PERMUTATION_KERNELS`.

    Examples
    --------
    >>> import divlearn as dl
    >>> from divlearn.lab.baselines.bayes.features import Encoder
    >>> space = dl.Composite(size=dl.Integer(0, 4), colour=dl.Categorical(["r", "g"]))
    >>> Encoder(space.layout)(np.array([[1, 0], [4, 1]]))
    array([[0.25, 1.  , 0.  ],
           [1.  , 0.  , 1.  ]])
    """

    def __init__(
        self,
        layout: Layout,
        edges: bool = False,
        directed: bool = False,
        kernel: str = PERMUTATION_KERNELS[0],
    ) -> None:
        self.edges, self.directed, self.kernel = edges, directed, kernel
        kinds = layout.segments.kind[layout.places.segment]
        self._levels = layout.places.levels.astype(np.int64)
        varied = self._levels > 1
        self._spans = [
            (int(s.start), int(s.stop))
            for s in layout.segments
            if s.kind == PERMUTATION and s.stop - s.start > 1
        ]
        self._ordered = np.flatnonzero(
            (kinds != PERMUTATION) & (kinds != CATEGORICAL) & varied
        )
        self._scales = Scales(layout, self._ordered)
        self._category = np.flatnonzero((kinds == CATEGORICAL) & varied)
        self.columns = self._number_columns()

    @property
    def width(self) -> int:
        """Number of features, d."""
        return self.columns.category[1]

    def __call__(self, codes: Integers) -> Floats:
        """Features of solutions, shape (q, n) to (q, d).

        Whether rows or columns lie together in memory decides the last bits of sums
        over them, and so which of two candidates of almost equal score is proposed. It
        follows from the blocks, and a test holds it: with another order, the same seed
        gives another run.
        """
        blocks = [self._permutation(codes[:, a:b]) for a, b in self._spans]
        blocks.append(self._scales.coordinates(codes))
        blocks.extend(np.eye(self._levels[i])[codes[:, i]] for i in self._category)
        return np.hstack(blocks)

    def _permutation(self, items: Integers) -> Floats:
        """Rows of length 1 whose products are similarities, shape (q, n) to (q, d)."""
        if self.edges:
            return edge_rows(items, self.directed)
        return pair_rows(items)

    def _number_columns(self) -> Columns:
        """Say where each part begins and ends."""
        at = 0
        similar = []
        for a, b in self._spans:
            n = b - a
            width = n * n if self.edges and self.directed else n * (n - 1) // 2
            similar.append((at, at + width))
            at += width
        ordered = (at, at + len(self._ordered))
        counts = self._levels[self._category]
        category = (ordered[1], ordered[1] + int(counts.sum()))
        owner = np.repeat(np.arange(len(counts)), counts)
        owners = tuple(owner.tolist())
        return Columns(tuple(similar), ordered, category, owners, self.kernel)


def pair_rows(items: Integers) -> Floats:
    """Whether item i comes before item j, for all i < j: 1 or -1, rows of length 1.

    The product of two rows is Kendall's tau, the share of pairs in the same order minus
    the share of pairs in opposite order.

    Examples
    --------
    >>> rows = pair_rows(np.array([[0, 1, 2], [1, 0, 2], [2, 1, 0]]))
    >>> (rows @ rows.T).round(3)
    array([[ 1.   ,  0.333, -1.   ],
           [ 0.333,  1.   , -0.333],
           [-1.   , -0.333,  1.   ]])
    """
    n = items.shape[1]
    place = np.argsort(items, axis=1)
    first, second = np.triu_indices(n, 1)
    signs = np.where(place[:, first] < place[:, second], 1.0, -1.0)
    return np.asarray(signs / np.sqrt(n * (n - 1) / 2))


def edge_rows(items: Integers, directed: bool = False) -> Floats:
    """Which edges a closed tour has, rows of length 1.

    The product of two rows is the share of edges that both tours have.

    Examples
    --------
    >>> rows = edge_rows(np.array([[0, 1, 2, 3], [2, 1, 0, 3], [0, 2, 1, 3]]))
    >>> rows @ rows.T
    array([[1. , 1. , 0.5],
           [1. , 1. , 0.5],
           [0.5, 0.5, 1. ]])
    """
    q, n = items.shape
    marks = np.zeros((q, n, n))
    marks[np.arange(q)[:, None], items, np.roll(items, -1, axis=1)] = 1.0
    if directed:
        rows = marks.reshape(q, n * n)
    else:
        first, second = np.triu_indices(n, 1)
        rows = np.maximum(marks[:, first, second], marks[:, second, first])
    return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True))
