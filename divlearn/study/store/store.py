"""``Store``: a study's file, in which every line is safe as soon as it is written."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from divlearn.basics.sqlite import MAX_STATE, room_for_state
from divlearn.result.tally import KNOWN
from divlearn.study.store import schema
from divlearn.study.store.file import StudyFile
from divlearn.study.store.rows import (
    CandidateRow,
    Queued,
    Revision,
    attempt_from,
    attempt_row,
    candidate_from,
    candidate_row,
    from_text,
    outcome_from,
    outcome_row,
    queued_from,
    queued_row,
    revision_from,
    revision_row,
    to_text,
)
from divlearn.study.store.schema import (
    ATTEMPTS,
    CANDIDATES,
    NOTES,
    OUTCOMES,
    QUEUE,
    REVISIONS,
)
from divlearn.study.store.table import Row
from divlearn.study.trial import ABANDONED, Names, Trial
from divlearn.workers.base import OK, Attempt

#: Columns of a state that its digest is made of.
_STATE = "asked, taken, stamp, content"


class Store(StudyFile):
    """The file of one study.

    Parameters
    ----------
    path
        SQLite file; made where it does not exist, unless ``read_only``.
    read_only
        Whether to read only, which is possible while another process writes.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with Store(Path(folder, "chip.db")) as store:
    ...         store.note(seed=3)
    ...         store.notes()
    {'seed': 3}
    """

    def __init__(self, path: str | Path, *, read_only: bool = False) -> None:
        super().__init__(path, read_only=read_only)
        self._names: Names | None = None
        ((last,),) = self._all("SELECT MAX(sequence) FROM outcomes")
        self._last_sequence = last or 0

    def expect(self, names: Names) -> None:
        """Refuse outcomes of another number of values from now on."""
        self._names = names

    # --- what the study is

    def note(self, **values: Any) -> None:
        """Keep values by name, as JSON."""
        rows = [NOTES.write((key, to_text(value))) for key, value in values.items()]
        self._write(True, (NOTES.replace, rows))

    def notes(self) -> dict[str, Any]:
        """All values by name."""

        def read(row: Row) -> tuple[str, Any]:
            return row[0], from_text(row[1])

        return dict(self._rows(NOTES, read, "ORDER BY key"))

    # --- candidates

    def add_candidate(self, trial: Trial) -> None:
        """Keep a candidate, see :meth:`add_candidates`."""
        self.add_candidates([(trial, None)])

    def add_candidates(self, asked: Sequence[tuple[Trial, Queued | None]]) -> None:
        """Keep candidates before they are run; one that was queued waits no more.

        They survive the end of the process. A power cut may take the last ones away
        again: they are then asked again, and nothing was lost.
        """
        rows = [CANDIDATES.write(candidate_row(trial)) for trial, _ in asked]
        taken = [(queued.number,) for _, queued in asked if queued is not None]
        self._write(
            False,
            (CANDIDATES.insert, rows),
            ("DELETE FROM queue WHERE number = ?", taken),
        )

    def add_designs(
        self, known: Sequence[Trial], queued: Sequence[tuple[bytes, str]]
    ) -> None:
        """Keep designs from elsewhere, all or none, through a power cut as well.

        Parameters
        ----------
        known
            Trials with values, numbered on from the last candidate.
        queued
            Packed codes and sources of designs to be evaluated.
        """
        first = self._last_sequence + 1
        ((last,),) = self._all("SELECT MAX(number) FROM queue")
        designs = [CANDIDATES.write(candidate_row(trial)) for trial in known]
        outcomes = [OUTCOMES.write(outcome_row(*p)) for p in enumerate(known, first)]
        start = 0 if last is None else last + 1
        waiting = [
            QUEUE.write(queued_row(Queued(number, *design)))
            for number, design in enumerate(queued, start)
        ]
        self._write(
            True,
            (CANDIDATES.insert, designs),
            (OUTCOMES.insert, outcomes),
            (QUEUE.insert, waiting),
        )
        self._last_sequence += len(outcomes)

    def queue(self) -> list[Queued]:
        """Designs to be evaluated, in their order."""
        return list(self._rows(QUEUE, queued_from, "ORDER BY number"))

    def candidates(self, start: int = 0) -> Iterator[CandidateRow]:
        """Candidates from a number on."""
        rest = "WHERE number >= ? ORDER BY number"
        return self._rows(CANDIDATES, candidate_from, rest, start)

    def open_candidates(self) -> list[CandidateRow]:
        """Candidates without an outcome."""
        rest = "WHERE number NOT IN (SELECT number FROM outcomes) ORDER BY number"
        return list(self._rows(CANDIDATES, candidate_from, rest))

    def designs(self, *states: str) -> Iterator[tuple[bytes, int]]:
        """Codes and numbers of candidates in states, or of all but abandoned ones."""
        where, wanted = ("IN", states) if states else ("NOT IN", (ABANDONED,))
        marks = ", ".join("?" * len(wanted))
        return self._each(
            f"SELECT codes, number FROM candidates WHERE number {where} "
            f"(SELECT number FROM outcomes WHERE state IN ({marks})) ORDER BY number",
            *wanted,
        )

    def num_candidates(self) -> int:
        """Number of candidates asked."""
        ((count,),) = self._all("SELECT COUNT(*) FROM candidates")
        return int(count)

    # --- what became of them

    def add_outcomes(
        self,
        attempts: Sequence[Attempt],
        trials: Sequence[Trial],
        durable: bool = True,
    ) -> None:
        """Keep what is known by now; when this returns it survives a power cut.

        What can be worked out again need not be ``durable`` at once.
        """
        first = self._last_sequence + 1
        rows = [OUTCOMES.write(outcome_row(*p)) for p in enumerate(trials, first)]
        tried = [ATTEMPTS.write(attempt_row(attempt)) for attempt in attempts]
        self._write(durable, (ATTEMPTS.insert, tried), (OUTCOMES.insert, rows))
        self._last_sequence += len(rows)

    def revise(
        self,
        attempts: Sequence[Attempt],
        trials: Sequence[Trial],
        revisions: Sequence[Revision],
    ) -> None:
        """Put outcomes in the place of failures; the attempts that failed stay."""
        places = {
            trial.number: self._all(
                "SELECT sequence FROM outcomes WHERE number = ?", trial.number
            )[0][0]
            for trial in trials
        }
        rows = [OUTCOMES.write(outcome_row(places[t.number], t)) for t in trials]
        tried = [ATTEMPTS.write(attempt_row(attempt)) for attempt in attempts]
        revised = [REVISIONS.write(revision_row(r)) for r in revisions]
        self._write(
            True,
            (ATTEMPTS.insert, tried),
            (OUTCOMES.replace, rows),
            (REVISIONS.insert, revised),
        )

    def revisions(self) -> list[Revision]:
        """Failures that have values after all, in the order of learning."""
        return list(self._rows(REVISIONS, revision_from, "ORDER BY batch, number"))

    def outcomes(self, start: int = 0, ordered: bool = True) -> Iterator[Trial]:
        """Trials that ended: by number from one on, or after so many as they came."""
        rest = "WHERE number >= ? ORDER BY number"
        if not ordered:
            rest = "ORDER BY sequence LIMIT -1 OFFSET ?"
        read = partial(outcome_from, names=self._names)
        return self._rows(OUTCOMES, read, rest, start)

    def outcome(self, number: int) -> Trial | None:
        """What became of one trial, if it has ended."""
        read = partial(outcome_from, names=self._names)
        found = list(self._rows(OUTCOMES, read, "WHERE number = ?", number))
        return found[0] if found else None

    def attempts(self, open_only: bool = False) -> Iterator[Attempt]:
        """All attempts, or those of candidates without an outcome."""
        where = "WHERE number NOT IN (SELECT number FROM outcomes)" * open_only
        outputs = None if self._names is None else sum(map(len, self._names))
        read = partial(attempt_from, num_outputs=outputs)
        rest = f"{where} ORDER BY number, replicate, attempt"
        return self._rows(ATTEMPTS, read, rest)

    def endings(self) -> list[tuple[str, str, int]]:
        """State, message and number of outcomes without values, but for abandoned."""
        return self._all(
            "SELECT state, message, COUNT(*) FROM outcomes WHERE attempts > 0 AND "
            "state NOT IN (?, ?, ?) GROUP BY state, message ORDER BY MAX(number)",
            *(OK, ABANDONED, KNOWN),
        )

    def num_reused(self) -> int:
        """Number of outcomes that were answered from the file."""
        ((count,),) = self._all(
            "SELECT COUNT(*) FROM outcomes WHERE attempts = 0 AND state NOT IN (?, ?)",
            *(ABANDONED, KNOWN),
        )
        return int(count)

    def sequences(self) -> list[int]:
        """Numbers of outcomes in the order in which they came in."""
        rows = self._all("SELECT sequence FROM outcomes ORDER BY sequence")
        return [sequence for (sequence,) in rows]

    def state_damages(self) -> Iterator[str]:
        """Say whether the state of the optimizer was changed by others."""
        with room_for_state(self._connection):
            rows = self._all(f"SELECT {_STATE}, digest FROM checkpoint")
        for *state, digest in rows:
            if _digest(*state) != digest:
                yield "table checkpoint: the state does not agree with its digest"

    def counts(self) -> dict[str, int]:
        """Number of outcomes by state."""
        rows = self._all("SELECT state, COUNT(*) FROM outcomes GROUP BY state")
        return dict(rows)

    def seconds(self) -> float:
        """Seconds that the study had run at its last outcome."""
        ((seconds,),) = self._all("SELECT MAX(at) FROM outcomes")
        with schema.legible(self.path):
            return float(seconds or 0.0)

    # --- a state of the optimizer

    def write_checkpoint(
        self, asked: int, taken: int, stamp: str, content: bytes
    ) -> None:
        """Keep a state in place of the one before."""
        if len(content) > MAX_STATE - 1_000:  # it would never be read
            return
        state = (asked, taken, stamp, content)
        statement = (
            f"INSERT OR REPLACE INTO checkpoint (one, {_STATE}, digest) "
            "VALUES (1, ?, ?, ?, ?, ?)"
        )
        with room_for_state(self._connection):
            self._write(False, (statement, [(*state, _digest(*state))]))

    def checkpoint(self, stamp: str) -> tuple[int, int, bytes] | None:
        """Candidates asked, outcomes taken in and state, if it is of the same code."""
        text = f"SELECT {_STATE}, digest FROM checkpoint WHERE stamp = ?"
        with room_for_state(self._connection):
            rows = self._all(text, stamp)
        for asked, taken, _, content, digest in rows:
            if _digest(asked, taken, stamp, content) == digest:
                return asked, taken, content
        return None


def _digest(asked: Any, taken: Any, stamp: Any, content: Any) -> str | None:
    """Digest that shows damage; None for what is not a state."""
    if not isinstance(content, bytes) or (type(asked), type(taken)) != (int, int):
        return None
    head = ascii((asked, taken, stamp)).encode("ascii")
    return hashlib.sha256(head + content).hexdigest()
