"""``[run]``: how long, with how many workers, and where to."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from divlearn.basics.errors import InputError
from divlearn.simulator.document import Table
from divlearn.simulator.known import KnownFile
from divlearn.workers.engines import read_engine

#: What a study is made with; it is run with all the others but the file.
_OF_STUDY = ("method", "seed", "lag", "ordered", "archive_size")


@dataclass(frozen=True)
class RunOptions:
    """What a TOML file says about the run; None if it says nothing.

    The names are those of the arguments of a study and of its run, which say more.

    Attributes
    ----------
    store
        File of the study; by default next to the TOML file and named like it.
    budget
        Number of evaluations, or ``"schedule"``.
    seconds
        Time for the whole run.
    workers
        Evaluations at once; 0 evaluates in the coordinator's process.
    seed
        Seed of the search.
    method
        Name of the method.
    retries
        How often a failed evaluation is tried again.
    replicates
        Evaluations of each candidate of a noisy problem.
    max_failures
        Failures in a row after which a run stops, ``"auto"`` or ``"never"``.
    retry_failed
        Whether designs that failed are evaluated again, or a text that their messages
        contain or match.
    lag, ordered
        When outcomes are learned from.
    archive_size
        Most members of the front that are kept.
    duplicates, running, on_interrupt
        What to do with designs that were evaluated before, with what was cut off, and
        at Ctrl-C.
    executor
        Where evaluations run: the name of an engine, or a table with its options.
    timeout
        Seconds after which a worker is ended. The simulator's own supervision keeps the
        limit of an evaluation; this one is a safety net.
    known
        Files with designs that were evaluated before, of ``[known]``.
    """

    store: Path
    budget: int | str | None = None
    seconds: float | None = None
    workers: int | None = None
    seed: int | None = None
    method: str | None = None
    retries: int | None = None
    replicates: int | None = None
    max_failures: int | str | None = None
    retry_failed: bool | str | None = None
    lag: int | None = None
    ordered: bool | None = None
    archive_size: int | None = None
    duplicates: str | None = None
    running: str | None = None
    on_interrupt: str | None = None
    executor: dict[str, Any] | str | None = None
    timeout: float | None = None
    known: tuple[KnownFile, ...] = ()

    def of_study(self) -> dict[str, Any]:
        """What the file says about making the study, as arguments by name."""
        return self._given(_OF_STUDY)

    def of_run(self) -> dict[str, Any]:
        """What the file says about running it, as arguments by name.

        Examples
        --------
        >>> RunOptions(Path("chip.db"), budget=150, seed=1).of_run()
        {'budget': 150}
        """
        given = self._given(set(vars(self)) - {"store", "known", *_OF_STUDY})
        engine = None if self.executor is None else read_engine(self.executor)
        # Within the coordinator there is nothing to be ended; and where evaluations
        # may wait in a queue, only their own supervision knows when they began.
        if engine.on_queue if engine is not None else self.workers == 0:
            given.pop("timeout", None)
        return given

    def _given(self, names: Collection[str]) -> dict[str, Any]:
        pairs = vars(self).items()
        return {name: v for name, v in pairs if name in names and v is not None}


#: What ``[run]`` may say; a worker's time limit follows from that of an evaluation.
KEYS = tuple(f.name for f in fields(RunOptions) if f.name not in ("timeout", "known"))


#: Seconds more than an evaluation may take, after which its worker is ended.
MARGIN = 10.0


def read_options(table: Table, path: Path, timeout: float | None) -> RunOptions:
    """Read ``[run]`` of the file at ``path``."""
    table.require_keys(KEYS)
    return RunOptions(
        path.resolve().parent / table.text("store", f"{path.stem}.db"),
        budget=_budget(table),
        seconds=table.number("seconds", 0.001),
        workers=table.whole("workers", 0),
        seed=table.whole("seed", 0),
        method=_word(table, "method"),
        retries=table.whole("retries", 0),
        replicates=table.whole("replicates", 1),
        max_failures=_max_failures(table),
        retry_failed=_retry_failed(table),
        lag=table.whole("lag", 1),
        ordered=table.flag("ordered"),
        archive_size=table.whole("archive_size", 1),
        duplicates=_word(table, "duplicates", "reuse", "rerun"),
        running=_word(table, "running", "rerun", "abandon"),
        on_interrupt=_word(table, "on_interrupt", "finish", "abandon"),
        executor=_executor(table, path.resolve().parent),
        timeout=None if timeout is None else timeout + MARGIN,
    )


def _budget(table: Table) -> int | str | None:
    """Return a number, or the word for the schedule of a method."""
    if table.content.get("budget") == "schedule":
        return "schedule"
    return table.whole("budget", 1)


def _max_failures(table: Table) -> int | str | None:
    """Return a number, or a word instead of one."""
    if isinstance(table.content.get("max_failures"), str):
        return table.choice("max_failures", ("auto", "never"), "")
    return table.whole("max_failures", 1)


def _retry_failed(table: Table) -> bool | str | None:
    """Return a yes or no, or what messages contain."""
    if isinstance(table.content.get("retry_failed"), str):
        return table.text("retry_failed", "")
    return table.flag("retry_failed")


def _executor(table: Table, here: Path) -> dict[str, Any] | str | None:
    """Return an engine by name, or with its options; directories begin here."""
    executor = table.content.get("executor")
    if executor is None:
        return None
    with table.at("executor"):
        if not isinstance(executor, (str, dict)):
            raise InputError(
                'executor in [run] must be a text, such as "dask://HOST:PORT" or '
                f'"spool:jobs", or a table, got {executor!r}.'
            )
        engine = read_engine(executor)
    if engine.name != "spool" or engine.place is None:
        return executor
    return {"engine": f"spool:{here / engine.place}", **engine.options}


def _word(table: Table, key: str, *allowed: str) -> str | None:
    """Return a text, one of those allowed if any are listed; None if there is none."""
    if key not in table:
        return None
    return table.choice(key, allowed, "") if allowed else table.text(key, "")
