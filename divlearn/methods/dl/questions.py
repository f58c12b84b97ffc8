"""What a search may ask of a problem before anything is evaluated."""

from __future__ import annotations

from divlearn.basics.errors import InvalidDesign
from divlearn.basics.typing import Codes
from divlearn.kernels.jit import is_compiled
from divlearn.kernels.repairs import (
    REFUSED,
    Repairer,
    compiled_repairer,
    python_repairer,
)
from divlearn.problems import Problem


class Questions:
    """Asks ``repair`` and ``valid`` of a problem in Python.

    Parameters
    ----------
    problem
        The problem.
    """

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self._raised: BaseException | None = None

    def __call__(self, x: Codes) -> None:
        """Let codes ``x`` become what would be evaluated, or mark them as refused.

        Nothing can be raised through compiled code, which calls this: what is raised is
        kept for :meth:`require_answers`, and everything is refused until then.
        """
        usable = False
        if self._raised is None:
            try:
                repaired = self.problem.repair_codes(x.copy())
                usable = self.problem.codes_are_valid(repaired)
            except InvalidDesign:
                pass
            except BaseException as error:
                self._raised = error
        if usable:
            x[:] = repaired
        else:
            x[0] = REFUSED

    def require_answers(self) -> None:
        """Raise what ``repair`` or ``valid`` raised when it was asked, if anything."""
        raised, self._raised = self._raised, None
        if raised is not None:
            raise raised


def repairer_of(problem: Problem) -> tuple[Repairer, Questions | None]:
    """How to ask a problem, and who asks in Python, to be kept alive meanwhile."""
    compiled = problem.compiled if not problem.has_python_hooks else None
    if compiled is not None and is_compiled(compiled.repair):
        return compiled_repairer(compiled.repair, compiled.table), None
    asked = Questions(problem)
    return python_repairer(asked), asked
