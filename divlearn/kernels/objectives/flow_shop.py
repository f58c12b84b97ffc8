"""Makespan and total tardiness of an order of jobs.

The table has a row per job: its time on each of the machines, then its due date.
"""

from __future__ import annotations

import numpy as np

from divlearn.basics.typing import Codes, Floats
from divlearn.kernels.jit import kernel


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
