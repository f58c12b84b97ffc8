"""``ForkReport``: what a fork took over, and what it left out and why."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, Self

from divlearn.study.forking.changes import Unfit

if TYPE_CHECKING:
    from divlearn.study.known import Additions

#: Examples that are kept of a reason, and those that are shown.
MOST_KEPT, MOST_SHOWN = 20, 3


@dataclass
class LeftOut:
    """Trials that were left out for one reason.

    Attributes
    ----------
    reason
        Why, in words.
    count
        How many trials.
    examples
        The first of them, each with what it is there: ``"trial 3 (blades = 12)"``.
    """

    reason: str
    count: int = 0
    examples: list[str] = field(default_factory=list)

    def add(self, which: str, example: str) -> None:
        """Count a trial."""
        self.count += 1
        if len(self.examples) < MOST_KEPT:
            self.examples.append(f"{which} ({example})" if example else which)

    def __str__(self) -> str:
        more = ["..."] if self.count > MOST_SHOWN else []
        shown = ", ".join([*self.examples[:MOST_SHOWN], *more])
        return f"{self.count:,}: {self.reason}: {shown}"


@dataclass
class ForkReport:
    """What became of the trials of a study that was forked.

    Attributes
    ----------
    of
        The study, as its path was given.
    differences
        What differs between the two, one line each.
    trials
        Number of its trials.
    known
        Designs that the new study knows, at no cost.
    merged
        Trials that measured a design that another one measured as well.
    enqueued
        Designs that still wait to be evaluated.
    left_out
        Reasons with the trials that were not taken over.

    Examples
    --------
    >>> report = ForkReport("pump.db", ["blades: integer 3..9 -> 3..8"], 3, known=2)
    >>> report.leave_out("trial 2", Unfit("blades is not in integer 3..8", "9"))
    >>> print(report)
    a fork of pump.db
      blades: integer 3..9 -> 3..8
    2 designs of 3 trials known, at no cost
    left out
      1: blades is not in integer 3..8: trial 2 (9)
    """

    of: str
    differences: list[str] = field(default_factory=list)
    trials: int = 0
    known: int = 0
    merged: int = 0
    enqueued: int = 0
    left_out: list[LeftOut] = field(default_factory=list)

    def leave_out(self, which: str, unfit: Unfit) -> None:
        """Count a trial that cannot be taken over."""
        found = [one for one in self.left_out if one.reason == unfit.reason]
        if not found:
            found = [LeftOut(unfit.reason)]
            self.left_out += found
        found[0].add(which, unfit.example)

    def count(self, additions: Additions) -> None:
        """Count what the new study has taken."""
        self.known, self.enqueued = additions.known, additions.enqueued
        self.merged += additions.repeated

    def __str__(self) -> str:
        lines = [f"a fork of {self.of}", *(f"  {line}" for line in self.differences)]
        known, trials = _many(self.known, "design"), _many(self.trials, "trial")
        lines.append(f"{known} of {trials} known, at no cost")
        if self.merged:
            lines.append(f"{_many(self.merged, 'trial')} measured one of them again")
        if self.enqueued:
            lines.append(f"{_many(self.enqueued, 'design')} to be evaluated first")
        if self.left_out:
            ordered = sorted(self.left_out, key=lambda one: -one.count)
            lines += ["left out", *(f"  {one}" for one in ordered)]
        return "\n".join(lines)

    def to_dict(self) -> dict[str, Any]:
        """Plain data, as the file of the new study keeps it."""
        return asdict(self)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Read what :meth:`to_dict` wrote."""
        left_out = [LeftOut(**one) for one in data["left_out"]]
        return cls(**{**data, "left_out": left_out})


def _many(count: int, noun: str) -> str:
    """So many things."""
    return f"{count:,} {noun}" + ("" if count == 1 else "s")
