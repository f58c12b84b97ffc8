"""``OptimizerView``: where a search is, and what it has found."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

import numpy as np

from divlearn.basics.clock import Clock
from divlearn.basics.errors import SearchError
from divlearn.basics.typing import Floats
from divlearn.basics.version import __version__
from divlearn.methods.base import Search
from divlearn.methods.budget import SCHEDULE, Budget, planned
from divlearn.methods.others.base import WholeSolver
from divlearn.optimizer.candidates import Candidate, UnderWay
from divlearn.optimizer.course import Course
from divlearn.optimizer.steps import Steps
from divlearn.optimizer.told import Remarks
from divlearn.problems import Problem
from divlearn.problems.drawings import described
from divlearn.result import Result

T = TypeVar("T")

#: Columns of a history.
HISTORY = ("evaluations", "seconds", "front_size", "hypervolume")


def carrying_result(step: Callable[..., T]) -> Callable[..., T]:
    """Let a SearchError of a step carry everything found before."""

    @wraps(step)
    def carrying(self: OptimizerView, *arguments: Any, **options: Any) -> T:
        try:
            return step(self, *arguments, **options)
        except SearchError as error:
            error.result = error.result or self.result("the method failed")
            raise

    return carrying


class OptimizerView:
    """The visible state of an optimizer."""

    problem: Problem
    seed: int
    budget: Budget
    archive_size: int | None
    steps: Steps
    under_way: UnderWay
    remarks: Remarks
    clock: Clock
    history: dict[str, list[float]]
    course: Course

    @property
    def method(self) -> str:
        """Name of the method; ``"custom"`` for your own settings."""
        return self.steps.name

    @property
    def search(self) -> Search:
        """The running search; what it remembers is ``search.state``."""
        return self.steps.search

    @property
    def settings(self) -> Any:
        """The method, with all defaults filled in."""
        return self.search.method

    @property
    def evaluations(self) -> int:
        """Number of evaluations reported, including failed ones.

        Designs that were known before cost none, see :meth:`Optimizer.add`.
        """
        under_way = self.under_way
        return self.search.observed + under_way.num_failed - under_way.num_known

    @property
    def seconds(self) -> float:
        """Time since the first call of ``ask``, without pauses between runs."""
        return self.clock.seconds

    @property
    def front_size(self) -> int:
        """Number of non-dominated solutions found."""
        return self.search.front_size

    @property
    def front_objectives(self) -> Floats:
        """Objectives of the front in the user's senses, shape (k, m)."""
        return self.search.front_outputs()[:, : self.problem.num_objectives]

    @property
    def pending(self) -> list[Candidate]:
        """Candidates asked for and not told yet."""
        return list(self.under_way.pending.values())

    @property
    def running(self) -> int:
        """Number of candidates asked for and not told yet."""
        return len(self.under_way.pending)

    @property
    def next_number(self) -> int:
        """Number of the next candidate: so many were asked for, enqueued or added."""
        return self.under_way.next_id

    @property
    def known(self) -> int:
        """Number of designs that were added, at no cost."""
        return self.under_way.num_known

    @property
    def can_be_asked(self) -> bool:
        """Whether there is a search to continue; some methods solve in one go."""
        return not isinstance(self.settings, WholeSolver)

    @property
    def ends_by_schedule(self) -> bool:
        """Whether the search ends by itself, with the schedule of its method."""
        return self.budget == SCHEDULE

    @property
    def planned(self) -> int | None:
        """Number of evaluations that are planned, if known."""
        return planned(self.budget)

    @property
    def quick_to_restore(self) -> bool:
        """Whether loading a state is quicker than telling everything again."""
        return self.search.quick_to_restore

    def record(self) -> None:
        """Add the current state to the history."""
        row = (self.evaluations, self.seconds, self.front_size, self._hypervolume())
        for name, number in zip(self.history, row, strict=True):
            self.history[name].append(number)
        self.course.add(self.evaluations, self.search.gauges())

    def _hypervolume(self) -> float:
        """Hypervolume of the front, a ratio where the ideal is known; NaN for none."""
        from divlearn.metrics.hypervolume import MAX_OBJECTIVES, hypervolume

        problem = self.problem
        if problem.reference is None or problem.num_objectives > MAX_OBJECTIVES:
            return math.nan
        front = self.front_objectives
        return hypervolume(front, problem.reference, problem.ideal, problem.senses)

    def result(self, stopped: str = "") -> Result:
        """Return everything found so far."""
        problem, search, remarks = self.problem, self.search, self.remarks
        outputs, solutions = search.front_outputs(), search.front_codes()
        m, failed = problem.num_objectives, self.under_way.num_failed
        return Result(
            X=[problem.space.decode(codes) for codes in solutions],
            F=outputs[:, :m],
            G=outputs[:, m:],
            evaluations=self.evaluations,
            seconds=self.seconds,
            seed=self.seed,
            method=self.method,
            stopped=stopped,
            history={name: list(rows) for name, rows in self.history.items()},
            problem=problem.name,
            objectives=dict(problem.objectives),
            constraints=problem.constraints,
            reference=problem.reference,
            ideal=problem.ideal,
            drawing=described(problem.drawing),
            units=problem.units,
            settings=self.settings.describe(),
            versions={"divlearn": __version__, "numpy": np.__version__},
            learned={
                "space": problem.space.describe(),
                **search.learned(),
                **self.course.told(),
            },
            counts=remarks.counts(self.evaluations, failed, self.known),
            failures=remarks.tally.reasons(),
            extras=remarks.extras_of(problem.extras, solutions),
            sources=remarks.sources_of(solutions),
            sample=self.steps.keeper.sample(problem.space, len(problem.outputs)),
            trace=search.trace(),  # type: ignore[arg-type]  # read by the result
        )
