"""``divlearn fork``: a new study that knows what an old one has evaluated."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from divlearn.basics.errors import InputError
from divlearn.basics.text import as_json as write_json
from divlearn.basics.wrapping import columns, wrapped
from divlearn.cli.command import Command, argument, command, flag, option, pairs
from divlearn.cli.output import DONE, echo
from divlearn.cli.run import find_toml, origin_of, shown, toml_origin
from divlearn.cli.values import OneOf, Text, Whole, read_value

if TYPE_CHECKING:
    from divlearn.problems import Problem
    from divlearn.spaces import Space
    from divlearn.study.forking.changes import Changes


@dataclass(frozen=True, kw_only=True)
class Fork(Command):
    """Begin a new study that knows what an old one has evaluated.

    Ranges, knobs, objectives, constraints, method and seed may change. All evaluations
    that are still valid are known in the new study, at no cost; the others are listed.
    The old study is only read.
    """

    study: Path = argument(
        "STUDY", "File of the old study, such as chip.db.", type=Path
    )
    toml: str | None = argument(
        "[TOML]",
        "File that describes the new study; by default the one of the old study.",
        required=False,
    )
    store: Path | None = option(
        Path,
        "FILE",
        "File of the new study.  [default: as TOML says, or else a name that is free]",
    )
    fill: dict[str, str] = pairs(
        "Value that a new knob had before, such as angle=30. May be repeated.",
        type=Text(),
        metavar="KNOB=VALUE",
    )
    rename: dict[str, str] = pairs(
        "New name of a knob or a metric. May be repeated.",
        type=Text(),
        metavar="OLD=NEW",
    )
    only: dict[str, str] = pairs(
        "Take over only designs in which an old knob has this value. May be repeated.",
        type=Text(),
        metavar="KNOB=VALUE",
    )
    repeats: str | None = option(
        OneOf("newest", "mean"),
        "newest|mean",
        "Which value counts where several old designs have become one.  [default: "
        "newest]",
    )
    seed: int | None = option(Whole(0, "1"), "K", "Another seed.  [default: as before]")
    method: str | None = option(str, "M", "Another method; see 'divlearn methods'.")

    accept_changes: bool = flag(
        "Take the evaluations over although the command that evaluates has changed."
    )

    def execute(self) -> int:
        """Make the study and say what it knows."""
        from divlearn.study.forking.fork import make_fork, read_old

        old = read_old(self.study)
        plan = plan_fork(self, old.notes)
        changes = changes_of(self, old.notes["problem"]["space"], plan.problem.space)
        report = make_fork(
            *(old, plan.store, plan.problem, changes),
            **plan.of_study,
            origin=plan.origin,
        )
        again = shlex.join(["divlearn", "resume", str(plan.store)])
        if self.as_json:
            told = {"study": str(plan.store), "fork": report.to_dict(), "resume": again}
            echo(write_json(told, indent=2))
        else:
            echo(wrapped(f"{plan.store}: {report}\nTo continue: {again}", columns()))
        return DONE


fork = command(Fork)


class ForkPlan(NamedTuple):
    """The new study: problem, file, where the problem comes from, and how to search."""

    problem: Problem
    store: Path
    origin: dict[str, Any]
    of_study: dict[str, Any]


def plan_fork(asked: Fork, notes: dict[str, Any]) -> ForkPlan:
    """Plan the new study, of a TOML file or of the problem of the old one."""
    from divlearn.cli.study import TOML

    origin: dict[str, Any] = {"kind": "", "run": {}}
    if asked.toml is None or notes.get("origin") is not None:
        origin = origin_of(asked.study)
    if asked.toml is not None or origin["kind"] == TOML:
        return _plan_toml(asked, origin)
    return _plan_named(asked, origin)


def _plan_toml(asked: Fork, before: dict[str, Any]) -> ForkPlan:
    """Plan a study that another program evaluates."""
    from divlearn.cli.study import TOML, changed_evaluation
    from divlearn.simulator import load_toml

    toml = find_toml(asked.study, before) if asked.toml is None else asked.toml
    problem, options = load_toml(toml)
    store = asked.store or free_name(shown(options.store))
    given = {"seed": asked.seed, "method": asked.method}
    chosen = {name: value for name, value in given.items() if value is not None}
    # As 'divlearn resume' does: what was asked for last time goes before the file.
    run = {**(before["run"] if before["kind"] == TOML else {}), **chosen}
    origin = toml_origin(problem, toml, store, run)
    changed = changed_evaluation(origin, before)
    if changed and not asked.accept_changes:
        raise InputError(
            f"{changed} since the study {str(asked.study)!r} was last run. If both "
            "evaluate alike, take its evaluations over with --accept-changes; "
            "otherwise begin anew: divlearn run " + str(toml)
        )
    of_study = options.of_study() | {k: run[k] for k in given if k in run}
    return ForkPlan(problem, store, origin, of_study)


def _plan_named(asked: Fork, origin: dict[str, Any]) -> ForkPlan:
    """Plan a study of a built-in problem or of instance files."""
    from divlearn.cli.origin import Named

    problem = Named.from_dict(origin).open()
    store = asked.store or free_name(asked.study)
    chosen = {"seed": asked.seed, "method": asked.method}
    return ForkPlan(problem, store, origin, chosen)


def free_name(path: Path) -> Path:
    """A path, with a number if it is taken: ``chip-2.db``."""
    free, number = path, 1
    while free.exists():
        number += 1
        free = path.with_name(f"{path.stem}-{number}{path.suffix}")
    return free


def changes_of(asked: Fork, old: Any, new: Space) -> Changes:
    """Read values of knobs as their spaces have them."""
    from divlearn.spaces.described import space_from
    from divlearn.study.forking.changes import NEWEST, Changes
    from divlearn.study.forking.designs import parts_of

    return Changes(
        rename=asked.rename,
        fill=_values(asked.fill, parts_of(new)),
        only=_values(asked.only, parts_of(space_from(old)) if asked.only else {}),
        repeats=asked.repeats or NEWEST,
    )


def _values(texts: dict[str, str], parts: Mapping[str, Space]) -> dict[str, Any]:
    """Read texts as values that knobs can have; a text stays one where it is one."""
    found: dict[str, Any] = {}
    for name, text in texts.items():
        readings = [read_value(text), text]
        fitting = [v for v in readings if name in parts and parts[name].contains(v)]
        found[name] = [*fitting, *readings][0]
    return found
