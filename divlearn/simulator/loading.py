"""From a TOML file to a problem and how to run it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from divlearn.simulator.document import Table, read_document
from divlearn.simulator.known import read_known_files
from divlearn.simulator.metrics import Metrics, read_metrics
from divlearn.simulator.options import RunOptions, read_options
from divlearn.simulator.problem import SimulatorProblem
from divlearn.simulator.program import read_program
from divlearn.simulator.space import read_space

KEYS = (
    "name",
    "noise",
    "space",
    "objectives",
    "constraints",
    "extras",
    "units",
    "reference",
    "ideal",
    "evaluate",
    "run",
    "known",
)


def load_toml(
    path: str | Path, *, timeout: float | None = None
) -> tuple[SimulatorProblem, RunOptions]:
    """Read a study whose evaluations are done by another program.

    Parameters
    ----------
    path
        The TOML file. Relative paths in it start from its own directory.
    timeout
        Seconds that an evaluation may take, instead of what the file says.

    Returns
    -------
    The problem, which :func:`divlearn.solve` and every other part of the library
    takes, and what the file says about the run.

    Raises
    ------
    InputError
        If the file cannot be read, has a key or a value that means nothing, or names a
        program that is not there; says where and what is allowed.

    Examples
    --------
    >>> import tempfile
    >>> text = '''
    ... [space]
    ... width = {type = "integer", low = 1, high = 8}
    ... [objectives]
    ... area = "min"
    ... [evaluate]
    ... command = ["{python}", "-c", "print(open('design.json').read())"]
    ... [run]
    ... budget = 20
    ... '''
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "chip.toml")
    ...     _ = path.write_text(text)
    ...     problem, options = load_toml(path)
    >>> problem.space, problem.objectives, options.budget
    (Composite(width=Integer(1, 8)), {'area': 'min'}, 20)
    """
    path = Path(path)
    document = read_document(path)
    document.require_keys(KEYS)
    metrics = read_metrics(document)
    program = read_program(document.table("evaluate"), path, timeout)
    space = read_space(document.table("space"))
    with document.at():
        problem = SimulatorProblem(
            space,
            program,
            metrics,
            noise=document.flag("noise"),
            reference=_point(document, "reference", metrics),
            ideal=_point(document, "ideal", metrics),
            units=document.table("units", {}).content,
            name=document.text("name", path.stem),
        )
    options = read_options(document.table("run", {}), path, program.timeout)
    return problem, replace(options, known=read_known_files(document, path))


def _point(document: Table, name: str, metrics: Metrics) -> list[float] | None:
    """Read a point with a number for every objective, by name."""
    if name not in document:
        return None
    table = document.table(name)
    objectives = tuple(metrics.objectives)
    table.require_keys(objectives)
    numbers = [table.number(objective, -float("inf")) for objective in objectives]
    if None in numbers:
        raise table.fail("", f"[{name}] must have {', '.join(objectives)}.")
    return [number for number in numbers if number is not None]
