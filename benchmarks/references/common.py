"""What the references share: their answer, their clock, and what they may need."""

from __future__ import annotations

import time
from importlib import import_module
from typing import Any, NamedTuple

import numpy as np

from divlearn.basics.errors import InputError, MissingExtra
from divlearn.metrics import non_dominated


class Front(NamedTuple):
    """What a reference found, and what it took."""

    F: np.ndarray  # objective values in the user's senses, shape (q, m)
    evaluations: int  # solutions whose objectives were computed
    cpu_seconds: float  # of this process, imports and compilation left out


class Clock:
    """CPU seconds of this process since the clock was made."""

    def __init__(self) -> None:
        self._start = time.process_time()

    def read(self) -> float:
        """Return the seconds until now."""
        return time.process_time() - self._start


def need(package: str, remark: str = "") -> Any:
    """Import a package that divlearn itself does not need."""
    try:
        return import_module(package)
    except ImportError as error:
        name = package.split(".")[0]
        raise MissingExtra(
            f"this reference needs {name}: pip install {name}.{remark}"
        ) from error


def require_problem(problem: Any, kind: type, reference: str) -> None:
    """Refuse a problem for which a specialised reference has no method."""
    if not isinstance(problem, kind):
        raise InputError(
            f"{reference} solves {kind.__name__} problems only, got "
            f"{getattr(problem, 'name', problem)!r}; use nsga2 or random instead."
        )


def best_of(problem: Any, points: Any) -> np.ndarray:
    """Keep the non-dominated points, shape (q, m)."""
    points = np.asarray(points, float).reshape(-1, problem.num_objectives)
    return points[non_dominated(points, problem.senses)]


class Evaluator:
    """Objectives of integer codes, all minimised, with a record of what was tried.

    Every candidate passes through the repair of the problem, as in a search of
    divlearn's own.

    Parameters
    ----------
    problem
        Any problem of divlearn.

    Attributes
    ----------
    codes, outputs
        Lists of all codes evaluated and of their objective and constraint values,
        in the user's senses.
    """

    def __init__(self, problem: Any) -> None:
        self.problem = problem
        self.codes: list[np.ndarray] = []
        self.outputs: list[np.ndarray] = []

    def __call__(self, codes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Evaluate one solution; return minimised objectives and constraint values."""
        problem = self.problem
        row = problem.repair_codes(np.array(codes, np.int64))
        outputs = self._evaluate(row)
        self.codes.append(row)
        self.outputs.append(outputs)
        m = problem.num_objectives
        return outputs[:m] * problem.sign, outputs[m:]

    def _evaluate(self, row: np.ndarray) -> np.ndarray:
        """Use the compiled objective where there is one."""
        problem = self.problem
        if problem.compiled is None:
            return problem.evaluate(problem.space.decode(row))
        outputs = np.empty(len(problem.outputs))
        problem.compiled.objective(row, problem.compiled.table, outputs)
        return outputs

    def front(self) -> np.ndarray:
        """Non-dominated feasible points of all that was evaluated, shape (q, m).

        Under noise the solutions that seemed best are judged by ``noise_free``, where
        the problem offers it.
        """
        problem, m = self.problem, self.problem.num_objectives
        outputs = np.array(self.outputs).reshape(-1, len(problem.outputs))
        feasible = np.flatnonzero((outputs[:, m:] <= 0.0).all(axis=1))
        kept = feasible[non_dominated(outputs[feasible, :m], problem.senses)]
        if not hasattr(problem, "noise_free"):
            return outputs[kept, :m]
        solutions = [problem.space.decode(self.codes[i]) for i in kept]
        return best_of(problem, problem.noise_free(solutions)[:, :m])
