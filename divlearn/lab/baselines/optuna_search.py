"""``OptunaSearch``: a study of Optuna that is asked for codes of any space."""

from __future__ import annotations

import contextlib
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np

from divlearn.basics.extras import need
from divlearn.basics.typing import Codes, Floats, Integers
from divlearn.lab.baselines.keys import from_keys, parts_of, to_keys
from divlearn.problems import Problem
from divlearn.spaces import Space
from divlearn.spaces.base import ORDINAL


class OptunaSearch:
    """A study in memory whose trials are candidates.

    Parameters
    ----------
    sampler
        A sampler with its seed.
    problem
        What to optimize.
    """

    def __init__(self, sampler: Any, problem: Problem) -> None:
        self._optuna = need("optuna")
        self._problem = problem
        self._form = Parameters(problem.space)
        self._trials: dict[int, Any] = {}
        with self._quiet():
            self._study = self._optuna.create_study(
                directions=["minimize"] * problem.num_objectives, sampler=sampler
            )

    def propose(self, count: int, numbers: Integers) -> Codes:
        """Begin trials."""
        rows = []
        with self._quiet():
            for number in numbers.tolist():
                trial = self._study.ask(self._form.distributions)
                self._trials[number] = trial
                rows.append(self._form.codes(trial.params))
        return np.array(rows)

    def observe(self, number: int, codes: Codes, outputs: Floats) -> None:
        """End a trial, or add one that was made elsewhere."""
        m = self._problem.num_objectives
        values = outputs[:m].tolist()
        names = self._problem.constraints
        limits = dict(zip(names, outputs[m:].tolist(), strict=True))
        trial = self._trials.pop(number, None)
        with self._quiet():
            if trial is None:
                self._study.add_trial(self._form.trial(codes, values, limits))
                return
            for name, value in limits.items():
                trial.set_constraint(name, value)
            self._study.tell(trial, values)

    def fail(self, number: int, codes: Codes) -> None:
        """End a trial without values."""
        trial = self._trials.pop(number, None)
        if trial is not None:
            with self._quiet():
                self._study.tell(trial, state=self._optuna.trial.TrialState.FAIL)

    @contextlib.contextmanager
    def _quiet(self) -> Iterator[None]:
        """Keep Optuna's own messages away from the user."""
        logs = self._optuna.logging
        before = logs.get_verbosity()
        logs.set_verbosity(logs.ERROR)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                yield
        finally:
            logs.set_verbosity(before)


class Parameters:
    """A space as Optuna's distributions, one for each position.

    Parameters
    ----------
    space
        Any space.

    Attributes
    ----------
    distributions
        By the name of the parameter.
    """

    def __init__(self, space: Space) -> None:
        kinds = need("optuna").distributions
        self._parts = parts_of(space)
        self._n = space.num_positions
        self.distributions: dict[str, Any] = {}
        for part in self._parts:
            for i in range(part.inside.start, part.inside.stop):
                last = int(space.layout.places.levels[i]) - 1
                if part.has_keys:
                    found = kinds.FloatDistribution(0.0, 1.0)
                elif part.kind == ORDINAL:
                    found = kinds.IntDistribution(0, last)
                else:
                    found = kinds.CategoricalDistribution(range(last + 1))
                self.distributions[f"x{i}"] = found

    def codes(self, params: dict[str, Any]) -> Codes:
        """Codes, shape (n,), of parameters by name."""
        numbers = np.array([params[name] for name in self.distributions], float)
        codes = numbers.astype(np.int64)
        for part in self._parts:
            if part.has_keys:
                codes[part.inside] = from_keys(part, numbers[part.inside])
        return codes

    def trial(
        self, codes: Codes, values: list[float], constraints: dict[str, float]
    ) -> Any:
        """A finished trial of a solution from elsewhere."""
        numbers: list[Any] = codes.tolist()
        for part in self._parts:
            if part.has_keys:
                numbers[part.inside] = to_keys(part, codes[part.inside]).tolist()
        return need("optuna").trial.create_trial(
            params=dict(zip(self.distributions, numbers, strict=True)),
            distributions=self.distributions,
            values=values,
            constraints=constraints,
        )
