"""A running search: an initial design, then one model after another."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from divlearn.basics.typing import Codes, Floats, Integers
from divlearn.lab.baselines.bayes.acquisition import View
from divlearn.lab.baselines.bayes.design import initial_design, initial_size
from divlearn.lab.baselines.bayes.features import Encoder
from divlearn.lab.baselines.bayes.memory import Memory
from divlearn.lab.baselines.bayes.model import Constants, Data, Posterior, fit
from divlearn.lab.baselines.bayes.running import own_torch
from divlearn.lab.baselines.bayes.search import Variation
from divlearn.metrics import non_dominated
from divlearn.problems import Problem

if TYPE_CHECKING:
    from divlearn.lab.baselines.bayes.options import Bayes

#: Answers without which there is no model.
LEAST_ANSWERS = 2


class Scale(NamedTuple):
    """Mean and deviation of each output, shape (m + c,) both."""

    mean: Floats
    deviation: Floats


class BayesProposer:
    """Propose what a model of all answers finds most promising.

    Parameters
    ----------
    method
        Options, and how a candidate is chosen.
    problem
        What to search.
    budget
        Number of evaluations that are planned, if known.
    seed
        Seed of the run.
    """

    def __init__(
        self, method: Bayes, problem: Problem, budget: int | None, seed: int
    ) -> None:
        self._method, self._problem, self._seed = method, problem, seed
        layout, n = problem.space.layout, problem.space.num_positions
        self._memory = Memory(n, problem.num_objectives)
        self._encode: Encoder = method.encoder(problem)
        size = method.initial or initial_size(n, budget)
        self._design = list(initial_design(layout, size, seed))
        self._initial = size
        self._constants: Constants | None = None
        self._num_fitted = 0
        self._model: tuple[int, Posterior, Scale] | None = None

    def propose(self, count: int, numbers: Integers) -> Codes:
        """Choose candidates, each with the earlier ones pending."""
        rows = np.empty((count, self._problem.space.num_positions), np.int64)
        for row, number in zip(rows, numbers, strict=True):
            row[:] = self._planned(int(number))
            self._memory.expect(int(number), row)
        return rows

    def observe(self, number: int, codes: Codes, outputs: Floats) -> None:
        """Learn from an answer."""
        self._memory.answer(number, codes, outputs)

    def fail(self, number: int, codes: Codes) -> None:
        """Learn to stay away from failures."""
        self._memory.fail(number, codes)

    def _next(self, number: int) -> Codes:
        """Choose one candidate."""
        memory = self._memory
        rng = np.random.default_rng([self._seed, number])
        crossed = self._method.operators == "crossover"
        variation = Variation(self._problem, int(rng.integers(2**63)), crossed)
        begun = memory.num_learned + memory.num_pending
        if begun < self._initial and self._design:
            codes: Codes = self._design.pop()
            return codes
        if memory.num_answers < LEAST_ANSWERS or not self._encode.width:
            return variation.unseen(memory.seen)
        with own_torch(int(rng.integers(2**31))):
            view = self._view()
            return self._method.choose(view, variation, memory.seen, rng)

    def _planned(self, number: int) -> Codes:
        """Take the next of a batch; if there is none, choose a whole batch."""
        memory = self._memory
        if not memory.num_planned:
            for place in range(self._method.batch):
                memory.plan(self._next(number + place))
        return memory.take_planned()

    def _view(self) -> View:
        """Bring the model up to date and return what is known."""
        memory, problem = self._memory, self._problem
        posterior, scale = self._update()
        codes, outputs = memory.answers()
        m = problem.num_objectives
        shift = scale.mean / scale.deviation
        shift[:m] = 0.0
        values = outputs / scale.deviation
        values[:, :m] = (outputs - scale.mean)[:, :m] / scale.deviation[:m]
        return View(
            posterior,
            self._encode,
            codes,
            values,
            shift,
            self._reference(values, scale),
            bool(problem.noise),
            memory.pending(),
        )

    def _update(self) -> tuple[Posterior, Scale]:
        """Condition the model on all answers; fit it if enough of them are new."""
        learned = self._memory.num_learned
        if self._model is not None and self._model[0] == learned:
            return self._model[1:]
        codes, outputs = self._memory.lessons(self._method.model_points)
        deviation = outputs.std(axis=0)
        varies = deviation > 1e-12 * np.abs(outputs).max(axis=0)
        scale = Scale(outputs.mean(axis=0), np.where(varies, deviation, 1.0))
        data = Data(
            self._encode(codes),
            (outputs - scale.mean) / scale.deviation,
            bool(self._problem.noise),
        )
        columns = self._encode.columns
        if learned >= self._num_fitted * (1.0 + self._method.refit) or not learned:
            self._constants = fit(columns, data, self._constants)
            self._num_fitted = learned
        assert self._constants is not None
        posterior = Posterior(columns, data, self._constants)
        self._model = learned, posterior, scale
        return posterior, scale

    def _reference(self, values: Floats, scale: Scale) -> Floats:
        """The problem's reference point, or one a little beyond what is known."""
        problem, m = self._problem, self._problem.num_objectives
        if self._method.reference == "worst":
            return _beyond(values[:, :m])
        if problem.reference is not None:
            given = problem.reference * problem.sign
            return np.asarray((given - scale.mean[:m]) / scale.deviation[:m])
        feasible = (values[:, m:] <= 0.0).all(axis=1)
        points = values[feasible, :m] if feasible.any() else values[:, :m]
        front = points[non_dominated(points)]
        if len(front) < 2:
            front = points
        return _beyond(front)


def _beyond(points: Floats) -> Floats:
    """A tenth of their range beyond the worst of points, shape (q, m) to (m,)."""
    width = np.maximum(np.ptp(points, axis=0), 0.1)
    return np.asarray(points.max(axis=0) + 0.1 * width)
