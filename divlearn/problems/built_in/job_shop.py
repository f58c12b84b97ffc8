"""Jobs that each have their own way through the machines: early end and few delays.

The table has a row per job: the time of each of its steps, then the machine of each
step, then its due date.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from divlearn.basics.checks import require_whole
from divlearn.basics.errors import InputError
from divlearn.basics.typing import Codes, Floats
from divlearn.kernels.jit import kernel
from divlearn.problems import drawings
from divlearn.problems.built_in.arrays import read_numbers
from divlearn.problems.built_in.base import BuiltIn, Family, Fields
from divlearn.problems.built_in.drawing import growing_reach, set_points
from divlearn.problems.compiled import Compiled
from divlearn.problems.drawings import Drawing
from divlearn.spaces import Permutation


class JobShop(BuiltIn):
    """Plan the steps of jobs that visit the same machines in different orders.

    A solution names each job once per step, ``Permutation(counts=...)``: the k-th time
    stands for its k-th step, which begins as soon as the job and the machine are free.
    The objectives are ``makespan``, when all is done, and ``tardiness``, the sum over
    all jobs of how long after its due date each is finished. Both are minimised.

    Parameters
    ----------
    times
        Array of shape (n, steps): how long each step of each job takes.
    routes
        Array of shape (n, steps): the machine of each step, from 0.
    due
        When each job should be finished, shape (n,).
    reference, ideal, name
        As for :class:`divlearn.Problem`.

    Attributes
    ----------
    times, routes, due
        The instance.

    Examples
    --------
    >>> from divlearn.problems import JobShop
    >>> problem = JobShop([[3, 2], [2, 4]], routes=[[0, 1], [1, 0]], due=[5, 6])
    >>> problem.evaluate([0, 1, 0, 1])  # finished at 5 and 7
    array([7., 1.])
    """

    fields: ClassVar[Fields] = Fields(("times", "routes", "due"))

    def __init__(
        self,
        times: Any,
        routes: Any,
        due: Any,
        *,
        reference: Sequence[float] | None = None,
        ideal: Sequence[float] | None = None,
        name: str | None = None,
    ) -> None:
        text = "an array of shape (n, steps): a row of times per job"
        self.times: Floats = read_numbers(
            "times", times, ("n", "steps"), text, least=0.0
        )
        n, steps = self.times.shape
        self.routes: Floats = _read_routes(routes, n, steps)
        text = f"an array of shape ({n},): a date for each row of times"
        self.due: Floats = read_numbers("due", due, (n,), text)
        super().__init__(
            Permutation(counts=[steps] * n),
            None,
            ["makespan", "tardiness"],
            reference=reference,
            ideal=ideal,
            name=name or f"job-shop-{n}x{steps}",
            compiled=Compiled(
                makespan_and_tardiness,
                np.column_stack([self.times, self.routes, self.due]),
            ),
        )

    @property
    def drawing(self) -> Drawing:
        """Every step of every job over time."""
        return drawings.Schedule(self.times, self.due, self.routes)


def _read_routes(routes: Any, n: int, steps: int) -> Floats:
    """Check the machines of all steps."""
    text = f"an array of shape ({n}, {steps}): the machine of each step in times"
    found = read_numbers("routes", routes, (n, steps), text, least=0.0)
    if (found != np.floor(found)).any() or found.max() >= n * steps:
        raise InputError(
            "routes must hold numbers of machines, whole and from 0 to less than the "
            f"{n * steps} steps, got {found.max():g} as the greatest."
        )
    return found


@kernel
def makespan_and_tardiness(x: Codes, table: Floats, y: Floats) -> None:
    """Write when all steps, begun in order ``x``, are done, and the sum of delays.

    Code ``a`` is step ``a % steps`` of job ``a // steps``; the space keeps the steps of
    a job in order.
    """
    n, steps = table.shape[0], table.shape[1] // 2
    free = np.zeros(n * steps)  # when each machine is done with what was begun
    ready = np.zeros(n)  # when each job is done with what was begun
    y[0] = 0.0
    for i in range(x.shape[0]):
        job, step = x[i] // steps, x[i] % steps
        machine = int(table[job, steps + step])
        done = max(ready[job], free[machine]) + table[job, step]
        ready[job] = done
        free[machine] = done
        y[0] = max(y[0], done)
    y[1] = 0.0
    for job in range(n):
        y[1] += max(0.0, ready[job] - table[job, 2 * steps])


#: Standard deviations, per root of the number of steps, from random orders to the
#: ideal point.
REACH = 0.6


def _job_shop(
    rng: np.random.Generator, n: int, name: str, machines: int = 5
) -> BuiltIn:
    """Make jobs with random times and ways, due after one to three times their length.

    Every job visits every machine once.
    """
    machines = require_whole("machines", machines, 1, 1_000)
    times = rng.integers(1, 100, (n, machines))
    routes = rng.permuted(np.tile(np.arange(machines), (n, 1)), axis=1)
    due = times.sum(axis=1) * (1.0 + 2.0 * rng.random(n))
    problem = JobShop(times, routes, due, name=name)
    return set_points(problem, growing_reach(n * machines, REACH))


FAMILIES = {
    "jobshop": Family(_job_shop, 2, 1_000, options=("machines",), second="machines")
}
