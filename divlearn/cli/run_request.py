"""What was asked of ``divlearn run`` and ``divlearn resume``."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from divlearn.basics.checks import require_one_of
from divlearn.cli.values import read_positive, read_whole
from divlearn.errors import InputError

#: Instead of a number of failures.
WORDS = ("auto", "never")
#: What may become of evaluations that were cut off.
RUNNING = ("rerun", "abandon")


@dataclass(frozen=True)
class RunRequest:
    """How to run a study.

    Attributes
    ----------
    given
        Options of the run that were typed, by name; what was left out is not there.
    store, out
        File of the study, and directory for the front; None where left out.
    accept_changes
        Whether another command may go on with the study.
    checkpoint
        Whether the study may begin with the state of the search that its file keeps.
    quiet, as_json
        What to show.
    """

    given: dict[str, Any]
    store: Path | None
    out: Path | None
    accept_changes: bool
    checkpoint: bool
    quiet: bool
    as_json: bool


def read_run_request(
    *,
    budget: str | None,
    seconds: str | None,
    workers: str | None,
    timeout: str | None,
    retries: str | None,
    replicates: str | None,
    max_failures: str | None,
    retry_failed: bool,
    matching: str | None,
    running: str | None,
    seed: str | None = None,
    method: str | None = None,
    store: str | None = None,
    out: str | None,
    accept_changes: bool,
    checkpoint: bool,
    quiet: bool,
    as_json: bool,
) -> RunRequest:
    """Turn the text of the options into values, or say what is wrong."""
    read = {
        "budget": _whole("--budget", budget, 1, "150"),
        "seconds": _positive("--seconds", seconds, "3600"),
        "workers": _whole("--workers", workers, 0, "4"),
        "timeout": _positive("--timeout", timeout, "600"),
        "retries": _whole("--retries", retries, 0, "1"),
        "replicates": _whole("--replicates", replicates, 1, "5"),
        "max_failures": _max_failures(max_failures),
        "retry_failed": _retry_failed(retry_failed, matching),
        "running": running and require_one_of("--running", running, RUNNING),
        "seed": _whole("--seed", seed, 0, "1"),
        "method": method,
    }
    return RunRequest(
        given={name: value for name, value in read.items() if value is not None},
        store=None if store is None else Path(store),
        out=None if out is None else Path(out),
        accept_changes=accept_changes,
        checkpoint=checkpoint,
        quiet=quiet,
        as_json=as_json,
    )


def _max_failures(text: str | None) -> int | str | None:
    """Read a number of failures, or a word instead of one."""
    return text if text in WORDS else _whole("--max-failures", text, 1, "20 or never")


def _retry_failed(wanted: bool, matching: str | None) -> bool | str | None:
    """What of the designs that failed is to be evaluated again; None if nothing."""
    if matching is not None and not wanted:
        raise InputError(
            "--matching needs --retry-failed: it says which designs are tried again."
        )
    return (matching or True) if wanted else None


def _whole(option: str, text: str | None, least: int, example: str) -> int | None:
    """Read a whole number that may be left out."""
    return None if text is None else read_whole(option, text, least, example)


def _positive(option: str, text: str | None, example: str) -> float | None:
    """Read a positive number that may be left out."""
    return None if text is None else read_positive(option, text, example)
