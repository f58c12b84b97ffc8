"""A result from the file that it was saved to."""

from __future__ import annotations

from pathlib import Path

from divlearn.basics.errors import InputError
from divlearn.result import file
from divlearn.result.front import Result, field_names

#: Fields that files of version 0.1.0 do not have.
NEW = {"counts", "failures", "extras", "trials", "sources", "trace", "insights"} | {
    "drawing",
    "units",
}


def load(path: str | Path) -> Result:
    """Read a result that :meth:`Result.save` wrote.

    Examples
    --------
    >>> import divlearn, pathlib, tempfile
    >>> result = divlearn.Result(["a"], [[1.5]], objectives=["cost"])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "front.json")
    ...     result.save(path)
    ...     divlearn.load(path).F
    array([[1.5]])
    """
    fields = file.read_fields(path, set(field_names()) - NEW, NEW)
    try:
        return Result(**fields)
    except (ValueError, TypeError, ArithmeticError) as error:
        raise InputError(
            f"path {str(path)!r} is a damaged divlearn result: {error}"
        ) from error
