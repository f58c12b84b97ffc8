"""A command is a dataclass: its fields are its arguments and options.

Each option is written once: its name and type, what reads its text, and its help, as in
``budget: int | None = option(Whole(1, "100"), "N", "Stop after N evaluations.")``.
"""

from __future__ import annotations

from dataclasses import Field, dataclass, field, fields
from pathlib import Path
from typing import Any

import click

from divlearn.cli.values import Pair, Value

#: Options that the help lists at the end.
LAST = ("out", "quiet", "as_json")


def option(kind: Any, metavar: str, text: str, **more: Any) -> Any:
    """An option with a value: what reads it, and what the help says; None if left out.

    Its name is that of the field, unless ``names`` has others.
    """
    return field(default=None, metadata=_option(text, more, type=kind, metavar=metavar))


def flag(text: str, **more: Any) -> Any:
    """An option that is there or not."""
    return field(default=False, metadata=_option(text, more, is_flag=True))


def pairs(
    text: str, kind: Value | None = None, metavar: str = "KEY=VALUE", **more: Any
) -> Any:
    """Settings as key=value; may be repeated, and gives a dict."""
    reading = {"type": kind or Pair(), "metavar": metavar, "multiple": True}
    more |= {"callback": lambda context, option, given: dict(given)}
    return field(default_factory=dict, metadata=_option(text, more, **reading))


def argument(metavar: str, text: str, **more: Any) -> Any:
    """What stands after the command without a name."""
    facts = {"kind": click.Argument, "metavar": metavar, "help": text, **more}
    return field(metadata=facts)


def _option(text: str, more: dict[str, Any], **facts: Any) -> dict[str, Any]:
    """What makes an option."""
    return {"kind": click.Option, "help": text, **facts, **more}


@dataclass(frozen=True, kw_only=True)
class Command:
    """What every command has: ``--json``."""

    as_json: bool = flag("Write JSON to standard output.", names="--json")

    def execute(self) -> int:
        """Do what was asked for; returns the exit code."""
        raise NotImplementedError


@dataclass(frozen=True, kw_only=True)
class SearchCommand(Command):
    """What the commands that search share: where to write, and what to show."""

    out: Path | None = option(
        Path, "DIR", "Directory for front.json, front.csv, front.png and history.png."
    )
    quiet: bool = flag(
        "Show no progress, only the summary.", names="--quiet -q --no-progress"
    )


def command(kind: type[Command], **settings: Any) -> click.Command:
    """Make the command of a class, named like it and described by its docstring.

    ``settings`` are those of its context, see click.
    """
    text = (kind.__doc__ or "").replace("\\b", "\b")  # what click leaves as it is
    parameters = [_parameter(one) for one in fields(kind)]
    parameters.sort(key=lambda one: LAST.index(one.name) if one.name in LAST else -1)

    def execute(**values: Any) -> int:
        return kind(**values).execute()

    return click.Command(
        kind.__name__.lower(),
        params=parameters,
        callback=execute,
        help=text,
        context_settings=settings,
    )


def _parameter(one: Field[Any]) -> click.Parameter:
    """The parameter that a field is read from."""
    facts = dict(one.metadata)
    kind = facts.pop("kind")
    usual = f"--{one.name.replace('_', '-')}" if kind is click.Option else ""
    names = facts.pop("names", usual).split()
    return kind([*names, one.name], **facts)  # type: ignore[no-any-return]


def typed() -> list[str]:
    """What was typed after ``divlearn``."""
    return list(click.get_current_context().obj)
