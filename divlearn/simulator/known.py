"""``[known]``: files with designs that were evaluated before."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from divlearn.simulator.document import Table

KEYS = ("file", "columns", "skip_bad", "source")


@dataclass(frozen=True)
class KnownFile:
    """A file with designs that were evaluated before.

    Attributes
    ----------
    path
        The file; a relative path starts from the directory of the TOML file.
    columns
        Names of its columns with names of the problem.
    skip_bad
        Whether rows that are wrong are left out; otherwise nothing is taken.
    source
        Where the designs come from, if not from the file.
    """

    path: Path
    columns: dict[str, str] = field(default_factory=dict)
    skip_bad: bool = False
    source: str = ""

    def arguments(self) -> dict[str, Any]:
        """How a study takes it, as arguments by name."""
        return {
            "designs": self.path,
            "columns": self.columns,
            "on_error": "skip" if self.skip_bad else "refuse",
            "source": self.source,
        }


def read_known_files(document: Table, path: Path) -> tuple[KnownFile, ...]:
    """Read one ``[known]``, or several ``[[known]]``, of the file at ``path``."""
    return tuple(_read(table, path) for table in _tables(document))


def _tables(document: Table) -> Iterator[Table]:
    """The tables that there are."""
    content = document.content.get("known", [])
    if isinstance(content, dict):
        yield document.table("known")
        return
    if not isinstance(content, list) or not all(isinstance(t, dict) for t in content):
        raise document.fail(
            "known", f"known must be a table [known] or [[known]], got {content!r}."
        )
    for table in content:
        yield Table(document.file, document.lines, ("known",), table)


def _read(table: Table, path: Path) -> KnownFile:
    """Read one table."""
    table.require_keys(KEYS)
    columns = table.content.get("columns", {})
    texts = isinstance(columns, dict) and all(
        isinstance(name, str) for name in columns.values()
    )
    if not texts:
        raise table.fail(
            "columns",
            f"columns in {table} must be names by name, such as "
            f'{{"Cost [EUR]" = "cost"}}, got {columns!r}.',
        )
    if "file" not in table:
        raise table.fail("", f"{table} must have the key 'file'.")
    file = path.resolve().parent / table.text("file", "")
    source = table.text("source", "") if "source" in table else ""
    return KnownFile(file, dict(columns), bool(table.flag("skip_bad")), source)
