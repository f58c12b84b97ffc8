"""What a state file says of itself: which problem, which settings, how far."""

from __future__ import annotations

import json
import math
import reprlib
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from divlearn.basics.arrays import ArrayFile, read_described
from divlearn.basics.errors import InputError
from divlearn.basics.text import few_lines
from divlearn.basics.version import __version__
from divlearn.methods import differences as methods
from divlearn.methods.budget import SCHEDULE, Budget
from divlearn.optimizer.checkpoint.rules import MANY, require
from divlearn.optimizer.course import is_course
from divlearn.problems import Problem
from divlearn.problems import differences as problems

if TYPE_CHECKING:
    from divlearn.optimizer.optimizer import Optimizer

FORMAT = "divlearn search state"
FORMAT_VERSION = 1

#: Shows what a file says, however long that is.
_SHORT = reprlib.Repr()
_SHORT.maxstring = _SHORT.maxother = 200
_SHORT.maxlist = _SHORT.maxdict = _SHORT.maxlevel = 20


#: What files of divlearn 0.1.0 do not have.
_NOT_IN_THE_FIRST = ("remarks", "num_known", "course", "archive_size")


@dataclass(frozen=True)
class Description:
    """What the arrays belong to."""

    divlearn: str
    problem: dict[str, Any]
    name: str
    method: str
    settings: dict[str, Any]
    seed: int
    budget: Budget
    seconds: float
    next_id: int
    num_failed: int
    history: dict[str, list[float]]
    remarks: dict[str, Any] = field(default_factory=dict)
    num_known: int = 0
    course: list[dict[str, Any]] = field(default_factory=list)
    archive_size: int | None = None

    def __post_init__(self) -> None:
        for name in ("divlearn", "name", "method"):
            require(isinstance(getattr(self, name), str), f"its {name} is no text")
        for name in ("problem", "settings", "history", "remarks"):
            require(isinstance(getattr(self, name), dict), f"its {name} is no object")
        for name in ("seed", "next_id", "num_failed", "num_known"):
            require(_is_count(getattr(self, name)), f"its {name} is no number")
        require(is_course(self.course), "its course is not one")
        good = self.archive_size is None or _is_count(self.archive_size)
        require(good, "its archive_size is no number")
        good = self.budget in (None, SCHEDULE) or _is_count(self.budget)
        require(good, "its budget is no number")
        good = _is_number(self.seconds) and 0 <= self.seconds < math.inf
        require(good, "its seconds are no time")


def _is_number(value: object) -> bool:
    """Whether this is a number, also one that is not finite."""
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _is_count(value: object) -> bool:
    """Whether this is a number of something, or a seed."""
    return isinstance(value, int) and _is_number(value) and 0 <= value < 2**63


def text_of(optimizer: Optimizer) -> str:
    """Describe an optimizer."""
    about = {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        "divlearn": __version__,
        "problem": optimizer.problem.describe(),
        "name": optimizer.problem.name,
        "method": optimizer.method,
        "settings": optimizer.settings.describe(),
        "seed": optimizer.seed,
        "budget": optimizer.budget,
        "seconds": optimizer.seconds,
        "next_id": optimizer.next_number,
        "num_failed": optimizer.under_way.num_failed,
        "num_known": optimizer.known,
        "history": optimizer.history,
        "course": optimizer.course.rows,
        "archive_size": optimizer.archive_size,
        "remarks": {
            **optimizer.remarks.saved(optimizer.search.front_codes()),
            "sample": optimizer.steps.keeper.saved(),
        },
    }
    return _as_text(about)


def _as_text(data: dict[str, Any]) -> str:
    """Write as JSON; what JSON has no word for, such as an enum, by its repr."""
    return json.dumps(data, default=repr)


def read_description(file: ArrayFile, path: str | Path) -> Description:
    """Read what a file says of itself.

    Raises
    ------
    ValueError
        If it is damaged.
    InputError
        If it is a file of another kind or version.
    """
    about = read_described(file)
    if about.get("format") != FORMAT:
        raise InputError(
            f"{path} is not a state file of divlearn; give one written by "
            "Optimizer.save."
        )
    if about.get("format_version") != FORMAT_VERSION:
        version, writer = (shown(about.get(k)) for k in ("format_version", "divlearn"))
        raise InputError(
            f"{path} has format version {version}, written by divlearn {writer}; this "
            f"version {__version__} reads version {FORMAT_VERSION}. Use that version, "
            "or start anew."
        )
    fields = list(Description.__dataclass_fields__)
    missing = [name for name in fields if name not in about]
    missing = [name for name in missing if name not in _NOT_IN_THE_FIRST]
    require(not missing, f"it lacks {', '.join(missing)}")
    return Description(**{name: about[name] for name in fields if name in about})


def shown(value: object) -> str:
    """What a file says, cut where it is long; words without quotes."""
    text = _SHORT.repr(value)
    return text[1:-1] if isinstance(value, str) else text


def require_history(description: Description, names: list[str]) -> None:
    """Rows of equal length, and numbers in them."""
    history = description.history
    right = list(history) == names and all(
        isinstance(r, list) for r in history.values()
    )
    require(right, f"its history has not {', '.join(names)}")
    require(len({len(row) for row in history.values()}) == 1, "its history is ragged")
    numbers = all(_is_number(v) for row in history.values() for v in row)
    counts = all(_is_count(v) and v <= MANY for v in history[names[0]])
    require(numbers and counts, "its history has what is no number")


def require_same_problem(
    path: str | Path, description: Description, problem: Problem
) -> None:
    """Refuse a state of another problem."""
    mine, theirs = json.loads(_as_text(problem.describe())), description.problem
    if mine != theirs:
        raise InputError(
            f"{path} belongs to another problem ({shown(description.name)}), which "
            f"differs from {problem.name}:\n"
            f"{few_lines(problems.differences(theirs, mine))}\n"
            "Load it with the problem it was made for."
        )


def require_same_settings(
    path: str | Path, description: Description, optimizer: Optimizer
) -> None:
    """Refuse settings other than those the search began with."""
    mine = json.loads(_as_text(optimizer.settings.describe()))
    theirs = description.settings
    if mine != theirs:
        names = description.method, optimizer.method
        raise InputError(
            f"method must be the one that {path} was made with, which differs:\n"
            f"{few_lines(methods.differences(theirs, mine, names))}"
        )
