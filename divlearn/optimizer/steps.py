"""``Steps``: a method at work, and what it raises in words."""

from __future__ import annotations

import copy
from collections.abc import Callable, Container
from functools import partial
from typing import Any, Self

import numpy as np

from divlearn.basics.typing import Codes, Floats, Integers
from divlearn.errors import DivlearnError, InputError, InvalidDesign, SearchError
from divlearn.methods.engine import LOOP_TICKET_SIZE, engine_for
from divlearn.methods.names import Method, method_for, name_of
from divlearn.problems import Problem

#: Candidates that ``valid`` may refuse in a row before the search gives up.
MAX_REFUSED = 10_000


class NoCandidates(InputError):
    """Every further candidate was refused, so that there is nothing to ask."""


class Steps:
    """The steps of a method over its arrays, one candidate or answer at a time.

    Parameters
    ----------
    problem, method, budget, seed
        As of an optimizer.

    Attributes
    ----------
    name
        What results and messages call the method.
    settings
        The method, with all that it left open filled in.
    engine
        What its family can do.
    state
        Its arrays; another object where they had to be enlarged.
    """

    def __init__(
        self, problem: Problem, method: str | Method, budget: int | None, seed: int
    ) -> None:
        self.problem = problem
        self.name = name_of(method)
        full = method_for(method)
        self.engine = engine_for(full)
        self.settings: Any
        self.state: Any
        self.settings, self.state = self.engine.begin(full, problem, budget, seed)

    def copy(self) -> Self:
        """Return a method in the same state, which goes its own way from here."""
        other = copy.copy(self)
        other.state = copy.deepcopy(self.state)
        return other

    # --- question and answer

    def propose(self, solutions: Codes, tickets: Integers) -> None:
        """Write the next candidates, shape (q, n), and their tickets."""
        self.make_room(len(solutions))
        self._call(self.engine.propose_many, solutions, tickets)

    def settle(
        self, codes: Codes, ticket: Integers, failed: Container[bytes]
    ) -> tuple[Codes, Integers]:
        """Repair what was proposed and propose again what may not be tried."""
        for _ in range(MAX_REFUSED):
            usable = self._usable(codes, failed)
            if usable is not None:
                return usable, ticket
            self.fail(codes, ticket)
            codes = np.empty_like(codes)
            self.propose(codes[None], ticket[None])
        raise NoCandidates(
            f"{MAX_REFUSED:,} candidates in a row were refused by valid() or have "
            "failed before; loosen valid or give a repair function."
        )

    def _usable(self, codes: Codes, failed: Container[bytes]) -> Codes | None:
        """Repair; None for what has failed before or may not be tried."""
        try:
            codes = self.problem.repair_codes(codes)
        except InvalidDesign:
            return None
        if failed and codes.tobytes() in failed:
            return None
        return codes if self.problem.codes_are_valid(codes) else None

    def observe(self, codes: Codes, outputs: Floats, ticket: Integers) -> bool:
        """Learn from one answer; whether it entered the front."""
        self.make_room(1)
        return bool(self._call(self.engine.observe, codes, outputs, ticket))

    def observe_added(self, codes: Codes, outputs: Floats) -> bool:
        """Learn from the answer to a solution that was not asked for."""
        ticket = np.array([self.engine.added, 0], np.int64)
        return self.observe(codes, outputs, ticket)

    def fail(self, codes: Codes, ticket: Integers) -> None:
        """Learn that there is no answer."""
        self._call(self.engine.fail, codes, ticket)

    # --- without Python in between

    def run(self, rest: int) -> Codes:
        """Make ``rest`` evaluations; 0 only compiles. Returns the last solution."""
        problem = self.problem
        x = np.zeros(problem.space.num_positions, np.int64)
        ticket = np.zeros(LOOP_TICKET_SIZE, np.int64)
        y = np.empty(len(problem.outputs))
        run = partial(self.engine.run, problem)
        while True:
            self.make_room(1)
            done = self._call(run, x, y, ticket, rest)
            if done < 0:
                # What the objective gave at x is not a result; this says so.
                problem.read_outputs(y, problem.space.decode(x))
            rest -= done
            if rest == 0:
                return x

    def make_room(self, count: int) -> None:
        """Enlarge what is too full for ``count`` more candidates."""
        self.state = self.engine.with_room(self.state, count)

    def _call(self, part: Callable[..., Any], *arguments: Any) -> Any:
        """Call a part of the method; whatever it raises ends the search in words."""
        try:
            return part(self.state, *arguments)
        except DivlearnError:
            raise
        except Exception as error:
            raise SearchError(
                f"method {self.name!r} raised {type(error).__name__}: "
                f"{error}; what was found before is in .result. Look at experts and "
                "encodings of your own, if it has any; otherwise this is a fault of "
                "the method."
            ) from error

    # --- what came out

    @property
    def evaluations(self) -> int:
        """Number of answers with values."""
        return int(self.state.control[0].observed)

    @property
    def front_size(self) -> int:
        """Number of non-dominated solutions found."""
        return int(self.state.control[0].archive_size)

    def front_solutions(self) -> Codes:
        """Codes of the front, shape (k, n)."""
        return self.state.archive.solutions[self._slots()]  # type: ignore[no-any-return]

    def front_outputs(self) -> Floats:
        """Objectives in the user's senses, then constraints, shape (k, m + c)."""
        outputs = self.state.archive.outputs[self._slots()]
        outputs[:, : self.problem.num_objectives] *= self.state.objectives.sign
        return outputs  # type: ignore[no-any-return]

    def _slots(self) -> Integers:
        """Used slots of the archive."""
        return self.state.archive.order[: self.front_size]  # type: ignore[no-any-return]

    def learned(self) -> dict[str, Any]:
        """What a result tells about the search."""
        return self.engine.learned(self.state, self.problem, self.settings)

    # --- to other processes

    def __getstate__(self) -> dict[str, Any]:
        """Pickle without the functions of the family."""
        attributes = dict(vars(self))
        del attributes["engine"]
        return attributes

    def __setstate__(self, attributes: dict[str, Any]) -> None:
        """Unpickle; addresses are those of another process."""
        vars(self).update(attributes)
        self.engine = engine_for(self.settings)
        self.state = self.engine.renewed(self.state, self.settings)
