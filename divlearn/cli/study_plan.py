"""From a command to the study that it is about: its problem, its file, its run."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from divlearn.basics.checks import require_number
from divlearn.cli.echo import echo
from divlearn.cli.request import Request
from divlearn.cli.run_request import RunRequest
from divlearn.cli.solve import DEFAULT_BUDGET, open_problem, stop_of
from divlearn.errors import InputError

if TYPE_CHECKING:
    from divlearn.problems import Problem
    from divlearn.study import Study

#: Where a problem comes from: a TOML file, or a name or instance files.
TOML, NAMED = "toml", "named"


@dataclass(frozen=True)
class Plan:
    """A study that is to be run.

    Attributes
    ----------
    problem, store
        What is optimized, and in which file.
    origin
        How the problem can be made again, which the file is to remember.
    of_study, of_run
        Arguments of the study and of its run.
    about
        What JSON says of the problem.
    out
        Directory for the front, or None.
    accept_changes
        Whether another command may go on with the study.
    quiet, as_json
        What to show.
    """

    problem: Problem
    store: Path
    origin: dict[str, Any]
    of_study: dict[str, Any]
    of_run: dict[str, Any]
    about: dict[str, Any]
    out: Path | None
    accept_changes: bool
    quiet: bool
    as_json: bool

    @property
    def title(self) -> str:
        """The study in a few words."""
        return f"{self.problem.name} in {self.store}"

    def require_same_evaluation(self, study: Study) -> None:
        """Refuse to mix evaluations of two different commands."""
        before, now = study.origin, self.origin
        if self.accept_changes or not isinstance(before, dict):
            return
        for part, value in now.get("evaluate", {}).items():
            theirs = (before.get("evaluate") or {}).get(part, value)
            if value != theirs:
                raise InputError(
                    f"{part} in [evaluate] of {now['file']!r} has changed since the "
                    f"study {str(self.store)!r} was last run: it was {theirs}, and is "
                    f"{value}. Put it back; or name another file with --store; or, if "
                    "both evaluate alike, go on with --accept-changes."
                )


def plan_of_toml(path: str | Path, request: RunRequest) -> Plan:
    """Plan what a TOML file describes, as far as no option says otherwise."""
    from divlearn.simulator import load_toml

    given = dict(request.given)
    timeout = given.pop("timeout", None)
    if timeout is not None:
        timeout = require_number("--timeout", timeout, 0.001)
    problem, options = load_toml(path, timeout=timeout)
    options = replace(options, **given)
    if options.budget is None and options.seconds is None:
        raise InputError(
            f"--budget or --seconds must be given, or one of them under [run] of "
            f"{str(path)!r}, so that the run can end; got neither. Try --budget 150."
        )
    store = shown(options.store) if request.store is None else request.store
    file = Path(path).resolve()
    origin = {
        "kind": TOML,
        "file": str(file),
        "beside": os.path.relpath(file, store.resolve().parent),
        "evaluate": problem.program.describe(),
        "run": _remembered(request.given),
    }
    return Plan(
        problem,
        store,
        origin,
        {**options.of_study(), "checkpoint": request.checkpoint},
        options.of_run(),
        {"problem": problem.name, "instance": None, "toml": str(file)},
        request.out,
        request.accept_changes,
        request.quiet,
        request.as_json,
    )


def plan_of_problem(request: Request, more: dict[str, Any] | None = None) -> Plan:
    """Plan a study of a built-in problem or of instance files.

    ``more`` are options of the run that ``divlearn solve`` does not have.
    """
    assert request.store is not None
    workers = request.workers or 0
    limits = {
        "budget": _budget(request),
        "seconds": request.seconds,
        "stagnation": request.stagnation,
    }
    run = {name: value for name, value in limits.items() if value is not None}
    run |= {"workers": workers, **(more or {})}
    of_run = {**run, "stop": stop_of(request)}
    of_run.pop("stagnation", None)
    origin = {
        "kind": NAMED,
        "problem": request.problem,
        "paths": [os.path.abspath(path) for path in request.paths],
        "instance": request.instance,
        "options": request.options,
        "reference": request.reference,
        "run": _remembered(run),
    }
    return Plan(
        open_problem(request),
        request.store,
        origin,
        _of_study(request, workers),
        of_run,
        {"problem": request.problem, "instance": request.instance},
        request.out,
        False,
        request.quiet,
        request.as_json,
    )


def _remembered(run: dict[str, Any]) -> dict[str, Any]:
    """Options that hold when the study is resumed; what failed is retried once."""
    return {name: value for name, value in run.items() if name != "retry_failed"}


def _of_study(request: Request, workers: int) -> dict[str, Any]:
    """How to search; what is left out is as in the file."""
    from divlearn.methods.names import DEFAULT_METHOD, method_for

    method: Any = request.method
    if request.settings:
        method = method_for(method or DEFAULT_METHOD).replace(**request.settings)
    of_study = {"method": method, "seed": request.seed}
    assert request.store is not None
    if workers < 2 and not request.store.exists():
        of_study["lag"] = 1  # the same candidates as without a store
    return of_study


def _budget(request: Request) -> int | None:
    """The budget; a default where there is no limit at all."""
    if request.has_limit:
        return request.budget
    if not request.quiet:
        note = f"No limit given: stopping after {DEFAULT_BUDGET:,} evaluations."
        echo(f"{note} Change it with --budget or --seconds.", err=True)
    return DEFAULT_BUDGET


def shown(path: Path) -> Path:
    """A path as one would type it here."""
    here = Path.cwd()
    return path.relative_to(here) if path.is_relative_to(here) else path
