"""``Task``: one run of a benchmark, and the key by which a store knows it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Any

from divlearn.basics.files import digest_of
from divlearn.basics.plugins import (
    is_reference,
    referenced,
    source_digest,
    split_reference,
)
from divlearn.methods.budget import Budget

#: Part of every key. To be raised when the same task gives another result than before:
#: runs of older code are then made anew rather than mixed with those of newer code.
FORMAT = 7


@dataclass(frozen=True)
class Case:
    """A problem to be solved, on numbered instances.

    Parameters
    ----------
    name
        Name as for :func:`divlearn.problems.get`, or one of
        :mod:`divlearn.lab.bench.cases`.
    options
        Options of the problem, plain data.
    label
        What tables call it; name and options if left out.
    files
        Instance files as for :func:`divlearn.problems.read`; the name is then free.
    digest
        Hash of their content, by which a run is known; taken now if left out. Of a
        problem of one's own, its name and a hash of its source.

    Examples
    --------
    >>> Case("bikp-50", {"fill": True}).label
    'bikp-50 (fill=true)'
    """

    name: str
    options: Mapping[str, Any] = field(default_factory=dict)
    label: str = ""
    files: tuple[str, ...] = ()
    digest: str = ""

    def __post_init__(self) -> None:
        if not self.label:
            object.__setattr__(self, "label", described(self.name, self.options))
        if self.digest:
            return
        if self.files:
            object.__setattr__(self, "digest", digest_of(self.files))
        elif is_reference(self.name):
            home, path, _ = split_reference(self.name)
            source = source_digest(referenced("problem", f"{home}:{path}"))
            object.__setattr__(self, "digest", f"{self.name} {source}")

    @property
    def identity(self) -> list[Any]:
        """What makes it this problem, as plain data."""
        return [self.digest or self.name, dict(self.options)]


@dataclass(frozen=True)
class Contender:
    """A method with changed settings.

    Parameters
    ----------
    method
        Name of the method.
    settings
        Changes as for :meth:`divlearn.Settings.replace`, plain data.
    label
        What tables call it; method, settings and budget if left out.
    budget
        Evaluations of its runs, where they are not those of the suite: some methods
        take seconds for each; or ``"schedule"``.

    Examples
    --------
    >>> Contender("paper-ts", {"refinement.steps": 5}).label
    'paper-ts (refinement.steps=5)'
    >>> Contender("qnehvi", budget=200).label
    'qnehvi@200'
    """

    method: str
    settings: Mapping[str, Any] = field(default_factory=dict)
    label: str = ""
    budget: Budget = None

    def __post_init__(self) -> None:
        if not self.label:
            label = described(self.method, self.settings)
            own = "" if self.budget is None else f"@{self.budget}"
            object.__setattr__(self, "label", label + own)


def gridded(contender: Contender, axes: Mapping[str, Sequence[Any]]) -> list[Contender]:
    """A method for each combination of settings, the last one changing fastest.

    Parameters
    ----------
    contender
        The method, with the settings that stay the same.
    axes
        Values of each setting that changes; nothing leaves the method as it is.

    Examples
    --------
    >>> methods = gridded(
    ...     Contender("paper-ts", label="ts"), {"patience": [5, 10], "initial": [20]}
    ... )
    >>> [one.label for one in methods]
    ['ts (patience=5, initial=20)', 'ts (patience=10, initial=20)']
    """
    if not axes:
        return [contender]
    made = []
    for values in product(*axes.values()):
        chosen = dict(zip(axes, values, strict=True))
        settings = {**contender.settings, **chosen}
        label = described(contender.label, chosen)
        made.append(Contender(contender.method, settings, label, contender.budget))
    return made


@dataclass(frozen=True)
class Task:
    """One run: a method on an instance with a seed, until a limit.

    Either ``budget``, in evaluations or as a schedule, or ``seconds`` is None.
    ``digest`` is a hash of the files that the method reads, if any: a network that is
    trained anew is another method. ``initial`` and ``snapshots`` are those of the
    suite.

    Examples
    --------
    >>> task = Task(Case("bitsp-20"), 0, Contender("uniform"), seed=0, budget=500)
    >>> task.key == Task(
    ...     Case("bitsp-20", label="tour"), 0, Contender("uniform"), seed=0, budget=500
    ... ).key
    True
    """

    case: Case
    instance: int
    contender: Contender
    seed: int
    budget: Budget = None
    seconds: float | None = None
    digest: str = ""
    initial: int = 0
    snapshots: int = 0

    @property
    def key(self) -> str:
        """Hash of all that determines the result; labels do not."""
        more: list[Any] = [self.digest] if self.digest else []
        if self.initial or self.snapshots:  # other runs keep the keys they have
            more.append({"initial": self.initial, "snapshots": self.snapshots})
        return stable_hash(
            "run",
            *self.case.identity,
            self.instance,
            self.contender.method,
            dict(self.contender.settings),
            self.budget,
            self.seconds,
            self.seed,
            *more,
        )


@dataclass(frozen=True)
class ReferenceTask:
    """The exact front of an instance, which results are measured against."""

    case: Case
    instance: int

    @property
    def key(self) -> str:
        """Hash of all that determines the front."""
        return stable_hash("reference", *self.case.identity, self.instance)


Job = Task | ReferenceTask


def stable_hash(*parts: Any) -> str:
    """Hash plain data, the same on every machine and in every process.

    Examples
    --------
    >>> stable_hash("run", {"a": 1, "b": (2, 3)}) == stable_hash(
    ...     "run", {"b": [2, 3], "a": 1}
    ... )
    True
    """
    text = json.dumps([FORMAT, *parts], sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def described(name: str, changes: Mapping[str, Any]) -> str:
    """Name something with its options."""
    if not changes:
        return name
    parts = [f"{key}={_plain_text(value)}" for key, value in changes.items()]
    return f"{name} ({', '.join(parts)})"


def _plain_text(value: Any) -> str:
    """Write a value without the quotes of a language."""
    if isinstance(value, bool) or value is None:
        return str(value).lower()
    if isinstance(value, (list, tuple)):
        return "+".join(map(_plain_text, value))
    return str(value)
