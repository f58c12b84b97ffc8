"""What commands print, never anything that a terminal obeys, and their exit codes."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Iterable, Sequence
from typing import Any

import click

from divlearn.basics.text import as_json as write_json
from divlearn.basics.text import printable
from divlearn.basics.wrapping import columns, listing, wrapped

DONE = 0
FAILED = 1
WRONG_REQUEST = 2
#: Nothing is left to ask for; outcomes must be told first; others have the file open.
NO_MORE, TELL_FIRST, IN_USE = 3, 4, 5
INTERRUPTED = 130


def echo(text: str, *, err: bool = False) -> None:
    """Print a text of one or more lines; JSON is printable as it is."""
    click.echo(printable(text, lines=True), err=err)


def error_as_json(message: str, code: int, **more: Any) -> str:
    """Write that and why there is no result, with the exit code."""
    entry = {"message": message, "exit_code": code, **more}
    return json.dumps({"error": entry}, indent=2)


def complain(message: str, arguments: Sequence[str], code: int, **more: Any) -> int:
    """Write a message to standard error, as JSON to standard output if asked for."""
    echo(wrapped(f"Error: {message}", columns(sys.stderr)), err=True)
    if "--json" in arguments:
        command = shlex.join(["divlearn", *arguments])
        echo(error_as_json(message, code, command=command, **more))
    return code


def stopped(arguments: Sequence[str]) -> int:
    """Say that Ctrl-C ended a command before it was done."""
    message = "stopped by Ctrl-C; run the same line again."
    return complain(message, arguments, INTERRUPTED)


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
