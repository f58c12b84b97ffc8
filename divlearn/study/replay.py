"""From the file back to the optimizer, and the proof that the file is reproduced."""

from __future__ import annotations

import time
from collections import deque
from contextlib import suppress
from dataclasses import dataclass
from functools import cache

import numpy as np

from divlearn.basics.errors import InputError, StoreError
from divlearn.basics.version import __version__
from divlearn.kernels.jit import source_stamp
from divlearn.optimizer import checkpoint
from divlearn.optimizer.checkpoint.members import require_members
from divlearn.optimizer.checkpoint.rules import Misfit
from divlearn.optimizer.optimizer import Optimizer
from divlearn.optimizer.replay import OtherCandidate
from divlearn.result.tally import KNOWN
from divlearn.spaces.packing import Packing
from divlearn.study.audit import disagreements
from divlearn.study.declaration import Declaration
from divlearn.study.search import RepeatableSearch
from divlearn.study.store import Store
from divlearn.study.store.rows import CandidateRow, Revision, to_text
from divlearn.study.store.schema import DamagedStudy, damaged
from divlearn.study.trial import ASKED

#: Damages that are written out.
MOST_TOLD = 5
#: From this many candidates on a replay uses the compiled loop, which may have to be
#: compiled first. After a saved state there are usually fewer.
MANY = 10_000


class NotReproduced(StoreError):
    """The same seed and outcomes gave another candidate than the file has.

    Attributes
    ----------
    number, known
        Which candidate, and from how many outcomes it was chosen.
    """

    number: int
    known: int

    def __init__(self, message: str, number: int, known: int) -> None:
        super().__init__(message)
        self.number, self.known = number, known


@dataclass(frozen=True)
class Verification:
    """What a replay of the whole file has shown.

    Attributes
    ----------
    reproduced
        Whether every candidate came out as it stands in the file.
    candidates, outcomes
        How many of them there are; up to the first difference.
    difference
        The first difference in words; empty if there is none.
    seconds
        How long it took.
    """

    reproduced: bool
    candidates: int
    outcomes: int
    difference: str
    seconds: float

    def __bool__(self) -> bool:
        return self.reproduced

    def __str__(self) -> str:
        if self.reproduced:
            return (
                f"reproduced: {self.candidates:,} candidates from {self.outcomes:,} "
                f"outcomes in {self.seconds:.1f} s"
            )
        return f"not reproduced: {self.difference}"


@cache
def stamp() -> str:
    """What a state depends on beside the study: the code."""
    return f"{__version__} {source_stamp()}"


def rebuild(declaration: Declaration, store: Store, quick: bool) -> RepeatableSearch:
    """Bring an optimizer to where the file ends.

    Parameters
    ----------
    declaration, store
        The study.
    quick
        Whether to begin with the state in the file, if there is one of this code.
    """
    search = _caught_up(declaration, store) if quick else None
    if search is None:
        search = _new(declaration)
        replay(search, store)
    return search


def _caught_up(declaration: Declaration, store: Store) -> RepeatableSearch | None:
    """The saved search, brought to where the file ends; None if it does not fit.

    What was asked and told is the truth: a state that leads elsewhere is left alone.
    """
    search = _saved(declaration, store)
    try:
        if search is not None:
            replay(search, store)
    except StoreError:
        return None
    return search


def save(search: RepeatableSearch, store: Store) -> None:
    """Keep the optimizer's state in the file, where that saves time."""
    if not search.optimizer.quick_to_restore:
        return
    content = checkpoint.pack(search.optimizer)
    store.write_checkpoint(search.asked, search.taken, stamp(), content)
    search.effort = 0.0


def _new(declaration: Declaration) -> RepeatableSearch:
    """A search at its beginning."""
    d = declaration
    optimizer = Optimizer(
        d.problem,
        d.method,
        d.seed,
        budget=d.budget,
        archive_size=d.archive_size,
        restart=False,
    )
    return RepeatableSearch(optimizer, d.lag, d.ordered)


def _saved(declaration: Declaration, store: Store) -> RepeatableSearch | None:
    """The search as it was saved; None if that cannot be used."""
    found = store.checkpoint(stamp())
    if found is None:
        return None
    asked, taken, content = found
    d = declaration
    try:
        optimizer = checkpoint.unpack(
            Optimizer, content, store.path, d.problem, d.method
        )
    except InputError:
        return None
    told = taken if d.ordered else optimizer.evaluations + optimizer.known
    if not isinstance(told, int):
        return None
    mine = optimizer.seed, optimizer.budget, optimizer.archive_size
    if mine != (d.seed, d.budget, d.archive_size):
        return None
    if optimizer.next_number != asked or not 0 <= told <= asked:
        return None
    return RepeatableSearch(optimizer, d.lag, d.ordered, asked, taken)


def replay(search: RepeatableSearch, store: Store) -> None:
    """Ask and tell what the file says after where ``search`` is.

    Raises
    ------
    NotReproduced
        At the first candidate that differs.
    """
    many = store.num_candidates() - search.asked >= MANY
    try:
        with search.replaying(compiled=many):
            _go_through(search, store)
    except OtherCandidate as other:
        raise _differs(store, other.number, other.known, str(other)) from None
    except DamagedStudy:
        raise
    except InputError as error:  # the optimizer refuses an outcome
        raise damaged(store.path, str(error).rstrip(".")) from None


def _go_through(search: RepeatableSearch, store: Store) -> None:
    """Ask and tell, in the order of the file."""
    past = Past(search, store)
    for row in store.candidates(search.asked):
        if row.kind == KNOWN:
            past.expect(row)
        else:
            _take_before(search, row.number, row.told, past)
            _require_member(search, row)
            search.ask_again(row.codes, row.kind == ASKED)
    while past.take():
        pass
    if past.revisions:  # the search may have looked ahead when it revised
        search.prepare()
        past.revise()
    if past.revisions:
        number = past.revisions[0].number
        raise damaged(store.path, f"candidate {number} was revised where nothing was")


def _require_member(search: RepeatableSearch, row: CandidateRow) -> None:
    """Refuse a design from elsewhere that the space does not have."""
    if row.kind == ASKED:
        return  # it is compared with what the search chooses
    space = search.optimizer.problem.space
    packing = Packing(space)
    if len(row.codes) == space.num_positions * packing.kind.itemsize:
        with suppress(Misfit):
            codes = packing.unpack(row.codes)
            require_members("codes", codes[None], space.layout)
            return
    raise InputError(f"table candidates, number {row.number}, column codes: no design")


class Past:
    """Outcomes as they were told, which may have been revised later.

    Parameters
    ----------
    search
        Where to begin; takes them in.
    store
        The file.
    """

    def __init__(self, search: RepeatableSearch, store: Store) -> None:
        self._search, self._store = search, store
        place = search.asked, search.told
        revisions = store.revisions()
        self._revised = {revision.number for revision in revisions}
        # A state is saved when a candidate was asked, before anything is revised.
        self.revisions: deque[Revision] = deque(
            r for r in revisions if (r.asked, r.known) >= place
        )
        self._outcomes = store.outcomes(search.taken, search.ordered)

    def expect(self, row: CandidateRow) -> None:
        """A design that was known comes next; it is learned in its turn."""
        self._revise_up_to_here()
        search = self._search
        if row.number != search.asked:
            raise OtherCandidate(row.number, search.told, "a candidate is missing")
        _require_member(search, row)
        search.expect(row.number, row.codes, row.source)
        while not search.ordered and search.waits_for_known and self.take():
            pass

    def _revise_up_to_here(self) -> None:
        """Revise what was revised before the next candidate, after any look ahead."""
        search = self._search
        self.revise()
        while self.revisions and self.revisions[0].asked == search.asked:
            there = search.told >= self.revisions[0].known
            if there or (search.ordered and search.prepare()) or not self.take():
                break
        self.revise()

    def take(self) -> bool:
        """Take in the next outcome; False if there is none."""
        self.revise()
        outcome = next(self._outcomes, None)
        if outcome is None:
            return False
        if outcome.number in self._revised:  # a failure, as far as was known then
            outcome.forget_values()
        self._search.take(outcome)
        return True

    def revise(self) -> None:
        """Take in what was revised at this place."""
        search = self._search
        while self.revisions:
            revision = self.revisions[0]
            if (revision.asked, revision.known) != (search.asked, search.told):
                return
            self.revisions.popleft()
            outcome = self._store.outcome(revision.number)
            row = next(self._store.candidates(revision.number), None)
            if outcome is None or row is None or not search.has_told(row.number):
                raise damaged(self._store.path, "what was revised is not there")
            packing = Packing(search.optimizer.problem.space)
            search.revise(outcome, packing.unpack(row.codes))


def _take_before(search: RepeatableSearch, number: int, known: int, past: Past) -> None:
    """Take in as many outcomes as a candidate was chosen from."""
    past.revise()
    while not search.prepare() or (not search.ordered and search.told < known):
        if not past.take():
            reason = "outcomes that it was chosen from lack"
            raise OtherCandidate(number, search.told, reason)
    past.revise()
    if number != search.asked or known != search.told:
        raise OtherCandidate(
            number,
            search.told,
            f"it is candidate {search.asked} and is chosen from {search.told} "
            f"outcomes, not from {known}",
        )


def _differs(store: Store, number: int, known: int, reason: str) -> NotReproduced:
    """Make the error for a file that this program would have written differently."""
    writer = store.notes().get("divlearn", "unknown")
    return NotReproduced(
        f"the study {str(store.path)!r} is not reproduced at candidate {number}: "
        f"{reason}. Either valid or repair of the problem have changed, or the file "
        f"was changed, or divlearn {writer}, which began it, chose otherwise than this "
        f"{__version__}. Use what it was made with to go on, or begin a new study that "
        "knows all of its evaluations, by divlearn.study.fork or 'divlearn fork'. "
        "Trials and front can be read in any case, see divlearn.study.StudyReader.",
        number,
        known,
    )


def verify(declaration: Declaration, store: Store) -> Verification:
    """Compare all copies of all values, then replay the whole file from nothing."""
    started = time.perf_counter()
    candidates = outcomes = 0
    difference = _damage(store)
    try:
        if not difference:
            search = _new(declaration)
            replay(search, store)
            candidates, outcomes = search.asked, sum(store.counts().values())
            difference = _check_saved(search, declaration, store)
    except NotReproduced as error:
        candidates, outcomes, difference = error.number, error.known, str(error)
    seconds = time.perf_counter() - started
    return Verification(not difference, candidates, outcomes, difference, seconds)


def _damage(store: Store) -> str:
    """Say which rows were changed, or do not agree with others; "" if none."""
    try:
        found = [*store.state_damages(), *disagreements(store)]
    except DamagedStudy as error:
        found = [*store.damaged_rows()]
        if not found:
            return str(error)
    if not found:
        return ""
    more = f"; and {len(found) - MOST_TOLD:,} more" if len(found) > MOST_TOLD else ""
    return f"{store.path} was changed: {'; '.join(found[:MOST_TOLD])}{more}"


def _check_saved(
    search: RepeatableSearch, declaration: Declaration, store: Store
) -> str:
    """Compare with a search that begins at the saved state; "" if they agree."""
    saved = _caught_up(declaration, store)
    if saved is None:
        return ""
    mine, other = (one.result(0.0, "") for one in (search, saved))
    if np.array_equal(mine.F, other.F) and to_text(mine.X) == to_text(other.X):
        return ""
    return (
        f"the saved state in {str(store.path)!r} leads to another front than the "
        "outcomes; open the study with checkpoint=False."
    )
