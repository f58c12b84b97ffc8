"""``divlearn problems``."""

from __future__ import annotations

from divlearn.cli.command import Command, command
from divlearn.cli.output import DONE, echo, listed


class Problems(Command):
    """List the built-in problems."""

    def execute(self) -> int:
        """Print names and descriptions."""
        from divlearn.problems import catalogue

        echo(listed(catalogue(), self.as_json))
        return DONE


problems = command(Problems)
