"""How pymoo's algorithms see a space: as codes, numbers, or named variables."""

from __future__ import annotations

from typing import Any

import numpy as np
from pymoo.core import mixed, variable
from pymoo.core.crossover import Crossover
from pymoo.core.duplicate import DuplicateElimination
from pymoo.core.individual import Individual
from pymoo.core.mating import Mating
from pymoo.core.mutation import Mutation
from pymoo.core.problem import Problem as PymooProblem
from pymoo.core.repair import Repair
from pymoo.operators.crossover.sbx import SBX
from pymoo.operators.mutation.pm import PM

from divlearn.basics.typing import Codes
from divlearn.lab.baselines.breeding import CodesForm, MadeBefore, RandomCodes
from divlearn.lab.baselines.keys import from_numbers, parts_of, to_keys
from divlearn.lab.baselines.operators import SpaceOperators
from divlearn.lab.baselines.operators.special import operators_for
from divlearn.lab.baselines.scales import continuous
from divlearn.problems import Problem
from divlearn.spaces.base import ORDINAL, PERMUTATION


def has_mating(algorithm: Any) -> bool:
    """Whether an algorithm makes children by crossover and mutation."""
    return isinstance(getattr(algorithm, "mating", None), Mating)


def is_for_real_numbers(algorithm: Any) -> bool:
    """Whether its operators are pymoo's defaults."""
    return (
        has_mating(algorithm)
        and isinstance(algorithm.mating.crossover, SBX)
        and isinstance(algorithm.mating.mutation, PM)
    )


def use_space_operators(algorithm: Any, problem: Problem) -> CodesForm:
    """Replace an algorithm's operators by operators over codes."""
    operators = operators_for(problem)
    mating, made_before = algorithm.mating, MadeBefore(forget=True)
    mating.crossover, mating.mutation = Cross(operators), Mutate(operators)
    mating.repair, mating.eliminate_duplicates = Mend(operators), Unlike()
    algorithm.repair, algorithm.eliminate_duplicates = mating.repair, Unlike()
    algorithm.initialization.sampling = RandomCodes(operators, made_before)
    algorithm.initialization.repair = mating.repair
    algorithm.initialization.eliminate_duplicates = Unlike()
    return CodesForm(operators)


def own_form(algorithm: Any, problem: Problem) -> NumbersForm | VariablesForm:
    """What an algorithm's own operators work on."""
    starts = getattr(getattr(algorithm, "initialization", None), "sampling", None)
    if isinstance(starts, mixed.MixedVariableSampling):
        return VariablesForm(problem)
    return NumbersForm(problem)


class Cross(Crossover):  # type: ignore[misc]
    """Crossover of codes."""

    def __init__(self, operators: SpaceOperators) -> None:
        super().__init__(2, 2)
        self.operators = operators

    def _do(
        self, _: Any, parents: Any, *args: Any, random_state: Any, **kw: Any
    ) -> Codes:
        return np.array(self.operators.cross(parents[0], parents[1], random_state))


class Mutate(Mutation):  # type: ignore[misc]
    """Mutation of codes."""

    def __init__(self, operators: SpaceOperators) -> None:
        super().__init__()
        self.operators = operators

    def _do(
        self, _: Any, rows: Codes, *args: Any, random_state: Any, **kw: Any
    ) -> Codes:
        return self.operators.mutate(rows, random_state)


class Mend(Repair):  # type: ignore[misc]
    """Repair of codes."""

    def __init__(self, operators: SpaceOperators) -> None:
        super().__init__()
        self.operators = operators

    def _do(self, _: Any, rows: Codes, **kwargs: Any) -> Codes:
        return self.operators.repair(rows.copy())


class Unlike(DuplicateElimination):  # type: ignore[misc]
    """Leaves out what already exists."""

    def _do(self, pop: Any, other: Any, is_duplicate: Any) -> Any:
        rows = pop.get("X")
        beside = rows[:0] if other is None else other.get("X")
        is_duplicate[:] = True
        is_duplicate[MadeBefore(forget=True).new(rows, beside)] = False
        return is_duplicate


class NumbersForm(CodesForm):
    """Individuals of one number per position, from 0 to the last code there."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(SpaceOperators(problem.space))
        self._space = problem.space
        self._whole = True

    def codes(self, x: Any) -> Codes:
        """Read numbers as a solution."""
        self._whole = np.asarray(x).dtype.kind in "iub"
        return from_numbers(self._space, x)

    def individual(self, codes: Codes, before: Any) -> Any:
        """Keep the numbers if they represent what was evaluated."""
        if before is not None and (self.codes(before.X) == codes).all():
            return before
        individual = Individual() if before is None else before
        kind = np.asarray(individual.X).dtype if before is not None else None
        numbers = codes if self._whole else self._as_keys(codes)
        individual.X = np.array(numbers, kind)
        return individual

    def _as_keys(self, codes: Codes) -> Any:
        """Numbers that represent codes, including keys."""
        numbers = codes.astype(float)
        last = self._space.layout.places.levels - 1
        for part in parts_of(self._space):
            if part.kind == PERMUTATION:
                keys = to_keys(part, codes[part.inside])
                numbers[part.inside] = keys * last[part.inside]
        return numbers


class VariablesForm:
    """Individuals as named variables, for pymoo's mixed variables."""

    def __init__(self, problem: Problem) -> None:
        self._space = problem.space
        self._operators = SpaceOperators(problem.space)
        self._variables: dict[str, Any] = {}
        reals = continuous(problem.space.layout)
        for part in parts_of(problem.space):
            for i in range(part.inside.start, part.inside.stop):
                last = int(problem.space.layout.places.levels[i]) - 1
                if part.has_keys or reals[i]:
                    found = variable.Real(bounds=(0.0, max(last, 1.0)))
                elif part.kind == ORDINAL:
                    found = variable.Integer(bounds=(0, last))
                else:
                    found = variable.Choice(options=list(range(last + 1)))
                self._variables[f"x{i}"] = found

    def describe(self, problem: Problem) -> PymooProblem:
        """Describe the problem to pymoo."""
        return PymooProblem(
            vars=self._variables,
            n_obj=problem.num_objectives,
            n_ieq_constr=problem.num_constraints,
        )

    def codes(self, x: Any) -> Codes:
        """Read variables as a solution."""
        return from_numbers(self._space, [float(x[name]) for name in self._variables])

    def individual(self, codes: Codes, before: Any) -> Any:
        """Keep the variables; solutions from elsewhere are given as codes."""
        if before is not None:
            return before
        values = [int(code) for code in codes]
        return Individual(X=dict(zip(self._variables, values, strict=True)))

    def sample(self, count: int, rng: np.random.Generator) -> Any:
        """Draw ``count`` random solutions by name."""
        return [
            {name: v.sample(random_state=rng) for name, v in self._variables.items()}
            for _ in range(count)
        ]
