"""``RayPool``: the workers of a Ray cluster."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from divlearn.errors import MissingExtra
from divlearn.problems import Problem
from divlearn.workers.futures import FuturePool, Parcel, evaluate_parcel


class RayPool(FuturePool):
    """Evaluate on a Ray cluster; ``ray.init`` is called if nobody did.

    Evaluations that take longer than ``timeout`` are ended by Ray, with their worker.

    Parameters
    ----------
    problem
        What to evaluate; it is sent by pickle or cloudpickle.
    size
        Number of evaluations at once; by default one for each CPU of the cluster.
    timeout
        Seconds that an evaluation may take, waiting for a worker included.
    options
        What each evaluation needs, as of ``ray.remote``, such as ``{"num_cpus": 4}``.
    """

    def __init__(
        self,
        problem: Problem,
        size: int | None = None,
        timeout: float | None = None,
        options: dict[str, Any] | None = None,
    ) -> None:
        try:
            import ray
        except ImportError:
            raise MissingExtra(
                'Ray is not installed; get it with: pip install "divlearn[ray]"'
            ) from None
        self._ray: Any = ray
        if not self._ray.is_initialized():
            self._ray.init(log_to_driver=True)
        if size is None:
            size = max(1, int(self._ray.cluster_resources().get("CPU", 1)))
        super().__init__(problem, size, timeout)
        chosen = {"max_retries": 0, **(options or {})}
        self._remote = self._ray.remote(**chosen)(evaluate_parcel)
        self._shared = self._ray.put(self._parcel)
        self._references: dict[Any, Any] = {}

    def _start(self, parcel: Parcel, message: bytes) -> Any:
        """Start a Ray task; the problem is in the cluster's memory already."""
        reference = self._remote.remote(self._shared, message)
        future = reference.future()
        self._references[future] = reference
        future.add_done_callback(lambda done: self._references.pop(done, None))
        return future

    def _stop(self, future: Any) -> None:
        """Kill the worker that is at it."""
        reference = self._references.pop(future, None)
        if reference is not None:
            with suppress(Exception):  # it may have ended meanwhile
                self._ray.cancel(reference, force=True)

    def _lost(self, error: BaseException) -> bool:
        """Whether Ray says that a worker, or the node under it, died."""
        kinds = self._ray.exceptions
        return isinstance(
            error,
            (
                kinds.WorkerCrashedError,
                kinds.NodeDiedError,
                kinds.OutOfMemoryError,
                kinds.ObjectLostError,
            ),
        ) or super()._lost(error)
