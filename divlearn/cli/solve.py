"""``divlearn solve``: search a problem that is built in or comes from files."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from divlearn.basics.errors import EvaluationError, InputError, SearchError
from divlearn.cli.command import SearchCommand, argument, command, option, pairs
from divlearn.cli.files import require_writable
from divlearn.cli.origin import (
    DEFAULT_BUDGET,
    Named,
    budget_without_limit,
    stop_at_stagnation,
)
from divlearn.cli.signals import leaving_at_once
from divlearn.cli.values import Point, Positive, Whole
from divlearn.methods.budget import SCHEDULE, Budget, planned

if TYPE_CHECKING:
    from divlearn.cli.study import Plan
    from divlearn.optimizer.optimizer import Optimizer
    from divlearn.problems import Problem
    from divlearn.result import Result
    from divlearn.terminal.display import Display


@dataclass(frozen=True, kw_only=True)
class Solve(SearchCommand):
    """Search a problem for its best trade-offs and show them."""

    problem: tuple[str, ...] = argument(
        "PROBLEM...",
        "A built-in problem, such as bitsp-100; 'divlearn problems' lists them. Or an "
        "instance file; or several TSPLIB files, one per objective.",
        nargs=-1,
        required=True,
    )
    instance: int | None = option(
        Whole(0, "3"),
        "I",
        "Which random instance, or which problem of a file that holds several.  "
        "[default: 0]",
    )
    budget: Budget = option(
        Whole(1, "10000", words=(SCHEDULE,)),
        "N|schedule",
        "Stop after N evaluations; 10000, 10_000 and 1e4 mean the same. 'schedule' "
        "stops one of the paper's methods after its T iterations per weight.  "
        "[default: 10,000 if there is no other limit]",
    )
    seconds: float | None = option(Positive("60"), "S", "Stop after S seconds.")
    stagnation: int | None = option(
        Whole(1, "5000"),
        "N",
        "Stop when the hypervolume has hardly grown over N evaluations.",
    )
    seed: int | None = option(
        Whole(0, "1"), "K", "The same seed gives the same front.  [default: 0]"
    )
    method: str | None = option(
        str, "M", "How to search; 'divlearn methods' lists them.  [default: dl]"
    )
    settings: dict[str, Any] = pairs(
        "Change a setting of the method, such as initial=20. May be repeated.",
        names="--set",
    )
    options: dict[str, Any] = pairs(
        "Set an option of the problem, such as decoder=greedy. May be repeated.",
        names="--option",
    )
    archive_size: int | None = option(
        Whole(1, "200"),
        "N",
        "Keep at most N members of the front, the best spread.  [default: all]",
    )
    reference: list[float] | None = option(
        Point(),
        "A,B,..",
        "Reference point of the hypervolume, instead of the problem's own.",
    )
    out: Path | None = option(
        Path,
        "DIR",
        "Directory for front.json, front.csv, front.png, history.png and state.npz.",
    )
    resume: Path | None = option(
        Path, "FILE", "Continue the search saved in a state.npz."
    )
    store: Path | None = option(
        Path,
        "FILE",
        "Keep every evaluation in a study, which 'divlearn resume FILE' continues.",
    )
    workers: int | None = option(
        Whole(0, "4"),
        "N",
        "With --store: number of evaluations at a time.  [default: 0]",
    )

    @cached_property
    def source(self) -> Named:
        """Which problem it is."""
        more = self.instance, self.options, self.reference
        return Named.by_words(self.problem, *more)

    @property
    def has_limit(self) -> bool:
        """Whether it was said when to stop."""
        limits = (self.budget, self.seconds, self.stagnation)
        return any(limit is not None for limit in limits)

    def execute(self) -> int:
        """Search; with a store it is a study."""
        _require_one_kind(self)
        if self.store is None:
            return run_search(self)
        from divlearn.cli.study import run_plan

        return run_plan(lambda: plan_study(self), self.as_json)


solve = command(Solve)


def _require_one_kind(asked: Solve) -> None:
    """Refuse options that contradict one another, before anything is loaded."""
    if asked.store is not None and asked.resume is not None:
        raise InputError(
            "--store and --resume exclude each other: a study goes on by the same "
            "command, or by 'divlearn resume STUDY'; leave --resume out."
        )
    if asked.store is None and asked.workers is not None:
        raise InputError(
            "--workers needs --store FILE: only a study has workers; got no --store."
        )
    if asked.resume is not None and not asked.resume.is_file():
        raise InputError(
            "--resume must be a state.npz that a search has saved, got "
            f"{str(asked.resume)!r}, which is not a file; --out DIR makes a search "
            "save one."
        )


def run_search(asked: Solve) -> int:
    """Search, show, write; returns the exit code."""
    from divlearn.cli.outcome import fail, finish, interrupt

    with leaving_at_once(asked.as_json):
        problem = asked.source.open()
        if asked.out is not None:
            require_writable(asked.out)
        progress = progress_of(asked)
        optimizer = open_optimizer(asked, problem, progress)
    try:
        result = search(asked, optimizer, progress)
    except (EvaluationError, SearchError) as error:
        return fail(asked, optimizer, error)
    except KeyboardInterrupt as stopped:
        found = getattr(stopped, "result", None) or optimizer.result("interrupted")
        return interrupt(asked, optimizer, found)
    return finish(asked, optimizer, result)


def plan_study(asked: Solve) -> Plan:
    """Plan the study that the search becomes."""
    from divlearn.cli.study import plan_named
    from divlearn.methods.names import DEFAULT_METHOD, method_for

    assert asked.store is not None
    method: Any = asked.method
    if asked.settings:
        method = method_for(method or DEFAULT_METHOD).replace(**asked.settings)
    of_study = {"method": method, "seed": asked.seed}
    of_study |= {"archive_size": asked.archive_size}
    if (asked.workers or 0) < 2 and not asked.store.exists():
        of_study["lag"] = 1  # the same candidates as without a store
    names = ("budget", "seconds", "stagnation", "workers")
    run = {name: getattr(asked, name) for name in names}
    return plan_named(asked.source, asked.store, of_study, run, asked)


# --- before the search


def progress_of(asked: Solve) -> Display:
    """Return what shows the search."""
    if asked.quiet:
        from divlearn.terminal.display import Silent

        return Silent()
    from divlearn.methods.names import DEFAULT_METHOD
    from divlearn.terminal import choose_progress

    how = f"{asked.method or DEFAULT_METHOD}, seed {asked.seed or 0}"
    return choose_progress(
        f"{asked.source.title()}, {'continued' if asked.resume else how}"
    )


def open_optimizer(asked: Solve, problem: Problem, progress: Display) -> Optimizer:
    """Begin a search, or continue a saved one, with all kernels ready."""
    from divlearn.methods.names import DEFAULT_METHOD, method_for

    # Names are checked before the compiler is loaded.
    method = asked.method or DEFAULT_METHOD
    settings = method_for(method).replace(**asked.settings)
    from divlearn.optimizer.optimizer import Optimizer
    from divlearn.terminal.display import announce

    if asked.resume is not None:
        optimizer = Optimizer.load(asked.resume, problem)
        require_same_search(asked, optimizer)
        announce(optimizer.missing_kernels(), progress)
    else:
        budget = asked.budget if asked.has_limit else DEFAULT_BUDGET
        compiled = problem.can_run_compiled
        announce(settings.missing(problem, planned(budget), compiled), progress)
        chosen = settings if asked.settings else method
        most = asked.archive_size
        optimizer = Optimizer(
            problem, chosen, asked.seed or 0, budget=budget, archive_size=most
        )
    optimizer.warm_up()
    return optimizer


def require_same_search(asked: Solve, optimizer: Optimizer) -> None:
    """Refuse options that contradict the search in a state file."""
    from divlearn.methods.names import DEFAULT_METHOD, method_for, name_of

    method: str | None = asked.method
    if asked.settings:
        base = method_for(method or DEFAULT_METHOD)
        method = name_of(base.replace(**asked.settings))
    for name, given, saved in (
        ("--seed", asked.seed, optimizer.seed),
        ("--method", method, optimizer.method),
        ("--archive-size", asked.archive_size, optimizer.archive_size),
    ):
        if given is not None and given != saved:
            raise InputError(
                f"{name} must be that of the saved search, {saved}, got {given}; "
                f"leave {name} out, or start anew without --resume."
            )


# --- the search


def search(asked: Solve, optimizer: Optimizer, progress: Display) -> Result:
    """Search until a limit is reached."""
    from divlearn.solver import solve

    budget = asked.budget
    if not asked.has_limit:
        budget = budget_without_limit(asked.quiet, optimizer.budget)
    return solve(
        optimizer.problem,
        budget,
        seconds=asked.seconds,
        stop=stop_at_stagnation(asked.stagnation),
        progress=progress,
        optimizer=optimizer,
    )
