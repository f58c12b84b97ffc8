"""What there is to choose from."""

from __future__ import annotations

from collections.abc import Iterable

from divlearn.basics.text import as_json as write_json
from divlearn.basics.wrapping import columns, listing


def list_problems(as_json: bool) -> str:
    """Name the built-in problems."""
    from divlearn.problems import catalogue

    return listed(catalogue(), as_json)


def list_methods(as_json: bool) -> str:
    """Name the methods, the default one marked."""
    from divlearn.methods.names import DEFAULT_METHOD, all_methods

    if as_json:
        return listed(all_methods().items(), as_json)
    marked = [
        (name, text + " (default)" * (name == DEFAULT_METHOD))
        for name, text in all_methods().items()
    ]
    return listed(marked, as_json)


def listed(rows: Iterable[tuple[str, str]], as_json: bool) -> str:
    """Write names with descriptions, as a table or as JSON.

    Examples
    --------
    >>> print(listed([("a", "first"), ("long", "second")], as_json=False))
    a     first
    long  second
    """
    pairs = list(rows)
    if as_json:
        entries = [{"name": name, "description": text} for name, text in pairs]
        return write_json(entries, indent=2)
    return listing(pairs, columns())
