"""The order of jobs on a line of machines, for an early end and few delays.

The table has a row per job: its time on each of the machines, then its due date.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from divlearn.basics.checks import require_whole
from divlearn.basics.typing import Codes, Floats
from divlearn.kernels.jit import kernel
from divlearn.problems import drawings
from divlearn.problems.built_in.arrays import read_numbers
from divlearn.problems.built_in.base import BuiltIn, Family, Fields
from divlearn.problems.built_in.drawing import growing_reach, set_points
from divlearn.problems.compiled import Compiled
from divlearn.problems.drawings import Drawing
from divlearn.spaces import Permutation


class FlowShop(BuiltIn):
    """Order jobs that pass the same machines one after another.

    All jobs visit the machines in the same order and never overtake. The objectives
    are ``makespan``, when the last job leaves the last machine, and ``tardiness``, the
    sum over all jobs of how long after its due date each is finished. Both are
    minimised. A solution is the order of the jobs.

    Parameters
    ----------
    times
        Array of shape (n, machines): how long each job takes on each machine.
    due
        When each job should be finished, shape (n,).
    reference, ideal, name
        As for :class:`divlearn.Problem`.

    Attributes
    ----------
    times, due
        The instance.

    Examples
    --------
    >>> from divlearn.problems import FlowShop
    >>> problem = FlowShop([[1, 4], [3, 2]], due=[5, 6])
    >>> problem.evaluate([0, 1])  # finished at 5 and 7
    array([7., 1.])
    >>> problem.evaluate([1, 0])  # at 5 and 9
    array([9., 4.])
    """

    fields: ClassVar[Fields] = Fields(("times", "due"))

    def __init__(
        self,
        times: Any,
        due: Any,
        *,
        reference: Sequence[float] | None = None,
        ideal: Sequence[float] | None = None,
        name: str | None = None,
    ) -> None:
        text = "an array of shape (n, machines): a row of times per job"
        self.times: Floats = read_numbers(
            "times", times, ("n", "machines"), text, least=0.0
        )
        n = len(self.times)
        text = f"an array of shape ({n},): a date for each row of times"
        self.due: Floats = read_numbers("due", due, (n,), text)
        super().__init__(
            Permutation(n),
            None,
            ["makespan", "tardiness"],
            reference=reference,
            ideal=ideal,
            name=name or f"flow-shop-{n}",
            compiled=Compiled(
                makespan_and_tardiness, np.column_stack([self.times, self.due])
            ),
        )

    @property
    def drawing(self) -> Drawing:
        """Every job on every machine over time."""
        return drawings.Schedule(self.times, self.due)


@kernel
def makespan_and_tardiness(x: Codes, table: Floats, y: Floats) -> None:
    """Write when order ``x`` is finished, and the sum of all delays, into ``y``."""
    machines = table.shape[1] - 1
    free = np.zeros(machines)  # when each machine is done with the jobs so far
    late = 0.0
    for i in range(x.shape[0]):
        job = x[i]
        ready = 0.0
        for k in range(machines):
            ready = max(ready, free[k]) + table[job, k]
            free[k] = ready
        late += max(0.0, ready - table[job, machines])
    y[0] = free[machines - 1]
    y[1] = late


#: Standard deviations, per root of N, from random orders to the ideal point.
REACH = 1.5


def _flow_shop(
    rng: np.random.Generator, n: int, name: str, machines: int = 10
) -> BuiltIn:
    """Make jobs with random times, due after one to four times their length."""
    machines = require_whole("machines", machines, 1, 1_000)
    times = rng.integers(1, 100, (n, machines))
    due = times.sum(axis=1) * (1.0 + 3.0 * rng.random(n))
    return set_points(FlowShop(times, due, name=name), growing_reach(n, REACH))


FAMILIES = {
    "bifsp": Family(_flow_shop, least=2, options=("machines",), second="machines")
}
