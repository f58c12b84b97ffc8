"""Tasks for agents, with several costs of who does what.

The table has a row per agent and task, ``i * n + j``, and a column per cost.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, ClassVar

import numpy as np

from divlearn.basics.typing import Codes, Floats
from divlearn.kernels.jit import kernel
from divlearn.problems import drawings
from divlearn.problems.built_in.arrays import read_numbers
from divlearn.problems.built_in.base import BuiltIn, Family, Fields
from divlearn.problems.built_in.drawing import growing_reach, set_points
from divlearn.problems.compiled import Compiled
from divlearn.problems.drawings import Drawing
from divlearn.spaces import Permutation

#: Agents in a picture of an assignment.
MOST_DRAWN = 60


class LinearAssignment(BuiltIn):
    """Give each agent one task, so that several sums of costs are small.

    A solution is a permutation ``x``: agent i does task ``x[i]``. Objective k,
    ``cost k``, is the sum over all agents of the k-th cost of agent i at task
    ``x[i]``, minimised.

    Parameters
    ----------
    costs
        Array of shape (m, n, n), or a list of m matrices: ``costs[k][i][j]`` is the
        k-th cost of agent i at task j.
    reference, ideal, name
        As for :class:`divlearn.Problem`.

    Attributes
    ----------
    costs
        The instance, shape (m, n, n).

    Examples
    --------
    >>> from divlearn.problems import LinearAssignment
    >>> problem = LinearAssignment([[[1, 9], [9, 2]], [[5, 1], [1, 5]]])
    >>> problem.evaluate([0, 1]), problem.evaluate([1, 0])
    (array([ 3., 10.]), array([18.,  2.]))
    """

    fields: ClassVar[Fields] = Fields(("costs",))

    def __init__(
        self,
        costs: Any,
        *,
        reference: Sequence[float] | None = None,
        ideal: Sequence[float] | None = None,
        name: str | None = None,
    ) -> None:
        text = "an array of shape (m, n, n): a cost per agent and task"
        self.costs: Floats = read_numbers("costs", costs, ("m", "n", "n"), text)
        m, n = self.costs.shape[:2]
        super().__init__(
            Permutation(n),
            None,
            [f"cost {k + 1}" for k in range(m)],
            reference=reference,
            ideal=ideal,
            name=name or f"linear-assignment-{n}",
            compiled=Compiled(
                position_costs, self.costs.transpose(1, 2, 0).reshape(n * n, m)
            ),
        )

    @property
    def drawing(self) -> Drawing | None:
        """The task of every agent; None if there are too many."""
        if self.costs.shape[1] > MOST_DRAWN:
            return None
        return drawings.Matching(list(self.costs))


@kernel
def position_costs(x: Codes, table: Floats, y: Floats) -> None:
    """Write the sums of what agent i costs at task ``x[i]``."""
    n = x.shape[0]
    for k in range(y.shape[0]):
        total = 0.0
        for i in range(n):
            total += table[i * n + x[i], k]
        y[k] = total


#: Standard deviations, per root of N, from random assignments to costs of nearly 0.
REACH = 1.75


def _with_costs(m: int) -> Callable[..., BuiltIn]:
    """Return the rule that draws instances of ``m`` costs."""

    def build(rng: np.random.Generator, n: int, name: str) -> BuiltIn:
        problem = LinearAssignment(rng.integers(1, 100, (m, n, n)), name=name)
        return set_points(problem, growing_reach(n, REACH))

    return build


FAMILIES = {
    "biap": Family(_with_costs(2), 2, 1_000),
    "triap": Family(_with_costs(3), 2, 1_000),
}
