"""From a TOML file to a problem and how to run it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from divlearn.problems.arguments import read_units
from divlearn.simulator.document import HELP, Table, read_document
from divlearn.simulator.known import read_known_files
from divlearn.simulator.metrics import Metrics, read_metrics
from divlearn.simulator.options import RunOptions, read_options
from divlearn.simulator.problem import ReportedProblem, SimulatorProblem
from divlearn.simulator.program import read_program
from divlearn.simulator.space import read_space
from divlearn.spaces import Space

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
    document = _document(path)
    metrics = read_metrics(document)
    if "evaluate" not in document:
        raise document.fail(
            "",
            "[evaluate] must be given, to say which program evaluates; "
            f"{HELP}. To evaluate by yourself: 'divlearn init {path} {path.stem}.db', "
            "then 'divlearn ask' and 'divlearn tell'.",
        )
    program = read_program(document.table("evaluate"), path, timeout)
    space = read_space(document.table("space"))
    described = _described(document, path, metrics, space)
    with document.at():
        problem = SimulatorProblem(space, program, metrics, **described)
    return problem, _options(document, path, program.timeout)


def load_space(path: str | Path) -> tuple[ReportedProblem, RunOptions]:
    """Read a study whose designs are evaluated elsewhere, and told.

    Parameters
    ----------
    path
        A TOML file as for :func:`load_toml`; ``[evaluate]`` may lack, and is not used.

    Returns
    -------
    The problem, which nobody here can evaluate, and what the file says about the run.
    """
    path = Path(path)
    document = _document(path)
    metrics = read_metrics(document)
    space = read_space(document.table("space"))
    described = _described(document, path, metrics, space)
    with document.at():
        problem = ReportedProblem(space, metrics, **described)
    return problem, _options(document, path, None)


def _document(path: Path) -> Table:
    """The file, whose tables are known."""
    document = read_document(path)
    document.require_keys(KEYS)
    return document


def _described(
    document: Table, path: Path, metrics: Metrics, space: Space
) -> dict[str, Any]:
    """What the file says of a problem beside its space and metrics."""
    return {
        "noise": document.flag("noise"),
        "reference": _point(document, "reference", metrics),
        "ideal": _point(document, "ideal", metrics),
        "units": _units(document, metrics, space),
        "name": document.text("name", path.stem),
    }


def _units(document: Table, metrics: Metrics, space: Space) -> dict[str, Any]:
    """Units by name, each checked where it stands."""
    table = document.table("units", {})
    outputs = (
        *metrics.objectives,
        *(limit.name for limit in metrics.limits),
        *metrics.extras,
    )
    for name, unit in table.content.items():
        with table.at(name):
            read_units({name: unit}, outputs, space)
    return table.content


def _options(document: Table, path: Path, timeout: float | None) -> RunOptions:
    """What the file says about the run."""
    options = read_options(document.table("run", {}), path, timeout)
    return replace(options, known=read_known_files(document, path))


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
