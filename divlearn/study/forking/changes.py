"""``Changes``: what the user says about how an old study becomes a new one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from divlearn.basics.checks import require_one_of
from divlearn.basics.errors import InputError
from divlearn.basics.typing import Value

#: Which of several measurements of a design counts, if there is no noise.
NEWEST, MEAN = "newest", "mean"


class Unfit(Exception):
    """A trial cannot be taken over.

    Attributes
    ----------
    reason
        Why, in words that many trials may share.
    example
        What it is in this one; may be empty.
    """

    reason: str
    example: str

    def __init__(self, reason: str, example: str = "") -> None:
        super().__init__(reason, example)
        self.reason, self.example = reason, example


@dataclass(frozen=True)
class Changes:
    """How designs and values of a study become those of another.

    Attributes
    ----------
    rename
        New names of knobs and metrics by their old ones.
    fill
        Values that new knobs had in the old study, by name.
    only
        Values of old knobs; designs that have others are left out.
    convert
        Makes a design of the new space of an old one, instead of all of the above;
        returns None for a design that is to be left out.
    recompute
        Functions by the name of an objective or constraint, which make its value of a
        dict of all that is known about a trial.
    repeats
        Which of several measurements of a design counts: ``"newest"`` or ``"mean"``.
    """

    rename: Mapping[str, str] = field(default_factory=dict)
    fill: Mapping[str, Any] = field(default_factory=dict)
    only: Mapping[str, Any] = field(default_factory=dict)
    convert: Callable[[Value], Value] | None = None
    recompute: Mapping[str, Callable[[dict[str, Any]], float]] = field(
        default_factory=dict
    )
    repeats: str = NEWEST

    def __post_init__(self) -> None:
        for name in ("rename", "fill", "only", "recompute"):
            given = getattr(self, name)
            if not isinstance(given, Mapping) or not all(map(_is_name, given)):
                raise InputError(f"{name} must be a dict by name, got {given!r}.")
        if not all(map(_is_name, self.rename.values())):
            raise InputError(
                'rename must give new names by old ones, such as {"width": "breadth"}, '
                f"got {self.rename!r}."
            )
        if len({*self.rename.values()}) < len(self.rename):
            raise InputError(
                f"rename must not give two the same name, got {self.rename!r}."
            )
        self._require_functions()
        require_one_of("repeats", self.repeats, (NEWEST, MEAN))

    def _require_functions(self) -> None:
        """Refuse what cannot be called, and what a conversion would replace."""
        for name, function in self.recompute.items():
            if not callable(function):
                raise InputError(
                    f"recompute[{name!r}] must be a function of a dict of metrics, "
                    f"got {function!r}."
                )
        if self.convert is None:
            return
        if not callable(self.convert):
            raise InputError(
                f"convert must be a function of a design, got {self.convert!r}."
            )
        if self.fill:
            raise InputError(
                "fill must be left out together with convert, which makes the whole "
                "design; got both."
            )

    def new_name(self, name: str) -> str:
        """Name in the new study of what had this name, or is a part of it.

        Examples
        --------
        >>> changes = Changes(rename={"cpu": "core", "cpu.cache": "core.l1"})
        >>> [changes.new_name(name) for name in ("cpu.cache", "cpu.n", "gpu")]
        ['core.l1', 'core.n', 'gpu']
        """
        whole, rest = name, ""
        while whole not in self.rename:
            whole, dot, last = whole.rpartition(".")
            if not dot:
                return name
            rest = f".{last}{rest}"
        return f"{self.rename[whole]}{rest}"


def _is_name(name: object) -> bool:
    return isinstance(name, str) and bool(name)
