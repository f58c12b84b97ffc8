"""``Candidate``: a solution that waits to be evaluated."""

from __future__ import annotations

from divlearn.basics.typing import Codes, Integers, Value


class Candidate:
    """A solution to evaluate.

    Attributes
    ----------
    id
        Number of the candidate, from 0 in the order of asking.
    x
        The solution as the user declared it.
    """

    __slots__ = ("codes", "id", "ticket", "x")

    def __init__(self, number: int, x: Value, codes: Codes, ticket: Integers) -> None:
        self.id = number
        self.x = x
        self.codes = codes
        self.ticket = ticket

    def __repr__(self) -> str:
        return f"Candidate(id={self.id}, x={self.x!r})"
