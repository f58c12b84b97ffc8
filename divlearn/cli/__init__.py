"""The command line: thin, everything it does is a library call."""

from divlearn.cli.app import execute, main

__all__ = ["execute", "main"]
