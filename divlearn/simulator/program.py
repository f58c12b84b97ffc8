"""``[evaluate]``: which program evaluates a design, and how it is run."""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from divlearn.basics.errors import InputError
from divlearn.simulator.directory import KEEP, Directory
from divlearn.simulator.document import Table
from divlearn.workers.base import current_attempt

KEYS = (
    "command",
    "protocol",
    "metrics",
    "timeout",
    "environment",
    "inherit",
    "directory",
    "keep",
    "max_output",
)
PROTOCOLS = ("command", "lines")
#: What stands in braces in a command, for both protocols and for a command only.
ANYWHERE = ("here", "python", "directory")
EACH_TIME = ("design", "metrics", "seed", "number")
#: A word in braces, or, in two pairs of them, one that stands for itself.
_BRACES = re.compile(r"\{(\{[A-Za-z_]+\})\}|\{([A-Za-z_]+)\}")

DESIGN_FILE, METRICS_FILE = "design.json", "metrics.json"


@dataclass(frozen=True)
class Program:
    """A program and the conditions under which it is run.

    Attributes
    ----------
    command
        Program and arguments, with words in braces.
    here
        Directory of the TOML file.
    scratch
        Where the directories of evaluations are made.
    protocol
        ``"command"``: one process per evaluation; ``"lines"``: a lasting one.
    metrics_in_file
        Whether metrics are read from a file, not from standard output.
    timeout
        Seconds that an evaluation may take.
    environment
        Variables beside those of this process.
    inherit
        Names of the variables of this process that it gets; None for all of them.
    keep
        Which directories stay: of ``"failures"``, ``"always"`` or ``"never"``.
    max_output
        Bytes of metrics that are read.
    """

    command: tuple[str, ...]
    here: Path
    scratch: Path
    protocol: str = "command"
    metrics_in_file: bool = False
    timeout: float | None = None
    environment: Mapping[str, str] = field(default_factory=dict)
    inherit: tuple[str, ...] | None = None
    keep: str = "failures"
    max_output: int = 1_000_000

    def arguments(self, directory: Directory) -> list[str]:
        """The command for an evaluation: paths that we made and numbers, no more."""
        name, *rest = self.command
        if not os.path.dirname(name):  # found here: it may not get our PATH
            name = shutil.which(name) or name
        return [_fill(part, self._words(directory)) for part in (name, *rest)]

    def variables(self) -> dict[str, str]:
        """The environment for an evaluation."""
        names = os.environ if self.inherit is None else self.inherit
        own = {name: os.environ[name] for name in names if name in os.environ}
        variables = {**own, **self.environment}
        task = current_attempt()
        if task is not None and task.seed is not None:
            variables["DIVLEARN_SEED"] = str(task.seed)
        return variables

    def describe(self) -> dict[str, Any]:
        """Say what is run, as plain data that is the same when all files move."""
        name, *rest = self.command
        if name == sys.executable:
            name = "{python}"
        elif Path(name).is_relative_to(self.here):
            name = f"{{here}}/{Path(name).relative_to(self.here).as_posix()}"
        return {
            "command": [name, *rest],
            "protocol": self.protocol,
            "metrics": "file" if self.metrics_in_file else "stdout",
        }

    def _words(self, directory: Directory) -> dict[str, str]:
        task = current_attempt()
        return {
            "here": str(self.here),
            "python": sys.executable,
            "directory": str(directory.path),
            "design": str(directory.path / DESIGN_FILE),
            "metrics": str(directory.path / METRICS_FILE),
            "seed": str(0 if task is None or task.seed is None else task.seed),
            "number": str(0 if task is None else task.number),
        }

    def require_runnable(self) -> None:
        """Raise unless the program is there and may be run."""
        name = self.command[0]
        if os.path.dirname(name):
            problem = "is not there" if not Path(name).is_file() else "is not a program"
            if not os.access(name, os.X_OK) or not Path(name).is_file():
                raise InputError(
                    f"the command {name!r} {problem}; compile it, mark it as "
                    "executable (chmod +x), or correct the path."
                )
        elif shutil.which(name) is None:
            raise InputError(
                f"the command {name!r} was not found on the PATH; write "
                f"'./{name}' if it lies beside the TOML file."
            )


def _fill(part: str, words: Mapping[str, str]) -> str:
    """Put words in the place of their names in braces.

    Examples
    --------
    >>> _fill("{here}/sim '{{print}}' {1}", {"here": "/home"})
    "/home/sim '{print}' {1}"
    """
    return _BRACES.sub(lambda m: m[1] or words.get(m[2], m[0]), part)


def read_program(table: Table, path: Path, timeout: float | None = None) -> Program:
    """Read ``[evaluate]`` of the file at ``path``; ``timeout`` replaces its own."""
    table.require_keys(KEYS)
    here = path.resolve().parent
    protocol = table.choice("protocol", PROTOCOLS, "command")
    command = _command(table, here, protocol)
    in_file = table.choice("metrics", ("stdout", "file"), "stdout") == "file"
    if any("{metrics}" in part for part in command):
        in_file = True
    if in_file and protocol == "lines":
        raise table.fail("metrics", 'metrics must be "stdout" where lines are spoken.')
    program = Program(
        command,
        here,
        here / table.text("directory", f"{path.stem}-evaluations"),
        protocol,
        in_file,
        table.number("timeout", 0.001) if timeout is None else timeout,
        _environment(table.table("environment", {})),
        _inherit(table),
        table.choice("keep", KEEP, "failures"),
        table.whole("max_output", 1) or Program.max_output,
    )
    with table.at("command"):
        program.require_runnable()
    return program


def _command(table: Table, here: Path, protocol: str) -> tuple[str, ...]:
    """Check the command, and find its program beside the file."""
    command = table.content.get("command")
    good = isinstance(command, list) and all(
        isinstance(part, str) and part and "\0" not in part for part in command
    )
    if not good or not command:
        raise table.fail(
            "command",
            'command in [evaluate] must be a list of texts, such as ["./sim", '
            f'"{{design}}"], which no shell will read; got {command!r}.',
        )
    allowed = ANYWHERE if protocol == "lines" else (*ANYWHERE, *EACH_TIME)
    for _, word in _BRACES.findall(" ".join(command)):
        if word and word not in allowed:
            names = ", ".join(f"{{{name}}}" for name in allowed)
            raise table.fail(
                "command",
                f"command has the unknown {{{word}}}; allowed are {names}, and "
                f"{{{{{word}}}}} for {{{word}}} itself.",
            )
    program = command[0].replace("{here}", str(here))
    program = program.replace("{python}", sys.executable)
    if os.path.dirname(program):
        program = os.path.normpath(here / program)
    return (program, *command[1:])


def _inherit(table: Table) -> tuple[str, ...] | None:
    """Check a list of names of variables."""
    names = table.content.get("inherit")
    if names is None:
        return None
    if not isinstance(names, list) or not all(isinstance(n, str) and n for n in names):
        raise table.fail(
            "inherit",
            "inherit in [evaluate] must be a list of names of variables, such as "
            f'["PATH", "HOME"], or [] for none; got {names!r}.',
        )
    return tuple(names)


def _environment(table: Table) -> dict[str, str]:
    """Check names and values of variables."""
    table.require_names()
    for name, value in table.content.items():
        if not isinstance(value, str) or "\0" in value:
            raise table.fail(name, f"{name} in {table} must be a text, got {value!r}.")
    return dict(table.content)
