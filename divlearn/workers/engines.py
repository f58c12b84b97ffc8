"""Executors by name: what a text or a table, in Python or in TOML, stands for."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from difflib import get_close_matches
from typing import Any, NamedTuple

from divlearn.basics.errors import InputError
from divlearn.problems import Problem
from divlearn.workers.base import Pool

HERE = ("fork", "spawn")
#: Job queues, by the classes of dask-jobqueue that know them.
QUEUES = {
    "slurm": "SLURMCluster",
    "pbs": "PBSCluster",
    "lsf": "LSFCluster",
    "sge": "SGECluster",
    "oar": "OARCluster",
    "htcondor": "HTCondorCluster",
}
#: What to write, for messages.
FORMS = (
    '"fork", "spawn", "dask", "dask://HOST:PORT", "ray", "ray://HOST:PORT", '
    + ", ".join(f'"{name}"' for name in QUEUES)
    + ', "spool:DIRECTORY"'
)


class Engine(NamedTuple):
    """A kind of executor.

    Attributes
    ----------
    name
        ``"fork"``, ``"spawn"``, ``"dask"``, ``"ray"``, ``"spool"``, or a job queue.
    place
        Address or directory; None if there is none.
    options
        What else was said, for whatever starts it.
    """

    name: str
    place: str | None
    options: dict[str, Any]

    @property
    def on_queue(self) -> bool:
        """Whether evaluations may have to wait before they begin."""
        return self.name in QUEUES or self.name == "spool"


def read_engine(executor: str | Mapping[str, Any]) -> Engine:
    """Understand a text, or a table whose ``engine`` is one.

    Examples
    --------
    >>> read_engine("dask://10.0.0.7:8786")
    Engine(name='dask', place='tcp://10.0.0.7:8786', options={})
    >>> read_engine({"engine": "slurm", "cores": 4}).options
    {'cores': 4}
    """
    options = {} if isinstance(executor, str) else dict(executor)
    text = executor if isinstance(executor, str) else options.pop("engine", None)
    if not isinstance(text, str):
        raise _unknown(executor)
    if text in (*HERE, "dask", "ray", *QUEUES):
        engine = Engine(text, None, options)
    elif text.startswith("spool:") and text != "spool:":
        engine = Engine("spool", text.removeprefix("spool:"), options)
    elif text.startswith("ray://"):
        engine = Engine("ray", text, options)
    elif text.startswith(("dask://", "tcp://", "tls://")):
        engine = Engine("dask", text.replace("dask://", "tcp://"), options)
    else:
        raise _unknown(executor)
    _require_options(engine)
    return engine


def _require_options(engine: Engine) -> None:
    """Refuse options where nothing would read them."""
    allowed: tuple[str, ...] | None = None  # whatever the engine takes itself
    if engine.name in HERE or (engine.name == "dask" and engine.place):
        allowed = ()
    elif engine.name == "spool":
        allowed = ("lease",)
    for name in engine.options:
        if allowed is not None and name not in allowed:
            known = f"allowed: {', '.join(allowed)}" if allowed else "it has none"
            raise InputError(
                f"executor {engine.name!r} has no option {name!r}; {known}."
            )


def _unknown(executor: object) -> InputError:
    """The error for what is no executor."""
    said = executor.get("engine") if isinstance(executor, Mapping) else executor
    name = str(said).partition(":")[0]
    near = get_close_matches(name, (*HERE, "dask", "ray", *QUEUES, "spool"), 1)
    meant = f" Did you mean {near[0]!r}?" if near and near[0] != name else ""
    return InputError(
        f"executor must be None, one of {FORMS}, a dict such as "
        '{"engine": "slurm", "cores": 4}, a dask.distributed.Client or have the submit '
        f"method of concurrent.futures, got {executor!r}.{meant}"
    )


def open_engine(
    engine: Engine,
    problem: Problem,
    size: int | None,
    timeout: float | None,
    lag: int,
    study: str,
) -> Pool:
    """Open the pool of an engine that is not of this machine's own processes.

    Parameters
    ----------
    engine
        What was asked for.
    problem, timeout
        What to evaluate, and for how long at most.
    size
        Evaluations at once, if somebody said so.
    lag
        Evaluations that can be under way in the study.
    study
        What tells it from others.
    """
    if engine.name == "spool":
        from divlearn.workers.spool.pool import SpoolPool

        assert engine.place is not None
        how = {"study": study, **engine.options}
        return SpoolPool(engine.place, problem, size or lag, timeout, **how)
    if engine.name == "ray":
        from divlearn.workers.ray import RayPool, start_ray

        start_ray(engine.place, engine.options)
        return RayPool(problem, size, timeout)
    if engine.name == "dask":
        from divlearn.workers.dask import open_dask

        return open_dask(engine.place, engine.options, problem, size, timeout)
    from divlearn.workers.queues import open_queue

    kind = QUEUES[engine.name]
    return open_queue(kind, engine.options, problem, size, timeout)


def open_object(
    executor: Any, problem: Problem, size: int | None, timeout: float | None
) -> Pool:
    """Open the pool of an executor that the user has made."""
    if inspect.isclass(executor):
        raise InputError(
            f"executor must be an object, got the class {executor.__name__}; make one, "
            f"such as {executor.__name__}(...), and pass that."
        )
    if getattr(executor, "__name__", None) == "ray":
        from divlearn.workers.ray import RayPool, start_ray

        start_ray(None, {})
        return RayPool(problem, size, timeout)
    if type(executor).__module__.partition(".")[0] == "distributed":
        from divlearn.workers.dask import DaskPool

        return DaskPool(executor, problem, size, timeout)
    methods = ("submit", "wait", "close")
    if all(callable(getattr(executor, name, None)) for name in methods):
        return _as_it_is(executor, problem, size, timeout)
    if callable(getattr(executor, "submit", None)):
        from divlearn.workers.futures import ExecutorPool

        return ExecutorPool(executor, problem, size, timeout)
    raise _unknown(executor)


def _as_it_is(
    pool: Any, problem: Problem, size: int | None, timeout: float | None
) -> Pool:
    """A pool that the user has made, if it is one for this problem."""
    if getattr(pool, "problem", problem) is not problem:
        raise InputError(
            "executor is a pool for another problem than that of the study; make it "
            "with the same object, or pass what it rests on, such as executor='ray'."
        )
    if size is not None or timeout is not None:
        raise InputError(
            "workers and timeout cannot be given together with a pool, which has its "
            "own; pass them where the pool is made."
        )
    checked: Pool = pool
    return checked
