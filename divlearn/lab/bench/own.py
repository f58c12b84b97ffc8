"""A suite of one's own, from a TOML file."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from divlearn.basics.checks import require_whole
from divlearn.basics.errors import InputError
from divlearn.lab.bench.built_in import usual_methods
from divlearn.lab.bench.suite import PLAIN_COLUMNS, Suite
from divlearn.lab.bench.task import Case, Contender, gridded
from divlearn.methods.budget import read_budget

TOP_KEYS = (
    "name",
    "description",
    "budget",
    "seconds",
    "instances",
    "first_instance",
    "seeds",
    "problems",
    "methods",
    "columns",
    "deviation",
    "initial",
    "snapshots",
    "exact",
)
PROBLEM_KEYS = ("name", "files", "label", "options", "instances")
METHOD_KEYS = ("name", "label", "settings", "grid", "budget")

#: Where to read on, for messages.
HELP = "docs/running-benchmarks.md shows an example"


def read_suite(path: str | Path) -> Suite:
    """Read a suite from a TOML file.

    Raises
    ------
    InputError
        If the file is not there, is not TOML, or holds a key or a value that means
        nothing; names the file, the key and what is allowed.

    Examples
    --------
    >>> import tempfile
    >>> text = '''
    ... budget = 5_000
    ... problems = ["bitsp-20"]
    ... methods = ["uniform", {name = "paper-ts", settings = {patience = 5}}]
    ... '''
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "mine.toml")
    ...     _ = path.write_text(text)
    ...     suite = read_suite(path)
    >>> suite.name, [contender.label for contender in suite.methods]
    ('mine', ['uniform', 'paper-ts (patience=5)'])
    """
    document = _read_document(Path(path))
    try:
        suite = _suite_from(document, Path(path))
        suite.require_runnable()
    except InputError as error:
        raise InputError(f"{path}: {error}") from None
    return suite


def _read_document(path: Path) -> dict[str, Any]:
    """Read TOML, or say where it breaks off."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(
            f"suite {str(path)!r} cannot be read ({error.strerror}); give the name of "
            "a built-in suite or a TOML file."
        ) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"{path} is not TOML: {error}; {HELP}.") from None


def _suite_from(document: Mapping[str, Any], path: Path) -> Suite:
    """Make a suite of the content of a file."""
    require_keys("the suite", document, TOP_KEYS)
    if "problems" not in document:
        raise InputError(f'problems must be given, such as ["bitsp-50"]; {HELP}.')
    problems, own_instances = _problems(document["problems"], path.parent)
    methods = usual_methods()
    if "methods" in document:
        entries = _listed("methods", document["methods"])
        methods = tuple(
            one for k, entry in enumerate(entries) for one in _contenders(k + 1, entry)
        )
    first = require_whole("first_instance", document.get("first_instance", 0))
    instances = _numbers("instances", document.get("instances", 3), first)
    if "budget" not in document and "seconds" not in document:
        raise InputError("budget or seconds must be given, such as budget = 20_000.")
    return Suite(
        _text("name", document.get("name", path.stem)),
        _text("description", document.get("description", "")),
        problems,
        methods,
        budget=read_budget(document.get("budget")),
        seconds=document.get("seconds"),
        instances=instances,
        own_instances=own_instances,
        seeds=_numbers("seeds", document.get("seeds", 1), 0),
        columns=tuple(_listed("columns", document.get("columns", PLAIN_COLUMNS))),
        deviation=_text("deviation", document.get("deviation", "error")),
        initial=require_whole("initial", document.get("initial", 0)),
        snapshots=require_whole("snapshots", document.get("snapshots", 0)),
        exact=document.get("exact", True),
    )


def _problems(
    entries: Any, folder: Path
) -> tuple[tuple[Case, ...], dict[str, tuple[int, ...]]]:
    """Read problems, and the instances of those that have their own."""
    cases, own = [], {}
    for number, entry in enumerate(_listed("problems", entries), 1):
        where = f"problem {number}"
        table = _table(where, entry, PROBLEM_KEYS)
        options = _mapping(f"options of {where}", table.get("options", {}))
        label = _text(f"label of {where}", table.get("label", ""))
        files = _files(where, table, folder)
        name = _name(where, table, "+".join(Path(file).stem for file in files))
        cases.append(Case(name, _listless(options), label, files))
        if "instances" in table:
            what = f"instances of {where}"
            own[cases[-1].label] = _numbers(what, table["instances"], 0)
    return tuple(cases), own


def _files(where: str, table: Mapping[str, Any], folder: Path) -> tuple[str, ...]:
    """Return the instance files of a problem, where it has any."""
    if "files" not in table:
        return ()
    given = table["files"]
    names = _listed(f"files of {where}", [given] if isinstance(given, str) else given)
    if not names or "instances" in table:
        raise InputError(
            f"{where} must name at least one file, and has no numbered instances."
        )
    return tuple(
        str((folder / _text(f"files of {where}", name)).resolve()) for name in names
    )


def _contenders(number: int, entry: Any) -> list[Contender]:
    """Read one method, or one for each point of its grid."""
    where = f"method {number}"
    table = _table(where, entry, METHOD_KEYS)
    settings = dict(_flat(_mapping(f"settings of {where}", table.get("settings", {}))))
    label = _text(f"label of {where}", table.get("label", ""))
    try:
        budget = read_budget(table.get("budget"))
    except InputError as error:
        raise InputError(f"{where}: {error}") from None
    name = _name(where, table)
    axes = _axes(f"grid of {where}", table.get("grid", {}))
    return gridded(Contender(name, settings, label, budget), axes)


def _axes(where: str, grid: Any) -> dict[str, list[Any]]:
    """Read lists of values by the name of a setting."""
    axes = dict(_flat(_mapping(where, grid)))
    for name, values in axes.items():
        if not isinstance(values, tuple) or not values:
            raise InputError(
                f"{where} must hold a list of values for each setting, such as "
                f"{{patience = [5, 10]}}, got {values!r} for {name}."
            )
    return {name: list(values) for name, values in axes.items()}


def require_keys(where: str, table: Mapping[str, Any], allowed: Sequence[str]) -> None:
    """Refuse a key that means nothing, with the nearest one that does."""
    for key in table:
        if key not in allowed:
            near = get_close_matches(key, allowed, 1)
            hint = f" Did you mean {near[0]!r}?" if near else ""
            raise InputError(
                f"{where} has the unknown key {key!r}; allowed are "
                f"{', '.join(allowed)}.{hint}"
            )


def _table(where: str, entry: Any, keys: Sequence[str]) -> dict[str, Any]:
    """Read an entry given as a name or as a table."""
    if isinstance(entry, str):
        return {"name": entry}
    if not isinstance(entry, dict):
        raise InputError(
            f"{where} must be a name or a table with the keys {', '.join(keys)}, "
            f"got {entry!r}."
        )
    require_keys(where, entry, keys)
    return entry


def _name(where: str, table: Mapping[str, Any], otherwise: str = "") -> str:
    """Return the name that every entry needs."""
    name = _text(f"name of {where}", table.get("name", otherwise))
    if not name:
        raise InputError(f"{where} must have a name.")
    return name


def _text(where: str, value: Any) -> str:
    """Check a text."""
    if not isinstance(value, str):
        raise InputError(f"{where} must be a text, got {value!r}.")
    return value


def _listed(where: str, value: Any) -> list[Any]:
    """Check a list."""
    if not isinstance(value, (list, tuple)):
        raise InputError(f"{where} must be a list, got {value!r}.")
    return list(value)


def _mapping(where: str, value: Any) -> dict[str, Any]:
    """Check a table of names and values."""
    if not isinstance(value, dict):
        raise InputError(f"{where} must be a table of names and values, got {value!r}.")
    return value


def _numbers(where: str, value: Any, first: int) -> tuple[int, ...]:
    """Read how many numbers there are from ``first`` on, or the numbers themselves."""
    if not isinstance(value, list):
        count = require_whole(f"{where} (how many, or a list of numbers)", value, 1)
        return tuple(range(first, first + count))
    numbers = tuple(require_whole(where, number) for number in value)
    if not numbers or len(set(numbers)) < len(numbers):
        raise InputError(f"{where} must be different numbers, got {value!r}.")
    return numbers


def _flat(table: Mapping[str, Any], above: str = "") -> list[tuple[str, Any]]:
    """Turn tables within tables into names with dots, as Settings.replace takes them.

    Examples
    --------
    >>> _flat({"patience": 5, "refinement": {"moves": ["swap"]}})
    [('patience', 5), ('refinement.moves', ('swap',))]
    """
    pairs: list[tuple[str, Any]] = []
    for key, value in table.items():
        if isinstance(value, dict):
            pairs += _flat(value, f"{above}{key}.")
        else:
            pairs.append((above + key, _frozen(value)))
    return pairs


def _listless(table: Mapping[str, Any]) -> dict[str, Any]:
    """Turn lists into tuples."""
    return {key: _frozen(value) for key, value in table.items()}


def _frozen(value: Any) -> Any:
    """Turn a list, and the lists in it, into tuples; "none" stands for None.

    TOML has no word for None, which switches the coordination off.
    """
    if isinstance(value, list):
        return tuple(map(_frozen, value))
    return None if value == "none" else value
