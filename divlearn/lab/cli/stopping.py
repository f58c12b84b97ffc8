"""What is said when a benchmark is stopped."""

from __future__ import annotations

import shlex
from pathlib import Path

from divlearn.cli.command import typed
from divlearn.cli.output import INTERRUPTED, echo, error_as_json


def say_stopped(kept: str, path: Path, as_json: bool) -> int:
    """Say what a store keeps, and how to go on; return the exit code.

    Parameters
    ----------
    kept
        What is kept, with its verb: "2 of 3 runs are".
    path
        The store.
    as_json
        Whether standard output gets the message as data, too.
    """
    command = shlex.join(["divlearn", *typed()])
    message = f"stopped by Ctrl-C; {kept} kept in {path}. To continue:\n  {command}"
    echo(f"\n{message[0].upper()}{message[1:]}", err=True)
    if as_json:
        echo(error_as_json(message, INTERRUPTED, resume=command))
    return INTERRUPTED
