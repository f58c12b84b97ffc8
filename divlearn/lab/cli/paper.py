"""``divlearn bench paper``: run the paper's studies and write one report."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from divlearn.basics.errors import InputError
from divlearn.basics.text import as_json as write_json
from divlearn.basics.wrapping import columns, listing, wrapped
from divlearn.cli.files import require_writable
from divlearn.cli.output import DONE, FAILED, echo
from divlearn.cli.signals import leaving_at_once, undisturbed
from divlearn.lab.cli.stopping import say_stopped

if TYPE_CHECKING:
    from divlearn.lab.bench import Store
    from divlearn.lab.bench.runner import Tally
    from divlearn.lab.cli.bench import Bench
    from divlearn.lab.paper.runner import Suites
    from divlearn.lab.paper.study import Study
    from divlearn.lab.paper.text import Found

#: ``divlearn bench paper`` runs all studies, ``paper-NAME`` one of them.
ALL = "paper"
PREFIX = "paper-"
#: Options of ``divlearn bench`` that a study has no use for.
FIXED = ("methods", "problems", "budget", "seconds")
CHANGES = ("instances", "first_instance", "seeds")
STORE = "bench.db"


def named_studies(word: str) -> list[Study]:
    """The studies that a word stands for; none if it stands for something else."""
    from divlearn.lab.paper.studies import all_studies

    known = all_studies()
    if word == ALL:
        return list(known.values())
    name = word.removeprefix(PREFIX)
    return [known[name]] if word.startswith(PREFIX) and name in known else []


def study_rows() -> list[tuple[str, str]]:
    """Names and titles of all studies, for the list of suites."""
    from divlearn.lab.paper.studies import all_studies

    rows = [(f"{PREFIX}{name}", one.title) for name, one in all_studies().items()]
    return [(ALL, "all of the paper's studies, one report; --short for a look"), *rows]


def run_studies(studies: Sequence[Study], asked: Bench) -> int:
    """Make the runs of studies, and write and show what they say."""
    from divlearn.lab.bench import Store
    from divlearn.lab.bench.runner import compile_once, missing_jobs, run_suites
    from divlearn.lab.paper.runner import suites_of
    from divlearn.terminal import choose_progress
    from divlearn.terminal.display import Silent

    with leaving_at_once(asked.as_json):
        refuse_fixed(asked)
        changes = {name: getattr(asked, name) for name in CHANGES}
        by_study = suites_of(studies, asked.short, **changes)
        folder = asked.out or Path("runs", "bench-paper" + "-short" * asked.short)
        require_writable(folder)
        display = Silent() if asked.quiet else choose_progress("bench paper")
        store = Store(asked.store or folder / STORE)
    with store:
        every = [suite for suites in by_study.values() for suite in suites]
        with leaving_at_once(asked.as_json):
            if jobs := missing_jobs(every, store, asked.retry_failed):
                compile_once(jobs, display)
        try:
            tally = run_suites(
                every,
                store,
                workers=asked.workers,
                retry_failed=asked.retry_failed,
                display=display,
            )
            found = find_all(studies, by_study, store, folder, asked)
        except KeyboardInterrupt:
            return stopped(store, asked)
        return show(found, folder, store, asked, tally)


def refuse_fixed(asked: Bench) -> None:
    """Raise for options that would make another study of it."""
    for name in FIXED:
        if getattr(asked, name) is not None:
            raise InputError(
                f"--{name} is not for the paper's studies, whose claims need the runs "
                "that they have; --instances, --first-instance, --seeds and --short "
                "are."
            )


def find_all(
    studies: Sequence[Study], by_study: Suites, store: Store, folder: Path, asked: Bench
) -> Found:
    """Say what every study found out."""
    from divlearn.lab.paper.runner import find_out

    return [
        (study, find_out(study, by_study[study.name], store, folder, asked.short))
        for study in studies
    ]


@undisturbed()
def stopped(store: Store, asked: Bench) -> int:
    """Say that everything is kept, and how to go on."""
    return say_stopped("what was done is", store.path, asked.as_json)


@undisturbed()
def show(found: Found, folder: Path, store: Store, asked: Bench, tally: Tally) -> int:
    """Write the files and print the claims with their verdicts."""
    from divlearn.lab.paper.files import CONTENTS, write_reports
    from divlearn.lab.paper.text import all_claims, counted_verdicts

    files, remarks = write_reports(found, folder, asked.short)
    rows = [*all_claims(found), *all_claims(found, timed=True)]
    if asked.as_json:
        entry = {
            "claims": rows,
            "made": tally.made,
            "from_store": tally.asked - tally.made,
            "failed": tally.failed,
            "wall_seconds": tally.wall_seconds,
            "files": {name: str(path) for name, path in files.items()},
            "remarks": remarks,
        }
        echo(write_json(entry))
        return FAILED if tally.failed else DONE
    for row in rows:
        text = f"{row['study']}, line {row['line']}: {row['claim']}"
        echo(wrapped(text, columns()))
        facts = f"the paper: {row['the paper']}; measured: {row['measured']}"
        echo(wrapped(f"  {row['verdict'].upper()}. {facts}", columns()))
    echo(f"\n{counted_verdicts(rows)} {tally.made:,} runs made.\n\nWritten")
    named = [(str(path), CONTENTS[name]) for name, path in files.items()]
    named.append((str(store.path), "all runs; the same command goes on from here"))
    echo(listing(named, columns(), indent="  "))
    for remark in remarks:
        echo(wrapped(remark, columns()))
    return FAILED if tally.failed else DONE
