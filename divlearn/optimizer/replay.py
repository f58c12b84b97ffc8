"""Replay known questions and answers.

They are replayed in stretches, without Python in between if possible, otherwise one by
one. Both ways leave the same optimizer, to the last bit.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from divlearn.basics.errors import NoCandidates
from divlearn.basics.typing import Codes, Floats, Integers
from divlearn.kernels.jit import is_compiled
from divlearn.kernels.loops import Conversation
from divlearn.methods.base import TICKET_SIZE
from divlearn.optimizer.candidates import Candidate
from divlearn.spaces.packing import Packing

if TYPE_CHECKING:
    from divlearn.optimizer.optimizer import Optimizer

Numbers = tuple[float, ...]


@dataclass(frozen=True)
class Elsewhere:
    """A design that the search did not choose.

    Attributes
    ----------
    codes
        The design, packed.
    outputs
        Its values, if it was known; None if it was enqueued.
    source
        Where known values come from.
    """

    codes: bytes
    outputs: Numbers | None = None
    source: str = ""


#: A candidate that was asked for; the number of one and its answer; or another design.
Event = bytes | tuple[int, Numbers | None] | Elsewhere


class OtherCandidate(Exception):
    """An optimizer chose otherwise than it did: at which number, knowing how many."""

    number: int
    known: int

    def __init__(
        self, number: int, known: int, reason: str = "another design was chosen"
    ) -> None:
        super().__init__(reason)
        self.number, self.known = number, known


def replay(optimizer: Optimizer, events: Sequence[Event], compiled: bool) -> None:
    """Let an optimizer go through events, see :meth:`divlearn.Optimizer.replay`."""
    packing, done = Packing(optimizer.problem.space), 0
    if compiled and events and _needs_no_python(optimizer):
        stretch = Stretch(optimizer, packing)
        done = stretch.read(events)
        stretch.run()
    # What is odd in the events shows itself to who goes one by one.
    for event in events[done:]:
        _step(optimizer, packing, event)


def _step(optimizer: Optimizer, packing: Packing, event: Event) -> None:
    """Ask, and compare; or tell."""
    if isinstance(event, tuple):
        optimizer.tell(*event)
        return
    if isinstance(event, Elsewhere):
        _take(optimizer, packing, event)
        return
    number, known = optimizer.next_number, optimizer.evaluations
    try:
        (candidate,) = optimizer.ask()
    except NoCandidates as error:
        raise OtherCandidate(number, known, str(error)) from None
    if packing.pack(candidate.codes) != event:
        raise OtherCandidate(number, known)


def _take(optimizer: Optimizer, packing: Packing, event: Elsewhere) -> None:
    """Learn a known design, or wait for the answer to one that was enqueued."""
    codes = packing.unpack(event.codes)
    if event.outputs is None:
        optimizer.enqueue_codes(codes)
    else:
        optimizer.take_known(codes, event.outputs, event.source)


def _needs_no_python(optimizer: Optimizer) -> bool:
    """Whether there is nothing in Python between question and answer."""
    problem = optimizer.problem
    repair = problem.compiled.repair if problem.compiled else None
    return (
        optimizer.search.can_replay
        and not problem.has_python_hooks
        and (repair is None or is_compiled(repair))
    )


class Stretch:
    """Events in a row, see :func:`divlearn.kernels.loops.replay`.

    Every candidate has a row: first those that wait for an answer when the stretch
    begins, then those that are asked for, enqueued or known in it.

    Parameters
    ----------
    optimizer
        An optimizer at the moment where the events begin; it changes in ``run``.
    packing
        How candidates are written.
    """

    def __init__(self, optimizer: Optimizer, packing: Packing) -> None:
        self.optimizer = optimizer
        self.packing = packing
        self._num_outputs = len(optimizer.problem.outputs)
        self._num_bytes = optimizer.problem.space.num_positions * packing.kind.itemsize
        pending = optimizer.pending
        self._designs = [packing.pack(candidate.codes) for candidate in pending]
        self._old_tickets = [candidate.ticket for candidate in pending]
        # Rows of those that wait for an answer, by number.
        self._waiting = {candidate.id: row for row, candidate in enumerate(pending)}
        self._next_id = optimizer.next_number
        self._order: list[int] = []
        self._answers: dict[int, Numbers] = {}
        # Rows of those that failed, with the number of events in the order before.
        self._failures: deque[tuple[int, int]] = deque()
        self._failed = {
            packing.pack(np.frombuffer(codes, np.int64))
            for codes in optimizer.under_way.failed
        }
        self._elsewhere: dict[int, Elsewhere] = {}  # by row

    # --- from events

    def read(self, events: Sequence[Event]) -> int:
        """Take events in, up to the first odd one; return how many."""
        for done, event in enumerate(events):
            if isinstance(event, Elsewhere):
                plain = self._take(event)
            elif isinstance(event, tuple):
                plain = self._tell(*event)
            else:
                plain = self._ask(event)
            if not plain:
                return done
        return len(events)

    def _ask(self, design: bytes) -> bool:
        """A candidate; False if an optimizer can never ask for it."""
        if len(design) != self._num_bytes or design in self._failed:
            return False
        row = len(self._designs)
        self._designs.append(design)
        self._waiting[self._next_id] = row
        self._next_id += 1
        self._order.append(row)
        return True

    def _tell(self, number: int, outputs: Numbers | None) -> bool:
        """An answer; False if an optimizer may refuse it."""
        if not self._is_usable(outputs) or number not in self._waiting:
            return False
        row = self._waiting.pop(number)
        if outputs is None:
            self._failed.add(self._designs[row])
            self._failures.append((len(self._order), row))
        else:
            self._answers[row] = outputs
            self._order.append(-1 - row)
        return True

    def _take(self, event: Elsewhere) -> bool:
        """A design that was not chosen; False if an optimizer may refuse it."""
        if len(event.codes) != self._num_bytes or not self._is_usable(event.outputs):
            return False
        row = len(self._designs)
        self._designs.append(event.codes)
        self._elsewhere[row] = event
        if event.outputs is None:
            self._waiting[self._next_id] = row
        else:
            self._answers[row] = event.outputs
            self._order.append(-1 - row)
        self._next_id += 1
        return True

    def _is_usable(self, outputs: Numbers | None) -> bool:
        """Whether this is an answer, or says that there is none."""
        return outputs is None or (
            len(outputs) == self._num_outputs and all(map(math.isfinite, outputs))
        )

    # --- to the optimizer

    def run(self) -> None:
        """Let the optimizer go through what was read.

        Raises
        ------
        OtherCandidate
            Where it chooses otherwise.
        """
        order = np.array(self._order, np.int64)
        codes = self.packing.unpack(b"".join(self._designs))
        codes = codes.reshape(-1, self.optimizer.problem.space.num_positions)
        tickets = np.zeros((len(codes), TICKET_SIZE), np.int64)
        for row, ticket in enumerate(self._old_tickets):
            tickets[row] = ticket
        if self._elsewhere:
            tickets[list(self._elsewhere)] = self.optimizer.steps.added_ticket()
        answers = np.zeros((len(codes), self._num_outputs))
        if self._answers:
            answers[list(self._answers)] = list(self._answers.values())
        self.optimizer.clock.start()
        self._go_through(order, codes, answers, tickets)
        self._fail(len(order), codes)
        self._note_known(codes)
        self._keep_waiting(codes, tickets)

    def _go_through(
        self, order: Integers, codes: Codes, answers: Floats, tickets: Integers
    ) -> None:
        """Call the engine again and again, with Python where it stops."""
        search, done = self.optimizer.search, 0
        x = np.zeros(codes.shape[1], np.int64)
        while done < len(order):
            known = Conversation(order[done:], codes, answers, tickets)
            more = search.replay(known, x)
            done += more if more >= 0 else -1 - more
            if more < 0:
                self._fail(done, codes)
                row = order[done]
                self._ask_again(row, x, codes[row], tickets[row])
                done += 1

    def _ask_again(self, row: int, x: Codes, expected: Codes, ticket: Integers) -> None:
        """Ask once more if ``x`` failed before, as every optimizer does."""
        optimizer, steps = self.optimizer, self.optimizer.steps
        failed = optimizer.under_way.failed
        number = self._next_id - len(self._designs) + int(row)
        if x.tobytes() not in failed:
            raise OtherCandidate(number, optimizer.evaluations)
        other = np.empty_like(x)
        steps.propose(other[None], ticket[None])
        try:
            found = steps.settle(other, ticket, failed)
        except NoCandidates as error:
            raise OtherCandidate(number, optimizer.evaluations, str(error)) from None
        if found is None or not np.array_equal(found[0], expected):
            raise OtherCandidate(number, optimizer.evaluations)

    def _fail(self, done: int, codes: Codes) -> None:
        """Remember what had failed when so many events were done."""
        while self._failures and self._failures[0][0] <= done:
            _, row = self._failures.popleft()
            self.optimizer.under_way.fail(codes[row])

    def _note_known(self, codes: Codes) -> None:
        """Let the optimizer know what cost no evaluation, and where it comes from."""
        for row, event in self._elsewhere.items():
            if event.outputs is not None:
                self.optimizer.note_known(codes[row], event.source)

    def _keep_waiting(self, codes: Codes, tickets: Integers) -> None:
        """Leave those without an answer to the optimizer."""
        under_way, space = self.optimizer.under_way, self.optimizer.problem.space
        before, under_way.pending = under_way.pending, {}
        for number, row in self._waiting.items():
            candidate = before.get(number)
            if candidate is None:
                x = space.decode(codes[row])
                parts = codes[row].copy(), tickets[row].copy()
                candidate = Candidate(number, x, *parts)
            under_way.pending[number] = candidate
        under_way.next_id = self._next_id
