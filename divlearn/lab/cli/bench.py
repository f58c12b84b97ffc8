"""``divlearn bench``: list, run or compare, and tell what came out."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from divlearn.basics.errors import InputError
from divlearn.basics.text import as_json as write_json
from divlearn.basics.wrapping import columns, listing, wrapped
from divlearn.cli.command import Command, argument, command, flag, option
from divlearn.cli.files import require_writable
from divlearn.cli.output import (
    DONE,
    FAILED,
    echo,
    listed,
)
from divlearn.cli.signals import leaving_at_once, undisturbed
from divlearn.cli.values import Names, OneOf, Positive, Whole
from divlearn.lab.cli.paper import named_studies, run_studies, study_rows
from divlearn.lab.cli.stopping import say_stopped
from divlearn.methods.budget import SCHEDULE, Budget

if TYPE_CHECKING:
    from rich.console import Console

    from divlearn.lab.bench import Store, Suite
    from divlearn.lab.bench.runner import Tally
    from divlearn.terminal.display import Display

STORE = "bench.db"
#: Ways of printing a table for a paper.
FORMATS = ("latex", "markdown")
#: Characters of a line where the output is not a terminal.
PLAIN_WIDTH = 160
#: Options that change a suite.
CHANGES = (
    *("methods", "problems", "instances", "first_instance", "seeds", "budget"),
    *("seconds", "columns"),
)


@dataclass(frozen=True, kw_only=True)
class Bench(Command):
    """Compare methods on many problems.

    The same command continues where it stopped.
    """

    words: tuple[str, ...] = argument(
        "SUITE | compare A B",
        "A built-in suite or a TOML file; or two methods whose stored runs to compare.",
        nargs=-1,
    )
    show_list: bool = flag("List the built-in suites.", names="--list")
    methods: list[str] | None = option(
        Names(), "A,B,..", "Methods to run instead of the suite's."
    )
    problems: list[str] | None = option(
        Names(),
        "P,Q,..",
        "Problems to solve instead of the suite's, such as bitsp-20,bikp-50; a family "
        "such as bikp stands for all sizes of the suite.",
    )
    instances: int | None = option(Whole(1, "5"), "N", "Number of instances.")
    first_instance: int | None = option(
        Whole(0, "5"), "I", "Number of the first instance."
    )
    seeds: int | None = option(Whole(1, "5"), "N", "Number of seeds per instance.")
    budget: Budget = option(
        Whole(1, "5", words=(SCHEDULE,)),
        "N|schedule",
        "Number of evaluations of each run; 'schedule' ends runs of the paper's "
        "methods with their schedule.",
    )
    seconds: float | None = option(
        Positive("10"), "S", "Seconds of each run, instead of a budget."
    )
    columns: list[str] | None = option(
        Names(),
        "M,N,..",
        "Measures that the table shows, such as hypervolume,spread; your own as "
        "package.module:function.",
    )
    format: str | None = option(
        OneOf(*FORMATS),
        "latex|markdown",
        "Print the table for a paper: standard errors, the best in bold, marks of "
        "significance.",
    )
    workers: int | None = option(
        Whole(1, "5"), "N", "Number of runs at a time.  [default: one per core]"
    )
    retry_failed: bool = flag("Repeat runs that have failed.")
    short: bool = flag("Short form of the paper's studies: seconds instead of hours.")
    out: Path | None = option(
        Path, "DIR", "Directory for tables and pictures.  [default: runs/bench-SUITE]"
    )
    store: Path | None = option(
        Path, "FILE", "Store of finished runs.  [default: DIR/bench.db]"
    )
    quiet: bool = flag("Show no progress, only the table.", names="--quiet -q")

    def execute(self) -> int:
        """List, compare or run."""
        if self.show_list:
            echo(_list_suites(self.as_json))
            return DONE
        if self.words and self.words[0] == "compare":
            return compare(self.words[1:], self)
        if len(self.words) != 1:
            raise InputError(
                "SUITE must be one name, such as smoke or table1, or a TOML file, got "
                f"{' '.join(self.words) or 'nothing'}; 'divlearn bench --list' shows "
                "what there is."
            )
        if studies := named_studies(self.words[0]):
            return run_studies(studies, self)
        return run(self.words[0], self)


bench = command(Bench)


# --- running


def run(name: str, asked: Bench) -> int:
    """Run a suite, print its table and write its files."""
    from divlearn.lab.bench import Store, run_suite

    with leaving_at_once(asked.as_json):
        suite = read_bench(name, asked)
        folder = asked.out or _folder(suite)
        require_writable(folder)
        display = _display(suite, asked)
        store = Store(asked.store or folder / STORE)
    with store:
        prepare(suite, store, asked, display)
        try:
            tally = run_suite(
                suite,
                store,
                workers=asked.workers,
                retry_failed=asked.retry_failed,
                display=display,
            )
        except KeyboardInterrupt:
            return stopped(suite, store, asked)
        return report(suite, store, folder, asked, tally)


def read_bench(name: str, asked: Bench) -> Suite:
    """Find the suite that was named and change what was asked for."""
    from divlearn.lab.bench import built_in, changed, read_suite

    if asked.short:
        raise InputError(
            f"--short is for the paper's studies, such as paper or paper-exp3, got the "
            f"suite {name!r}; use --instances and --budget for less."
        )
    if asked.budget is not None and asked.seconds is not None:
        raise InputError(
            "--budget and --seconds exclude each other: runs end after a number of "
            "evaluations or after a time; leave one out."
        )
    is_file = name.endswith(".toml") or Path(name).is_file()
    suite = changed(
        read_suite(name) if is_file else built_in(name),
        **{option: getattr(asked, option) for option in CHANGES},
    )
    suite.require_runnable()
    return suite


def _folder(suite: Suite) -> Path:
    """Directory for tables and pictures where none was given."""
    return Path("runs", "bench-" + re.sub(r"[^\w.-]+", "-", suite.name))


def prepare(suite: Suite, store: Store, asked: Bench, display: Display) -> None:
    """Compile what is not compiled yet, if there is anything to run."""
    from divlearn.lab.bench.runner import compile_once, missing_jobs

    with leaving_at_once(asked.as_json):
        jobs = missing_jobs([suite], store, asked.retry_failed)
        if jobs:
            compile_once(jobs, display)


def _display(suite: Suite, asked: Bench) -> Display:
    """Return what shows the progress."""
    from divlearn.terminal import choose_progress
    from divlearn.terminal.display import Silent

    return Silent() if asked.quiet else choose_progress(f"bench {suite.name}")


@undisturbed()
def stopped(suite: Suite, store: Store, asked: Bench) -> int:
    """Say what is kept, and how to go on."""
    states = store.states()
    keys = {task.key for task in suite.tasks()}
    done = len(keys & states.keys())
    return say_stopped(f"{done:,} of {len(keys):,} runs are", store.path, asked.as_json)


@undisturbed()
def report(suite: Suite, store: Store, folder: Path, asked: Bench, tally: Tally) -> int:
    """Write the files and show the table."""
    from divlearn.lab.bench import summarize_suite, write_files
    from divlearn.lab.bench.files import report_json
    from divlearn.lab.bench.render import print_report

    found = summarize_suite(suite, store)
    files, remarks = write_files(found, store, folder)
    if asked.as_json:
        entry = {
            **report_json(found),
            "made": tally.made,
            "from_store": tally.asked - tally.made,
            "wall_seconds": tally.wall_seconds,
            "overhead": tally.overhead,
            "store": str(store.path),
            "files": {name: str(path) for name, path in files.items()},
            "remarks": remarks,
        }
        echo(write_json(entry))
    elif asked.format is not None:
        from divlearn.lab.bench.publishing import published

        echo(published(found, asked.format))
    else:
        console = _console()
        print_report(found, console)
        for line in closing_lines(tally, store.path, files, remarks):
            console.print(line, markup=False, soft_wrap=True)
    return FAILED if found.failures else DONE


def closing_lines(
    tally: Tally, store: Path, files: dict[str, Path], remarks: Sequence[str]
) -> list[str]:
    """Say what was done and where everything is."""
    from divlearn.lab.bench.files import CONTENTS
    from divlearn.terminal.words import duration

    before = tally.asked - tally.made
    done = f"{tally.made:,} runs made" + (
        f", {before:,} taken from the store" * (before > 0)
    )
    if tally.made:
        done += (
            f", in {duration(tally.wall_seconds)}; around each run the benchmark took "
            f"{tally.overhead:.1%} of its time"
        )
    named = [
        *((str(files[name]), text) for name, text in CONTENTS.items() if name in files)
    ]
    named.append((str(store), "all runs; the same command goes on from here"))
    return [
        f"\n{wrapped(f'{done}.', columns())}\n\nWritten",
        listing(named, columns(), indent="  "),
        *(wrapped(remark, columns()) for remark in remarks),
    ]


# --- comparing


def compare(words: Sequence[str], asked: Bench) -> int:
    """Print the paired statistics of two methods."""
    from divlearn.lab.bench import Store, compare_methods
    from divlearn.lab.bench.compare import (
        LEGEND,
        pairing_grid,
        pairing_json,
        total_score,
    )
    from divlearn.lab.bench.render import print_grid

    if len(words) != 2:
        raise InputError(
            f"compare needs two methods, as in 'divlearn bench compare paper-ts "
            f"uniform'; got {len(words)}."
        )
    refuse_running_options(asked)
    first, second = words
    with Store(store_to_compare(asked), read_only=True) as store:
        pairings = compare_methods(store, first, second)
    wins, ties, losses = total_score(pairings)
    if asked.as_json:
        entry: dict[str, Any] = {
            "first": first,
            "second": second,
            "comparisons": [pairing_json(pairing) for pairing in pairings],
            "wins": wins,
            "ties": ties,
            "losses": losses,
            "store": str(store.path),
        }
        echo(write_json(entry))
        return DONE
    console = _console()
    print_grid(pairing_grid(pairings, first, second), console)
    total = f"In all {first} won {wins:,}, tied {ties:,} and lost {losses:,} pairs."
    console.print(total, markup=False)
    legend = LEGEND.format(first=first, second=second)
    console.print(legend, markup=False, style="dim")
    return DONE


def store_to_compare(asked: Bench) -> Path:
    """Find the store whose runs are compared."""
    if asked.store is not None:
        return asked.store
    if asked.out is not None:
        return asked.out / STORE
    found = sorted(Path("runs").glob(f"bench-*/{STORE}"))
    if len(found) == 1:
        return found[0]
    where = ", ".join(map(str, found)) if found else "none in runs/"
    raise InputError(
        f"--store FILE or --out DIR must say which runs to compare; found {where}."
    )


def refuse_running_options(asked: Bench) -> None:
    """Raise for options that mean nothing where nothing is run."""
    for name in (*CHANGES, "workers"):
        if getattr(asked, name) is not None:
            raise InputError(
                f"--{name.replace('_', '-')} is for running a suite; 'bench compare A "
                "B' compares runs that are stored, and takes --store or --out, and "
                "--json."
            )


def _console() -> Console:
    """Return standard output: as wide as the terminal, or wide enough for tables."""
    from rich.console import Console

    console = Console(file=sys.stdout, highlight=False)
    if console.is_terminal:
        return console
    return Console(file=sys.stdout, highlight=False, width=PLAIN_WIDTH)


def _list_suites(as_json: bool) -> str:
    """Name the built-in suites of benchmarks."""
    from divlearn.lab.bench import SUITES

    rows = [(name, make().description) for name, make in SUITES.items()]
    return listed([*rows, *study_rows()], as_json)
