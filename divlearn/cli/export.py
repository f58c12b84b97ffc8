"""``divlearn export``: a study as a table."""

from __future__ import annotations

import json
from dataclasses import dataclass

from divlearn.cli.command import Command, argument, command, flag
from divlearn.cli.output import DONE, echo


@dataclass(frozen=True, kw_only=True)
class Export(Command):
    """Write the front of a study, or all of its trials, to a file."""

    study: str = argument("STUDY", "File of a study, such as chip.db.")
    file: str = argument("FILE", "File to write; ends in .csv, .json or .parquet.")
    trials: bool = flag("Write every candidate instead of the front.")

    def execute(self) -> int:
        """Write the file and say what it holds."""
        from divlearn.study.export import export

        what = "trials" if self.trials else "front"
        rows = export(self.study, self.file, what)
        if self.as_json:
            echo(json.dumps({"written": self.file, "what": what, "rows": rows}))
        else:
            kind = "trial" if self.trials else "solution"
            of = "" if self.trials else " of the front"
            echo(f"{self.file}: {rows:,} {kind}{'' if rows == 1 else 's'}{of}")
        return DONE


export = command(Export)
