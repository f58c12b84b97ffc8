"""Items in a line, with a gain for every item that stands somewhere before another.

The table has a row per ordered pair, ``a * n + b``, and a column per objective: what
it brings if item a stands before item b.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from divlearn.basics.typing import Codes, Floats
from divlearn.kernels.jit import kernel
from divlearn.problems.built_in.arrays import read_numbers
from divlearn.problems.built_in.base import BuiltIn, Family, Fields
from divlearn.problems.built_in.drawing import growing_reach, set_points
from divlearn.problems.compiled import Compiled
from divlearn.spaces import Permutation


class LinearOrdering(BuiltIn):
    """Order items so that those that should come first do: rankings, triangulation.

    A solution is an order of the items. Objective k, ``gain k``, is the sum of
    ``gains[k][a][b]`` over all pairs in which a stands before b, maximised.

    Parameters
    ----------
    gains
        Array of shape (m, n, n), or a list of m matrices; diagonals do not count.
    reference, ideal, name
        As for :class:`divlearn.Problem`.

    Attributes
    ----------
    gains
        The instance, shape (m, n, n).

    Examples
    --------
    >>> from divlearn.problems import LinearOrdering
    >>> problem = LinearOrdering([[[0, 5, 1], [2, 0, 3], [4, 0, 0]]])
    >>> problem.evaluate([0, 1, 2]), problem.evaluate([2, 0, 1])
    (array([9.]), array([9.]))
    """

    fields: ClassVar[Fields] = Fields(("gains",))

    def __init__(
        self,
        gains: Any,
        *,
        reference: Sequence[float] | None = None,
        ideal: Sequence[float] | None = None,
        name: str | None = None,
    ) -> None:
        text = "an array of shape (m, n, n): a square matrix per objective"
        self.gains: Floats = read_numbers("gains", gains, ("m", "n", "n"), text)
        m, n, _ = self.gains.shape
        super().__init__(
            Permutation(n),
            None,
            {f"gain {k + 1}": "max" for k in range(m)},
            reference=reference,
            ideal=ideal,
            name=name or f"linear-ordering-{n}",
            compiled=Compiled(
                gains_in_order, self.gains.transpose(1, 2, 0).reshape(n * n, m)
            ),
        )


@kernel
def gains_in_order(x: Codes, table: Floats, y: Floats) -> None:
    """Write the sums of the gains of all pairs in the order ``x``."""
    n = x.shape[0]
    for k in range(y.shape[0]):
        total = 0.0
        for i in range(n):
            start = x[i] * n
            for j in range(i + 1, n):
                total += table[start + x[j], k]
        y[k] = total


#: Standard deviations, per root of N, from random orders to the ideal point.
REACH = 1.7


def _linear_ordering(rng: np.random.Generator, n: int, name: str) -> BuiltIn:
    """Make two matrices of whole numbers from 0 to 99, independent of one another."""
    gains = rng.integers(0, 100, (2, n, n)) * ~np.eye(n, dtype=bool)
    problem = LinearOrdering(gains, name=name)
    return set_points(problem, growing_reach(n, REACH))


FAMILIES = {"bilop": Family(_linear_ordering, 2, 1_000)}
