"""What a worker does: one run, or one exact front, from a task to its outcome."""

from __future__ import annotations

import dataclasses
import time
import traceback
from contextlib import suppress
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from divlearn.basics.errors import InputError
from divlearn.basics.text import one_screen, said_by
from divlearn.lab.bench.cases import can_judge, problem_of
from divlearn.lab.bench.record import (
    FAILED,
    OK,
    Outcome,
    pack,
    pack_history,
    pack_solutions,
)
from divlearn.lab.bench.snapshots import SNAPSHOTS, Snapshots
from divlearn.lab.bench.suite import OBSERVED, changed_settings, digest_of_method
from divlearn.lab.bench.task import Job, ReferenceTask, Task
from divlearn.methods.budget import planned
from divlearn.problems import Problem

if TYPE_CHECKING:
    from divlearn.methods.base import Method
    from divlearn.optimizer.stop import Criterion
    from divlearn.result import Result

#: Name of the series of what a method recorded.
TRACE = "trace"
#: Evaluations of a run that only loads code.
WARM_UP = 2
#: What a method says of its work beside evaluations, which operation counts need.
COUNTED_BESIDE = ("solutions_built", "training_steps")
#: Solutions nearer to each other than this, in all objectives, may be the same one.
SAME_WITHIN = 1e-6

_warm: set[tuple[str, str]] = set()


def perform(job: Job) -> Outcome:
    """Do a job; what it raises becomes a failed outcome with the message.

    Examples
    --------
    >>> from divlearn.lab.bench.task import Case, Contender
    >>> task = Task(Case("bitsp-20"), 0, Contender("uniform"), seed=0, budget=300)
    >>> outcome = perform(task)
    >>> outcome.state, outcome.evaluations
    ('ok', 300)
    """
    try:
        if isinstance(job, ReferenceTask):
            return _find_front(job)
        return _run(job)
    except Exception as error:
        return Outcome(
            FAILED,
            one_screen(said_by(error)),
            details=traceback.format_exc(),
            versions=versions(),
        )


def _run(task: Task) -> Outcome:
    """Search once, with all code loaded before the clock starts."""
    begun = time.perf_counter()
    problem = problem_of(task.case, task.instance)
    method = changed_settings(task.contender)
    _require_same_files(method, task)
    loading = warm_up(problem, task)
    snapshots = _snapshots(task)
    started, cpu = time.perf_counter(), time.process_time()
    result = _solve(problem, method, task, snapshots)
    cpu, ended = time.process_time() - cpu, time.perf_counter()
    seen = {OBSERVED: _hypervolume(result)} if can_judge(problem) else {}
    final = judged(result, problem)
    judging = time.perf_counter() - ended
    fields = _fields(final, problem) | {"measures": seen}
    if snapshots is not None:
        fields["series"] |= {SNAPSHOTS: snapshots.series(problem)}
    call = ended - started
    around = time.perf_counter() - begun - call - loading - judging
    return Outcome(OK, cpu_seconds=cpu, call_seconds=call, overhead=around, **fields)


def _snapshots(task: Task) -> Snapshots | None:
    """What looks at the front on the way, if anything is to."""
    budget = planned(task.budget)
    if not task.snapshots or budget is None:
        return None
    return Snapshots(budget - task.initial, task.snapshots)


def _solve(
    problem: Problem, method: str | Method, task: Task, stop: Criterion | None
) -> Result:
    """Search; where all methods are given initial solutions, after being told them."""
    from divlearn.optimizer.optimizer import Optimizer
    from divlearn.solver import solve

    budget, optimizer = task.budget, None
    if task.initial:
        if isinstance(budget, int):
            budget -= task.initial
        optimizer = Optimizer(problem, method, task.seed, budget=budget)
        if optimizer.can_be_asked:
            for x in initial_solutions(problem, task):
                optimizer.add(x, problem.evaluate(x))
    return solve(
        problem,
        budget,
        seconds=task.seconds,
        stop=stop,
        method=method,
        seed=task.seed,
        progress=False,
        optimizer=optimizer,
    )


def initial_solutions(problem: Problem, task: Task) -> list[Any]:
    """Random solutions that depend on instance and seed alone."""
    seed = np.random.SeedSequence([task.instance, task.seed, task.initial])
    seeds = seed.generate_state(task.initial)
    return [problem.repair(problem.space.sample(int(one))) for one in seeds]


def _require_same_files(method: str | Method, task: Task) -> None:
    """Refuse a method whose files are no longer those that the key stands for."""
    if digest_of_method(method) != task.digest:
        raise InputError(
            f"a file that {task.contender.label} reads was changed since the benchmark "
            "began; start it again, which makes these runs anew."
        )


def _fields(result: Result, problem: Problem) -> dict[str, Any]:
    """Take what is stored from a result."""
    solutions, form = pack_solutions(result.X, problem)
    return {
        "evaluations": result.evaluations,
        "stopped": result.stopped,
        "seconds": result.seconds,
        "hypervolume": _hypervolume(result),
        "front_size": front_size(result, problem),
        "front": pack(result.F),
        "solutions": solutions,
        "form": form,
        "history": pack_history(result.history),
        "tally": tally_of(result),
        "series": _trace_of(result),
        "versions": versions(),
    }


def tally_of(result: Result) -> dict[str, Any]:
    """What the method counted: evaluations by kind, and work beside evaluations."""
    known = result.learned
    beside = {name: known[name] for name in COUNTED_BESIDE if name in known}
    return {**known.get("evaluations_by_kind", {}), **beside}


def _trace_of(result: Result) -> dict[str, Any]:
    """What the method recorded of every iteration, if it was asked to."""
    trace = getattr(result, "trace", None)
    return {} if trace is None else {TRACE: trace.columns}


def judged(result: Result, problem: Problem) -> Result:
    """Replace a front by what it is worth without noise, where the problem can tell.

    Values come from ``problem.noise_free``: exact ones, or means of fresh draws.
    Solutions that only luck made look good are left out. The history stays as the
    search saw it, but for the hypervolume in its last row.
    """
    if not can_judge(problem) or not len(result.F):
        return result
    from divlearn.metrics import non_dominated

    values = problem.noise_free(result.X)  # type: ignore[attr-defined]
    kept = non_dominated(values[:, : problem.num_objectives], problem.senses)
    true = dataclasses.replace(
        result,
        X=[x for x, is_kept in zip(result.X, kept, strict=True) if is_kept],
        F=values[kept, : problem.num_objectives],
        G=values[kept, problem.num_objectives :],
    )
    if result.reference is not None and true.history["hypervolume"]:
        true.history["hypervolume"][-1] = true.hypervolume()
    return true


def _hypervolume(result: Result) -> float | None:
    """Return the last row of the history, which is that of the final front."""
    if result.reference is None:
        return None
    volumes = result.history["hypervolume"]
    return float(volumes[-1]) if volumes else result.hypervolume()


def front_size(result: Result, problem: Problem) -> int:
    """Count the solutions of a front that differ in canonical form.

    Equal solutions have equal objectives, up to rounding. So where no two neighbours
    in the first objective are nearly equal, all solutions differ; only else is every
    one brought into its canonical form, which is a hundred times as much work.
    """
    first = result.F[:, 0]
    gaps = np.diff(np.sort(first))
    if (gaps > SAME_WITHIN * max(1.0, float(np.abs(first).max(initial=0.0)))).all():
        return len(first)
    from divlearn.metrics import num_non_dominated

    return num_non_dominated(
        result.F, result_senses(result), X=list(result.X), problem=problem
    )


def result_senses(result: Result) -> tuple[str, ...]:
    """``"min"`` or ``"max"`` per objective."""
    return tuple(result.objectives.values())


def _find_front(task: ReferenceTask) -> Outcome:
    """Find all trade-offs of a small knapsack."""
    from divlearn.metrics import hypervolume
    from divlearn.problems import exact_front

    problem = problem_of(task.case, task.instance)
    started, cpu = time.perf_counter(), time.process_time()
    _, front = exact_front(problem)
    assert problem.reference is not None
    volume = hypervolume(front, problem.reference, problem.ideal, problem.senses)
    return Outcome(
        OK,
        seconds=time.perf_counter() - started,
        cpu_seconds=time.process_time() - cpu,
        hypervolume=volume,
        front_size=len(front),
        front=pack(front),
        versions=versions(),
    )


def warm_up(problem: Problem, task: Task) -> float:
    """Load the code of a kind of run at its first time; returns the seconds."""
    objective = getattr(problem.compiled, "objective", None)
    kind = (getattr(objective, "__name__", problem.name), task.contender.label)
    if kind in _warm:
        return 0.0
    from divlearn.optimizer.optimizer import Optimizer
    from divlearn.solver import solve

    started = time.perf_counter()
    _warm.add(kind)
    # What is wrong with the run is told by the run itself.
    with suppress(Exception):
        method = changed_settings(task.contender)
        optimizer = Optimizer(problem, method, budget=task.budget)
        solve(problem, WARM_UP, optimizer=optimizer, progress=False)
    return time.perf_counter() - started


@cache
def versions() -> dict[str, str]:
    """Versions of what a result may depend on."""
    import platform
    from importlib.metadata import version

    from divlearn.basics.version import __version__

    others = {name: version(name) for name in ("numpy", "numba", "moocore")}
    return {"divlearn": __version__, "python": platform.python_version(), **others}
