"""``solve``: one call from a problem to its front."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

from divlearn.basics.checks import require_functions, require_number
from divlearn.basics.errors import InputError, SearchInterrupted
from divlearn.methods.base import Method
from divlearn.methods.budget import SCHEDULE, Budget, planned, read_budget
from divlearn.methods.names import DEFAULT_METHOD, method_for
from divlearn.methods.others.base import WholeSolver
from divlearn.optimizer.optimizer import Optimizer
from divlearn.optimizer.stop import Criterion, MaxEvaluations, MaxSeconds
from divlearn.problems import Problem
from divlearn.problems.base import require_problem
from divlearn.result import Result
from divlearn.solver.loop import Callback, SearchLoop
from divlearn.terminal.display import Display, announce, display_for, patiently


def solve(
    problem: Problem,
    budget: Budget = None,
    *,
    seconds: float | None = None,
    stop: Criterion | None = None,
    method: str | Method = DEFAULT_METHOD,
    seed: int = 0,
    callbacks: Sequence[Callback] | Callback = (),
    progress: Display | bool | None = None,
    optimizer: Optimizer | None = None,
    workers: int | None = None,
    lag: int | None = None,
    known: Any = None,
    archive_size: int | None = None,
) -> Result:
    """Search for the front of a problem.

    Parameters
    ----------
    problem
        What to optimize.
    budget
        Number of evaluations; or ``"schedule"`` with one of the paper's methods, whose
        search then ends after T iterations for each weight vector.
    seconds
        Time limit; results then depend on the speed of the machine.
    stop
        Any other reason to stop, see :class:`divlearn.Criterion`. The first limit
        reached counts; at least one is required, except for methods that end by
        themselves.
    method
        Name of a method, see ``divlearn methods``, or a method with its
        options.
    seed
        The same seed gives the same result, bit for bit.
    callbacks
        Functions ``callback(optimizer, candidate)`` called after every evaluation; the
        search then runs in Python, even for compiled objectives.
    progress
        Whether to show progress on standard error; None does so in a terminal or a
        notebook, see :func:`divlearn.terminal.display.display_for`. Your own object is
        told instead, see :class:`divlearn.terminal.display.Display`.
    optimizer
        Continue this one; ``budget`` counts its earlier evaluations, and method and
        seed are its own.
    workers
        Processes that evaluate at the same time; None evaluates one solution after
        another in this process. With workers, candidates are chosen before the last
        seven answers are known (``lag=8``), so any number of workers finds the same
        front, which differs from the front without workers. A study of the same seed
        finds it too, and keeps everything in a file; with ``lag=1`` and ``workers=0``
        it finds the front without workers. Workers share evaluations alone: who
        evaluates quicker than the search thinks has no use for them.
    lag
        With workers, how many candidates may be under way, see
        :class:`divlearn.Study`; 8 if None. More let quick evaluations travel in larger
        groups.
    known
        Designs that were evaluated before, which cost nothing: a list of pairs
        ``(x, values)``, a DataFrame, a table in a file, the file of a study, or a
        result; see :meth:`divlearn.Study.add_from`. The search learns from them before
        it begins. Rows without values are evaluated first.
    archive_size
        Most members of the front that are kept, see :class:`divlearn.Optimizer`; None
        keeps all.

    Returns
    -------
    The front and all that is known about the run.

    Raises
    ------
    EvaluationError
        If the objective fails; ``.x`` is the solution at which it failed and
        ``.result`` everything found before.
    SearchError
        If the method itself fails, for example in your own expert; ``.result`` is
        everything found before.
    SearchInterrupted
        On Ctrl-C; ``.result`` is everything found so far.

    Examples
    --------
    >>> import divlearn as dl
    >>> problem = dl.Problem(
    ...     dl.Subset(8, 3), lambda x: (x.sum(), -x.min()), {"sum": "min", "low": "min"}
    ... )
    >>> result = dl.solve(problem, budget=500)
    >>> sorted(float(f) for f in result.F[:, 0])
    [3.0, 6.0, 9.0, 12.0, 15.0, 18.0]
    """
    require_problem(problem)
    budget = read_budget(budget)
    settings = method_for(method) if optimizer is None else optimizer.settings
    ends = budget == SCHEDULE or isinstance(settings, WholeSolver)
    criterion = _criterion(planned(budget), seconds, stop, ends)
    form = "callback(optimizer, candidate)"
    functions = require_functions("callbacks", callbacks, form)
    if workers is not None:
        # Studies know the kernels of all methods, which take a while to import.
        from divlearn.solver.by_workers import Limits, solve_by_workers

        _require_alone(optimizer, functions)
        limits = Limits(budget, seconds, stop)
        how = {"method": method, "seed": seed, "lag": lag, "archive_size": archive_size}
        return solve_by_workers(problem, limits, how, progress, workers, known)
    if lag is not None:
        raise InputError(f"lag is for several workers, got lag={lag!r} without any.")
    if optimizer is not None:
        _require_suitable(optimizer, problem, budget, archive_size)
    display = display_for(progress, problem.name)
    try:
        with patiently(display):
            compiled = problem.can_run_compiled and not functions
            evaluations = planned(budget if optimizer is None else optimizer.budget)
            announce(settings.missing(problem, evaluations, compiled), display)
            if optimizer is None:
                optimizer = Optimizer(
                    problem, method, seed, budget=budget, archive_size=archive_size
                )
            designs = _read_known(optimizer, known)
            loop = SearchLoop(optimizer, criterion, functions, display)
            loop.require_budget()
            # A time limit is for searching, not for compiling.
            optimizer.warm_up(loop.compiled)
            loop.learn(designs)
        with loop.interruption.listening():
            return loop.run(planned(budget), seconds)
    except KeyboardInterrupt as stopped:
        if optimizer is None or isinstance(stopped, SearchInterrupted):
            raise
        found = optimizer.result("interrupted")
        raise SearchInterrupted("interrupted before it began", found) from None
    finally:
        if optimizer is not None:
            optimizer.clock.stop()
        display.finish()


def _read_known(optimizer: Optimizer, known: Any) -> list[Any]:
    """Designs that were evaluated before, checked."""
    if known is None:
        return []
    from divlearn.solver.known import read_all

    return read_all(optimizer, known)


def _require_alone(optimizer: Optimizer | None, callbacks: list[Callback]) -> None:
    """Refuse what cannot go together with workers."""
    if optimizer is not None or callbacks:
        name = "callbacks" if callbacks else "optimizer"
        raise InputError(
            f"{name} cannot be given together with workers; use divlearn.Study, whose "
            "run has callbacks and can be continued."
        )


def _require_suitable(
    optimizer: Optimizer, problem: Problem, budget: Budget, archive_size: int | None
) -> None:
    """Refuse to continue what cannot be continued."""
    if archive_size not in (None, optimizer.archive_size):
        raise InputError(
            f"archive_size must be that of the optimizer, {optimizer.archive_size}, "
            f"got {archive_size}; leave it out."
        )
    if optimizer.problem is not problem:
        raise InputError("optimizer must have been made for the same problem object.")
    if budget == SCHEDULE and not optimizer.ends_by_schedule:
        raise InputError(
            'budget must be a number of evaluations, got "schedule", but the optimizer '
            f"was made with budget={optimizer.budget!r} and has no schedule that ends; "
            'make one with Optimizer(..., budget="schedule").'
        )
    if not optimizer.can_be_asked and optimizer.evaluations:
        raise InputError(
            f"method {optimizer.method!r} solves a problem in one go, and this "
            "optimizer has done so; make a new one to solve it again."
        )


def _criterion(
    budget: int | None, seconds: float | None, stop: Criterion | None, ends: bool
) -> Criterion:
    """Join all reasons to stop."""
    parts: list[Criterion] = []
    if budget is not None:
        parts.append(MaxEvaluations(budget))
    if seconds is not None:
        parts.append(MaxSeconds(require_number("seconds", seconds, 1e-6)))
    if stop is not None:
        if not isinstance(stop, Criterion):
            raise InputError(
                "stop must be a criterion, such as MaxSeconds(60), or "
                f"derive from divlearn.Criterion, got {stop!r}."
            )
        parts.append(stop)
    if not parts and ends:
        parts.append(MaxEvaluations(sys.maxsize))
    if not parts:
        raise InputError(
            "budget, seconds or stop must be given, so that the search can end; got "
            "none of them. Try budget=10_000."
        )
    joined = parts[0]
    for part in parts[1:]:
        joined = joined | part
    return joined
