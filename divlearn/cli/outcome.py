"""How a search ended: done, stopped or failed; its files and its summary."""

from __future__ import annotations

import shlex
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from divlearn.basics.errors import EvaluationError, InputError, SearchError
from divlearn.cli import report
from divlearn.cli.command import typed
from divlearn.cli.files import STATE, free_folder, write_all
from divlearn.cli.output import DONE, FAILED, INTERRUPTED, echo, error_as_json

if TYPE_CHECKING:
    from divlearn.cli.solve import Solve
    from divlearn.optimizer.optimizer import Optimizer
    from divlearn.result import Result


def finish(asked: Solve, optimizer: Optimizer, result: Result) -> int:
    """Write the files that were asked for and tell what was found."""
    files: dict[str, Path] = {}
    remarks = ["Add --out DIR to keep the trade-offs and draw a picture of them."]
    if asked.out is not None:
        files, remarks = write_all(asked.out, result, optimizer)
    show(asked, result, files, remarks)
    return DONE


def interrupt(asked: Solve, optimizer: Optimizer, result: Result) -> int:
    """Keep what was found until Ctrl-C and say how to go on."""
    files, remarks = keep(asked, optimizer, result)
    again = None
    remarks.append("Stopped by Ctrl-C; nothing is lost.")
    if STATE in files:
        again = command_to_resume(files[STATE])
        remarks[-1] += f" To continue:\n  {again}"
    show(asked, result, files, remarks, resume=again)
    return INTERRUPTED


def fail(
    asked: Solve, optimizer: Optimizer, error: EvaluationError | SearchError
) -> int:
    """Keep what was found until objective or method failed and say where they did."""
    x = getattr(error, "x", None)
    where = "" if x is None else f"\n  at x = {x}"
    result = error.result or optimizer.result()
    files, _ = keep(asked, optimizer, result)
    folder = files["front.json"].parent
    echo(
        f"Error: {error}{where}\n"
        f"{result.evaluations:,} evaluations were made before; what was found is in "
        f"{folder}.",
        err=True,
    )
    if asked.as_json:
        names = {name: str(path) for name, path in files.items()}
        facts = {"x": str(x), "evaluations": result.evaluations, "files": names}
        echo(error_as_json(str(error), FAILED, **facts))
    return FAILED


def keep(
    asked: Solve, optimizer: Optimizer, result: Result
) -> tuple[dict[str, Path], list[str]]:
    """Write everything to where the user wanted it, or to a place of its own."""
    name = f"{asked.source.label()}-{result.method}-s{result.seed}"
    folder = asked.out or Path("runs", name)
    own = asked.resume is not None and asked.resume.parent == folder
    if asked.out is None and not own:
        folder = free_folder(folder)
    try:
        return write_all(folder, result, optimizer)
    except (InputError, OSError):  # nothing can be written here
        elsewhere = Path(tempfile.mkdtemp(prefix=f"divlearn-{name}-"))
        return write_all(elsewhere, result, optimizer)


def show(
    asked: Solve,
    result: Result,
    files: dict[str, Path],
    remarks: list[str],
    resume: str | None = None,
) -> None:
    """Tell what was found, in words or as JSON."""
    if not asked.as_json:
        echo("\n" + report.summary(result, files, remarks))
        return
    more = {} if resume is None else {"resume": resume}
    echo(report.as_json(asked.source.about(), result, files, **more))


def command_to_resume(state: Path) -> str:
    """Return the same command, continuing from a saved state."""
    kept: list[str] = []
    skip = False
    for argument in typed():
        if skip:
            skip = False
        elif argument == "--resume":
            skip = True
        elif not argument.startswith("--resume="):
            kept.append(argument)
    return shlex.join(["divlearn", *kept, "--resume", str(state)])
