"""What a search may ask of a problem before anything is evaluated."""

from __future__ import annotations

from divlearn.basics.typing import Codes
from divlearn.errors import EvaluationError, InvalidDesign
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

    def __call__(self, x: Codes) -> None:
        """Let codes ``x`` become what would be evaluated, or mark them as refused.

        What raises is refused here; if it is handed out all the same, whoever asked for
        a candidate is told.
        """
        try:
            repaired = self.problem.repair_codes(x.copy())
            usable = self.problem.codes_are_valid(repaired)
        except (EvaluationError, InvalidDesign):
            usable = False
        if usable:
            x[:] = repaired
        else:
            x[0] = REFUSED


def repairer_of(problem: Problem) -> tuple[Repairer, object]:
    """How to ask a problem, and what must be kept alive meanwhile."""
    compiled = problem.compiled if not problem.has_python_hooks else None
    if compiled is not None and is_compiled(compiled.repair):
        return compiled_repairer(compiled.repair, compiled.table), compiled
    asked = Questions(problem)
    return python_repairer(asked), asked
