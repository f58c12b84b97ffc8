"""The command line: thin, everything it does is a library call."""

import signal
import sys
from collections.abc import Sequence
from typing import NoReturn

__all__ = ["execute", "main"]


def main() -> NoReturn:
    """Run the command line with the arguments of this process, and exit."""
    try:
        code = execute(sys.argv[1:])
        leave_in_peace()
    except KeyboardInterrupt:  # while commands were loaded, or in the line above
        leave_in_peace()
        from divlearn.cli.output import stopped

        code = stopped(sys.argv[1:])
    sys.exit(code)


def execute(arguments: Sequence[str]) -> int:
    """Run the command line; see :func:`divlearn.cli.app.execute`."""
    from divlearn.cli import app

    return app.execute(arguments)


def leave_in_peace() -> None:
    """Let Ctrl-C pass from here on: what is left is to tidy up."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
