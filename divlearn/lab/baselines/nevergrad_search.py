"""``NevergradSearch``: an optimizer of Nevergrad that is asked for codes."""

from __future__ import annotations

import contextlib
from typing import Any

import numpy as np

from divlearn.basics.extras import need
from divlearn.basics.typing import Codes, Floats, Integers
from divlearn.lab.baselines.keys import Part, from_keys, parts_of, to_keys
from divlearn.lab.baselines.operators import SpaceOperators
from divlearn.lab.baselines.scales import Scales, continuous
from divlearn.problems import Problem
from divlearn.spaces import Space
from divlearn.spaces.base import ORDINAL

#: Random solutions per worker after which missing answers are failures.
PATIENCE = 20


class NevergradSearch:
    """A running optimizer of Nevergrad.

    Some of Nevergrad's optimizers wait forever if they are asked before they are told.
    So at most ``workers`` candidates are pending; any others are random solutions. A
    candidate that is not answered while many of these are given out counts as failed.

    Parameters
    ----------
    optimizer
        What makes one, given a parametrization, a budget and a number of workers.
    problem
        What to optimize.
    budget
        Evaluations that are planned, if known.
    workers
        Candidates that may be pending at the same time.
    seed
        Seed of the parametrization, from which optimizers draw.
    """

    def __init__(
        self,
        optimizer: Any,
        problem: Problem,
        budget: int | None,
        workers: int,
        seed: int,
    ) -> None:
        self._form = Parametrization(problem.space)
        space = self._form.parameter
        space.random_state = np.random.RandomState(seed % 2**32)
        self._optimizer = optimizer(
            parametrization=space, budget=budget, num_workers=workers
        )
        self._workers = workers
        self._m = problem.num_objectives
        self._operators = SpaceOperators(problem.space)
        self._rng = np.random.default_rng(seed)
        self._candidates: dict[int, Any] = {}
        self._failed: list[Any] = []
        self._beside = 0
        self._worst: Floats | None = None

    def propose(self, count: int, numbers: Integers) -> Codes:
        """Ask for candidates, as many as allowed; the others are random."""
        rows = []
        for number in numbers.tolist():
            if self._may_ask():
                candidate = self._optimizer.ask()
                self._candidates[number] = candidate
                rows.append(self._form.codes(candidate.value))
            else:
                self._beside += 1
                rows.append(self._operators.sample(1, self._rng)[0])
        return np.array(rows)

    def _may_ask(self) -> bool:
        """Whether the optimizer can be asked; gives up on answers that never come."""
        if self._beside >= PATIENCE * self._workers and self._worst is not None:
            self._beside = 0
            self._failed += self._candidates.values()
            self._candidates.clear()
            self._tell_failures()
        return len(self._candidates) + len(self._failed) < self._workers

    def observe(self, number: int, codes: Codes, outputs: Floats) -> None:
        """Tell what a candidate is worth, or a solution from elsewhere."""
        self._worst = (
            outputs if self._worst is None else np.maximum(self._worst, outputs)
        )
        candidate = self._candidates.pop(number, None)
        if candidate is None:
            self._tell_of_another(codes, outputs)
        else:
            self._tell(candidate, outputs)
        self._tell_failures()

    def fail(self, number: int, codes: Codes) -> None:
        """Report a failure, once there is a loss to compare it with."""
        candidate = self._candidates.pop(number, None)
        if candidate is not None:
            self._failed.append(candidate)
            self._tell_failures()

    def _tell_failures(self) -> None:
        """Report failures with the worst loss seen so far."""
        if self._worst is not None:
            for candidate in self._failed:
                self._tell(candidate, self._worst)
            self._failed = []

    def _tell_of_another(self, codes: Codes, outputs: Floats) -> None:
        """Report a solution that was not asked for, if the optimizer accepts it."""
        value = self._form.value(codes)
        candidate = self._optimizer.parametrization.spawn_child(new_value=value)
        with contextlib.suppress(
            nevergrad_itself().errors.TellNotAskedNotSupportedError
        ):
            self._tell(candidate, outputs)

    def _tell(self, candidate: Any, outputs: Floats) -> None:
        """Tell one candidate's outputs, shape (m + c,)."""
        losses, limits = outputs[: self._m], outputs[self._m :]
        loss = float(losses[0]) if self._m == 1 else losses.tolist()
        if len(limits):
            violation = np.maximum(limits, 0.0)
            self._optimizer.tell(candidate, loss, constraint_violation=violation)
        else:
            self._optimizer.tell(candidate, loss)


class Parametrization:
    """A space as a parameter of Nevergrad, one part for each segment.

    Parameters
    ----------
    space
        Any space.

    Attributes
    ----------
    parameter
        A ``Tuple`` of arrays and choices.
    """

    def __init__(self, space: Space) -> None:
        self._space, parts = space, parts_of(space)
        layout = space.layout
        reals = continuous(layout)
        self._parts = [part for part in parts if part.inside.stop > part.inside.start]
        self._n = space.num_positions
        self._last = [layout.places.values[part.inside] - 1 for part in self._parts]
        self._scales = [
            Scales(layout, np.flatnonzero(reals[part.inside]) + part.inside.start)
            for part in self._parts
        ]
        kinds = nevergrad_itself().p
        self.parameter = kinds.Tuple(
            *(
                _unit(kinds, last) if len(scales) else _parameter(kinds, part, last)
                for part, last, scales in zip(
                    self._parts, self._last, self._scales, strict=True
                )
            )
        )

    def codes(self, value: Any) -> Codes:
        """Codes, shape (n,), of a value."""
        codes = np.empty(self._n, np.int64)
        rows = zip(self._parts, self._last, self._scales, value, strict=True)
        for part, last, scales, given in rows:
            if len(scales):
                codes[part.inside] = scales.codes(np.asarray(given, float)[None])[0]
            elif part.has_keys:
                codes[part.inside] = from_keys(part, np.asarray(given, float))
            else:
                numbers = np.array(given, float).astype(np.int64)
                codes[part.inside] = np.clip(numbers, 0, last)
        return self._space.settled(codes)

    def value(self, codes: Codes) -> Any:
        """A value that stands for codes."""
        values: list[Any] = []
        rows = zip(self._parts, self._last, self._scales, strict=True)
        for part, last, scales in rows:
            inside = np.minimum(codes[part.inside], last)  # absent: any value will do
            if len(scales):
                values.append(scales.coordinates(codes[None])[0])
            elif part.has_keys:
                values.append(to_keys(part, inside))
            elif part.kind == ORDINAL:
                values.append(inside.astype(float))
            else:
                values.append(tuple(int(code) for code in inside))
        return tuple(values)


def _unit(kinds: Any, last: Integers) -> Any:
    """Continuous values as coordinates between 0 and 1."""
    return kinds.Array(init=np.full(len(last), 0.5), lower=0.0, upper=1.0)


def _parameter(kinds: Any, part: Part, last: Integers) -> Any:
    """One segment as a parameter."""
    if part.has_keys:
        return kinds.Array(shape=(len(last),), lower=0.0, upper=1.0)
    if part.kind == ORDINAL:
        highest = np.maximum(last, 1).astype(float)
        found = kinds.Array(
            init=highest / 2.0, lower=np.zeros(len(last)), upper=highest
        )
        return found.set_integer_casting()
    if len(set(last.tolist())) == 1 and len(last) > 1:
        return kinds.Choice(list(range(int(last[0]) + 1)), repetitions=len(last))
    return kinds.Tuple(*(kinds.Choice(list(range(int(k) + 1))) for k in last))


def nevergrad_itself() -> Any:
    """Import Nevergrad, or say how to install it."""
    terms = (
        "It is under the MIT licence; directsearch, which it installs, is under the "
        "GNU GPL."
    )
    return need("nevergrad", None, terms)
