"""Candidates: solutions waiting to be evaluated, and those that failed."""

from __future__ import annotations

import operator
from typing import Self

import numpy as np

from divlearn.basics.errors import InputError
from divlearn.basics.typing import Codes, Integers, Value


class Candidate:
    """A solution to evaluate.

    Attributes
    ----------
    id
        Number of the candidate, from 0 on; designs that were added have one as well.
    x
        The solution as the user declared it.
    codes
        The same as the search sees it, shape (n,).
    ticket
        What the search needs to know when the answer comes.
    """

    __slots__ = ("codes", "id", "ticket", "x")

    def __init__(self, number: int, x: Value, codes: Codes, ticket: Integers) -> None:
        self.id: int = number
        self.x: Value = x
        self.codes: Codes = codes
        self.ticket: Integers = ticket

    def __repr__(self) -> str:
        return f"Candidate(id={self.id}, x={self.x!r})"


class UnderWay:
    """Candidates that were asked for and not told yet, and what has failed.

    Attributes
    ----------
    pending
        Candidates without an answer, by number.
    next_id
        Number of the next one.
    failed
        Codes, as bytes, that gave no values; they are not proposed again.
    num_failed
        Number of evaluations that gave no values.
    num_known
        Number of designs whose values came from elsewhere, at no cost.
    """

    def __init__(self) -> None:
        self.pending: dict[int, Candidate] = {}
        self.next_id: int = 0
        self.failed: set[bytes] = set()
        self.num_failed: int = 0
        self.num_known: int = 0

    def copy(self) -> Self:
        """Return an independent copy."""
        other = type(self)()
        other.pending, other.next_id = dict(self.pending), self.next_id
        other.failed, other.num_failed = set(self.failed), self.num_failed
        other.num_known = self.num_known
        return other

    def add(self, candidate: Candidate) -> None:
        """Wait for the answer to the next candidate."""
        self.pending[candidate.id] = candidate
        self.next_id = candidate.id + 1

    def pass_over(self) -> None:
        """A design that was known before takes the next number, and no evaluation."""
        self.next_id += 1
        self.num_known += 1

    def fail(self, codes: Codes) -> None:
        """An evaluation gave no values."""
        self.failed.add(codes.tobytes())
        self.num_failed += 1

    def recover(self, codes: Codes) -> None:
        """An evaluation that had failed has values after all."""
        self.failed.discard(codes.tobytes())
        self.num_failed -= 1

    def find(self, candidate: Candidate | int) -> Candidate:
        """Return the pending candidate, or say why it is not one."""
        number = candidate.id if isinstance(candidate, Candidate) else candidate
        try:
            found = self.pending[operator.index(number)]
        except (KeyError, TypeError):
            raise InputError(self._why_not(number)) from None
        # Another optimizer gives the same numbers to other solutions.
        if isinstance(candidate, Candidate) and candidate is not found:
            _require_same(candidate, found)
        return found

    def _why_not(self, number: object) -> str:
        """Why a number is not one of the pending candidates."""
        if isinstance(number, (int, np.integer)) and 0 <= number < self.next_id:
            return f"candidate {number!r} was told already; tell each one once."
        return (
            f"candidate {number!r} was never asked for; use add(x, values) for a "
            "solution from elsewhere."
        )


def _require_same(candidate: Candidate, pending: Candidate) -> None:
    """Refuse a candidate of another optimizer."""
    if not np.array_equal(candidate.codes, pending.codes):
        raise InputError(
            f"candidate {candidate.id} was asked of another optimizer; use "
            "add(x, values) for a solution from elsewhere."
        )
