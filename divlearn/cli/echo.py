"""What the commands print: never anything that a terminal obeys."""

from __future__ import annotations

import typer

from divlearn.basics.text import printable


def echo(text: str, *, err: bool = False) -> None:
    """Print a text of one or more lines; JSON is printable as it is."""
    typer.echo(printable(text, lines=True), err=err)
