"""``divlearn worker``: evaluate what a study puts into a spool."""

from __future__ import annotations

import importlib
import importlib.util
import json
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from divlearn.basics.errors import InputError
from divlearn.cli.command import Command, argument, command, flag, option
from divlearn.cli.output import DONE, INTERRUPTED, echo
from divlearn.cli.values import Positive, Whole

if TYPE_CHECKING:
    from divlearn.problems import Problem
    from divlearn.workers import Attempt


@dataclass(frozen=True, kw_only=True)
class Worker(Command):
    """Evaluate what a study puts into a directory.

    The study is run with --executor spool:SPOOL, on this machine or another one that
    sees the directory. Start as many workers as you like, whenever you like.
    """

    spool: Path = argument("SPOOL", "Directory of the jobs.", type=Path)
    problem: str | None = argument(
        "[PROBLEM]",
        "TOML file, or FILE.py:NAME or MODULE:NAME of a problem; by default what the "
        "study has written into SPOOL.",
        required=False,
    )
    workers: int | None = option(Whole(1, "4"), "N", "Evaluations at once.")
    idle: float | None = option(
        Positive("600"),
        "S",
        "Leave after S seconds without a job.  [default: when the study is over]",
    )
    wait: int | None = option(
        Whole(0, "600"),
        "S",
        "Fail if no study has opened SPOOL after S seconds.  [default: wait for one]",
    )
    quiet: bool = flag("Say only how it ended.", names="--quiet -q")

    def execute(self) -> int:
        """Work until there is a reason to leave."""
        from divlearn.workers.spool.worker import work

        problem = None if self.problem is None else load_problem(self.problem)
        with _ends() as ended:
            done = work(
                self.spool,
                problem,
                workers=self.workers or 1,
                idle=self.idle,
                wait=self.wait,
                stopped=lambda: bool(ended),
                told=self._tell,
                waits=lambda words: echo(words, err=True),
            )
        if self.as_json:
            echo(json.dumps({"evaluations": done, "stopped": bool(ended)}))
        else:
            why = "stopped, and gave back what it had" if ended else "no more jobs"
            echo(f"{done:,} evaluations done; {why}")
        return INTERRUPTED if ended else DONE

    def _tell(self, attempt: Attempt) -> None:
        """Say what was done."""
        if not self.quiet:
            words = f"{attempt.number} {attempt.state} in {attempt.seconds:.3g} s"
            echo(words, err=True)


worker = command(Worker)


@contextmanager
def _ends() -> Iterator[list[int]]:
    """Note what asks us to leave: Ctrl-C, or a queue whose time is over."""
    came: list[int] = []
    kinds = (signal.SIGINT, signal.SIGTERM)
    before = {kind: signal.getsignal(kind) for kind in kinds}
    for kind in kinds:
        signal.signal(kind, lambda number, frame: came.append(number))
    try:
        yield came
    finally:
        for kind, handler in before.items():
            signal.signal(kind, handler)


def load_problem(text: str) -> Problem:
    """The problem that a text names.

    Parameters
    ----------
    text
        A TOML file; or ``FILE.py:NAME`` or ``MODULE:NAME``, where NAME is a problem or
        a function without arguments that makes one.
    """
    from divlearn.problems.base import require_problem

    if text.endswith(".toml"):
        from divlearn.simulator import load_toml

        return load_toml(text)[0]
    source, _, name = text.rpartition(":")
    if not source or not name.isidentifier():
        raise InputError(
            "PROBLEM must be a TOML file, FILE.py:NAME or MODULE:NAME, got "
            f"{text!r}; write for example chip.py:problem."
        )
    module = _load_file(source) if source.endswith(".py") else _load_module(source)
    try:
        found: Any = getattr(module, name)
    except AttributeError:
        raise InputError(f"PROBLEM: {source!r} has no {name!r}.") from None
    if callable(found):
        found = found()
    require_problem(found)
    problem: Problem = found
    return problem


def _load_file(source: str) -> Any:
    """Run a file of Python as a module of its own, not as the script."""
    path = Path(source)
    if not path.is_file():
        raise InputError(f"PROBLEM: there is no file {source!r}.")
    sys.path.insert(0, str(path.resolve().parent))
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return module


def _load_module(name: str) -> Any:
    """Import a module that is installed, or lies here."""
    sys.path.insert(0, "")
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise InputError(f"PROBLEM: {name!r} cannot be imported ({error}).") from None
