"""``Questions``: a run of a study in which nobody evaluates: it only asks."""

from __future__ import annotations

import sys
from typing import Any

from divlearn.basics.errors import NothingToAsk
from divlearn.basics.signals import Interruption
from divlearn.study import replay
from divlearn.study.coordinator import Coordinator
from divlearn.study.opened import OpenStudy
from divlearn.study.options import by_hand
from divlearn.study.trial import Trial
from divlearn.terminal.display import Silent
from divlearn.workers.base import Attempt

#: Seconds of asking and telling that the next question repeats at most.
REPEATED = 0.1


class Questions(Coordinator):
    """The part of the loop that asks and writes down, as a run with one worker does.

    Parameters
    ----------
    study
        The study, at the end of what its file says.
    """

    def __init__(self, study: OpenStudy) -> None:
        target = study.store.notes().get("target")
        super().__init__(
            study,
            Nobody(),
            by_hand(study.problem, target),
            Interruption(),
            lambda trial: None,
            Silent(),
        )
        self._take_up()
        self._ready.clear()  # they were asked for before

    def ask(self, count: int) -> list[Trial]:
        """Ask for candidates that others evaluate; fewer where there are none now.

        Raises
        ------
        NothingToAsk
            If there is not a single one.
        """
        while (lacking := count - len(self._ready)) > 0 and self._ask(lacking):
            pass
        if self.checkpoint and self.search.effort > REPEATED:
            replay.save(self.search, self.store)
        if not self._ready:
            raise self._nothing()
        found = [self._open[attempt.number] for attempt in self._ready]
        self._ready.clear()
        return found

    def require_turn(self) -> None:
        """Refuse to ask where not even a design that is given could be asked for."""
        if self._stops() or not self.search.prepare():
            raise self._nothing()

    def _nothing(self) -> NothingToAsk:
        """Why there is no candidate now."""
        alike = {n for numbers in self._alike.values() for n in numbers}
        left = [number for number in sorted(self._open) if number not in alike]
        if self._reason:
            return NothingToAsk(f"{self._reason}{_still_open(left)}.")
        if self.search.ordered:
            left = [number for number in left if number <= self.search.needed]
        named = ", ".join(map(str, left))
        return NothingToAsk(
            "the next candidate is chosen from outcomes that are not there yet: tell "
            f"what became of {named} first, or give them up.",
            left,
        )


def _still_open(numbers: list[int]) -> str:
    """Which candidates have no outcome, in words."""
    if not numbers:
        return ""
    return f", or asked for: {', '.join(map(str, numbers))} have no outcome yet"


class Nobody:
    """A pool without workers: what is asked for is evaluated elsewhere."""

    size: int = sys.maxsize

    def submit(self, attempt: Attempt) -> None:
        """Nothing is ever submitted."""
        raise NotImplementedError

    def wait(self, timeout: float | None) -> list[Any]:
        """Nothing ends here."""
        return []

    def close(self, kill: bool) -> None:
        """Nothing is open."""
