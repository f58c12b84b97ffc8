"""``divlearn solve``: from a request to a search and its outcome."""

from __future__ import annotations

from typing import TYPE_CHECKING

from divlearn.cli.echo import echo
from divlearn.cli.files import require_writable
from divlearn.cli.outcome import fail, finish, interrupt
from divlearn.cli.request import Request
from divlearn.cli.signals import leaving_at_once
from divlearn.errors import EvaluationError, InputError, SearchError

if TYPE_CHECKING:
    from divlearn.optimizer.optimizer import Optimizer
    from divlearn.problems import Problem
    from divlearn.result import Result
    from divlearn.stop import Criterion
    from divlearn.terminal.display import Progress

#: Evaluations where the user gives no limit at all.
DEFAULT_BUDGET = 10_000


def run_request(request: Request) -> int:
    """Search, show, write; returns the exit code."""
    with leaving_at_once(request.as_json):
        problem = open_problem(request)
        if request.out is not None:
            require_writable(request.out)
        progress = progress_of(request)
        optimizer = open_optimizer(request, problem, progress)
    try:
        result = search(request, optimizer, progress)
    except (EvaluationError, SearchError) as error:
        return fail(request, optimizer, error)
    except KeyboardInterrupt as stopped:
        found = getattr(stopped, "result", None) or optimizer.result("interrupted")
        return interrupt(request, optimizer, found)
    return finish(request, optimizer, result)


# --- before the search


def open_problem(request: Request) -> Problem:
    """Make the problem that was named, or read it."""
    from divlearn import problems

    number = {} if request.instance is None else {"instance": request.instance}
    options = {**request.options, **number}
    if request.paths:
        problem = problems.read(*request.paths, **options)
    else:
        problem = problems.get(request.problem, **options)
    if request.reference is not None:
        problem.reference = problem.point("--reference", request.reference)
        problem.require_ideal_beyond_reference()
    return problem


def progress_of(request: Request) -> Progress:
    """Return what shows the search."""
    if request.quiet:
        from divlearn.terminal.display import Silent

        return Silent()
    from divlearn.methods.names import DEFAULT_METHOD
    from divlearn.terminal import choose_progress

    how = f"{request.method or DEFAULT_METHOD}, seed {request.seed or 0}"
    return choose_progress(f"{request.title}, {'continued' if request.resume else how}")


def open_optimizer(request: Request, problem: Problem, progress: Progress) -> Optimizer:
    """Begin a search, or continue a saved one, with all kernels ready."""
    from divlearn.methods.names import DEFAULT_METHOD, method_for

    # Names are checked before the compiler is loaded.
    method = request.method or DEFAULT_METHOD
    settings = method_for(method).replace(**request.settings)
    from divlearn.optimizer.compilation import missing
    from divlearn.optimizer.optimizer import Optimizer
    from divlearn.terminal.display import announce

    if request.resume is not None:
        optimizer = Optimizer.load(request.resume, problem)
        require_same_search(request, optimizer)
        announce(optimizer.missing_kernels(), progress)
    else:
        budget = request.budget if request.has_limit else DEFAULT_BUDGET
        compiled = problem.can_run_compiled
        announce(missing(settings, problem, budget, compiled), progress)
        chosen = settings if request.settings else method
        optimizer = Optimizer(problem, chosen, request.seed or 0, budget=budget)
    optimizer.warm_up()
    return optimizer


def require_same_search(request: Request, optimizer: Optimizer) -> None:
    """Refuse options that contradict the search in a state file."""
    from divlearn.methods.names import DEFAULT_METHOD, method_for, name_of

    method: str | None = request.method
    if request.settings:
        method = name_of(method_for(method or DEFAULT_METHOD))
    for option, asked, saved in (
        ("--seed", request.seed, optimizer.seed),
        ("--method", method, optimizer.method),
    ):
        if asked is not None and asked != saved:
            raise InputError(
                f"{option} must be that of the saved search, {saved}, got {asked}; "
                f"leave {option} out, or start anew without --resume."
            )


# --- the search


def search(request: Request, optimizer: Optimizer, progress: Progress) -> Result:
    """Search until a limit is reached."""
    from divlearn.solver.solve import solve

    return solve(
        optimizer.problem,
        budget_of(request, optimizer),
        seconds=request.seconds,
        stop=stop_of(request),
        progress=progress,
        optimizer=optimizer,
    )


def budget_of(request: Request, optimizer: Optimizer) -> int | None:
    """Return the budget; without any limit that of a saved search, or a default."""
    if request.has_limit:
        return request.budget
    budget = optimizer.budget or DEFAULT_BUDGET
    if not request.quiet:
        note = f"No limit given: stopping after {budget:,} evaluations."
        echo(f"{note} Change it with --budget or --seconds.", err=True)
    return budget


def stop_of(request: Request) -> Criterion | None:
    """Return the criterion beside evaluations and seconds."""
    if request.stagnation is None:
        return None
    from divlearn.stop import HypervolumeStagnation

    return HypervolumeStagnation(request.stagnation)
