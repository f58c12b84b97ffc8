"""``Rehearsal``: an optimizer is asked and told again what is known.

What happened is collected and gone through in stretches, where it can be without
Python in between. Both ways leave the same optimizer, to the last bit.
"""

from __future__ import annotations

from divlearn.kernels.jit import is_compiled
from divlearn.optimizer.optimizer import NoCandidates, Optimizer
from divlearn.study.store.rows import Numbers, Packing
from divlearn.study.stretch import Event, OtherCandidate, Stretch

#: Events after which a stretch ends, so that it takes little memory.
LONGEST = 20_000


class Rehearsal:
    """Collects what happened and lets an optimizer go through it.

    Parameters
    ----------
    optimizer
        An optimizer at the moment where the events begin.
    packing
        How candidates are written.
    compiled
        Whether to do without Python where that is possible; one by one otherwise.
    """

    def __init__(self, optimizer: Optimizer, packing: Packing, compiled: bool) -> None:
        self.optimizer = optimizer
        self.packing = packing
        self.compiled = compiled and _needs_no_python(optimizer)
        self._events: list[Event] = []

    def ask(self, codes: bytes) -> None:
        """The optimizer was asked, and chose this candidate."""
        self._add(codes)

    def tell(self, number: int, outputs: Numbers | None) -> None:
        """The optimizer was told the answer to a candidate; None if it failed."""
        self._add((number, outputs))

    def _add(self, event: Event) -> None:
        """Note what happened; go through it when it has become much."""
        self._events.append(event)
        if len(self._events) >= LONGEST:
            self.catch_up()

    def catch_up(self) -> None:
        """Let the optimizer go through everything that was collected.

        Raises
        ------
        OtherCandidate
            Where it chooses otherwise than it did; it is of no use afterwards.
        InputError
            Where it refuses an answer.
        """
        events, self._events = self._events, []
        done = 0
        if self.compiled and events:
            stretch = Stretch(self.optimizer, self.packing)
            done = stretch.read(events)
            stretch.run()
        # What is odd in the events shows itself to who goes one by one.
        for event in events[done:]:
            self._step(event)

    def _step(self, event: Event) -> None:
        """Ask, and compare; or tell."""
        if isinstance(event, tuple):
            self.optimizer.tell(*event)
            return
        number, known = self.optimizer._next_id, self.optimizer.evaluations
        try:
            (candidate,) = self.optimizer.ask()
        except NoCandidates as error:
            raise OtherCandidate(number, known, str(error)) from None
        if self.packing.pack(candidate.codes) != event:
            raise OtherCandidate(number, known)


def _needs_no_python(optimizer: Optimizer) -> bool:
    """Whether there is nothing in Python between question and answer."""
    problem = optimizer.problem
    repair = problem.compiled.repair if problem.compiled else None
    return (
        optimizer._engine.replay is not None
        and not problem.has_python_hooks
        and (repair is None or is_compiled(repair))
    )
