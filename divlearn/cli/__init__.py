"""The command line: thin, everything it does is a library call."""

from divlearn.cli.main import main, run

__all__ = ["main", "run"]
