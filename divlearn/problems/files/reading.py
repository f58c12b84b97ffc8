"""From instance files to problems."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from divlearn.basics.errors import InputError
from divlearn.problems.built_in import load
from divlearn.problems.built_in.base import BuiltIn
from divlearn.problems.files.document import Document, parse
from divlearn.problems.files.json_file import COMMON, read_json
from divlearn.problems.files.knapsack_text import read_knapsack
from divlearn.problems.files.points import suggest_points
from divlearn.problems.files.text import TextFile, open_text
from divlearn.problems.files.tsplib import read_tours
from divlearn.problems.files.vrplib import read_routes
from divlearn.problems.noisy import Noisy
from divlearn.spaces.described import space_from

TYPES = ("TSP", "ATSP", "CVRP")

#: Name endings that say what a file is meant to be; others are recognised by content.
ENDINGS = {".json": "JSON", ".tsp": "TSPLIB", ".atsp": "TSPLIB", ".vrp": "TSPLIB"}


def read(*paths: str | Path, rounded: bool = True, **options: Any) -> BuiltIn:
    r"""Make a problem from instance files.

    Parameters
    ----------
    paths
        One file, or several TSPLIB files of the same size, one per objective. Formats
        are recognised automatically: TSPLIB (TSP, ATSP), VRPLIB and CVRPLIB (CVRP),
        text with knapsacks, and the JSON of :func:`write`.
    rounded
        Whether distances between places are rounded as TSPLIB defines it, so that
        published optima hold. Distances that a file lists stay as they are.
    options
        ``reference``, ``ideal`` and ``name``; ``decoder`` and ``levels`` of a CVRP;
        ``repair`` (by default ``"random-drop"``) and ``fill`` of a knapsack, and
        ``instance``, which selects one of the problems in an OR-Library file. Without
        reference and ideal point a simple rule chooses both.

    Raises
    ------
    InputError
        If a file is malformed; names the file, the line, what was expected and what was
        found.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from divlearn.problems import read
    >>> path = Path(tempfile.mkdtemp(), "items.txt")
    >>> _ = path.write_text("3 6\n5 1 2\n1 5 3\n3 3 4\n")
    >>> problem = read(path, repair="efficiency")
    >>> problem.weights.ravel(), problem.capacity
    (array([2., 3., 4.]), array([6.]))
    """
    if not paths:
        raise InputError("read needs the name of at least one file, got none.")
    if not isinstance(rounded, bool):
        raise InputError(f"rounded must be True or False, got {rounded!r}.")
    files = [open_text(path) for path in paths]
    forms = [_format_of(file) for file in files]
    if len(files) > 1 and set(forms) != {"TSPLIB"}:
        other = next(
            f for f, form in zip(files, forms, strict=True) if form != "TSPLIB"
        )
        raise InputError(
            f"several files must all be TSPLIB files, one per objective, but "
            f"{other.path} is not; read it alone."
        )
    if forms[0] == "JSON":
        return _read_json(files[0], options)
    if forms[0] == "TSPLIB":
        return _read_documents([parse(file) for file in files], rounded, options)
    return _read_knapsack(files[0], options)


def _format_of(file: TextFile) -> str:
    """Say what a file is, by the ending of its name or by how it begins."""
    ending = file.path.suffix.lower()
    if ending in ENDINGS:
        return ENDINGS[ending]
    if not file.rows:
        raise file.error(1, "an instance", "an empty file")
    first = file.rows[0].text[0]
    if first == "{":
        return "JSON"
    return "TSPLIB" if first.isalpha() else "knapsack"


def _read_documents(
    documents: list[Document], rounded: bool, options: Mapping[str, Any]
) -> BuiltIn:
    """Read TSPLIB files, or one VRPLIB file."""
    types = [document.word("TYPE", TYPES) for document in documents]
    if "CVRP" not in types:
        tours = read_tours(documents, rounded)
        where = ", ".join(str(document.file.path) for document in documents)
        return _with_points(_build(where, "TSP", tours, options), options)
    document = documents[types.index("CVRP")]
    if len(documents) > 1:
        line = document.entries["TYPE"].line
        expected = "TYPE TSP or ATSP if there are several files"
        raise document.file.error(line, expected, "CVRP", "read this file alone")
    routes = read_routes(document, rounded)
    problem = _build(str(document.file.path), "CVRP", routes, options)
    return _with_points(problem, options)


def _read_knapsack(file: TextFile, options: Mapping[str, Any]) -> BuiltIn:
    """Read text with a knapsack."""
    others = {name: value for name, value in options.items() if name != "instance"}
    arguments = read_knapsack(file, options.get("instance"))
    arguments |= {"repair": "random-drop"}
    return _with_points(_build(str(file.path), "Knapsack", arguments, others), others)


def _read_json(file: TextFile, options: Mapping[str, Any]) -> BuiltIn:
    """Read what ``write`` wrote; it has its points, or none."""
    kind, arguments, instance = read_json(file)
    problem = _build(str(file.path), kind, arguments, options)
    problem.instance = instance
    return problem


def _build(
    where: str, kind: str, arguments: dict[str, Any], options: Mapping[str, Any]
) -> BuiltIn:
    """Make the problem; an error names the file."""
    allowed = (*load(kind).fields.options, *COMMON)
    if unknown := sorted(set(options) - set(allowed)):
        raise InputError(
            f"{where} has the options {', '.join(allowed)}; got {', '.join(unknown)}."
        )
    try:
        return _make(kind, {**arguments, **options})
    except InputError as error:
        raise InputError(f"{where}: {error}") from None


def _make(kind: str, arguments: dict[str, Any]) -> BuiltIn:
    """Make the problem, with space and noise if the file describes them."""
    noise = arguments.pop("noise", None)
    if "space" in arguments:
        arguments["space"] = space_from(arguments["space"])
    exact: BuiltIn = load(kind)(**arguments)
    return exact if noise is None else Noisy(exact, **noise, name=exact.name)


def _with_points(problem: BuiltIn, options: Mapping[str, Any]) -> BuiltIn:
    """Choose reference and ideal point if the user gave neither."""
    points = suggest_points(problem)
    if points is not None and not {"reference", "ideal"} & set(options):
        problem.reference = problem.point("reference", points[0])
        problem.ideal = problem.point("ideal", points[1])
    return problem
