"""``DaskPool``: the workers of a Dask cluster."""

from __future__ import annotations

import os
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from divlearn.basics.errors import DivlearnError, InputError, MissingExtra
from divlearn.problems import Problem
from divlearn.workers.futures import FuturePool, evaluate_parcel
from divlearn.workers.parcel import Parcel

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
        Client of the cluster. It is not closed, unless ``closing`` has it.
    problem
        What to evaluate; it is sent by pickle or cloudpickle.
    size
        Number of evaluations at once; by default one for each thread that the workers
        have now.
    timeout
        Seconds until an evaluation is given up.
    closing
        What to close with the pool: a client and a cluster that were made for it.
    """

    def __init__(
        self,
        client: Any,
        problem: Problem,
        size: int | None = None,
        timeout: float | None = None,
        closing: tuple[Any, ...] = (),
    ) -> None:
        Client = need_dask().Client  # noqa: N806
        if not isinstance(client, Client) or client.asynchronous:
            raise InputError(
                "client must be a dask.distributed.Client that is not asynchronous, "
                f"got {client!r}."
            )
        super().__init__(problem, size or _threads(client), timeout)
        self._client, self._closing = client, closing

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
        """Stop; with ``kill`` what has not begun is taken back."""
        futures = [running.future for running in self._running.values()]
        try:
            super().close(kill)
        finally:
            with suppress(Exception):  # the cluster may be gone
                if futures and self._client.status == "running":
                    self._client.cancel(futures)
            close_all(self._closing)


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


# --- clusters by name


def need_dask() -> Any:
    """The package, or how to get it."""
    try:
        import distributed
    except ImportError:
        raise MissingExtra(
            'Dask is not installed; get it with: pip install "divlearn[dask]"'
        ) from None
    return distributed


def open_dask(
    address: str | None,
    options: dict[str, Any],
    problem: Problem,
    size: int | None,
    timeout: float | None,
) -> DaskPool:
    """A pool over a cluster at an address, or over one that is started for it here.

    Parameters
    ----------
    address
        Address of the scheduler; None starts a cluster on this machine, which nobody
        else can reach.
    options
        Of ``LocalCluster``, if one is started.
    problem, size, timeout
        As of :class:`DaskPool`.
    """
    distributed = need_dask()
    if address is not None:
        try:
            client = distributed.Client(address, timeout=30)
        except (OSError, ValueError, TimeoutError) as error:
            raise DivlearnError(
                f"the Dask scheduler at {address!r} cannot be reached ({error}); start "
                "one with: dask scheduler --host ADDRESS"
            ) from None
        with owned((client,)):
            return DaskPool(client, problem, size, timeout, (client,))
    usual: dict[str, Any] = {
        "n_workers": size or os.cpu_count() or 1,
        "threads_per_worker": 1,
        "dashboard_address": None,
    }
    if options.get("processes", True):
        usual["host"] = "127.0.0.1"
    cluster = made(distributed.LocalCluster, usual | options, "LocalCluster")
    client = distributed.Client(cluster)
    with owned((client, cluster)):
        return DaskPool(client, problem, size, timeout, (client, cluster))


def made(kind: Any, options: dict[str, Any], name: str) -> Any:
    """A cluster, or what it does not like about its options."""
    try:
        return kind(**options)
    except (TypeError, ValueError, RuntimeError) as error:
        raise InputError(
            f"executor: {name} cannot be made with {options} ({error})."
        ) from None


@contextmanager
def owned(closing: tuple[Any, ...]) -> Iterator[None]:
    """Close clients and clusters if what is to rest on them cannot be made."""
    try:
        yield
    except BaseException:
        close_all(closing)
        raise


def close_all(parts: tuple[Any, ...]) -> None:
    """Close clients and clusters; one that is gone already is as good as closed."""
    for part in parts:
        with suppress(Exception):
            part.close()
