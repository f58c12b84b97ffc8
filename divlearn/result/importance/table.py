"""``Importance``: which variables matter for which output, as a table and as data."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from divlearn.basics.checks import require_one_of
from divlearn.basics.text import printable
from divlearn.basics.wrapping import aligned, columns, wrapped
from divlearn.result.table import dataframe

#: What no variable explains of an output; and variables that are not listed.
UNEXPLAINED, OTHERS = "unexplained", "all others"
#: Variables in a printed table, and the smallest share that gets a row.
MOST_ROWS, LEAST_SHARE = 16, 0.005
#: What an empty cell says.
UNKNOWN = "not known"


class Row(NamedTuple):
    """The share of one variable in one output.

    Attributes
    ----------
    target
        Name of an objective or constraint, or ``"hypervolume"``.
    variable
        Name of a part or of a single position; ``"unexplained"`` for the remainder.
    share
        Of the variance of the output; all shares of a target add up to 1.
    error
        Standard error of the share; None where it is not known.
    source
        Where the number comes from; empty if nothing is known.
    """

    target: str
    variable: str
    share: float
    error: float | None
    source: str


class Pair(NamedTuple):
    """What two variables do together, beyond what each of them does alone."""

    target: str
    first: str
    second: str
    share: float


@dataclass(frozen=True)
class Target:
    """What is known about one output.

    Attributes
    ----------
    name
        Of an objective or constraint, or ``"hypervolume"``.
    source
        ``"surrogate"``, ``"tables"`` and so on; empty if nothing is known.
    explained
        Share of the variance that is explained in designs that were not used for it;
        None where that is not known.
    designs
        Evaluations that it is known from.
    note
        In which terms an order is understood, or why nothing is known.
    shares
        Variables with share and standard error, the largest first.
    pairs
        Variables that act together, the largest share first.
    """

    name: str
    source: str
    explained: float | None
    designs: int
    note: str
    shares: Mapping[str, tuple[float, float | None]]
    pairs: tuple[Pair, ...]

    @property
    def known(self) -> bool:
        """Whether anything is known about what it depends on."""
        return bool(self.shares)

    @property
    def unexplained(self) -> float:
        """What is left for what no variable explains."""
        return max(0.0, 1.0 - sum(share for share, _ in self.shares.values()))


class Importance:
    """Which variables matter for which output.

    ``print`` shows a table with a row per variable and a column per output.

    Parameters
    ----------
    data
        What is known by output, as :meth:`to_dict` returns it.
    positions
        Whether single positions and items are listed instead of the parts that they
        belong to.

    Examples
    --------
    >>> import divlearn as dl
    >>> space = dl.Composite(width=dl.Integer(0, 9), on=dl.Binary())
    >>> problem = dl.Problem(space, lambda x: (x["width"], -x["width"]), ["a", "b"])
    >>> importance = dl.solve(problem, 20, method="random").importance()
    >>> round(importance["a"]["width"], 2)
    1.0
    """

    def __init__(self, data: Mapping[str, Any], positions: bool = False) -> None:
        self._data = dict(data)
        self.positions: bool = positions
        self.targets: dict[str, Target] = {
            n: _target(n, known, positions) for n, known in data.items()
        }

    def __getitem__(self, target: str) -> dict[str, float]:
        """Shares of one output by variable, the largest first, and the remainder."""
        require_one_of("target", target, list(self.targets))
        rows = (row for row in self.rows if row.target == target)
        return {row.variable: row.share for row in rows}

    def __iter__(self) -> Iterator[Row]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def rows(self) -> list[Row]:
        """A row per output and variable, sorted by share, then the remainder."""
        return [row for target in self.targets.values() for row in _rows(target)]

    @property
    def pairs(self) -> list[Pair]:
        """Variables that act together, by output."""
        return [pair for target in self.targets.values() for pair in target.pairs]

    @property
    def variables(self) -> list[str]:
        """All variables, those first that matter most in some output."""
        most: dict[str, float] = {}
        for target in self.targets.values():
            for name, (share, _) in target.shares.items():
                most[name] = max(most.get(name, 0.0), share)
        return sorted(most, key=lambda name: -most[name])

    def to_dict(self) -> dict[str, Any]:
        """All of it as plain data, by output."""
        return self._data

    def to_dataframe(self) -> Any:
        """:attr:`rows` as a pandas DataFrame.

        Raises
        ------
        MissingExtra
            If pandas is not installed.
        """
        return dataframe(self.rows, columns=list(Row._fields))

    def __repr__(self) -> str:
        known = sum(target.known for target in self.targets.values())
        return f"<Importance: {known} of {len(self.targets)} outputs understood>"

    def __str__(self) -> str:
        return as_text(self, columns())


def is_one(data: Mapping[str, Any]) -> bool:
    """Whether all that matters belongs to one part, which has several positions."""
    parts = {name for known in data.values() for name in known["shares"]}
    single = {name for known in data.values() for name in known["single"]}
    return len(parts) == 1 and len(single) > 1


def _target(name: str, known: Mapping[str, Any], positions: bool) -> Target:
    """Read what is known about one output."""
    if positions:
        shares = {n: (float(share), None) for n, share in known["single"].items()}
    else:
        shares = {n: (float(s), error) for n, (s, error) in known["shares"].items()}
    return Target(
        name,
        known["source"],
        known["explained"],
        known["designs"],
        known["note"],
        shares,
        tuple(Pair(name, a, b, float(share)) for a, b, share in known["pairs"]),
    )


def _rows(target: Target) -> Iterator[Row]:
    """Rows of one output."""
    for name, (share, error) in target.shares.items():
        yield Row(target.name, name, share, error, target.source)
    yield Row(target.name, UNEXPLAINED, target.unexplained, None, target.source)


# --- as text


def as_text(importance: Importance, width: int | None) -> str:
    """The table, or several of them where one is wider than ``width``, and remarks."""
    targets = list(importance.targets.values())
    known = [target for target in targets if target.known]
    lines: list[str] = []
    for block in _blocks(importance.variables, known, width or 1_000):
        lines += [*block, ""]
    lines += [wrapped(line, width) for line in _remarks(targets)]
    return "\n".join(map(printable, "\n".join(lines).splitlines()))


def _blocks(
    variables: list[str], targets: list[Target], width: int
) -> Iterator[list[str]]:
    """Tables with as many outputs side by side as fit, at least one."""
    while targets:
        count = len(targets)
        while count > 1 and max(map(len, _table(variables, targets[:count]))) > width:
            count -= 1
        yield _table(variables, targets[:count])
        targets = targets[count:]


def _table(variables: list[str], targets: list[Target]) -> list[str]:
    """A row per variable and a column per output."""
    listed = [
        name
        for name in variables
        if name != OTHERS
        and any(t.shares.get(name, (0.0, None))[0] >= LEAST_SHARE for t in targets)
    ][:MOST_ROWS]
    rows = [["share of the variance of", *(target.name for target in targets)]]
    rows += [[name, *(_cell(target, name) for target in targets)] for name in listed]
    left = [sum(t.shares[n][0] for n in t.shares if n not in listed) for t in targets]
    if max(left) >= LEAST_SHARE:
        rows.append([OTHERS, *(f"{share:.0%}" for share in left)])
    rows.append([UNEXPLAINED, *(f"{target.unexplained:.0%}" for target in targets)])
    return aligned(rows)


def _cell(target: Target, name: str) -> str:
    """A share, with its standard error where it is known."""
    share, error = target.shares.get(name, (0.0, None))
    return f"{share:.0%}" + (f" ± {100 * error:.0f}" if error is not None else "")


def _remarks(targets: list[Target]) -> Iterator[str]:
    """What acts together, where numbers come from, and what is not known."""
    for target in targets:
        if target.pairs:
            words = (f"{p.first} with {p.second} {p.share:.0%}" for p in target.pairs)
            yield f"{target.name}, of which in pairs: {', '.join(words)}"
    for target in targets:
        yield f"{target.name}: {certainty(target)}"


def certainty(target: Target) -> str:
    """Where the numbers of an output come from and how sure they are, in words."""
    if not target.source:
        return f"{UNKNOWN}: {target.note}"
    score = "not known" if target.explained is None else f"{target.explained:.2f}"
    words = f"{target.source} of {target.designs:,} designs, held-out R2 {score}"
    return f"by {target.note}; {words}" if target.note else words
