"""``RayPool``: the workers of a Ray cluster."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from typing import Any

from divlearn.basics.errors import DivlearnError, InputError, MissingExtra
from divlearn.basics.text import said_by
from divlearn.problems import Problem
from divlearn.workers.futures import FuturePool, evaluate_parcel
from divlearn.workers.parcel import Parcel

#: By these Ray says that a worker, its node or what it held is gone, in any version.
_LOSSES = (
    "WorkerCrashedError",
    "NodeDiedError",
    "LocalRayletDiedError",
    "OutOfMemoryError",
    "ObjectLostError",
)


class RayPool(FuturePool):
    """Evaluate on a Ray cluster; a local one is started if ``ray.init`` was not called.

    Evaluations that take longer than ``timeout`` are ended by Ray, with their worker.
    Functions of scripts and notebooks are sent by value.

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
        self._ray: Any = start_ray(None, {})
        if size is None:
            size = max(1, int(self._ray.cluster_resources().get("CPU", 1)))
        super().__init__(problem, size, timeout)
        chosen = {"max_retries": 0, **(options or {})}
        self._remote = self._ray.remote(**chosen)(evaluate_parcel)
        self._shared = self._ray.put(self._parcel)
        self._references: dict[Any, Any] = {}

    def _start(self, parcel: Parcel, message: bytes) -> Any:
        """Start a Ray task; the problem is in the cluster's memory already."""
        if not self._ray.is_initialized():  # else Ray looks for another cluster itself
            raise RuntimeError("the connection to the Ray cluster has ended")
        try:
            reference = self._remote.remote(self._shared, message)
        except self._ray.exceptions.RayError as error:
            raise RuntimeError(said_by(error)) from error
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
        names = {kind.__name__ for kind in type(error).__mro__}
        return (
            bool(names.intersection(_LOSSES))
            or isinstance(error, ConnectionError)
            or super()._lost(error)
        )


def start_ray(address: str | None, options: dict[str, Any]) -> Any:
    """Return Ray, connected to a cluster.

    Parameters
    ----------
    address
        Of the cluster, ``"ray://HOST:PORT"``. If None, the one that this process is
        connected to, or that ``RAY_ADDRESS`` names; else a local one is started, which
        nobody else can reach.
    options
        More for ``ray.init``.
    """
    options = dict(options)
    address = address or options.pop("address", None) or os.environ.get("RAY_ADDRESS")
    alone = address in (None, "local")
    if "ray" not in sys.modules:
        if alone:
            _keep_to_this_machine()
        _notice_cut_networks()
    try:
        import ray
    except ImportError:
        raise MissingExtra(
            'Ray is not installed; get it with: pip install "divlearn[ray]"'
        ) from None
    loaded: Any = ray
    if loaded.is_initialized():
        return loaded
    usual: dict[str, Any] = {"address": address}
    if alone:  # "local": a dead cluster may have left its address behind
        usual = {"address": "local", "include_dashboard": False}
    try:
        loaded.init(**(usual | options))
    except (TypeError, ValueError) as error:
        raise InputError(f"executor: ray.init refuses its options ({error}).") from None
    except (
        *(ConnectionError, RuntimeError, ImportError),
        loaded.exceptions.RayError,
    ) as error:
        raise DivlearnError(
            f"the Ray cluster at {address!r} cannot be reached ({said_by(error)}); "
            "start one with: ray start --head. A cluster that asks for its token needs "
            "RAY_AUTH_MODE=token here too, and the token: the file ~/.ray/auth_token "
            "of the head, or RAY_AUTH_TOKEN."
        ) from None
    return loaded


def _keep_to_this_machine() -> None:
    """Let a Ray that is not loaded yet listen on loopback, and report to nobody.

    Ray has a switch for that where firewalls ask; on Linux it works as well.
    """
    os.environ.setdefault("RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER", "0")
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")


def _notice_cut_networks() -> None:
    """Let a Ray that is not loaded yet ask silent workers often whether they live.

    It does so every five minutes, and meanwhile waits for a node that it knows is gone.
    """
    os.environ.setdefault("RAY_grpc_client_keepalive_time_ms", "30000")
    os.environ.setdefault("RAY_grpc_client_keepalive_timeout_ms", "20000")
