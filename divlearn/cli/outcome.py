"""How a search ended: done, stopped or failed; its files and its summary."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from divlearn.cli import report
from divlearn.cli.codes import DONE, FAILED, INTERRUPTED, error_as_json
from divlearn.cli.echo import echo
from divlearn.cli.files import STATE, free_folder, write_all
from divlearn.cli.request import Request
from divlearn.errors import EvaluationError, InputError, SearchError

if TYPE_CHECKING:
    from divlearn.optimizer.optimizer import Optimizer
    from divlearn.result import Result


def finish(request: Request, optimizer: Optimizer, result: Result) -> int:
    """Write the files that were asked for and tell what was found."""
    files: dict[str, Path] = {}
    remarks = ["Add --out DIR to keep the trade-offs and draw a picture of them."]
    if request.out is not None:
        files, remarks = write_all(request.out, result, optimizer)
    show(request, result, files, remarks)
    return DONE


def interrupt(request: Request, optimizer: Optimizer, result: Result) -> int:
    """Keep what was found until Ctrl-C and say how to go on."""
    files, remarks = keep(request, optimizer, result)
    again = None
    remarks.append("Stopped by Ctrl-C; nothing is lost.")
    if STATE in files:
        again = request.command_to_resume(files[STATE])
        remarks[-1] += f" To continue:\n  {again}"
    show(request, result, files, remarks, resume=again)
    return INTERRUPTED


def fail(
    request: Request, optimizer: Optimizer, error: EvaluationError | SearchError
) -> int:
    """Keep what was found until objective or method failed and say where they did."""
    x = getattr(error, "x", None)
    where = "" if x is None else f"\n  at x = {x}"
    result = error.result or optimizer.result()
    files, _ = keep(request, optimizer, result)
    folder = files["front.json"].parent
    echo(
        f"Error: {error}{where}\n"
        f"{result.evaluations:,} evaluations were made before; what was found is in "
        f"{folder}.",
        err=True,
    )
    if request.as_json:
        names = {name: str(path) for name, path in files.items()}
        facts = {"x": str(x), "evaluations": result.evaluations, "files": names}
        echo(error_as_json(str(error), FAILED, **facts))
    return FAILED


def keep(
    request: Request, optimizer: Optimizer, result: Result
) -> tuple[dict[str, Path], list[str]]:
    """Write everything to where the user wanted it, or to a place of its own."""
    name = f"{request.label}-{result.method}-s{result.seed}"
    folder = request.out or Path("runs", name)
    own = request.resume is not None and request.resume.parent == folder
    if request.out is None and not own:
        folder = free_folder(folder)
    try:
        return write_all(folder, result, optimizer)
    except (InputError, OSError):  # nothing can be written here
        elsewhere = Path(tempfile.mkdtemp(prefix=f"divlearn-{name}-"))
        return write_all(elsewhere, result, optimizer)


def show(
    request: Request,
    result: Result,
    files: dict[str, Path],
    remarks: list[str],
    resume: str | None = None,
) -> None:
    """Tell what was found, in words or as JSON."""
    if not request.as_json:
        echo("\n" + report.summary(result, files, remarks))
        return
    asked = {"problem": request.problem, "instance": request.instance}
    more = {} if resume is None else {"resume": resume}
    echo(report.as_json(asked, result, files, **more))
