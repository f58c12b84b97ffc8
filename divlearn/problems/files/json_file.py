"""Built-in problems as JSON files: plain text that any program reads.

A file holds the format's name and version, the kind of problem, its name, its instance
number if it has one, the reference and ideal point, level and seed of its noise if it
has any, and then its arguments. Numbers have all their digits, so the problem read back
is the same to the last bit.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from divlearn.basics.errors import InputError
from divlearn.basics.files import write_atomically
from divlearn.basics.text import as_json
from divlearn.problems.base import Problem
from divlearn.problems.built_in import CLASSES, load
from divlearn.problems.built_in.base import BuiltIn
from divlearn.problems.files.text import TextFile, as_path
from divlearn.problems.noisy import Noisy
from divlearn.spaces import Space

FORMAT = "divlearn problem"
VERSION = 1

#: Options of all problems.
COMMON = ("name", "reference", "ideal")


def write(problem: Problem, path: str | Path) -> None:
    """Write a built-in problem to a JSON file.

    Parameters
    ----------
    problem
        A built-in problem, from numbers, from files or by name.
    path
        The file; it appears whole or not at all, and replaces an earlier one.

    Examples
    --------
    >>> import tempfile
    >>> from divlearn.problems import get, read, write
    >>> path = tempfile.mkdtemp() + "/tour.json"
    >>> write(get("bitsp-20", instance=3), path)
    >>> read(path)
    <Problem bitsp-20: Permutation(20), length 1 (min), length 2 (min)>
    """
    exact = problem.exact if isinstance(problem, Noisy) else problem
    kind = type(exact).__name__
    known = kind in CLASSES and type(exact) is load(kind)
    if not isinstance(problem, BuiltIn) or not isinstance(exact, BuiltIn) or not known:
        raise InputError(
            f"problem must be a {', '.join(CLASSES)} to be written to a file, got "
            f"{problem!r}; a Python function cannot be written."
        )
    fields = {
        "format": FORMAT,
        "version": VERSION,
        "problem": kind,
        "name": problem.name,
        "instance": problem.instance,
        "reference": problem.reference,
        "ideal": problem.ideal,
        **exact.arguments(),
    }
    if isinstance(problem, Noisy):
        fields["noise"] = {"level": problem.level, "seed": problem.seed}
    # A field per line, so that an error has a line to point to.
    lines = [f"{json.dumps(key)}: {_as_json(value)}" for key, value in fields.items()]
    write_atomically(as_path(path), ("{\n" + ",\n".join(lines) + "\n}\n").encode())


def _as_json(value: Any) -> str:
    """Write a value; floats keep all their digits."""
    return as_json(value, default=_plain, allow_nan=False)


def _plain(value: Any) -> Any:
    """Turn arrays and spaces into lists and dicts."""
    return value.describe() if isinstance(value, Space) else value.tolist()


def read_json(file: TextFile) -> tuple[str, dict[str, Any], int | None]:
    """Return the problem's kind, its arguments and its number.

    Level and seed of noise are among the arguments, as ``noise``.
    """
    fields = _read_fields(file)
    kind = fields.pop("problem", None)
    if not isinstance(kind, str) or kind not in CLASSES:
        expected = f"problem to be one of {', '.join(CLASSES)}"
        raise _unexpected(file, expected, repr(kind))
    instance = fields.pop("instance", None)
    if instance is not None and (type(instance) is not int or instance < 0):
        raise _unexpected(file, "instance to be 0, 1, .. or null", repr(instance))
    if not isinstance(fields.setdefault("name", None), str | None):
        raise _unexpected(file, "name to be a text", repr(fields["name"]))
    arrays, options, parts = load(kind).fields
    known = [*arrays, *options, *parts, *COMMON, "noise"]
    if unknown := [name for name in fields if name not in known]:
        raise _unexpected(file, f"the fields {', '.join(known)}", repr(unknown[0]))
    for name in arrays:
        fields[name] = _as_array(file, name, fields.get(name))
    for name in parts:
        if name not in fields:
            raise _unexpected(file, f"the field {name}", "none")
    _read_noise(file, fields.setdefault("noise", None))
    return kind, fields, instance


def _read_noise(file: TextFile, noise: Any) -> None:
    """Check that noise has a level and a seed; their values are checked later."""
    if noise is not None and (
        not isinstance(noise, dict) or set(noise) != {"level", "seed"}
    ):
        raise _unexpected(file, "noise to have a level and a seed", repr(noise))


def _read_fields(file: TextFile) -> dict[str, Any]:
    """Read the JSON object in a file and check that it is one of ours."""
    try:
        fields = json.loads(file.text)
    except json.JSONDecodeError as error:
        raise file.error(error.lineno, "JSON", f"{error.msg} in it") from None
    except (ValueError, RecursionError) as error:
        raise _unexpected(file, "JSON", str(error)) from None
    if not isinstance(fields, dict) or fields.pop("format", None) != FORMAT:
        expected = f'a JSON object with "format": "{FORMAT}"'
        raise _unexpected(file, expected, "another one")
    version = fields.pop("version", None)
    if version != VERSION:
        expected = f"version {VERSION}, which this divlearn reads"
        raise _unexpected(file, expected, repr(version))
    return fields


def _as_array(file: TextFile, name: str, value: Any) -> Any:
    """Make an array; what is in it is checked by the problem."""
    try:
        return None if value is None else np.array(value)
    except (ValueError, OverflowError) as error:
        raise _unexpected(
            file, f"{name} to be an array of numbers", str(error)
        ) from None


def _unexpected(file: TextFile, expected: str, got: str) -> InputError:
    """Make the error for something that has no line number."""
    return InputError(f"{file.path}: expected {expected}, got {got}.")
