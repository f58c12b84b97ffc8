"""``divlearn import``: designs that were evaluated elsewhere, into a study."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from divlearn.basics.errors import InputError
from divlearn.cli.command import Command, argument, command, flag, option, pairs
from divlearn.cli.output import DONE, echo
from divlearn.cli.values import Renaming

if TYPE_CHECKING:
    from divlearn.problems import Problem
    from divlearn.simulator.known import KnownFile
    from divlearn.study import Study
    from divlearn.study.known import Additions

#: What messages of the library call options of this command.
_OPTIONS = {
    'on_error="skip"': "--skip-bad",
    'columns={"theirs": "ours"}': "--column theirs=ours",
    "columns must": "--column must",
}
#: What they call keys of ``[known]`` in a TOML file.
_KEYS = {
    'on_error="skip"': "skip_bad = true in [known]",
    'columns={"theirs": "ours"}': 'columns = {"theirs" = "ours"} in [known]',
    "columns must": "columns in [known] must",
}


@dataclass(frozen=True, kw_only=True)
class Import(Command):
    """Put designs that were evaluated elsewhere into a study.

    They cost no evaluation, and the search learns from them when it goes on. Rows whose
    objectives are all empty are evaluated first. All rows are taken, or none if one is
    wrong; what the study has already counts once.
    """

    study: Path = argument("STUDY", "File of a study, such as chip.db.", type=Path)
    file: str = argument(
        "FILE", "Table (.csv, .json, .parquet), file of another study, or result."
    )
    column: dict[str, str] = pairs(
        "A column of FILE and the name it has in the study; may be repeated.",
        Renaming(),
        "THEIRS=OURS",
    )
    source: str | None = option(
        str, "TEXT", "Where the designs come from.  [default: name of FILE]"
    )
    skip_bad: bool = flag("Leave out rows that are wrong.")
    dry_run: bool = flag("Only check and count; change nothing.")

    def execute(self) -> int:
        """Take the designs and say what became of them."""
        from divlearn.study import Study

        problem = problem_of(self.study)
        with Study(problem, self.study) as study, in_words(_OPTIONS):
            taken = study.add_from(
                self.file,
                columns=self.column,
                on_error="skip" if self.skip_bad else "refuse",
                source=self.source or "",
                dry_run=self.dry_run,
            )
        if self.as_json:
            echo(json.dumps({"study": str(self.study), **asdict(taken)}))
            return DONE
        note = "Nothing was changed; without --dry-run:\n" if self.dry_run else ""
        echo(f"{note}{taken}")
        return DONE


import_ = command(Import)


def add_known(study: Study, file: KnownFile) -> Additions:
    """Let a study take what ``[known]`` of its TOML file names."""
    with in_words(_KEYS):
        return study.add_from(**file.arguments())


@contextmanager
def in_words(words: Mapping[str, str]) -> Iterator[None]:
    """Let errors name what the user has written instead of arguments."""
    try:
        yield
    except InputError as error:
        message = str(error)
        for theirs, ours in words.items():
            message = message.replace(theirs, ours)
        raise InputError(message) from error


def problem_of(study: Path) -> Problem:
    """The problem of a study: as it was begun, or else as far as its file knows it."""
    from divlearn.cli.origin import Named
    from divlearn.cli.run import origin_of
    from divlearn.cli.study import NAMED
    from divlearn.study import StudyReader

    with StudyReader(study) as reader:
        origin = reader.notes.get("origin")
        if origin is None or origin.get("kind") != NAMED:
            return reader.problem()
    return Named.from_dict(origin_of(study)).open()
