"""``run_suites``: do what suites ask for and a store does not hold yet."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from divlearn.basics.checks import require_whole
from divlearn.basics.errors import InputError
from divlearn.lab.bench.display import Jobs
from divlearn.lab.bench.forecast import Forecast, longest_first
from divlearn.lab.bench.pool import run_jobs
from divlearn.lab.bench.record import FAILED, OK, Outcome
from divlearn.lab.bench.store import Store
from divlearn.lab.bench.suite import Suite
from divlearn.lab.bench.task import Job, ReferenceTask, Task
from divlearn.methods.budget import planned
from divlearn.terminal.display import Display, Silent

if TYPE_CHECKING:
    from divlearn.methods.base import Compilation


@dataclass
class Tally:
    """What a sitting did.

    Attributes
    ----------
    asked
        Runs of the suite.
    made, failed
        Runs of this sitting, and those of them that failed.
    wall_seconds
        How long it took.
    run_seconds
        Time of the runs themselves, calls of solve, summed over workers.
    worker_overhead, parent_overhead
        Seconds that the benchmark spent around them: in the workers, and in the
        process that writes the store.
    """

    asked: int
    made: int = 0
    failed: int = 0
    wall_seconds: float = 0.0
    run_seconds: float = 0.0
    worker_overhead: float = 0.0
    parent_overhead: float = 0.0

    @property
    def overhead(self) -> float:
        """Overhead as a share of the time of the runs themselves."""
        spent = self.worker_overhead + self.parent_overhead
        return spent / self.run_seconds if self.run_seconds else 0.0


def run_suite(
    suite: Suite,
    store: Store,
    *,
    workers: int | None = None,
    retry_failed: bool = False,
    display: Display | None = None,
) -> Tally:
    """Make all runs of a suite that a store does not hold, and write each at once.

    Parameters and all else as for :func:`run_suites`.
    """
    return run_suites(
        [suite],
        store,
        workers=workers,
        retry_failed=retry_failed,
        display=display,
    )


def run_suites(
    suites: Sequence[Suite],
    store: Store,
    *,
    workers: int | None = None,
    retry_failed: bool = False,
    display: Display | None = None,
) -> Tally:
    """Make all runs of suites that a store does not hold, by the same workers.

    Results do not depend on the number of workers, nor on how often the process was
    stopped and started again; times do.

    Parameters
    ----------
    suites
        What to run; a run that several of them ask for is made once.
    store
        Where finished runs are, and where new ones go.
    workers
        Number of processes; one per core if None.
    retry_failed
        Whether to repeat runs that are stored as failed.
    display
        What shows how it goes.
    """
    shown = Silent() if display is None else display
    count = num_cores() if workers is None else require_whole("workers", workers, 1)
    tasks = [task for suite in suites for task in suite.tasks()]
    store.relabel(tasks)
    jobs = missing_jobs(suites, store, retry_failed)
    tally = Tally(asked=len({task.key for task in tasks}))
    started = time.perf_counter()
    try:
        if jobs:
            compile_once(jobs, shown)
            _work(jobs, store, count, shown, tally)
    finally:
        shown.finish()
        tally.wall_seconds = time.perf_counter() - started
    return tally


def num_cores() -> int:
    """Number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def missing_jobs(
    suites: Sequence[Suite], store: Store, retry_failed: bool = False
) -> list[Job]:
    """List what is still to be done, the longest first.

    Each job comes once, though several suites and entries of a suite may share it.
    """
    jobs: list[Job] = []
    for suite in suites:
        jobs += [*suite.references(), *suite.tasks()]
    done = {OK} if retry_failed else {OK, FAILED}
    states = store.states()
    by_key = {job.key: job for job in jobs}
    return longest_first(
        job for key, job in by_key.items() if states.get(key) not in done
    )


def _work(
    jobs: Sequence[Job], store: Store, workers: int, display: Display, tally: Tally
) -> None:
    """Do the jobs and write what comes out."""
    forecast = Forecast(jobs, workers)
    fronts = any(isinstance(job, ReferenceTask) for job in jobs)
    noun = "runs and exact fronts" if fronts else "runs"
    seen = Jobs(len(jobs), noun=noun)
    display.start(seen, None, None)  # type: ignore[arg-type]
    for job, outcome in run_jobs(jobs, workers):
        started = time.perf_counter()
        store.write(job, outcome)
        forecast.saw(job, outcome.seconds)
        seen = Jobs(
            len(jobs),
            seen.done + 1,
            seen.failed + (outcome.state == FAILED),
            forecast.seconds_left(),
            words_on(job, outcome),
            noun,
        )
        display.update(seen)  # type: ignore[arg-type]
        _count(tally, job, outcome, time.perf_counter() - started)


def _count(tally: Tally, job: Job, outcome: Outcome, seconds: float) -> None:
    """Add a finished job to the tally."""
    if isinstance(job, ReferenceTask):
        return
    tally.made += 1
    tally.failed += outcome.state == FAILED
    tally.run_seconds += outcome.call_seconds
    tally.worker_overhead += outcome.overhead
    tally.parent_overhead += seconds


def words_on(job: Job, outcome: Outcome) -> str:
    """Say in a few words what was done."""
    what = f"{job.case.label} instance {job.instance}"
    if isinstance(job, ReferenceTask):
        return f"{what}: exact front, {outcome.front_size:,} points"
    what += f", {job.contender.label}, seed {job.seed}"
    if outcome.state == FAILED:
        return f"{what}: failed, {outcome.message}"
    volume = "" if outcome.hypervolume is None else f" HV {outcome.hypervolume:.4f}"
    return f"{what}:{volume} in {outcome.seconds:.2f} s"


def compile_once(jobs: Sequence[Job], display: Display) -> None:
    """Compile what is not in the cache yet, so that not every worker does so."""
    from divlearn.kernels.jit import is_cached
    from divlearn.lab.bench.cases import problem_of
    from divlearn.lab.bench.work import warm_up
    from divlearn.problems.built_in.knapsack_exact import decide_item

    exact = [job for job in jobs if isinstance(job, ReferenceTask)]
    tasks = {(j.contender.label, j.case.label): j for j in jobs if isinstance(j, Task)}
    # Kernels of one family are the same for all problems.
    found = map(_missing, tasks.values())
    costs = {work.what: work.seconds for work in found if work is not None}
    if exact and not is_cached(decide_item):
        costs["exact fronts"] = 5.0
    if not costs:
        return
    display.compiling(", ".join(costs), sum(costs.values()))
    for job in jobs:
        if isinstance(job, Task):
            warm_up(problem_of(job.case, job.instance), job)
    if exact:
        from divlearn.problems import exact_front

        exact_front([1.0, 2.0], [[1.0, 2.0], [2.0, 1.0]], 2.0)


def _missing(task: Task) -> Compilation | None:
    """What a task has to compile first; what is wrong with it is told by its run."""
    from divlearn.lab.bench.cases import problem_of
    from divlearn.lab.bench.suite import changed_settings
    from divlearn.methods.names import method_for

    problem = problem_of(task.case, task.instance)
    method = method_for(changed_settings(task.contender))
    with suppress(InputError):
        compiled = problem.can_run_compiled
        return method.missing(problem, planned(task.budget), compiled)
    return None
