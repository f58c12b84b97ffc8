"""``divlearn solve``: from a request to a search and its outcome."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from divlearn.cli.codes import INTERRUPTED
from divlearn.cli.files import require_writable
from divlearn.cli.outcome import fail, finish, interrupt
from divlearn.cli.request import Request
from divlearn.errors import EvaluationError, InputError

if TYPE_CHECKING:
    from divlearn.optimizer import Optimizer
    from divlearn.problems import Problem
    from divlearn.result import Result
    from divlearn.stop import Criterion

#: Evaluations where the user gives no limit at all.
DEFAULT_BUDGET = 10_000


def run_request(request: Request) -> int:
    """Search, show, write; returns the exit code."""
    try:
        problem = open_problem(request)
        if request.out is not None:
            require_writable(request.out)
        optimizer = open_optimizer(request, problem)
    except KeyboardInterrupt:
        typer.echo("Stopped before the search began: nothing to save.", err=True)
        return INTERRUPTED
    try:
        result = search(request, optimizer)
    except EvaluationError as error:
        return fail(request, optimizer, error)
    except KeyboardInterrupt as stopped:
        found = getattr(stopped, "result", None) or optimizer.result("interrupted")
        return interrupt(request, optimizer, found)
    return finish(request, optimizer, result)


# --- before the search


def open_problem(request: Request) -> Problem:
    """Make the problem that was named."""
    from divlearn import problems

    problem = problems.get(
        request.problem, instance=request.instance, **request.options
    )
    if request.reference is not None:
        problem.reference = problem.point("--reference", request.reference)
    return problem


def open_optimizer(request: Request, problem: Problem) -> Optimizer:
    """Begin a search, or continue a saved one."""
    from divlearn.settings import DEFAULT_METHOD, settings_for

    # Names are checked before the compiler is loaded.
    method = request.method or DEFAULT_METHOD
    settings = settings_for(method).replace(**request.settings)
    from divlearn.optimizer import Optimizer

    if request.resume is not None:
        optimizer = Optimizer.load(request.resume, problem)
        require_same_search(request, optimizer)
        return optimizer
    return Optimizer(
        problem,
        settings if request.settings else method,
        request.seed or 0,
        budget=request.budget if request.has_limit else DEFAULT_BUDGET,
    )


def require_same_search(request: Request, optimizer: Optimizer) -> None:
    """Refuse options that contradict the search in a state file."""
    method = "custom" if request.settings else request.method
    for option, asked, saved in (
        ("--seed", request.seed, optimizer.seed),
        ("--method", method, optimizer.method),
    ):
        if asked is not None and asked != saved:
            raise InputError(
                f"{option} must be that of the saved search, {saved}, got {asked}; "
                f"leave {option} out, or start anew without --resume."
            )
    front = optimizer.result()
    values = [*front.F[:1].ravel(), *front.G[:1].ravel()]
    if values and list(optimizer.problem.evaluate(front.X[0])) != values:
        raise InputError(
            f"--resume {request.resume} belongs to another instance than "
            f"{request.title}: the same solution has other values there; give the "
            "--instance and --option of the saved search."
        )


# --- the search


def search(request: Request, optimizer: Optimizer) -> Result:
    """Search until a limit is reached."""
    from divlearn.solver import solve

    progress = None
    if not request.quiet:
        from divlearn.terminal import choose_progress

        title = f"{request.title}, {optimizer.method}, seed {optimizer.seed}"
        progress = choose_progress(title)
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
        typer.echo(f"{note} Change it with --budget or --seconds.", err=True)
    return budget


def stop_of(request: Request) -> Criterion | None:
    """Return the criterion beside evaluations and seconds."""
    if request.stagnation is None:
        return None
    from divlearn.stop import HypervolumeStagnation

    return HypervolumeStagnation(request.stagnation)
