"""Jobs of Slurm, PBS, LSF and others as workers, through dask-jobqueue."""

from __future__ import annotations

import time
import warnings
from contextlib import suppress
from typing import Any

from divlearn.basics.checks import require_whole
from divlearn.basics.errors import DivlearnError, InputError, MissingExtra
from divlearn.basics.text import one_screen
from divlearn.problems import Problem
from divlearn.workers.dask import DaskPool, made, need_dask, owned

#: Seconds between looks at jobs.
LOOK = 1.0
#: Seconds without any worker after which a job has ended: a worker that is only
#: restarted is back sooner. Also those between attempts to submit it again.
PATIENCE = 15.0


class QueuePool(DaskPool):
    """Evaluate by jobs of a queue.

    Parameters
    ----------
    jobs
        The jobs that were submitted.
    client, problem, size, timeout, closing
        As of :class:`divlearn.workers.DaskPool`.

    Attributes
    ----------
    greeting
        What to look at while nothing is evaluated, in words.
    """

    def __init__(
        self,
        jobs: Jobs,
        client: Any,
        problem: Problem,
        size: int | None = None,
        timeout: float | None = None,
        closing: tuple[Any, ...] = (),
    ) -> None:
        super().__init__(client, problem, size, timeout, closing)
        self.greeting: str = jobs.greeting


class Jobs:
    """Jobs of a cluster, which are submitted, and again when they have ended.

    dask-jobqueue submits each of them once. One that meets its time limit, is
    cancelled or loses its node would leave the study without a worker for good.

    Parameters
    ----------
    cluster
        The cluster of dask-jobqueue.
    number
        How many jobs.
    """

    def __init__(self, cluster: Any, number: int) -> None:
        self._cluster, self._number = cluster, number
        self._seen: set[Any] = set()  # jobs whose workers were there once
        self._away: dict[Any, float] = {}  # those of them that are not, and since when
        self._said = ""
        self._next_try = 0.0
        self._patrol: Any = None

    @property
    def greeting(self) -> str:
        """What was submitted, in words."""
        (name, *_) = self._cluster.workers
        job = self._cluster.workers[name]
        logs = job.log_directory
        where = f"in {str(logs)!r}" if logs else "where the queue writes them"
        return (
            f"submitted {self._number:,} jobs with {job.submit_command}; if nothing is "
            f"evaluated although they run, look at their output, {where}"
        )

    def submit(self) -> None:
        """Submit all of them, and look after them from now on."""
        from tornado.ioloop import PeriodicCallback

        try:
            self._cluster.sync(self._fill)
        except OSError as error:
            raise DivlearnError(
                f"jobs cannot be submitted here ({error}); run this on a machine where "
                "the commands of the queue are installed."
            ) from None
        except (RuntimeError, ValueError) as error:
            raise DivlearnError(
                f"the queue does not take the job: {_said_by_queue(error)}. Its "
                "options are those of the executor, and of the configuration of "
                "dask-jobqueue."
            ) from None
        self._patrol = PeriodicCallback(self._look, LOOK * 1_000.0)
        self._cluster.loop.add_callback(self._patrol.start)

    def close(self) -> None:
        """Look after them no more."""
        if self._patrol is not None:
            self._cluster.loop.add_callback(self._patrol.stop)

    async def _fill(self) -> None:
        """Submit what is missing; raises what the command of the queue says."""
        cluster = self._cluster
        while len(cluster.worker_spec) < self._number:
            cluster.worker_spec.update(cluster.new_worker_spec())
        await cluster  # unlike its ``scale``, which tells nobody of errors

    async def _look(self) -> None:
        """Replace jobs that have ended."""
        cluster, now = self._cluster, time.monotonic()
        alive = cluster.observed
        for name, job in list(cluster.workers.items()):
            if self._workers_of(name) & alive:
                self._seen.add(name)
                self._away.pop(name, None)
            elif name in self._seen:
                since = self._away.setdefault(name, now)
                if now - since >= PATIENCE:
                    await self._remove(name, job)
        if set(cluster.worker_spec) - set(cluster.workers) and now >= self._next_try:
            self._next_try = now + PATIENCE
            await self._submit_again()

    async def _remove(self, name: Any, job: Any) -> None:
        """Forget a job, and cancel it, should it be there after all."""
        del self._cluster.workers[name], self._away[name]
        self._seen.discard(name)
        with suppress(OSError):
            await job.close()

    async def _submit_again(self) -> None:
        """Submit what is missing; what the queue refuses is missing again."""
        try:
            await self._fill()
        except (OSError, RuntimeError, ValueError) as error:
            self._warn(_said_by_queue(error))
            for name, job in list(self._cluster.workers.items()):
                if job.job_id is None:
                    del self._cluster.workers[name]

    def _workers_of(self, name: Any) -> set[str]:
        """Names of the workers that a job starts."""
        suffixes = self._cluster.worker_spec.get(name, {}).get("group", [""])
        return {f"{name}{suffix}" for suffix in suffixes}

    def _warn(self, words: str) -> None:
        """Say once what the queue says, over and over."""
        if words != self._said:
            self._said = words
            warnings.warn(
                f"a job that has ended cannot be submitted again: {words}; this is "
                f"tried every {PATIENCE:g} s.",
                stacklevel=2,
            )


def open_queue(
    kind: str,
    options: dict[str, Any],
    problem: Problem,
    size: int | None,
    timeout: float | None,
) -> QueuePool:
    """A pool over jobs of a queue, as many as there are evaluations at once.

    Parameters
    ----------
    kind
        Class of dask-jobqueue, such as ``"SLURMCluster"``.
    options
        Of that class; ``jobs`` says how many jobs to submit, by default ``size``. What
        is left out is as in the configuration of dask-jobqueue.
    problem, timeout
        As of :class:`divlearn.workers.DaskPool`.
    size
        Evaluations at once; must be given.
    """
    distributed = need_dask()
    try:
        import dask_jobqueue
    except ImportError:
        raise MissingExtra(
            "job queues need dask-jobqueue; get it with: pip install "
            '"divlearn[jobqueue]"'
        ) from None
    if size is None:
        raise InputError(
            "workers must be given with a job queue: how many evaluations run at once. "
            "Try workers=20."
        )
    usual: dict[str, Any] = {"cores": 1, "processes": 1, "memory": "2GB"}
    chosen = usual | options
    number = require_whole("jobs", chosen.pop("jobs", size), 1)
    cluster = made(getattr(dask_jobqueue, kind), chosen, kind)
    jobs = Jobs(cluster, number)
    closing: tuple[Any, ...] = (jobs, cluster)
    with owned(closing):
        jobs.submit()
    client = distributed.Client(cluster)
    closing = (client, *closing)
    with owned(closing):
        return QueuePool(jobs, client, problem, size, timeout, closing)


def _said_by_queue(error: BaseException) -> str:
    r"""What the command of a queue wrote to standard error, on one line.

    Examples
    --------
    >>> _said_by_queue(RuntimeError("Exit code: 1\nstderr:\nno such queue\n"))
    'no such queue'
    """
    text = str(error)
    _, _, said = text.rpartition("stderr:\n")
    return one_screen("; ".join((said.strip() or text).splitlines()))
