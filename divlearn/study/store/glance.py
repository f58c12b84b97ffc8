"""``Glance``: what a page shows of a study's file, read without disturbing anybody.

A page looks every second, beside a process that writes. So it reads only what is new,
in few columns, and checks the sums of the rows whose designs it shows, not of all.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, ClassVar, NamedTuple

import numpy as np

from divlearn.basics.typing import Floats, Integers
from divlearn.result.tally import KNOWN
from divlearn.study.store.rows import candidate_from, from_text
from divlearn.study.store.schema import CANDIDATES, legible
from divlearn.study.store.store import Store
from divlearn.workers.base import OK

#: Rows that are read at a time, and numbers that a question may list.
MANY, LISTED = 4_000, 500

_NEW = """
SELECT sequence, number, state, objectives, constraints, attempts, seconds, worker,
    CASE WHEN state IN (?, ?) THEN '' ELSE message END, at, ended
FROM outcomes WHERE sequence > ? ORDER BY sequence
"""


class Ended(NamedTuple):
    """Outcomes as they came in, q of them.

    Attributes
    ----------
    sequence, number, attempts
        Shape (q,).
    f, g
        Objectives and constraints, shapes (q, m) and (q, c); NaN where there are none.
    seconds, at, ended
        Shape (q,): cost, time that the study had run, and seconds since 1970.
    state, worker, message
        Lists of q texts.
    """

    sequence: Integers
    number: Integers
    attempts: Integers
    f: Floats
    g: Floats
    seconds: Floats
    at: Floats
    ended: Floats
    state: list[str]
    worker: list[str]
    message: list[str]


class Glance(Store):
    """A study's file, opened for a moment to see what is new."""

    patience: ClassVar[float] = 0.2

    def __init__(self, path: Any) -> None:
        super().__init__(path, read_only=True)

    @property
    def last_sequence(self) -> int:
        """Number of the last outcome in the order in which they came; 0 for none."""
        return self._last_sequence

    @property
    def asked(self) -> int:
        """Number of candidates, which are numbered from 0."""
        ((last,),) = self._all("SELECT MAX(number) FROM candidates")
        return 0 if last is None else int(last) + 1

    def ended_after(self, sequence: int, m: int, c: int) -> Iterator[Ended]:
        """Outcomes of m objectives and c constraints after one, many at a time."""
        with self._explained(), legible(self.path):
            cursor = self._connection.execute(_NEW, (OK, KNOWN, sequence))
            while rows := cursor.fetchmany(MANY):
                yield _ended(list(zip(*rows, strict=True)), m, c)

    def states_of(self, sequences: Iterable[int]) -> dict[int, str]:
        """States of outcomes by their place in the order in which they came."""
        text = "SELECT sequence, state FROM outcomes WHERE sequence IN ({})"
        return dict(self._listed(text, sequences))

    def designs_of(self, numbers: Iterable[int]) -> dict[int, tuple[Any, float, str]]:
        """Design, time of asking and source of candidates by number."""
        text = f"SELECT {CANDIDATES.selected} FROM candidates WHERE number IN ({{}})"
        found = {}
        with legible(self.path):
            for row in self._listed(text, numbers):
                one = self._read(CANDIDATES, candidate_from, row)
                found[one.number] = (from_text(one.x), one.asked, one.source)
        return found

    def measured_of(
        self, numbers: Iterable[int]
    ) -> dict[int, tuple[list[float], dict[str, Any]]]:
        """Constraints and extra metrics of outcomes by number."""
        text = "SELECT number, constraints, extras FROM outcomes WHERE number IN ({})"
        with legible(self.path):
            return {
                number: (list(from_text(g or "[]")), dict(from_text(extras or "{}")))
                for number, g, extras in self._listed(text, numbers)
            }

    def _listed(self, text: str, numbers: Iterable[int]) -> Iterator[Any]:
        """Rows of a question about numbers, which may be many."""
        every = [int(number) for number in numbers]
        for start in range(0, len(every), LISTED):
            some = every[start : start + LISTED]
            marks = ", ".join("?" * len(some))
            yield from self._all(text.format(marks), *some)


def parts_of(ended: Ended, size: int) -> Iterator[Ended]:
    """The same outcomes, so many at a time."""
    for start in range(0, len(ended.number), size):
        columns: list[Any] = [column[start : start + size] for column in ended]
        yield Ended(*columns)


def _ended(columns: Sequence[Sequence[Any]], m: int, c: int) -> Ended:
    """Read rows of outcomes, given as columns."""
    sequence, number, state, f, g, attempts, seconds, worker, said, at, ended = columns
    texts = (*state, *worker, *said)
    if not all(isinstance(text, str) for text in texts):
        raise ValueError("table outcomes: a column holds no text")
    whole = np.array([sequence, number, attempts], np.int64)
    times = np.array([seconds, at, ended], np.float64)
    if whole.min() < 0 or not np.isfinite(times).all():
        raise ValueError("table outcomes: a number is negative, or not finite")
    values = [_numbers(f, m), _numbers(g, c)]
    read: list[Any] = [*whole, *values, *times, list(state), list(worker), list(said)]
    return Ended(*read)


def _numbers(texts: Sequence[str | None], width: int) -> Floats:
    """Lists of numbers in JSON, all in one go; NaN where there are none."""
    missing = "[" + ",".join(["null"] * width) + "]"
    read = from_text("[" + ",".join(text or missing for text in texts) + "]")
    numbers = np.array(read, np.float64).reshape(len(texts), -1)
    given = np.array([text is not None for text in texts])
    if numbers.shape != (len(texts), width) or np.isinf(numbers).any():
        raise ValueError(f"table outcomes: not {width} numbers in a row")
    if np.isnan(numbers[given]).any():
        raise ValueError("table outcomes: a number is none")
    return numbers
