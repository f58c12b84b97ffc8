"""``OtherSearch``: a search by a method of another package."""

from __future__ import annotations

import copy
from array import array
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from divlearn.basics.errors import EvaluationError, InputError
from divlearn.basics.text import said_by
from divlearn.basics.typing import Codes, Floats, Integers
from divlearn.kernels.archive import NUM_SLOTS, Archive, enlarged, insert, new_archive
from divlearn.kernels.records import new_records
from divlearn.kernels.scale import tame
from divlearn.methods.base import TICKET_SIZE, Search
from divlearn.methods.others.base import ELSEWHERE, AskTell, OtherMethod, Proposer
from divlearn.problems import Problem

CONTROL = np.dtype([("observed", "i8"), ("archive_size", "i8"), ("proposed", "i8")])
OBJECTIVE = np.dtype([("sign", "f8")])
#: What can happen to a baseline.
PROPOSED, OBSERVED, FAILED = range(3)
#: First number of the ticket of a candidate; of a solution from elsewhere.
ASKED, ADDED = 0, ELSEWHERE


class Log:
    """What was asked and told, in little room: a long run keeps much of it.

    Parameters
    ----------
    room
        Type of integers in which every code fits.
    """

    def __init__(self, room: np.dtype[Any]) -> None:
        self._room = room
        self._events = array("q")
        self._outputs = array("d")
        self._codes = bytearray()

    def add(
        self,
        kind: int,
        number: int,
        codes: Codes | None = None,
        outputs: Floats | None = None,
    ) -> None:
        """Note an event."""
        self._events.extend((kind, number))
        if codes is not None:
            self._codes += codes.astype(self._room).tobytes()
        if outputs is not None:
            self._outputs.frombytes(outputs.tobytes())

    def arrays(self, n: int, width: int) -> dict[str, NDArray[Any]]:
        """All events, shape (e, 2), and codes and outputs in their order."""
        codes = np.frombuffer(bytes(self._codes), self._room)
        return {
            "events": np.array(self._events, np.int64).reshape(-1, 2),
            "outputs": np.array(self._outputs, float).reshape(-1, width),
            "codes": codes.astype(np.int64).reshape(-1, n),
        }


class OtherSearch(Search):
    """A method at work of which nothing is known but that it can be asked.

    Nothing is known of what a method remembers, but it does the same again when it is
    asked and told the same. So its saved state is that sequence of events.

    Parameters
    ----------
    method, problem, budget, seed
        What determines the search.

    Attributes
    ----------
    control, objectives, archive
        As in the states of divlearn's own methods.
    proposer
        The running search; None where the method cannot be asked, and in a copy.
    solver_calls
        How often each specialised solver was called.
    """

    method: Any
    problem: Problem
    budget: int | None
    seed: int

    added: ClassVar[int] = ADDED
    quick_to_restore: ClassVar[bool] = False

    def __init__(
        self, method: OtherMethod, problem: Problem, budget: int | None, seed: int
    ) -> None:
        self.method, self.problem, self.budget, self.seed = (
            method,
            problem,
            budget,
            seed,
        )
        n, m = problem.space.num_positions, problem.num_objectives
        self.control: Any = new_records(1, CONTROL)
        self._room = np.min_scalar_type(int(problem.space.layout.places.levels.max()))
        self.objectives: Any = new_records(m, OBJECTIVE)
        self.objectives.sign = self._sign = problem.sign
        self.archive: Archive = new_archive(NUM_SLOTS, n, m, problem.num_constraints)
        self.proposer: Proposer | None = None
        self.solver_calls: dict[str, int] = {}
        self.told: dict[str, Any] = {}
        self._log = Log(self._room)
        # Load the archive's code: its time is not that of the search.
        insert(new_archive(1, 1, 1, 0), 0, np.zeros(1, np.int64), np.zeros(1))
        if isinstance(method, AskTell):
            self.proposer = method.start(problem, budget, seed)

    @property
    def state(self) -> OtherSearch:
        """What is remembered is all here."""
        return self

    def propose(self, solutions: Codes, tickets: Integers) -> None:
        """Write candidates, shape (q, n), and their tickets, shape (q, 2)."""
        if self.proposer is None:
            raise InputError(
                f"method {self.method.name!r} solves a problem in one go and cannot be "
                "asked for candidates; use divlearn.solve, or another method."
            )
        proposed, count = self._counter("proposed"), len(solutions)
        numbers = np.arange(proposed[0], proposed[0] + count)
        proposed += count
        solutions[:] = self.proposer.propose(count, numbers)
        if len(self.problem.space.layout.rules):
            for row in solutions:
                row[:] = self.problem.space.settled(row)
        tickets[:, 0], tickets[:, 1] = ASKED, numbers
        self._log.add(PROPOSED, count)

    def observe(self, codes: Codes, outputs: Floats, ticket: Integers) -> bool:
        """Learn from one answer, in the user's senses; whether it entered the front."""
        number = int(ticket[1]) if ticket[0] == ASKED else ELSEWHERE
        values = outputs.copy()
        values[: len(self._sign)] *= self._sign
        self._counter("observed")[0] += 1
        if self.proposer is not None:
            self._log.add(OBSERVED, number, codes, outputs)
            learned = np.empty_like(values)
            tame(values, learned)
            self.proposer.observe(number, codes, learned)
        return self.keep(codes, values)

    def fail(self, codes: Codes, ticket: Integers) -> None:
        """Learn that a candidate could not be evaluated."""
        if self.proposer is not None and ticket[0] == ASKED:
            self._log.add(FAILED, int(ticket[1]), codes)
            self.proposer.fail(int(ticket[1]), codes)

    def keep(self, codes: Codes, outputs: Floats) -> bool:
        """Put a solution into the archive if it is feasible and nothing beats it.

        Objectives are minimised here.
        """
        if (outputs[len(self._sign) :] > 0.0).any():
            return False
        held = self._counter("archive_size")
        if held[0] == len(self.archive.order):
            self.archive = enlarged(self.archive)
        size = insert(self.archive, int(held[0]), codes, outputs)
        if size >= 0:
            held[0] = size
        return size >= 0

    def _counter(self, name: str) -> Integers:
        """One of the counters as an array that can be changed, shape (1,).

        Fields of records by name are slow where there are several per evaluation.
        """
        return self.control.view(np.ndarray)[name]  # type: ignore[no-any-return]

    def learned(self) -> dict[str, Any]:
        """What a result tells about the search."""
        told = dict(self.told)
        if self.proposer is not None:
            told["candidates proposed"] = int(self.control[0].proposed)
        if self.solver_calls:
            told["solver_calls"] = dict(self.solver_calls)
        own = getattr(self.proposer, "learned", None)
        return told | (own() if own is not None else {})

    # --- files and copies

    def saved(self) -> dict[str, NDArray[Any]]:
        """What was asked and told, as arrays."""
        if not isinstance(self.method, AskTell):
            raise InputError(
                f"method {self.method.name!r} solves a problem in one go and has no "
                "state that could be saved; save its result."
            )
        n, width = self.problem.space.num_positions, len(self.problem.outputs)
        return self._log.arrays(n, width)

    def restore(self, arrays: dict[str, NDArray[Any]]) -> None:
        """Be asked and told, from the beginning, what ``arrays`` say."""
        fresh = OtherSearch(self.method, self.problem, self.budget, self.seed)
        fresh.archive.limit[:] = self.archive.limit
        vars(self).update(vars(fresh))
        codes, outputs = iter(arrays["codes"]), iter(arrays["outputs"])
        for kind, number in arrays["events"]:
            if kind == PROPOSED:
                blank = np.empty((number, self.problem.space.num_positions), np.int64)
                self.propose(blank, np.empty((number, 2), np.int64))
            else:
                ticket = np.array([ASKED if number >= 0 else ADDED, number], np.int64)
                if kind == OBSERVED:
                    self.observe(next(codes), next(outputs), ticket)
                else:
                    self.fail(next(codes), ticket)

    def run(self, x: Codes, y: Floats, ticket: Integers, evaluations: int) -> int:
        """Make evaluations of a compiled objective, as ask and tell would."""
        compiled = self.problem.compiled
        assert compiled is not None
        for _ in range(evaluations):
            self.propose(x[None], ticket[None, :TICKET_SIZE])
            try:
                if compiled.repair is not None:
                    compiled.repair(x, compiled.table)
                compiled.objective(x, compiled.table, y)
            except Exception as error:
                raise EvaluationError(
                    f"the objective raised {said_by(error)}",
                    self.problem.space.decode(x),
                ) from error
            if not np.isfinite(y).all():
                return -1
            self.observe(x, y, ticket)
        return evaluations

    def copy(self) -> Self:
        """A search that can be looked at, and told more, but not asked."""
        other = object.__new__(type(self))
        vars(other).update(vars(self), proposer=None)
        for name in ("control", "archive", "solver_calls", "told", "_log"):
            setattr(other, name, copy.deepcopy(getattr(self, name)))
        return other

    def __getstate__(self) -> dict[str, Any]:
        """Leave the running search out; it is asked and told everything again."""
        return vars(self) | {"proposer": None}

    def __setstate__(self, attributes: dict[str, Any]) -> None:
        """Unpickle, with the search running where it can be asked."""
        vars(self).update(attributes)
        if isinstance(self.method, AskTell):
            self.restore(self.saved())
