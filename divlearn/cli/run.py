"""``divlearn run`` and ``divlearn resume``: studies that go on where they stopped."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from divlearn.basics.errors import InputError
from divlearn.basics.plugins import is_reference
from divlearn.cli.command import SearchCommand, argument, command, flag, option
from divlearn.cli.values import OneOf, Positive, Whole
from divlearn.methods.budget import SCHEDULE, Budget

if TYPE_CHECKING:
    from divlearn.cli.study import Plan
    from divlearn.simulator import SimulatorProblem

#: Options that the file of a study remembers.
OF_RUN = (
    *("budget", "seconds", "stagnation", "workers", "timeout", "retries"),
    *("replicates", "max_failures", "running", "seed", "method", "executor"),
    "archive_size",
)


@dataclass(frozen=True, kw_only=True)
class StudyCommand(SearchCommand):
    """What ``run`` and ``resume`` share."""

    budget: Budget = option(
        Whole(1, "150", words=(SCHEDULE,)),
        "N|schedule",
        "Stop after N evaluations, counting all runs; 'schedule' stops one of the "
        "paper's methods after its T iterations per weight.",
    )
    seconds: float | None = option(
        Positive("3600"), "S", "Stop this run after S seconds."
    )
    workers: int | None = option(
        Whole(0, "4"),
        "N",
        "Number of evaluations at a time; 0 means no worker processes.",
    )
    executor: str | None = option(
        str,
        "ENGINE",
        "Where to evaluate: dask://HOST:PORT, ray, slurm, spool:DIR and others, see "
        "docs/clusters.md.  [default: here]",
    )
    timeout: float | None = option(
        Positive("600"), "S", "End an evaluation after S seconds."
    )
    retries: int | None = option(
        Whole(0, "1"), "N", "Repeat a failed evaluation up to N times."
    )
    replicates: int | None = option(
        Whole(1, "5"), "N", "Evaluate each design N times and use the mean."
    )
    max_failures: int | str | None = option(
        Whole(1, "20 or never", words=("auto", "never")),
        "N|auto|never",
        "Stop when N evaluations in a row have failed.  [default: auto, 5 at the "
        "beginning, 20 later]",
    )
    retry_failed: bool = flag("First repeat the evaluations that failed or timed out.")
    matching: str | None = option(
        str,
        "TEXT",
        "With --retry-failed: only those whose message contains or matches TEXT.",
    )
    running: str | None = option(
        OneOf("rerun", "abandon"),
        "rerun|abandon",
        "What to do with evaluations that were cut off.  [default: rerun]",
    )
    accept_changes: bool = flag(
        "Continue although the command that evaluates has changed."
    )
    no_checkpoint: bool = flag(
        "Learn from all outcomes again instead of loading the saved search."
    )

    def given(self) -> dict[str, Any]:
        """Options of the run that were typed, by the names that a study knows."""
        if self.matching is not None and not self.retry_failed:
            raise InputError(
                "--matching needs --retry-failed: it says which designs are tried "
                "again."
            )
        values = {name: getattr(self, name, None) for name in OF_RUN}
        if self.retry_failed:
            values["retry_failed"] = self.matching or True
        return {name: value for name, value in values.items() if value is not None}

    def execute(self) -> int:
        """Run the study."""
        from divlearn.cli.study import run_plan

        given = self.given()
        return run_plan(lambda: self.plan(given), self.as_json)

    def plan(self, given: dict[str, Any]) -> Plan:
        """Plan the study."""
        raise NotImplementedError


@dataclass(frozen=True, kw_only=True)
class Run(StudyCommand):
    """Run a study that another program evaluates.

    The same command continues where it stopped. Options replace what the file says
    under [run].
    """

    toml: str = argument(
        "TOML", "File with the space, the objectives and the command that evaluates."
    )
    seed: int | None = option(
        Whole(0, "1"), "K", "The same seed gives the same designs."
    )
    method: str | None = option(str, "M", "How to search; see 'divlearn methods'.")
    archive_size: int | None = option(
        Whole(1, "200"), "N", "Keep at most N members of the front, the best spread."
    )
    store: Path | None = option(
        Path, "FILE", "File of the study.  [default: NAME.db next to TOML]"
    )

    def plan(self, given: dict[str, Any]) -> Plan:
        """Plan what the file describes."""
        return plan_toml(self.toml, self.store, given, self)


@dataclass(frozen=True, kw_only=True)
class Resume(StudyCommand):
    """Continue a study that 'run' or 'solve --store' began.

    Options that you leave out are as in its last run.
    """

    study: Path = argument("STUDY", "File of a study, such as chip.db.", type=Path)

    def plan(self, given: dict[str, Any]) -> Plan:
        """Plan what the file of the study says of how it was begun."""
        from divlearn.cli.origin import Named
        from divlearn.cli.study import TOML, plan_named

        origin = origin_of(self.study)
        run = {**origin["run"], **given}
        if origin["kind"] == TOML:
            return plan_toml(find_toml(self.study, origin), self.study, run, self)
        of_study = {"checkpoint": not self.no_checkpoint}
        return plan_named(Named.from_dict(origin), self.study, of_study, run, self)


run, resume = command(Run), command(Resume)


def plan_toml(
    path: str | Path, store: Path | None, given: dict[str, Any], asked: StudyCommand
) -> Plan:
    """Plan what a TOML file describes, as far as no option says otherwise."""
    from divlearn.basics.checks import require_number
    from divlearn.cli.study import Plan, remembered
    from divlearn.simulator import load_toml

    changes = dict(given)
    timeout = changes.pop("timeout", None)
    if timeout is not None:
        timeout = require_number("--timeout", timeout, 0.001)
    problem, options = load_toml(path, timeout=timeout)
    require_method(path, {**options.of_study(), **changes})
    options = replace(options, **changes)
    if options.budget is None and options.seconds is None:
        raise InputError(
            f"--budget or --seconds must be given, or one of them under [run] of "
            f"{str(path)!r}, so that the run can end; got neither. Try --budget 150."
        )
    store = shown(options.store) if store is None else store
    origin = toml_origin(problem, path, store, remembered(given))
    of_study = {**options.of_study(), "checkpoint": not asked.no_checkpoint}
    about = {"problem": problem.name, "instance": None, "toml": origin["file"]}
    return Plan(
        problem,
        store,
        origin,
        of_study,
        options.of_run(),
        about,
        asked,
        asked.accept_changes,
        options.known,
    )


def require_method(path: str | Path, wanted: Mapping[str, Any]) -> None:
    """Refuse a method that nobody knows, with the line of the file that names it."""
    from divlearn.methods.names import method_for
    from divlearn.simulator.document import read_document

    name, table = wanted.get("method"), read_document(Path(path)).table("run", {})
    if name is None or table.content.get("method") != name:
        return
    with table.at("method"):
        method_for(name)


def toml_origin(
    problem: SimulatorProblem, path: str | Path, store: Path, run: dict[str, Any]
) -> dict[str, Any]:
    """What the file of a study is to remember of its TOML file and its options."""
    from divlearn.cli.study import TOML

    file = Path(path).resolve()
    return {
        "kind": TOML,
        "file": str(file),
        "beside": os.path.relpath(file, store.resolve().parent),
        "evaluate": problem.program.describe(),
        "run": run,
    }


# --- from the file of a study back to the command that began it


def origin_of(study: Path) -> dict[str, Any]:
    """How a study was begun, as its file remembers it."""
    from divlearn.study import StudyReader

    with StudyReader(study) as reader:
        origin = reader.notes.get("origin")
    if origin is None:
        raise InputError(
            f"the study {str(study)!r} was begun in Python or by 'divlearn init', and "
            "does not say who evaluates: run the lines that began it again, "
            f"Study(problem, {str(study)!r}) and its run(...); or name a TOML file "
            f"with [evaluate], 'divlearn run FILE --store {study}'; or evaluate by "
            f"yourself, by 'divlearn ask {study}' and 'divlearn tell'. 'divlearn show "
            f"{study}' and 'divlearn export {study} FILE' need none of these."
        )
    _require_whole(study, origin)
    for name in (origin.get("problem"), origin["run"].get("method")):
        if is_reference(name):
            raise InputError(
                f"{name!r} stands in the file {str(study)!r}, and nothing is imported "
                "because a file says so. Go on with the command that began the study."
            )
    return dict(origin)


def _require_whole(study: Path, origin: Any) -> None:
    """Refuse what no command has written."""
    from divlearn.cli.study import NAMED, TOML
    from divlearn.study.store.schema import damaged

    shapes: dict[Any, dict[str, type]] = {
        TOML: {"file": str, "beside": str, "evaluate": dict, "run": dict},
        NAMED: {"problem": str, "paths": list, "options": dict, "run": dict},
    }
    kind = origin.get("kind") if isinstance(origin, dict) else None
    shape = shapes.get(kind, {}) if isinstance(kind, str) else {}
    good = bool(shape) and all(
        isinstance(origin.get(name), type_) for name, type_ in shape.items()
    )
    if not good or not set(origin["run"]) <= set(OF_RUN):
        raise damaged(study, "it does not say where its problem comes from")


def find_toml(study: Path, origin: dict[str, Any]) -> Path:
    """The TOML file of a study: where it was, seen from the study, or from the root."""
    places = [study.resolve().parent / origin["beside"], Path(origin["file"])]
    for place in places:
        if place.is_file():
            return shown(place.resolve())
    raise InputError(
        f"the TOML file {origin['file']!r}, which describes the study {str(study)!r}, "
        "is not there any more. If it was moved, go on with: divlearn run "
        f"NEW/PLACE/{places[1].name} --store {study}"
    )


def shown(path: Path) -> Path:
    """A path as one would type it here."""
    here = Path.cwd()
    return path.relative_to(here) if path.is_relative_to(here) else path
