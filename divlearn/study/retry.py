"""Designs that failed before, evaluated again before a run goes on.

All of them are done before anything new is asked, and learned by number. So the
search is the same for any number of workers, and the file needs to say only where it
was: an outcome that the optimizer had learned as a failure is *revised* there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from divlearn.basics.errors import InputError
from divlearn.spaces.packing import Packing
from divlearn.study.search import RepeatableSearch
from divlearn.study.store import Store
from divlearn.study.store.rows import CandidateRow, Revision
from divlearn.study.trial import Trial
from divlearn.workers.base import FAILED, OK, TIMED_OUT, Attempt


def read_retry_failed(value: object) -> bool | str:
    """Check ``retry_failed``."""
    if isinstance(value, (bool, str)) and value != "":
        return value
    raise InputError(
        "retry_failed must be True for all designs that failed, or a text that their "
        f"messages contain or match, got {value!r}."
    )


def matches(message: str, wanted: bool | str) -> bool:
    """Whether a failure with this message is to be tried again.

    Examples
    --------
    >>> matches("No licence left", "licence"), matches("exit code 3", "code [12]")
    (True, False)
    """
    if isinstance(wanted, bool):
        return wanted
    if wanted.lower() in message.lower():
        return True
    try:
        return re.search(wanted, message, re.IGNORECASE) is not None
    except re.error:  # then it is just a text
        return False


class Retry:
    """Failed candidates of a study on their way to new outcomes.

    Parameters
    ----------
    store, search
        The study, at the end of what its file says.
    packing
        How designs are written.
    wanted
        True for all that failed, or what their messages have in common.

    Attributes
    ----------
    tried
        Attempts so far at candidates that are to be tried again, by number.
    alike
        Numbers of candidates that were answered by one of these.
    """

    def __init__(
        self,
        store: Store,
        search: RepeatableSearch,
        packing: Packing,
        wanted: bool | str,
    ) -> None:
        self._store, self._search, self._packing = store, search, packing
        self._batch = 1 + max((r.batch for r in store.revisions()), default=-1)
        self._place = search.asked, search.told
        self._revised: dict[int, Trial] = {}
        self._codes: dict[int, bytes] = {}
        self.tried: dict[int, list[Attempt]] = {}
        self.alike: dict[int, list[int]] = {}
        self._find(wanted)

    def _find(self, wanted: bool | str) -> None:
        """Look for what has failed, if anything is wanted."""
        if not wanted:
            return
        failed = {
            outcome.number: outcome
            for outcome in self._store.outcomes()
            if outcome.state in (FAILED, TIMED_OUT)
        }
        rows = [row for row in self._store.candidates() if row.number in failed]
        first: dict[bytes, int] = {}
        for row in rows:
            outcome = failed[row.number]
            if outcome.attempts and matches(outcome.message, wanted):
                first.setdefault(row.codes, row.number)
                self.tried[row.number] = []
        for row in rows:
            self._codes[row.number] = row.codes
            if not failed[row.number].attempts and row.codes in first:
                self.alike.setdefault(first[row.codes], []).append(row.number)
        for attempt in self._store.attempts():
            if attempt.number in self.tried:
                self.tried[attempt.number].append(attempt)

    def rows(self) -> Iterator[CandidateRow]:
        """Every candidate that may have a new outcome, see :meth:`Store.candidates`."""
        numbers = {*self.tried, *(n for some in self.alike.values() for n in some)}
        return (row for row in self._store.candidates() if row.number in numbers)

    def write(self, attempts: Sequence[Attempt], trials: Sequence[Trial]) -> None:
        """Write new outcomes in the place of failures."""
        asked, known = self._place
        revisions = [
            Revision(trial.number, self._batch, asked, known)
            for trial in trials
            if trial.state == OK and self._search.has_told(trial.number)
        ]
        self._store.revise(attempts, trials, revisions)
        self._revised |= {trial.number: trial for trial in trials}

    def learn(self) -> None:
        """Let the search learn what came, by number."""
        for number, trial in sorted(self._revised.items()):
            codes = self._packing.unpack(self._codes[number])
            self._search.revise(trial, codes)
        self._revised = {}
