"""What there is to choose from."""

from __future__ import annotations

from collections.abc import Iterable

from divlearn.text import as_json as write_json
from divlearn.wrapping import columns, listing


def list_problems(as_json: bool) -> str:
    """Name the built-in problems."""
    from divlearn.problems import catalogue

    return _listing(catalogue(), as_json)


def list_methods(as_json: bool) -> str:
    """Name the methods, the default one marked."""
    from divlearn.methods import DEFAULT_METHOD, METHODS

    if as_json:
        return _listing(METHODS.items(), as_json)
    marked = [
        (name, text + " (default)" * (name == DEFAULT_METHOD))
        for name, text in METHODS.items()
    ]
    return _listing(marked, as_json)


def list_suites(as_json: bool) -> str:
    """Name the built-in suites of benchmarks."""
    from divlearn.benchmark import SUITES

    rows = [(name, make().description) for name, make in SUITES.items()]
    return _listing(rows, as_json)


def _listing(rows: Iterable[tuple[str, str]], as_json: bool) -> str:
    """Write names with descriptions, as a table or as JSON.

    Examples
    --------
    >>> print(_listing([("a", "first"), ("long", "second")], as_json=False))
    a     first
    long  second
    """
    pairs = list(rows)
    if as_json:
        entries = [{"name": name, "description": text} for name, text in pairs]
        return write_json(entries, indent=2)
    return listing(pairs, columns())
