"""Yes/no decisions whose value depends on pairs of them.

The table has a row per pair of decisions, ``i * n + j`` with i <= j, and a column per
objective: what is earned where both are yes. Rows with i > j are not read.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from divlearn.basics.checks import require_number
from divlearn.basics.typing import Codes, Floats
from divlearn.kernels.jit import kernel
from divlearn.problems.built_in.arrays import read_numbers
from divlearn.problems.built_in.base import BuiltIn, Family, Fields
from divlearn.problems.built_in.drawing import (
    correlated_uniform,
    growing_reach,
    set_points,
)
from divlearn.problems.compiled import Compiled
from divlearn.spaces import Binary


class BinaryQuadratic(BuiltIn):
    """Choose bits so that quadratic functions of them are large.

    Objective k, ``value k``, is the sum of ``matrices[k][i][j]`` over all i and j that
    are both chosen, i = j included; all are maximised, without constraints.

    Parameters
    ----------
    matrices
        Array of shape (m, n, n), or a list of m matrices; they need be neither
        symmetric nor triangular.
    reference, ideal, name
        As for :class:`divlearn.Problem`.

    Attributes
    ----------
    matrices
        The instance, shape (m, n, n).

    Examples
    --------
    >>> from divlearn.problems import BinaryQuadratic
    >>> problem = BinaryQuadratic([[[1, 5], [0, 2]], [[3, -4], [-4, 0]]])
    >>> problem.evaluate([True, False]), problem.evaluate([True, True])
    (array([1., 3.]), array([ 8., -5.]))
    """

    fields: ClassVar[Fields] = Fields(("matrices",))

    def __init__(
        self,
        matrices: Any,
        *,
        reference: Sequence[float] | None = None,
        ideal: Sequence[float] | None = None,
        name: str | None = None,
    ) -> None:
        text = "an array of shape (m, n, n): a square matrix per objective"
        self.matrices: Floats = read_numbers(
            "matrices", matrices, ("m", "n", "n"), text
        )
        m, n, _ = self.matrices.shape
        folded = np.triu(self.matrices) + np.tril(self.matrices, -1).transpose(0, 2, 1)
        super().__init__(
            Binary(n),
            None,
            {f"value {k + 1}": "max" for k in range(m)},
            reference=reference,
            ideal=ideal,
            name=name or f"binary-quadratic-{n}",
            compiled=Compiled(
                quadratic_values, folded.transpose(1, 2, 0).reshape(n * n, m)
            ),
        )


@kernel
def quadratic_values(x: Codes, table: Floats, y: Floats) -> None:
    """Write the sum over all pairs of decisions that are both yes in ``x``."""
    n = x.shape[0]
    chosen = np.empty(n, np.int64)
    count = 0
    for i in range(n):
        if x[i] == 1:
            chosen[count] = i
            count += 1
    for k in range(y.shape[0]):
        total = 0.0
        for a in range(count):
            row = chosen[a] * n
            for b in range(a, count):
                total += table[row + chosen[b], k]
        y[k] = total


#: Standard deviations, per root of N, from random bits to the ideal point.
REACH = 1.2


def _quadratic(
    rng: np.random.Generator,
    n: int,
    name: str,
    density: float = 0.8,
    rho: float = 0.0,
) -> BuiltIn:
    """Make triangular matrices of whole numbers from -100 to 100, some of them 0."""
    density = require_number("density", density, 0.0, 1.0)
    used = np.triu(rng.random((n, n)) < density)
    entries = np.floor(201.0 * correlated_uniform(rng, (n, n), rho)) - 100.0
    problem = BinaryQuadratic(np.minimum(entries, 100.0) * used, name=name)
    return set_points(problem, growing_reach(n, REACH))


FAMILIES = {"ubqp": Family(_quadratic, most=2_000, options=("density", "rho"))}
