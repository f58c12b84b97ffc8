"""NSGA-II of pymoo on any problem, over its integer codes."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.references import operators
from benchmarks.references.common import Clock, Evaluator, Front, need

#: Value of what was not evaluated.
WORST = 1e30


def front(
    problem: Any, budget: int, seed: int = 0, population: int | None = None
) -> Front:
    """Evolve a population with the operators of ``operators.py``.

    Parameters
    ----------
    problem
        Any problem of divlearn.
    budget
        Evaluations.
    seed
        Seed of the run.
    population
        Number of solutions; if None 100, or 30 for budgets below 1,000 evaluations,
        so that there are some generations.

    Returns
    -------
    The non-dominated solutions of all that was evaluated.
    """
    need("pymoo")
    from pymoo.algorithms.moo.nsga2 import NSGA2
    from pymoo.optimize import minimize

    if population is None:
        population = 100 if budget >= 1_000 else 30
    population = min(population, budget)
    evaluator = Evaluator(problem)
    clock = Clock()
    start = operators.random_codes(problem.space.layout, population, seed)
    crossover, mutation, repair = _operators(problem)
    algorithm = NSGA2(
        pop_size=population,
        sampling=np.array([problem.repair_codes(row) for row in start]),
        crossover=crossover,
        mutation=mutation,
        repair=repair,
    )
    limited = _limited(problem, evaluator, budget)
    minimize(limited, algorithm, ("n_evals", budget), seed=seed, verbose=False)
    return Front(evaluator.front(), len(evaluator.outputs), clock.read())


def _limited(problem: Any, evaluator: Evaluator, budget: int) -> Any:
    """Describe the problem to pymoo; beyond the budget nothing is evaluated."""
    from pymoo.core.problem import Problem

    m, c = problem.num_objectives, problem.num_constraints

    class Codes(Problem):
        def __init__(self) -> None:
            arities = problem.space.layout.places.arity
            super().__init__(
                n_var=len(arities),
                n_obj=m,
                n_ieq_constr=c,
                xl=np.zeros(len(arities)),
                xu=arities - 1.0,
                vtype=int,
            )

        def _evaluate(
            self, rows: np.ndarray, out: Any, *args: Any, **kwargs: Any
        ) -> None:
            values = np.full((len(rows), m + c), WORST)
            for row, value in zip(rows, values, strict=True):
                if len(evaluator.outputs) < budget and problem.codes_are_valid(row):
                    value[:m], value[m:] = evaluator(row)
            out["F"] = values[:, :m]
            if c:
                out["G"] = values[:, m:]

    return Codes()


def _operators(problem: Any) -> tuple[Any, Any, Any]:
    """Wrap the operators for pymoo."""
    from pymoo.core.crossover import Crossover
    from pymoo.core.mutation import Mutation
    from pymoo.core.repair import Repair

    layout = problem.space.layout

    class Cross(Crossover):
        def __init__(self) -> None:
            super().__init__(2, 2)

        def _do(
            self, _: Any, parents: np.ndarray, *args: Any, random_state: Any, **kw: Any
        ) -> np.ndarray:
            pairs = [
                operators.cross(layout, a, b, random_state)
                for a, b in zip(*parents, strict=True)
            ]
            return np.array(pairs).transpose(1, 0, 2)

    class Mutate(Mutation):
        def _do(
            self, _: Any, rows: np.ndarray, *args: Any, random_state: Any, **kw: Any
        ) -> np.ndarray:
            return np.array([operators.mutate(layout, x, random_state) for x in rows])

    class Mend(Repair):
        def _do(self, _: Any, rows: np.ndarray, **kwargs: Any) -> np.ndarray:
            return np.array([problem.repair_codes(row.copy()) for row in rows])

    return Cross(), Mutate(), Mend()
