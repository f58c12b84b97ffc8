"""``divlearn methods``."""

from __future__ import annotations

from divlearn.cli.command import Command, command
from divlearn.cli.output import DONE, echo, listed


class Methods(Command):
    """List the methods."""

    def execute(self) -> int:
        """Print names and descriptions, the default marked for people."""
        from divlearn.methods.names import DEFAULT_METHOD, all_methods

        texts = dict(all_methods())
        if not self.as_json:
            texts[DEFAULT_METHOD] += " (default)"
        echo(listed(texts.items(), self.as_json))
        return DONE


methods = command(Methods)
