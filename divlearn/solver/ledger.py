"""``Books``: a run of a method that solves a problem in one go."""

from __future__ import annotations

import math
import sys
from typing import TYPE_CHECKING, Any

import numpy as np

from divlearn.basics.errors import EvaluationError, InvalidDesign
from divlearn.basics.typing import Codes, Floats
from divlearn.methods.others.base import Spent, WholeSolver
from divlearn.methods.others.search import ADDED, OtherSearch
from divlearn.optimizer.candidates import Candidate

if TYPE_CHECKING:
    from divlearn.solver.loop import SearchLoop

#: What a result says where the method ended by itself.
DONE = "the method came to its end"


class Books:
    """The ledger of a run, on top of the loop around its optimizer.

    Parameters
    ----------
    search
        Stop criteria, callbacks, display and interruption.
    state
        What the optimizer keeps.
    """

    def __init__(self, search: SearchLoop, state: OtherSearch) -> None:
        self._search, self._state = search, state
        self._optimizer = search.optimizer
        self._sign = search.optimizer.problem.sign
        limit = search.budget
        self.budget: int | None = None if limit == sys.maxsize else limit
        self.reason: str = ""

    @property
    def left(self) -> float:
        """Evaluations that are left, infinity where there is no budget."""
        if self.budget is None:
            return math.inf
        return max(0, self.budget - self._optimizer.evaluations)

    def evaluate(self, codes: Codes) -> Floats:
        """Evaluate a solution and keep it; see :class:`Ledger`."""
        self._require_more()
        problem = self._optimizer.problem
        solution = problem.repair_codes(np.array(codes, np.int64))
        x = problem.space.decode(solution)
        try:
            outputs = self._search.evaluated(x)
        except InvalidDesign as error:
            raise EvaluationError(f"the design is invalid: {error}", x) from error
        number = self._optimizer.evaluations
        ticket = np.array([ADDED, ADDED], np.int64)
        self._state.observe(solution, outputs, ticket)
        self._optimizer.steps.keeper.note(solution, outputs)
        self._search.evaluated_one(Candidate(number, x, solution, ticket))
        values: Floats = outputs.copy()
        values[: problem.num_objectives] *= problem.sign
        return values

    def take(self, codes: Codes, outputs: Floats) -> None:
        """Keep a solution that compiled code evaluated."""
        solution, outputs = np.array(codes, np.int64), np.array(outputs, float)
        self._state.keep(solution, outputs)
        outputs[: len(self._sign)] *= self._sign
        self._optimizer.steps.keeper.note(solution, outputs)

    def count(self, evaluations: int) -> None:
        """Count evaluations that compiled code has made."""
        if evaluations > self.left:
            raise AssertionError(
                f"{evaluations:,} evaluations were made where {self.left:,} were left"
            )
        self._state.control[0].observed += evaluations
        self._search.note()
        self._require_more()

    def call_solver(self, name: str) -> None:
        """Note one call of a specialised solver."""
        calls = self._state.solver_calls
        calls[name] = calls.get(name, 0) + 1

    def tell(self, what: str, value: Any) -> None:
        """Let the result say so in ``learned``."""
        self._state.told[what] = value

    def _require_more(self) -> None:
        """Stop where nothing is left, or a criterion or Ctrl-C says so."""
        reason = self._search.reason_to_stop()
        if reason is not None:
            self.reason = reason
            raise Spent(reason)


def solve_whole(method: WholeSolver, search: SearchLoop, state: OtherSearch) -> str:
    """Let the method solve the problem; returns why it ended."""
    books = Books(search, state)
    try:
        method.solve(search.optimizer.problem, books, search.optimizer.seed)
    except Spent:
        return books.reason
    return search.reason_to_stop() or DONE
