"""``divlearn bench``: list, run or compare, and tell what came out."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from divlearn.basics.text import as_json as write_json
from divlearn.basics.wrapping import columns, listing, wrapped
from divlearn.cli.codes import DONE, FAILED, INTERRUPTED, error_as_json
from divlearn.cli.echo import echo
from divlearn.cli.files import require_writable
from divlearn.cli.lists import listed
from divlearn.cli.signals import leaving_at_once, undisturbed
from divlearn.errors import InputError
from divlearn.lab.cli.bench_request import (
    BenchOptions,
    read_bench,
    refuse_running_options,
    store_to_compare,
)

if TYPE_CHECKING:
    from rich.console import Console

    from divlearn.lab.bench import Store, Suite
    from divlearn.lab.bench.display import Display
    from divlearn.lab.bench.runner import Tally

#: Characters of a line where the output is not a terminal.
PLAIN_WIDTH = 160


def run_bench(words: Sequence[str], options: BenchOptions) -> int:
    """Do what was asked for; returns the exit code."""
    if options.show_list:
        echo(_list_suites(options.as_json))
        return DONE
    if words and words[0] == "compare":
        return compare(words[1:], options)
    if len(words) != 1:
        raise InputError(
            "SUITE must be one name, such as smoke or table1, or a TOML file, got "
            f"{' '.join(words) or 'nothing'}; 'divlearn bench --list' shows what there "
            "is."
        )
    return run(words[0], options)


# --- running


def run(name: str, options: BenchOptions) -> int:
    """Run a suite, print its table and write its files."""
    from divlearn.lab.bench import Store, run_suite

    with leaving_at_once(options.as_json):
        workers = options.num_workers()
        suite = read_bench(name, options)
        folder = options.folder(suite)
        require_writable(folder)
        display = _display(suite, options)
        store = Store(options.store_path(folder))
    with store:
        prepare(suite, store, options, display)
        try:
            tally = run_suite(
                suite,
                store,
                workers=workers,
                retry_failed=options.retry_failed,
                display=display,
            )
        except KeyboardInterrupt:
            return stopped(suite, store, options)
        return report(suite, store, folder, options, tally)


def prepare(
    suite: Suite, store: Store, options: BenchOptions, display: Display
) -> None:
    """Compile what is not compiled yet, if there is anything to run."""
    from divlearn.lab.bench.runner import compile_once, missing_jobs

    with leaving_at_once(options.as_json):
        jobs = missing_jobs(suite, store, options.retry_failed)
        if jobs:
            compile_once(jobs, display)


def _display(suite: Suite, options: BenchOptions) -> Display:
    """Return what shows the progress."""
    from divlearn.lab.bench.display import Quiet, choose_display

    return Quiet() if options.quiet else choose_display(f"bench {suite.name}")


@undisturbed()
def stopped(suite: Suite, store: Store, options: BenchOptions) -> int:
    """Say what is kept, and how to go on."""
    states = store.states()
    keys = {task.key for task in suite.tasks()}
    done = len(keys & states.keys())
    message = (
        f"stopped by Ctrl-C; {done:,} of {len(keys):,} runs are kept in {store.path}. "
        f"To continue:\n  {options.command}"
    )
    echo(f"\n{message[0].upper()}{message[1:]}", err=True)
    if options.as_json:
        echo(error_as_json(message, INTERRUPTED, resume=options.command))
    return INTERRUPTED


@undisturbed()
def report(
    suite: Suite, store: Store, folder: Path, options: BenchOptions, tally: Tally
) -> int:
    """Write the files and show the table."""
    from divlearn.lab.bench import summarize_suite, write_files
    from divlearn.lab.bench.files import report_json
    from divlearn.lab.bench.render import print_report

    found = summarize_suite(suite, store)
    files, remarks = write_files(found, store, folder)
    if options.as_json:
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


def compare(words: Sequence[str], options: BenchOptions) -> int:
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
    refuse_running_options(options)
    first, second = words
    with Store(store_to_compare(options), read_only=True) as store:
        pairings = compare_methods(store, first, second)
    wins, ties, losses = total_score(pairings)
    if options.as_json:
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
    return listed(rows, as_json)
