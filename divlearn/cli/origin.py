"""Problems by name or from instance files, and when a search of one stops."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from divlearn.basics.errors import InputError
from divlearn.basics.plugins import is_reference
from divlearn.cli.output import echo
from divlearn.methods.budget import Budget, planned

if TYPE_CHECKING:
    from divlearn.optimizer.stop import Criterion
    from divlearn.problems import Problem

#: Evaluations where the user gives no limit at all.
DEFAULT_BUDGET = 10_000


@dataclass(frozen=True)
class Named:
    """A built-in problem, or one from instance files.

    Attributes
    ----------
    problem
        Its name; files give it one.
    paths
        The instance files.
    instance, options
        Which of several, and how it is made; None stands for what was left out.
    reference
        Reference point of the hypervolume instead of the problem's own.
    """

    problem: str
    paths: tuple[str, ...]
    instance: int | None
    options: dict[str, Any]
    reference: list[float] | None

    @classmethod
    def by_words(
        cls,
        words: Sequence[str],
        instance: int | None,
        options: dict[str, Any],
        reference: list[float] | None,
    ) -> Named:
        """Tell the name of a problem from instance files."""
        if any(map(_is_path, words)):
            name = "+".join(Path(word).stem for word in words)
            return cls(name, tuple(words), instance, options, reference)
        if len(words) > 1:
            raise InputError(
                "PROBLEM must be one name, such as bitsp-100, or instance files, such "
                f"as kroA100.tsp kroB100.tsp; got {', '.join(map(repr, words))}."
            )
        return cls(words[0], (), instance or 0, options, reference)

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Named:
        """Read what :meth:`to_dict` wrote, after JSON made lists of tuples."""
        options = {
            name: tuple(value) if isinstance(value, list) else value
            for name, value in data["options"].items()
        }
        more = data.get("instance"), options, data.get("reference")
        return cls(data["problem"], tuple(data["paths"]), *more)

    def to_dict(self) -> dict[str, Any]:
        """All that makes the problem again, from any directory."""
        return asdict(self) | {"paths": [os.path.abspath(path) for path in self.paths]}

    def title(self) -> str:
        """The problem in a few words."""
        number = "" if self.instance is None else f" (instance {self.instance})"
        return self.problem + number

    def label(self) -> str:
        """The problem in the name of a folder."""
        number = "" if self.instance is None else f"-{self.instance}"
        return self.problem.replace(":", "-") + number

    def about(self) -> dict[str, Any]:
        """What JSON says of the problem."""
        return {"problem": self.problem, "instance": self.instance}

    def open(self) -> Problem:
        """Make the problem, or read it."""
        from divlearn import problems

        number = {} if self.instance is None else {"instance": self.instance}
        options = {**self.options, **number}
        problem: Problem
        if self.paths:
            problem = problems.read(*self.paths, **options)
        else:
            problem = problems.get(self.problem, **options)
        if self.reference is not None:
            problem.reference = problem.point("--reference", self.reference)
            problem.require_ideal_beyond_reference()
        return problem


def _is_path(word: str) -> bool:
    """Whether this looks like a file, or is one without the form of a name."""
    path = Path(word)
    if is_reference(word) and not path.exists():
        return False
    if path.suffix or len(path.parts) > 1 or word.startswith("."):
        return True
    return path.is_file() and not re.fullmatch(r"[a-z]+-[0-9]+", word)


def budget_without_limit(quiet: bool, budget: Budget = None) -> Budget:
    """Say when a search without any limit stops: a budget of before, or a default."""
    budget = budget or DEFAULT_BUDGET
    if not quiet:
        count = planned(budget)
        end = "with its schedule" if count is None else f"after {count:,} evaluations"
        note = f"No limit given: stopping {end}."
        echo(f"{note} Change it with --budget or --seconds.", err=True)
    return budget


def stop_at_stagnation(stagnation: int | None) -> Criterion | None:
    """Return the criterion beside evaluations and seconds."""
    if stagnation is None:
        return None
    from divlearn.optimizer.stop import HypervolumeStagnation

    return HypervolumeStagnation(stagnation)
