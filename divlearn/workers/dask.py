"""``DaskPool``: the workers of a Dask cluster."""

from __future__ import annotations

import uuid
from typing import Any

from divlearn.errors import DivlearnError, InputError, MissingExtra
from divlearn.problems import Problem
from divlearn.workers.futures import FuturePool, Parcel, evaluate_parcel

#: States of a client that can be used, now or soon.
_ALIVE = ("running", "connecting", "newly-created")


class DaskPool(FuturePool):
    """Evaluate on a Dask cluster, over a ``dask.distributed.Client``.

    When a Dask worker dies, Dask evaluates what it was doing on another one; only an
    evaluation that takes several workers with it is reported as lost. When the
    scheduler is restarted, what was running is reported as lost, and the client
    connects again by itself. Evaluations that are given up after ``timeout`` cannot
    be ended: they hold their place until they end by themselves.

    Parameters
    ----------
    client
        Client of the cluster. It is not closed.
    problem
        What to evaluate; it is sent by pickle or cloudpickle.
    size
        Number of evaluations at once; by default one for each thread that the workers
        have now.
    timeout
        Seconds until an evaluation is given up.
    """

    def __init__(
        self,
        client: Any,
        problem: Problem,
        size: int | None = None,
        timeout: float | None = None,
    ) -> None:
        try:
            from distributed import Client
        except ImportError:
            raise MissingExtra(
                'Dask is not installed; get it with: pip install "divlearn[dask]"'
            ) from None
        if not isinstance(client, Client) or client.asynchronous:
            raise InputError(
                "client must be a dask.distributed.Client that is not asynchronous, "
                f"got {client!r}."
            )
        super().__init__(problem, size or _threads(client), timeout)
        self._client = client

    def _start(self, parcel: Parcel, message: bytes) -> Any:
        """Submit under a key of its own: equal solutions are different evaluations."""
        if self._client.status not in _ALIVE:
            raise RuntimeError(f"the Dask client is {self._client.status}")
        return self._client.submit(
            evaluate_parcel,
            parcel,
            message,
            key=f"divlearn-{uuid.uuid4().hex}",
            pure=False,
            retries=0,  # failures are the study's to count; deaths Dask counts itself
        )

    def _stop(self, future: Any) -> None:
        """Leave it: a cancelled task would still hold its thread, unseen."""

    def _lost(self, error: BaseException) -> bool:
        """Whether workers died of it, or the scheduler is gone."""
        from distributed import KilledWorker

        names = {kind.__name__ for kind in type(error).__mro__}
        # Cancelled by a restart of the scheduler; the class has moved over the years.
        gone = {"CancelledError", "FutureCancelledError", "FuturesCancelledError"}
        return (
            isinstance(error, (KilledWorker, OSError))
            or bool(names & gone)
            or super()._lost(error)
        )

    def close(self, kill: bool = False) -> None:
        """Stop; with ``kill`` what has not begun is taken back. The client stays."""
        futures = [running.future for running in self._running.values()]
        super().close(kill)
        if futures and self._client.status == "running":
            self._client.cancel(futures)


def _threads(client: Any) -> int:
    """Threads of all workers; waits a little for the first one."""
    try:
        client.wait_for_workers(1, timeout=30)
    except Exception as error:
        raise DivlearnError(
            f"the Dask cluster has no worker ({error}); start one with: dask worker "
            "ADDRESS-OF-THE-SCHEDULER"
        ) from error
    return max(1, int(sum(client.nthreads().values())))
