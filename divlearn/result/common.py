"""``Common``: what good designs share, compared with what random designs show."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from divlearn.basics.text import printable
from divlearn.basics.wrapping import columns, wrapped
from divlearn.result.table import dataframe

#: Facts of one part and kind on one line.
MOST_LISTED = 12
#: Share of random designs above which a fact is no news.
NO_NEWS = 0.995


@dataclass(frozen=True)
class Fact:
    """Something that good designs have in common.

    Attributes
    ----------
    part
        What it is about: the user's name of a part or of a position.
    kind
        ``"value"``, ``"range"``, ``"values"``, ``"always"``, ``"never"``, ``"place"``,
        ``"adjacent"`` or ``"before"``.
    words
        What it says, such as ``"= 3"`` or ``"always with 4"``.
    share
        Share of the good designs that have it.
    random
        Share of random designs that have it, estimated.
    bits
        How surprising it is: the binary logarithm of ``1 / random``.
    """

    part: str
    kind: str
    words: str
    share: float
    random: float
    bits: float

    def __str__(self) -> str:
        return _joined(self.part, [self.words])


class Common(list[Fact]):
    """What good designs share: a list of facts, the most surprising first.

    ``print`` says it in words.

    Parameters
    ----------
    facts
        The facts.
    designs
        Number of designs that were compared.
    share
        Share of them for which a fact had to be true.
    """

    def __init__(self, facts: Iterable[Fact], designs: int, share: float = 1.0) -> None:
        super().__init__(facts)
        self.designs: int = designs
        self.share: float = share

    @property
    def lines(self) -> list[str]:
        """The facts in words, those of one part and kind together."""
        groups: dict[tuple[str, str], list[Fact]] = {}
        for fact in self:
            groups.setdefault((fact.part, fact.kind), []).append(fact)
        return [_line(group) for group in groups.values()]

    @property
    def title(self) -> str:
        """Whose facts these are."""
        if self.share >= 1.0:
            return f"What all {self.designs:,} solutions of the front share"
        return (
            f"What at least {self.share:.0%} of the {self.designs:,} solutions of the "
            "front share"
        )

    def to_dict(self) -> dict[str, Any]:
        """All of it as plain data."""
        facts = [asdict(fact) for fact in self]
        return {"designs": self.designs, "share": self.share, "facts": facts}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Common:
        """What :meth:`to_dict` returned."""
        facts = [Fact(**fact) for fact in data["facts"]]
        return cls(facts, int(data["designs"]), float(data["share"]))

    def to_dataframe(self) -> Any:
        """The facts as a pandas DataFrame.

        Raises
        ------
        MissingExtra
            If pandas is not installed.
        """
        names = list(Fact.__dataclass_fields__)
        return dataframe([asdict(fact) for fact in self], columns=names)

    def __repr__(self) -> str:
        return f"<Common: {len(self)} facts about {self.designs} solutions>"

    def __str__(self) -> str:
        if self.designs < 2:
            return "fewer than two solutions have nothing to share"
        lines = [f"{self.title} (of random designs)"]
        lines += [f"  {line}" for line in self.lines or ["nothing"]]
        return wrapped("\n".join(map(printable, lines)), columns())


def _line(facts: list[Fact]) -> str:
    """Facts of one part and kind, each with the share of random designs."""
    words = [
        fact.words + ("" if fact.random > NO_NEWS else f" ({_percent(fact.random)})")
        for fact in facts[:MOST_LISTED]
    ]
    more = len(facts) - len(words)
    return _joined(facts[0].part, words) + (f" and {more:,} more" if more else "")


def _joined(part: str, words: list[str]) -> str:
    """A part and what is said of it."""
    text = ", ".join(words)
    if text.startswith("["):
        return part + text
    return f"{part} {text}" if text.startswith("=") else f"{part}: {text}"


def _percent(share: float) -> str:
    """A share; small ones are not 0."""
    return "< 1%" if share < 0.01 else f"{share:.0%}"
