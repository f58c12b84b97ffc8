"""Workers: where evaluations are done, one or many at a time."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from divlearn.basics.checks import require_whole
from divlearn.problems import Problem
from divlearn.workers.base import Attempt, Pool, current_attempt

if TYPE_CHECKING:
    from divlearn.workers.dask import DaskPool
    from divlearn.workers.futures import ExecutorPool
    from divlearn.workers.local import LocalPool
    from divlearn.workers.ray import RayPool
    from divlearn.workers.serial import SerialPool
    from divlearn.workers.spool.pool import SpoolPool

_HOMES = {
    "DaskPool": "dask",
    "ExecutorPool": "futures",
    "LocalPool": "local",
    "RayPool": "ray",
    "SerialPool": "serial",
    "SpoolPool": "spool.pool",
}

__all__ = [
    "Attempt",
    "DaskPool",
    "ExecutorPool",
    "LocalPool",
    "Pool",
    "RayPool",
    "SerialPool",
    "SpoolPool",
    "current_attempt",
    "open_pool",
]


def __getattr__(name: str) -> Any:
    """Load a pool from where it lives."""
    if name in _HOMES:
        return getattr(import_module(f"divlearn.workers.{_HOMES[name]}"), name)
    raise AttributeError(f"module 'divlearn.workers' has no attribute {name!r}")


def open_pool(
    problem: Problem,
    workers: int | None = None,
    timeout: float | None = None,
    executor: Any = None,
    batch: int = 1,
    study: str = "",
) -> Pool:
    """Open the pool that suits what the user has.

    Parameters
    ----------
    problem
        What to evaluate.
    workers
        Number of evaluations at once; 0 evaluates in this process. Default is 1, or as
        many as the executor has.
    timeout
        Seconds that an evaluation may take.
    executor
        None, ``"fork"`` or ``"spawn"`` for processes on this machine; the name of an
        engine, such as ``"dask://HOST:PORT"``, ``"ray"``, ``"slurm"`` or
        ``"spool:DIRECTORY"``, or a dict with its name as ``engine`` and its options; an
        executor as of :mod:`concurrent.futures`; a ``dask.distributed.Client``; the
        module ``ray``; or a pool that is ready.
    batch
        Evaluations that can be under way: with no workers, solutions that may be
        evaluated by one call, where the problem has ``evaluate_batch``; with processes,
        quick evaluations, which are sent several at a time (studies in order alone).
    study
        What tells the study from others that may use the same spool.

    Examples
    --------
    >>> from concurrent.futures import ThreadPoolExecutor
    >>> import divlearn as dl
    >>> problem = dl.Problem(dl.Integer(1, 8), lambda x: (x * x,), ["square"])
    >>> with ThreadPoolExecutor(3) as executor:
    ...     open_pool(problem, executor=executor).size
    3
    """
    if workers is not None:
        require_whole("workers", workers)
    if executor is None:
        return _open_here(problem, workers, timeout, None, batch)
    # Those who have no executor need not load what knows them all.
    from divlearn.workers import engines

    size = workers or None
    if not isinstance(executor, (str, dict)):
        return engines.open_object(executor, problem, size, timeout)
    engine = engines.read_engine(executor)
    if engine.name in engines.HERE:
        return _open_here(problem, workers, timeout, engine.name, batch)
    return engines.open_engine(engine, problem, size, timeout, batch, study)


def _open_here(
    problem: Problem,
    workers: int | None,
    timeout: float | None,
    start: str | None,
    batch: int,
) -> Pool:
    """Open a pool on this machine."""
    if workers == 0:
        from divlearn.workers.serial import SerialPool

        return SerialPool(problem, batch)
    from divlearn.workers.local import LocalPool

    count = 1 if workers is None else workers
    return LocalPool(problem, count, timeout, start, batch)
