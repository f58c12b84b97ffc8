"""``OptunaSearch``: a study of Optuna that is asked for codes of any space."""

from __future__ import annotations

import contextlib
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np

from divlearn.basics.extras import need
from divlearn.basics.typing import Codes, Floats, Integers
from divlearn.kernels.layout import Layout
from divlearn.kernels.rules.kinds import KEPT, WHEN
from divlearn.kernels.rules.presence import hold, is_absent
from divlearn.lab.baselines.keys import Part, from_keys, parts_of, to_keys
from divlearn.lab.baselines.scales import Scales
from divlearn.problems import Problem
from divlearn.spaces import Space
from divlearn.spaces.base import ORDINAL

#: Ordered values up to this number are whole numbers for Optuna.
MOST_WHOLE = 100_000


class OptunaSearch:
    """A study in memory whose trials are candidates.

    Parameters
    ----------
    sampler
        A sampler with its seed.
    problem
        What to optimize.
    flat
        Whether parameters that do not exist in a solution are suggested nevertheless,
        see :class:`Parameters`.
    """

    def __init__(self, sampler: Any, problem: Problem, flat: bool = False) -> None:
        self._optuna = need("optuna")
        self._problem = problem
        self._form = Parameters(problem.space, flat)
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
                trial = self._study.ask(self._form.fixed)
                self._trials[number] = trial
                rows.append(self._form.codes(trial))
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

    Reals, very large integers and logarithmic values between whole numbers are floats,
    the coordinates of :mod:`divlearn.lab.baselines.scales`; other integers are
    integers, with Optuna's logarithm where they have one.

    Parameters
    ----------
    space
        Any space.
    flat
        What to do with parameters that exist only under a condition: suggest them once
        it holds, as Optuna's define-by-run does, or suggest all at once and ignore what
        does not exist. Samplers that model parameters together leave conditional ones
        to chance, unless they are flat.

    Attributes
    ----------
    distributions
        All, by the name of the parameter.
    fixed
        Those that are suggested at once, before anything is known of a trial.
    """

    def __init__(self, space: Space, flat: bool = False) -> None:
        self._space, self._layout = space, space.layout
        self._parts = parts_of(space)
        self._scales = [
            Scales(self._layout, np.array([i])) for i in range(space.num_positions)
        ]
        self.distributions: dict[str, Any] = {}
        for part in self._parts:
            for i in range(part.inside.start, part.inside.stop):
                self.distributions[f"x{i}"] = _distribution(part, self._layout, i)
        conditional = np.isin(self._layout.rules.kind, (WHEN, KEPT)).any()
        self.fixed = {} if conditional and not flat else self.distributions

    def codes(self, trial: Any) -> Codes:
        """Codes, shape (n,), of a trial, from which further parameters are asked."""
        codes = self._layout.places.levels - 1  # absent, where that is possible
        for number, part in enumerate(self._parts):
            if not _exists(self._layout, number, codes):
                continue
            places = range(part.inside.start, part.inside.stop)
            numbers = [self._number(trial, i) for i in places]
            if part.has_keys:
                codes[part.inside] = from_keys(part, np.array(numbers, float))
            else:
                pairs = zip(places, numbers, strict=True)
                codes[part.inside] = [self._code(i, number) for i, number in pairs]
        return self._space.settled(codes)

    def _number(self, trial: Any, i: int) -> Any:
        """Value of the parameter of position ``i``, suggested if it is not yet."""
        name = f"x{i}"
        if name in trial.params:
            return trial.params[name]
        return _suggested(trial, name, self.distributions[name])

    def _code(self, i: int, number: Any) -> int:
        """Code of position ``i`` that a parameter's value stands for."""
        if isinstance(number, float):
            return int(self._scales[i].codes(np.array([[number]]))[0, 0])
        low = getattr(self.distributions[f"x{i}"], "low", 0)
        return int(number) - int(low)

    def trial(
        self, codes: Codes, values: list[float], constraints: dict[str, float]
    ) -> Any:
        """A finished trial of a solution from elsewhere."""
        params: dict[str, Any] = {}
        for number, part in enumerate(self._parts):
            if not _exists(self._layout, number, codes) and not self.fixed:
                continue
            inside = codes[part.inside]
            keys = (
                to_keys(part, inside).tolist()
                if part.has_keys
                else [None] * len(inside)
            )
            for i, key in zip(
                range(part.inside.start, part.inside.stop), keys, strict=True
            ):
                params[f"x{i}"] = self._value(i, codes) if key is None else key
        return need("optuna").trial.create_trial(
            params=params,
            distributions={name: self.distributions[name] for name in params},
            values=values,
            constraints=constraints,
        )

    def _value(self, i: int, codes: Codes) -> Any:
        """Value of the parameter of position ``i``; in the middle if it is absent."""
        found = self.distributions[f"x{i}"]
        if hasattr(found, "choices"):
            return int(codes[i]) % len(found.choices)
        if isinstance(found.low, float):
            return float(self._scales[i].coordinates(codes[None])[0, 0])
        present = bool(self._scales[i].present(codes[None])[0, 0])
        return found.low + int(codes[i]) if present else (found.low + found.high) // 2


def _distribution(part: Part, layout: Layout, i: int) -> Any:
    """What a position is for Optuna."""
    kinds, place = need("optuna").distributions, layout.places[i]
    count, start = int(place.values), float(place.log_from)
    if part.has_keys:
        return kinds.FloatDistribution(0.0, 1.0)
    if part.kind != ORDINAL:
        return kinds.CategoricalDistribution(range(count))
    if count > MOST_WHOLE or (start > 0.0 and start != int(start)):
        return kinds.FloatDistribution(0.0, 1.0)
    if start > 0.0:
        return kinds.IntDistribution(int(start), int(start) + count - 1, log=True)
    return kinds.IntDistribution(0, count - 1)


def _exists(layout: Layout, segment: int, codes: Codes) -> bool:
    """Whether a segment exists, given the codes before it."""
    for rule in layout.rules[layout.rules.segment == segment]:
        if rule.kind == WHEN and not hold(layout, rule, codes):
            return False
        if rule.kind == KEPT:
            first = int(layout.segments[segment].start)
            if is_absent(layout, codes, first):
                return False
    return True


def _suggested(trial: Any, name: str, found: Any) -> Any:
    """Ask a trial for a further parameter."""
    if hasattr(found, "choices"):
        return trial.suggest_categorical(name, found.choices)
    if isinstance(found.low, float):
        return trial.suggest_float(name, found.low, found.high)
    return trial.suggest_int(name, found.low, found.high, log=found.log)
