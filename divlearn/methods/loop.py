"""The compiled loop, called for a problem, with errors that say whose fault it is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from divlearn.basics.text import said_by
from divlearn.basics.typing import Codes, Floats, Integers
from divlearn.errors import EvaluationError, InputError
from divlearn.kernels.jit import no_repair
from divlearn.kernels.loops import EVALUATING
from divlearn.problems import Problem


def call_loop(
    run: Callable[..., int],
    problem: Problem,
    state: Any,
    x: Codes,
    y: Floats,
    ticket: Integers,
    evaluations: int,
) -> int:
    """Make evaluations; see :func:`divlearn.methods.paper.kernels.drivers.run`.

    ``x``, ``y`` and ``ticket`` hold the last candidate afterwards. What is raised
    beside an evaluation is none of the objective's and raised as it is.
    """
    compiled = problem.compiled
    assert compiled is not None
    functions = compiled.objective, compiled.repair or no_repair
    try:
        return run(*functions, compiled.table, state, x, y, ticket, evaluations)
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
            problem.space.decode(x),
        ) from error
