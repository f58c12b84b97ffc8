"""``CompiledSearch``: a search whose step is compiled; one driver for all of them."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from divlearn.basics.errors import EvaluationError, InputError
from divlearn.basics.text import said_by
from divlearn.kernels import loops
from divlearn.kernels.archive import with_tree
from divlearn.kernels.jit import no_repair
from divlearn.kernels.loops import EVALUATING, Conversation, Step
from divlearn.kernels.records import saved_arrays, with_arrays
from divlearn.methods.base import Search

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from divlearn.basics.typing import Codes, Floats, Integers, Words
    from divlearn.problems import Problem

#: CPU seconds that a loop takes to compile: that of ask, and that of a compiled run.
LOOP_SECONDS = {False: {"asking": 1.0}, True: {"loop": 2.0}}


class CompiledSearch(Search):
    """A search over a state of arrays, by a step of three kernels.

    Parameters
    ----------
    method
        The method, with nothing left open.
    problem
        What is searched.
    state
        Arrays of a search that has not begun.
    """

    method: Any
    problem: Problem
    state: Any

    can_replay: ClassVar[bool] = True
    step: ClassVar[Step]

    def __init__(self, method: Any, problem: Problem, state: Any) -> None:
        self.method, self.problem, self.state = method, problem, state
        self._addresses: Words | None = None  # those of this process

    @property
    def addresses(self) -> Words:
        """Where the step is, compiled when it is first needed."""
        if self._addresses is None:
            self._addresses = self.step.addresses(self.state)
        return self._addresses

    @abstractmethod
    def make_room(self, count: int) -> None:
        """Enlarge what is too full for ``count`` more candidates."""

    def propose(self, solutions: Codes, tickets: Integers) -> None:
        """Write candidates, shape (q, n), and their tickets, shape (q, 2)."""
        self.make_room(len(solutions))
        loops.propose_many(self.addresses, self.state, solutions, tickets)

    def observe(self, codes: Codes, outputs: Floats, ticket: Integers) -> bool:
        """Learn from one answer, in the user's senses; whether it entered the front."""
        self.make_room(1)
        _ = self.addresses  # compiled there, or else it would be compiled twice
        return bool(self.step.observe(self.state, codes, outputs, ticket))

    def run(self, x: Codes, y: Floats, ticket: Integers, evaluations: int) -> int:
        """Make evaluations in the compiled loop, with errors that say whose they are.

        What is raised outside of an evaluation is not the objective's, and is raised
        as it is.
        """
        compiled = self.problem.compiled
        assert compiled is not None
        self.make_room(1)
        try:
            return self._run(x, y, ticket, evaluations)
        except TypeError as error:
            reason = " ".join(str(error).split())[:300]
            raise InputError(
                "compiled: objective(x, table, y) and repair(x, table) must be "
                "functions compiled by numba.njit that return nothing, "
                f"got {compiled.objective!r} and {compiled.repair!r} ({reason})."
            ) from error
        except Exception as error:
            if not ticket[EVALUATING]:
                raise
            raise EvaluationError(
                f"the objective raised {said_by(error)}",
                self.problem.space.decode(x),
            ) from error

    def _run(self, x: Codes, y: Floats, ticket: Integers, evaluations: int) -> int:
        """Call the loop."""
        compiled = self.problem.compiled
        assert compiled is not None
        functions = compiled.objective, compiled.repair or no_repair, compiled.table
        search = self.addresses, self.state
        return loops.run(*functions, *search, x, y, ticket, evaluations)

    def replay(self, known: Conversation, x: Codes) -> int:
        """Ask and tell again what is known, without Python in between."""
        self.make_room(1)
        search = self.addresses, self.state
        return loops.replay(*self._repair(), *search, known, x)

    def _repair(self) -> tuple[Any, Floats]:
        """How a candidate is repaired before it is evaluated, and the instance."""
        compiled = self.problem.compiled
        if compiled is None:
            return no_repair, np.zeros((0, 0))
        return compiled.repair or no_repair, compiled.table

    def saved(self) -> dict[str, NDArray[Any]]:
        """All arrays of the state that a file must hold, by dotted name."""
        return saved_arrays(self.state)

    def restore(self, arrays: dict[str, NDArray[Any]]) -> None:
        """Continue the search whose :meth:`saved` returned these arrays."""
        state = with_arrays(self.state, arrays)
        self.state = state._replace(archive=with_tree(state.archive))

    @abstractmethod
    def renew(self) -> None:
        """Look up addresses again: those in the state are of another process."""

    def __getstate__(self) -> dict[str, Any]:
        """Leave addresses behind."""
        return vars(self) | {"_addresses": None}

    def __setstate__(self, attributes: dict[str, Any]) -> None:
        """Unpickle; addresses are those of another process."""
        vars(self).update(attributes)
        self.renew()
