"""What others add, by entry points or as ``package.module:Name``.

Methods, problems, experts, metrics, commands and views. What stands in a file is never
imported by such a name, only what its user writes.
"""

from __future__ import annotations

import hashlib
import inspect
import os
import re
import sys
from difflib import get_close_matches
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any

from divlearn.basics.errors import DivlearnError, InputError
from divlearn.basics.text import said_by

#: Groups of entry points that divlearn looks at.
METHODS, PROBLEMS, COMMANDS, VIEWS = (
    "divlearn.methods",
    "divlearn.problems",
    "divlearn.commands",
    "divlearn.views",
)
EXPERTS, METRICS = "divlearn.experts", "divlearn.metrics"

#: How something of one's own is named: a module, a name in it, and perhaps a size.
_REFERENCE = re.compile(r"([A-Za-z_][\w.]*):([A-Za-z_][\w.]*)(?:-([0-9]{1,9}))?")


@cache
def plugins(group: str) -> dict[str, EntryPoint]:
    """Entry points of a group by name, sorted.

    Examples
    --------
    >>> list(plugins("divlearn.commands"))
    ['bench', 'train']
    """
    found = sorted(entry_points(group=group), key=lambda point: point.name)
    return {point.name: point for point in found}


def load_plugin(point: EntryPoint) -> Any:
    """Import what an entry point names, or say which package is at fault."""
    try:
        return point.load()
    except (ImportError, AttributeError) as error:
        package = point.dist.name if point.dist is not None else "an installed package"
        raise InputError(
            f"{package} offers {point.value!r} to divlearn as {point.name!r}, but it "
            f"cannot be imported ({error}); upgrade or remove that package."
        ) from error


def loaded(group: str) -> dict[str, Any]:
    """Merge what a group's entry points offer: dicts by name, or single things."""
    together: dict[str, Any] = {}
    for point in plugins(group).values():
        offered = load_plugin(point)
        together |= offered if isinstance(offered, dict) else {point.name: offered}
    return together


# --- package.module:Name


def is_reference(name: object) -> bool:
    """Whether this names something of one's own, as ``package.module:Name``.

    Examples
    --------
    >>> is_reference("my_methods:Annealing"), is_reference("bitsp-20")
    (True, False)
    """
    return isinstance(name, str) and _REFERENCE.fullmatch(name) is not None


def split_reference(name: str) -> tuple[str, str, int | None]:
    """Module, name and size.

    Examples
    --------
    >>> split_reference("mine.problems:bridges-30")
    ('mine.problems', 'bridges', 30)
    """
    match = _REFERENCE.fullmatch(name)
    assert match is not None
    return match[1], match[2], None if match[3] is None else int(match[3])


def referenced(what: str, name: str) -> Any:
    """Import something of one's own, or say which part of its name is wrong.

    Modules in the current directory are found as well.
    """
    home, path, _ = split_reference(name)
    found = _module(what, name, home)
    for part in path.split("."):
        if not hasattr(found, part):
            near = get_close_matches(part, [n for n in dir(found) if n[0] != "_"], 1)
            hint = f"; did you mean {near[0]!r}?" if near else "."
            raise InputError(
                f"{what} {name!r}: the module {home!r} has no {part!r}{hint}"
            )
        found = getattr(found, part)
    return found


def _module(what: str, name: str, home: str) -> Any:
    """Import a module."""
    here = os.getcwd()
    if here not in sys.path:
        sys.path.append(here)
    try:
        return import_module(home)
    except ModuleNotFoundError as error:
        if error.name is not None and f"{home}.".startswith(f"{error.name}."):
            hint = " Leave out '.py'." if home.endswith(".py") else ""
            raise InputError(
                f"{what} {name!r}: there is no module {error.name!r}.{hint} It is "
                f"looked for in {here}, in PYTHONPATH and among installed packages."
            ) from None
        raise InputError(
            f"{what} {name!r}: the module {home!r} needs {error.name!r}, which is not "
            "installed."
        ) from None
    except Exception as error:
        raise InputError(
            f"{what} {name!r}: importing {home!r} raised {said_by(error)}"
        ) from error


def made_by(
    what: str, name: str, kind: Any, found: Any, /, *values: Any, **options: Any
) -> Any:
    """What was named, if it is of a kind; or what it returns when it is called.

    Parameters
    ----------
    what, name
        For messages: what it is to be, and what it is called.
    kind
        The class that it must be of.
    found
        An object, a class or a function.
    values, options
        What it is called with.
    """
    if not isinstance(found, kind) and callable(found):
        try:
            found = found(*values, **options)
        except DivlearnError as error:
            raise InputError(f"{what} {name!r}: {error}") from error
        except Exception as error:
            raise InputError(
                f"{what} {name!r}: making it raised {said_by(error)}"
            ) from error
    if isinstance(found, kind):
        return found
    raise InputError(
        f"{what} {name!r} must be of the class {kind.__name__}, or a class or function "
        f"that makes such an object, got {found!r}."
    )


def source_digest(*things: Any) -> str:
    """Short hash of the files in which things of others are written; "" if in none.

    So a benchmark knows that a method was changed.

    Examples
    --------
    >>> source_digest(is_reference)
    ''
    """
    files = set()
    for thing in things:
        module = inspect.getmodule(thing)
        own = module is None or module.__name__.partition(".")[0] == "divlearn"
        if not own and (path := getattr(module, "__file__", None)):
            files.add(Path(path))
    if not files:
        return ""
    content = b"".join(path.read_bytes() for path in sorted(files))
    return hashlib.sha256(content).hexdigest()[:16]


def first_line(thing: Any) -> str:
    """What something says of itself in a line, for lists."""
    return (inspect.getdoc(thing) or "").partition("\n")[0].rstrip(".")
