"""``Steps``: a search at work, with repairs, and what it raises in words."""

from __future__ import annotations

import copy
from collections.abc import Callable, Container
from typing import Any, Self

import numpy as np

from divlearn.basics.errors import (
    DivlearnError,
    InvalidDesign,
    NoCandidates,
    SearchError,
)
from divlearn.basics.typing import Codes, Floats, Integers
from divlearn.kernels.loops import ENDED
from divlearn.methods.base import LOOP_TICKET_SIZE, Method, Search
from divlearn.methods.budget import SCHEDULE, Budget, planned
from divlearn.methods.names import method_for, name_of
from divlearn.problems import Problem
from divlearn.result.sample import COMPILED, USUAL, Keeper

#: Candidates that ``valid`` may refuse in a row before the search gives up.
MAX_REFUSED = 10_000


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
    search
        The running search; what it remembers is ``search.state``.
    keeper
        Keeps a sample of what was evaluated.
    """

    def __init__(
        self, problem: Problem, method: str | Method, budget: Budget, seed: int
    ) -> None:
        self.problem = problem
        self.name: str = name_of(method)
        self.keeper: Keeper = Keeper(COMPILED if problem.can_run_compiled else USUAL)
        self.search: Search = method_for(method).begin(problem, planned(budget), seed)
        if budget == SCHEDULE:
            self.search.end_with_schedule()

    def copy(self) -> Self:
        """Return a method in the same state, which goes its own way from here."""
        other = copy.copy(self)
        other.search, other.keeper = self.search.copy(), self.keeper.copy()
        return other

    # --- question and answer

    def propose(self, solutions: Codes, tickets: Integers) -> None:
        """Write the next candidates, shape (q, n), and their tickets.

        Tickets of a search that has ended say so, see :meth:`settle`.
        """
        self._call(self.search.propose, solutions, tickets)

    def settle(
        self, codes: Codes, ticket: Integers, failed: Container[bytes]
    ) -> tuple[Codes, Integers] | None:
        """Repair what was proposed and propose again what may not be tried.

        Returns
        -------
        Codes and ticket of a candidate; None if the search has ended.
        """
        for _ in range(MAX_REFUSED):
            if ticket[0] == ENDED:
                return None
            usable = self._usable(codes, failed)
            if usable is not None:
                return usable, ticket
            self.fail(codes, ticket)
            codes = np.empty_like(codes)
            self.propose(codes[None], ticket[None])
        raise NoCandidates(
            f"{MAX_REFUSED:,} candidates in a row were refused by valid() or have "
            "failed before; loosen valid, which must return True for what may be "
            "tried, or give a repair function."
        )

    def no_more(self) -> NoCandidates:
        """What is raised where a search that has ended is asked."""
        return NoCandidates(f"{self.search.ending}.")

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
        entered = bool(self._call(self.search.observe, codes, outputs, ticket))
        self.keeper.note(codes, outputs)
        return entered

    def observe_added(self, codes: Codes, outputs: Floats) -> bool:
        """Learn from the answer to a solution that was not asked for."""
        return self.observe(codes, outputs, self.added_ticket())

    def added_ticket(self) -> Integers:
        """The ticket of a solution that the search did not choose."""
        return np.array([self.search.added, 0], np.int64)

    def fail(self, codes: Codes, ticket: Integers) -> None:
        """Learn that there is no answer."""
        self._call(self.search.fail, codes, ticket)

    # --- without Python in between

    def run(self, evaluations: int) -> Codes:
        """Make evaluations, fewer where the search ends; 0 only compiles.

        Returns
        -------
        The last solution.

        Raises
        ------
        NoCandidates
            If the search had ended before.
        """
        x = np.zeros(self.problem.space.num_positions, np.int64)
        ticket = np.zeros(LOOP_TICKET_SIZE, np.int64)
        y = np.empty(len(self.problem.outputs))
        made = 0
        while True:
            count = self.keeper.until_kept(evaluations - made)
            done = self._call(self.search.run, x, y, ticket, count)
            if done < 0:
                self.keeper.count += -1 - done
                # What the objective gave at x is not a result; this says so.
                self.problem.read_outputs(y, self.problem.space.decode(x))
            if done:
                self.keeper.note(x, y, done)
            made += done
            ended = self.search.ending is not None
            if ended and made == 0 < evaluations:
                raise self.no_more()
            if ended or made == evaluations:
                return x

    def _call(self, part: Callable[..., Any], *arguments: Any) -> Any:
        """Call a part of the method; whatever it raises ends the search in words."""
        try:
            return part(*arguments)
        except DivlearnError:
            raise
        except Exception as error:
            raise SearchError(
                f"method {self.name!r} raised {type(error).__name__}: "
                f"{error}; what was found before is in .result. Look at experts, "
                "encodings and moves of your own, if it has any; otherwise this is a "
                "fault of the method."
            ) from error
