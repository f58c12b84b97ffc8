"""``ExecutorPool``: anything with the ``submit`` of :mod:`concurrent.futures`."""

from __future__ import annotations

import os
from typing import Any

from divlearn.errors import InputError
from divlearn.problems import Problem
from divlearn.workers.futures import FuturePool
from divlearn.workers.parcel import Parcel, evaluate_parcel


class ExecutorPool(FuturePool):
    """Evaluate by an executor: of threads, processes, MPI ranks, loky.

    Evaluations that are given up after ``timeout`` cannot be ended: they hold their
    place in the executor until they end by themselves. The executor is not shut down.

    Parameters
    ----------
    executor
        Anything whose ``submit(function, *arguments)`` returns a future.
    problem
        What to evaluate. It must be one that pickle, or cloudpickle if installed, can
        send, unless the executor stays within this process.
    size
        Number of evaluations at once; that of the executor's workers by default.
    timeout
        Seconds until an evaluation is given up.

    Examples
    --------
    >>> from concurrent.futures import ThreadPoolExecutor
    >>> import divlearn as dl
    >>> from divlearn.workers import ExecutorPool, Task
    >>> problem = dl.Problem(dl.Integer(1, 8), lambda x: (x * x,), ["square"])
    >>> with ThreadPoolExecutor(2) as executor:
    ...     pool = ExecutorPool(executor, problem)
    ...     pool.submit(Task(0, 0, 0, 3, None))
    ...     pool.wait(None)[0].outputs
    (9.0,)
    """

    def __init__(
        self,
        executor: Any,
        problem: Problem,
        size: int | None = None,
        timeout: float | None = None,
    ) -> None:
        if not callable(getattr(executor, "submit", None)):
            raise InputError(
                "executor must have the submit method of concurrent.futures, got "
                f"{executor!r}."
            )
        super().__init__(problem, size or places_of(executor), timeout)
        self._executor = executor

    def _start(self, parcel: Parcel, message: bytes) -> Any:
        """Submit to the executor."""
        return self._executor.submit(evaluate_parcel, parcel, message)


def places_of(executor: Any) -> int:
    """How many evaluations an executor does at once, as far as it tells."""
    # The standard library has no public name for it; mpi4py has the other one.
    for name in ("_max_workers", "num_workers"):
        number = getattr(executor, name, None)
        if isinstance(number, int) and number > 0:
            return number
    return os.cpu_count() or 1
