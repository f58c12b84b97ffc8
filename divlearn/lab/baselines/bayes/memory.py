"""What a run knows: answers, failures and pending candidates."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from divlearn.basics.typing import Codes, Floats, Integers
from divlearn.metrics import non_dominated

#: Pending candidates that are taken into account; older ones are given up.
MAX_PENDING = 20
#: Fewest answers that models are fitted to, however many have failed.
LEAST_KEPT = 2


class Known(NamedTuple):
    """Solutions and their outputs, in order of arrival."""

    codes: Integers  # (q, n)
    outputs: Floats  # (q, m + c)


class Memory:
    """Answers in order of arrival.

    Parameters
    ----------
    num_positions
        Length of a solution's codes.
    num_objectives
        Number of objectives, the first of an answer's outputs.
    """

    def __init__(self, num_positions: int, num_objectives: int) -> None:
        self._n, self._m = num_positions, num_objectives
        self._codes: list[Codes] = []
        self._outputs: list[Floats] = []
        self._failed: list[Codes] = []
        self._pending: dict[int, Codes] = {}
        self._planned: list[Codes] = []
        self.seen: set[bytes] = set()

    @property
    def num_answers(self) -> int:
        """Number of answers, failures not counted."""
        return len(self._outputs)

    @property
    def num_learned(self) -> int:
        """Number of answers and failures."""
        return len(self._outputs) + len(self._failed)

    @property
    def num_pending(self) -> int:
        """Number of candidates with pending answers, and of those to be proposed."""
        return len(self._pending) + len(self._planned)

    @property
    def num_planned(self) -> int:
        """Number of candidates that are chosen but not proposed yet."""
        return len(self._planned)

    def plan(self, codes: Codes) -> None:
        """Remember a candidate that is to be proposed."""
        self._planned.append(codes.copy())
        self.seen.add(codes.tobytes())

    def take_planned(self) -> Codes:
        """Return the candidate that was planned first."""
        return self._planned.pop(0)

    def expect(self, number: int, codes: Codes) -> None:
        """Remember a candidate that is being evaluated."""
        self._pending[number] = codes.copy()
        self.seen.add(codes.tobytes())

    def answer(self, number: int, codes: Codes, outputs: Floats) -> None:
        """Remember what a solution is worth."""
        self._pending.pop(number, None)
        self._codes.append(np.array(codes, np.int64))
        self._outputs.append(np.array(outputs, float))
        self.seen.add(self._codes[-1].tobytes())

    def fail(self, number: int, codes: Codes) -> None:
        """Remember that a solution has no value."""
        self._pending.pop(number, None)
        self._failed.append(np.array(codes, np.int64))
        self.seen.add(self._failed[-1].tobytes())

    def pending(self) -> Integers:
        """Codes of the newest pending candidates, shape (p, n)."""
        rows = [*self._pending.values(), *self._planned][-MAX_PENDING:]
        return np.array(rows, np.int64).reshape(-1, self._n)

    def answers(self) -> Known:
        """All answers."""
        codes = np.array(self._codes, np.int64).reshape(-1, self._n)
        return Known(codes, np.array(self._outputs, float).reshape(len(codes), -1))

    def lessons(self, most: int) -> Known:
        """What models are fitted to: answers, and failures with the worst values.

        If there are more than ``most``, the feasible front is kept and then the newest;
        up to a quarter are failures.
        """
        codes, outputs = self.answers()
        failed = self._failed[-max(1, most // 4) :]
        room = max(LEAST_KEPT, most - len(failed))
        if len(codes) > room:
            rank = np.lexsort((-np.arange(len(codes)), ~self._on_front(outputs)))
            kept = np.sort(rank[:room])
            codes, outputs = codes[kept], outputs[kept]
        if not failed or not len(codes):
            return Known(codes, outputs)
        worst = np.tile(outputs.max(axis=0), (len(failed), 1))
        return Known(np.vstack([codes, failed]), np.vstack([outputs, worst]))

    def _on_front(self, outputs: Floats) -> NDArray[np.bool_]:
        """Which answers are feasible and not dominated by feasible ones."""
        marks = np.array((outputs[:, self._m :] <= 0.0).all(axis=1))
        if marks.any():
            marks[marks] = non_dominated(outputs[marks, : self._m])
        return marks
