"""From the file of a study back to the command that began it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from divlearn.cli.request import Request
from divlearn.cli.run_request import RunRequest
from divlearn.cli.study_plan import (
    NAMED,
    TOML,
    Plan,
    plan_of_problem,
    plan_of_toml,
    shown,
)
from divlearn.errors import InputError

#: What the file of a study says of where its problem comes from.
_SHAPES: dict[str, dict[str, type]] = {
    TOML: {"file": str, "beside": str, "evaluate": dict, "run": dict},
    NAMED: {"problem": str, "paths": list, "options": dict, "run": dict},
}
_OF_RUN = {
    *("budget", "seconds", "stagnation", "workers", "timeout", "retries"),
    *("replicates", "running", "seed", "method", "max_failures"),
}


def plan_of_study(path: str, request: RunRequest) -> Plan:
    """Plan to go on with a study, as its file says that it was begun."""
    from divlearn.study import StudyReader

    store = Path(path)
    with StudyReader(store) as reader:
        origin = reader.notes.get("origin")
    if origin is None:
        raise InputError(
            f"the study {path!r} was begun in Python, and only Python has its "
            f"objective: run the lines that began it again, Study(problem, {path!r}) "
            f"and its run(...). 'divlearn show {path}' and 'divlearn export {path} "
            "FILE' need neither."
        )
    _require_whole(store, origin)
    run = {**origin["run"], **request.given}
    request = replace(request, given=run, store=store)
    if origin["kind"] == TOML:
        return plan_of_toml(_find_toml(store, origin), request)
    return _plan_again(origin, request)


def _require_whole(store: Path, origin: Any) -> None:
    """Refuse what no command has written."""
    from divlearn.study.store.schema import damaged

    kind = origin.get("kind") if isinstance(origin, dict) else None
    shape = _SHAPES.get(kind, {}) if isinstance(kind, str) else {}
    good = bool(shape) and all(
        isinstance(origin.get(name), type_) for name, type_ in shape.items()
    )
    if not good or not set(origin["run"]) <= _OF_RUN:
        raise damaged(store, "it does not say where its problem comes from")


def _find_toml(store: Path, origin: dict[str, Any]) -> Path:
    """The TOML file of a study: where it was, seen from the study, or from the root."""
    places = [store.resolve().parent / origin["beside"], Path(origin["file"])]
    for place in places:
        if place.is_file():
            return shown(place.resolve())
    raise InputError(
        f"the TOML file {origin['file']!r}, which describes the study {str(store)!r}, "
        "is not there any more. If it was moved, go on with: divlearn run "
        f"NEW/PLACE/{places[1].name} --store {store}"
    )


def _plan_again(origin: dict[str, Any], request: RunRequest) -> Plan:
    """Plan a study of a built-in problem as it was begun."""
    run = dict(request.given)
    options = origin["options"].items()
    again = Request(
        problem=origin["problem"],
        paths=tuple(origin["paths"]),
        instance=origin.get("instance"),
        options={k: tuple(v) if isinstance(v, list) else v for k, v in options},
        budget=run.pop("budget", None),
        seconds=run.pop("seconds", None),
        stagnation=run.pop("stagnation", None),
        seed=None,
        method=None,
        settings={},
        reference=origin.get("reference"),
        out=request.out,
        resume=None,
        store=request.store,
        workers=run.pop("workers", None),
        quiet=request.quiet,
        as_json=request.as_json,
        arguments=(),
    )
    plan = plan_of_problem(again, run)
    of_study = {**plan.of_study, "checkpoint": request.checkpoint}
    return replace(plan, of_study=of_study)
