"""The order of jobs on a line of machines, for an early end and few delays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from divlearn.problems.arrays import read_numbers
from divlearn.problems.built_in import BuiltIn
from divlearn.problems.compiled import Compiled
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

    def __init__(
        self,
        times: Any,
        due: Any,
        *,
        reference: Sequence[float] | None = None,
        ideal: Sequence[float] | None = None,
        name: str | None = None,
    ) -> None:
        from divlearn.kernels.objectives.flow_shop import makespan_and_tardiness

        text = "an array of shape (n, machines): a row of times per job"
        self.times = read_numbers("times", times, (None, None), text, least=0.0)
        n = len(self.times)
        text = f"an array of shape ({n},): a date for each row of times"
        self.due = read_numbers("due", due, (n,), text)
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

    def arguments(self) -> dict[str, Any]:
        """Return the arguments that recreate this instance."""
        return {"times": self.times, "due": self.due}
