"""``Stretch``: questions and answers as arrays, gone through without Python."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Sequence

import numpy as np

from divlearn.basics.typing import Codes, Floats, Integers
from divlearn.kernels.jit import no_repair
from divlearn.methods.engine import TICKET_SIZE
from divlearn.optimizer.candidate import Candidate
from divlearn.optimizer.optimizer import NoCandidates, Optimizer
from divlearn.study.store.rows import Numbers, Packing

#: A candidate that was asked for; or the number of one and its answer.
Event = bytes | tuple[int, Numbers | None]


class OtherCandidate(Exception):
    """An optimizer chose otherwise than it did: at which number, knowing how many."""

    def __init__(
        self, number: int, known: int, reason: str = "another design was chosen"
    ) -> None:
        super().__init__(reason)
        self.number, self.known = number, known


class Stretch:
    """Events in a row, see :func:`divlearn.methods.paper.kernels.drivers.replay`.

    Every candidate has a row: first those that wait for an answer when the stretch
    begins, then those that are asked for in it.

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
        self._next_id = optimizer._next_id
        self._order: list[int] = []
        self._answers: dict[int, Numbers] = {}
        # Rows of those that failed, with the number of events in the order before.
        self._failures: deque[tuple[int, int]] = deque()
        self._failed = {
            packing.pack(np.frombuffer(codes, np.int64)) for codes in optimizer._failed
        }

    # --- from events

    def read(self, events: Sequence[Event]) -> int:
        """Take events in, up to the first odd one; return how many."""
        for done, event in enumerate(events):
            plain = self._tell(*event) if isinstance(event, tuple) else self._ask(event)
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
        usable = outputs is None or (
            len(outputs) == self._num_outputs and all(map(math.isfinite, outputs))
        )
        if not usable or number not in self._waiting:
            return False
        row = self._waiting.pop(number)
        if outputs is None:
            self._failed.add(self._designs[row])
            self._failures.append((len(self._order), row))
        else:
            self._answers[row] = outputs
            self._order.append(-1 - row)
        return True

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
        answers = np.zeros((len(codes), self._num_outputs))
        if self._answers:
            answers[list(self._answers)] = list(self._answers.values())
        self.optimizer.start_clock()
        self._go_through(order, codes, answers, tickets)
        self._fail(len(order), codes)
        self._keep_waiting(codes, tickets)

    def _go_through(
        self, order: Integers, codes: Codes, answers: Floats, tickets: Integers
    ) -> None:
        """Call the engine again and again, with Python where it stops."""
        optimizer, done = self.optimizer, 0
        compiled = optimizer.problem.compiled
        repair, table = no_repair, np.zeros((0, 0))
        if compiled is not None:
            repair, table = compiled.repair or no_repair, compiled.table
        replay = optimizer._engine.replay
        assert replay is not None
        x = np.zeros(optimizer.problem.space.num_positions, np.int64)
        while done < len(order):
            optimizer._make_room()
            more = replay(
                repair,
                table,
                optimizer._state,
                order[done:],
                codes,
                answers,
                tickets,
                x,
            )
            done += more if more >= 0 else -1 - more
            if more < 0:
                self._fail(done, codes)
                row = order[done]
                self._ask_again(row, x, codes[row], tickets[row])
                done += 1

    def _ask_again(self, row: int, x: Codes, expected: Codes, ticket: Integers) -> None:
        """Ask once more if ``x`` failed before, as every optimizer does."""
        optimizer = self.optimizer
        number = self._next_id - len(self._designs) + int(row)
        if x.tobytes() not in optimizer._failed:
            raise OtherCandidate(number, optimizer.evaluations)
        other = np.empty_like(x)
        optimizer._propose(other[None], ticket[None])
        try:
            other, _ = optimizer._settle(other, ticket)
        except NoCandidates as error:
            raise OtherCandidate(number, optimizer.evaluations, str(error)) from None
        if not np.array_equal(other, expected):
            raise OtherCandidate(number, optimizer.evaluations)

    def _fail(self, done: int, codes: Codes) -> None:
        """Remember what had failed when so many events were done."""
        while self._failures and self._failures[0][0] <= done:
            _, row = self._failures.popleft()
            self.optimizer._failed.add(codes[row].tobytes())
            self.optimizer._num_failed += 1

    def _keep_waiting(self, codes: Codes, tickets: Integers) -> None:
        """Leave those without an answer to the optimizer."""
        optimizer, before = self.optimizer, self.optimizer._pending
        optimizer._pending = {}
        for number, row in self._waiting.items():
            candidate = before.get(number)
            if candidate is None:
                x = optimizer.problem.space.decode(codes[row])
                parts = codes[row].copy(), tickets[row].copy()
                candidate = Candidate(number, x, *parts)
            optimizer._pending[number] = candidate
        optimizer._next_id = self._next_id
