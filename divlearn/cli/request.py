"""What the user asked for, checked as far as text can be checked."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from divlearn.cli.values import read_pairs, read_point, read_positive, read_whole
from divlearn.errors import InputError


@dataclass(frozen=True)
class Request:
    """A search that was asked for; None stands for what was left out.

    Attributes
    ----------
    problem, paths, instance, options
        Which problem: a name, or one made of the names of files and their paths.
    budget, seconds, stagnation
        When to stop.
    seed, method, settings
        How to search.
    reference
        Reference point of the hypervolume.
    out, resume
        Where to write, and the saved search to continue.
    store, workers
        File of a study that the search becomes, and how many evaluations at a time.
    quiet, as_json
        What to show.
    arguments
        The command as it was typed.
    """

    problem: str
    paths: tuple[str, ...]
    instance: int | None
    options: dict[str, Any]
    budget: int | None
    seconds: float | None
    stagnation: int | None
    seed: int | None
    method: str | None
    settings: dict[str, Any]
    reference: list[float] | None
    out: Path | None
    resume: Path | None
    store: Path | None
    workers: int | None
    quiet: bool
    as_json: bool
    arguments: tuple[str, ...]

    @property
    def title(self) -> str:
        """The problem in a few words."""
        number = "" if self.instance is None else f" (instance {self.instance})"
        return self.problem + number

    @property
    def label(self) -> str:
        """The problem in the name of a folder."""
        number = "" if self.instance is None else f"-{self.instance}"
        return self.problem + number

    @property
    def has_limit(self) -> bool:
        """Whether it was said when to stop."""
        limits = (self.budget, self.seconds, self.stagnation)
        return any(limit is not None for limit in limits)

    def command_to_resume(self, state: Path) -> str:
        """Return the same command, continuing from a saved state."""
        kept: list[str] = []
        skip = False
        for argument in self.arguments:
            if skip:
                skip = False
            elif argument == "--resume":
                skip = True
            elif not argument.startswith("--resume="):
                kept.append(argument)
        return shlex.join(["divlearn", *kept, "--resume", str(state)])


def read_request(
    problem: Sequence[str],
    *,
    instance: str | None,
    budget: str | None,
    seconds: str | None,
    stagnation: str | None,
    seed: str | None,
    method: str | None,
    settings: Sequence[str],
    options: Sequence[str],
    reference: str | None,
    out: str | None,
    resume: str | None,
    store: str | None,
    workers: str | None,
    quiet: bool,
    as_json: bool,
    arguments: Sequence[str],
) -> Request:
    """Turn the text of the options into values, or say what is wrong."""

    def whole(option: str, text: str | None, least: int, example: str) -> int | None:
        return None if text is None else read_whole(option, text, least, example)

    _require_one_kind(store, resume, workers)
    name, paths = _name_or_files(problem)
    if instance is None and not paths:
        instance = "0"
    return Request(
        problem=name,
        paths=paths,
        instance=whole("--instance", instance, 0, "3"),
        options=read_pairs("--option", options),
        budget=whole("--budget", budget, 1, "10000"),
        seconds=None if seconds is None else read_positive("--seconds", seconds, "60"),
        stagnation=whole("--stagnation", stagnation, 1, "5000"),
        seed=whole("--seed", seed, 0, "1"),
        method=method,
        settings=read_pairs("--set", settings),
        reference=None if reference is None else read_point("--reference", reference),
        out=None if out is None else Path(out),
        resume=None if resume is None else _existing_file("--resume", resume),
        store=None if store is None else Path(store),
        workers=whole("--workers", workers, 0, "4"),
        quiet=quiet,
        as_json=as_json,
        arguments=tuple(arguments),
    )


def _require_one_kind(
    store: str | None, resume: str | None, workers: str | None
) -> None:
    """Refuse options that belong to different ways of keeping a search."""
    if store is not None and resume is not None:
        raise InputError(
            "--store and --resume exclude each other: a study goes on by the same "
            "command, or by 'divlearn resume STUDY'; leave --resume out."
        )
    if store is None and workers is not None:
        raise InputError(
            "--workers needs --store FILE: only a study has workers; got no --store."
        )


def _name_or_files(words: Sequence[str]) -> tuple[str, tuple[str, ...]]:
    """Tell the name of a problem from instance files, which get a name of their own."""
    if any(map(_is_path, words)):
        return "+".join(Path(word).stem for word in words), tuple(words)
    if len(words) > 1:
        raise InputError(
            "PROBLEM must be one name, such as bitsp-100, or instance files, such as "
            f"kroA100.tsp kroB100.tsp; got {', '.join(map(repr, words))}."
        )
    return words[0], ()


def _is_path(word: str) -> bool:
    """Whether this looks like a file, or is one without the form of a name."""
    path = Path(word)
    if path.suffix or len(path.parts) > 1 or word.startswith("."):
        return True
    return path.is_file() and not re.fullmatch(r"[a-z]+-[0-9]+", word)


def _existing_file(option: str, text: str) -> Path:
    """Check that a file is there."""
    path = Path(text)
    if not path.is_file():
        raise InputError(
            f"{option} must be a state.npz that a search has saved, got {text!r}, "
            "which is not a file; --out DIR makes a search save one."
        )
    return path
