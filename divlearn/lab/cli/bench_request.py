"""What was asked of ``divlearn bench``."""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from divlearn.cli.values import read_positive, read_whole
from divlearn.errors import InputError

if TYPE_CHECKING:
    from divlearn.lab.bench import Suite

STORE = "bench.db"


@dataclass(frozen=True)
class BenchOptions:
    """Options as they were typed; None for what was left out."""

    methods: str | None
    problems: str | None
    instances: str | None
    first_instance: str | None
    seeds: str | None
    budget: str | None
    seconds: str | None
    workers: str | None
    retry_failed: bool
    out: str | None
    store: str | None
    quiet: bool
    as_json: bool
    show_list: bool
    arguments: tuple[str, ...]

    @property
    def command(self) -> str:
        """The command as it was typed; typed again, it goes on where it stopped."""
        return shlex.join(["divlearn", *self.arguments])

    def num_workers(self) -> int | None:
        """Number of processes; None for one per core."""
        return _whole("--workers", self.workers, 1)

    def folder(self, suite: Suite) -> Path:
        """Directory for tables and pictures."""
        if self.out is not None:
            return Path(self.out)
        return Path("runs", "bench-" + re.sub(r"[^\w.-]+", "-", suite.name))

    def store_path(self, folder: Path) -> Path:
        """File of finished runs."""
        return folder / STORE if self.store is None else Path(self.store)


def read_bench(name: str, options: BenchOptions) -> Suite:
    """Find the suite that was named and change what was asked for."""
    from divlearn.lab.bench import changed

    if options.budget is not None and options.seconds is not None:
        raise InputError(
            "--budget and --seconds exclude each other: runs end after a number of "
            "evaluations or after a time; leave one out."
        )
    seconds = options.seconds
    suite = changed(
        find_suite(name),
        problems=_words("--problems", options.problems),
        methods=_words("--methods", options.methods),
        instances=_whole("--instances", options.instances, 1),
        first_instance=_whole("--first-instance", options.first_instance, 0),
        seeds=_whole("--seeds", options.seeds, 1),
        budget=_whole("--budget", options.budget, 1),
        seconds=None if seconds is None else read_positive("--seconds", seconds, "10"),
    )
    suite.require_runnable()
    return suite


def find_suite(name: str) -> Suite:
    """Read a TOML file, or take a built-in suite."""
    from divlearn.lab.bench import built_in, read_suite

    if name.endswith(".toml") or Path(name).is_file():
        return read_suite(name)
    return built_in(name)


def store_to_compare(options: BenchOptions) -> Path:
    """Find the store whose runs are compared."""
    if options.store is not None:
        return Path(options.store)
    if options.out is not None:
        return Path(options.out, STORE)
    found = sorted(Path("runs").glob(f"bench-*/{STORE}"))
    if len(found) == 1:
        return found[0]
    where = ", ".join(map(str, found)) if found else "none in runs/"
    raise InputError(
        f"--store FILE or --out DIR must say which runs to compare; found {where}."
    )


def refuse_running_options(options: BenchOptions) -> None:
    """Raise for options that mean nothing where nothing is run."""
    given = {
        "--methods": options.methods,
        "--problems": options.problems,
        "--instances": options.instances,
        "--first-instance": options.first_instance,
        "--seeds": options.seeds,
        "--budget": options.budget,
        "--seconds": options.seconds,
        "--workers": options.workers,
    }
    for option, value in given.items():
        if value is not None:
            raise InputError(
                f"{option} is for running a suite; 'bench compare A B' compares runs "
                "that are stored, and takes --store or --out, and --json."
            )


def _whole(option: str, text: str | None, least: int) -> int | None:
    """Read a whole number that may be left out."""
    return None if text is None else read_whole(option, text, least, "5")


def _words(option: str, text: str | None) -> list[str] | None:
    """Read names with commas between them."""
    if text is None:
        return None
    words = [word.strip() for word in text.split(",") if word.strip()]
    if not words:
        raise InputError(f"{option} must be names with commas between them, got none.")
    return words
