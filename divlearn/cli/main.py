"""From arguments to an exit code, with every mistake told in a few lines."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from typing import Any, NoReturn

import typer

from divlearn.cli.app import app
from divlearn.cli.codes import FAILED, INTERRUPTED, WRONG_REQUEST, error_as_json
from divlearn.cli.echo import echo
from divlearn.errors import DivlearnError, InputError

# Base of all that the parser raises for wrong usage; typer shows only its children.
UsageError: Any = typer.BadParameter.__mro__[1]


def main() -> NoReturn:
    """Run the command line with the arguments of this process, and exit."""
    sys.exit(run(sys.argv[1:]))


def run(arguments: Sequence[str]) -> int:
    """Run the command line.

    Parameters
    ----------
    arguments
        What stands after ``divlearn``.

    Returns
    -------
    0 done, 1 the run failed, 2 the request was wrong, 130 stopped by Ctrl-C.

    Examples
    --------
    >>> run(["--version"])
    divlearn 0.1.0
    0
    """
    command = typer.main.get_command(app)
    _raise_at_ctrl_c(command)
    try:
        code = command.main(
            list(arguments),
            prog_name="divlearn",
            standalone_mode=False,
            obj=list(arguments),
        )
    except UsageError as error:
        return _complain(_usage_message(error), arguments, WRONG_REQUEST)
    except InputError as error:
        return _complain(str(error), arguments, WRONG_REQUEST)
    except DivlearnError as error:
        return _complain(str(error), arguments, FAILED)
    except OSError as error:
        return _complain(f"{error}.", arguments, FAILED)
    except (_CtrlC, KeyboardInterrupt, typer.Abort):
        return _complain(
            "stopped by Ctrl-C; run the same line again.", arguments, INTERRUPTED
        )
    return int(code or 0)


class _CtrlC(Exception):
    """Ctrl-C where nothing else handles it."""


def _raise_at_ctrl_c(command: Any) -> None:
    """Let Ctrl-C reach us: typer makes a silent exit code of it."""
    invoke = command.invoke

    def invoke_or_raise(context: Any) -> Any:
        try:
            return invoke(context)
        except KeyboardInterrupt:
            raise _CtrlC from None

    command.invoke = invoke_or_raise


def _usage_message(error: Any) -> str:
    """Say what the parser did not understand, and where help is."""
    where = error.ctx.command_path if error.ctx else "divlearn"
    message = error.format_message().strip()
    end = "" if message.endswith((".", "?")) else "."
    return f"{message}{end} '{where} --help' shows what there is."


def _complain(message: str, arguments: Sequence[str], code: int) -> int:
    """Write a message to standard error, as JSON to standard output if asked for."""
    echo(f"Error: {message}", err=True)
    if "--json" in arguments:
        command = shlex.join(["divlearn", *arguments])
        echo(error_as_json(message, code, command=command))
    return code
