"""Random local search: long steps first, short ones later, and a list of what is tabu.

The yardstick for few evaluations: it learns nothing, and on permutations it is hard to
beat. Every candidate is the best solution known under random weights with one item or
value moved. How far it may move shrinks over the budget, and whatever was moved lately
stays where it is for a while, so that all items have their turn.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from divlearn.basics.checks import require_number, require_whole
from divlearn.basics.typing import Codes, Floats, Integers, Records
from divlearn.kernels.cells import code_at, coordinates_of
from divlearn.kernels.layout import ORDINAL, PERMUTATION, SUBSET
from divlearn.methods.others.base import AskTell
from divlearn.methods.others.rehearsal import ask_once
from divlearn.methods.others.sampling import Sampler
from divlearn.problems import Problem
from divlearn.spaces import Space

#: Evaluations over which steps shrink if no budget is known.
USUAL_PLAN = 1_000
#: Moves tried for one candidate before a solution that is known is proposed again.
NUM_TRIES = 50


@dataclass(frozen=True)
class RandomLocalSearch(AskTell):
    """Move one item or value of the best solution under random weights.

    Parameters
    ----------
    initial
        Random solutions evaluated first; at most a tenth of the budget.
    shrinking
        Exponent of the longest step: the share of the budget that is left to this
        power, times the length of the permutation or the number of values.
    tabu
        Share of all positions that are tabu: those that were moved last.

    Examples
    --------
    >>> import divlearn as dl
    >>> problem = dl.problems.get("bilop-20")
    >>> dl.solve(problem, budget=60, method="rls").evaluations
    60
    """

    name: ClassVar[str] = "rls"
    quick: ClassVar[bool] = True
    initial: int = 5
    shrinking: float = 2.0
    tabu: float = 0.3

    def __post_init__(self) -> None:
        require_whole("initial", self.initial, 1)
        require_number("shrinking", self.shrinking, 0)
        require_number("tabu", self.tabu, 0, 1)

    def warm_up(self, problem: Problem) -> None:
        """Draw a solution, and compile what finds codes on a scale."""
        ask_once(self, problem)
        code_at(problem.space.layout, 0, 0.5)

    def start(self, problem: Problem, budget: int | None, seed: int) -> LocalSearch:
        """Begin with nothing known."""
        return LocalSearch(self, problem, budget or USUAL_PLAN, seed)


class LocalSearch:
    """A running search: what is known, and what was moved lately.

    Parameters
    ----------
    method
        The options.
    problem
        What is searched.
    plan
        Evaluations over which steps shrink.
    seed
        Seed of solutions and moves.
    """

    def __init__(
        self, method: RandomLocalSearch, problem: Problem, plan: int, seed: int
    ) -> None:
        self._method, self._plan = method, plan
        self._initial = max(1, min(method.initial, plan // 10))
        self._sampler = Sampler(problem.space.layout, seed)
        self._random = np.random.default_rng([seed, plan])
        self._moves = Moves(problem.space, method.tabu, self._random)
        self._m = problem.num_objectives
        self._proposed = 0
        self._seen: set[bytes] = set()
        self._codes: list[Codes] = []
        self._outputs: list[Floats] = []

    def propose(self, count: int, numbers: Integers) -> Codes:
        """Random solutions first, then steps from the best one under random weights."""
        return np.stack([self._next() for _ in range(count)])

    def _next(self) -> Codes:
        """Return one candidate, if possible one that was not proposed before."""
        self._proposed += 1
        left = max(0.0, 1.0 - self._proposed / self._plan)
        reach = left**self._method.shrinking
        codes: Codes
        for _ in range(NUM_TRIES):
            if self._proposed <= self._initial or not self._codes:
                codes = self._sampler.draw(1)[0]
            else:
                codes = self._moves.moved(self._best(), reach)
            if codes.tobytes() not in self._seen:
                break
        self._seen.add(codes.tobytes())
        return codes

    def _best(self) -> Codes:
        """Return the solution of least violation that is best under random weights."""
        outputs = np.array(self._outputs)
        violation = np.maximum(outputs[:, self._m :], 0.0).sum(axis=1)
        rows = np.flatnonzero(violation == violation.min())
        values = outputs[rows, : self._m]
        low, width = values.min(axis=0), np.ptp(values, axis=0)
        weights = self._random.dirichlet(np.ones(self._m))
        costs = (values - low) / np.where(width > 0.0, width, 1.0) @ weights
        chosen: Codes = self._codes[rows[int(np.argmin(costs))]]
        return chosen

    def observe(self, number: int, codes: Codes, outputs: Floats) -> None:
        """Remember an answer, unless others are better or as good in all respects."""
        known = np.array(self._outputs).reshape(len(self._outputs), len(outputs))
        told = outputs.copy()
        told[self._m :] = np.maximum(told[self._m :], 0.0)
        if (known <= told).all(axis=1).any():
            return
        kept = ~(told <= known).all(axis=1)
        self._codes = [self._codes[r] for r in np.flatnonzero(kept)]
        self._outputs = [*known[kept], told]
        self._codes.append(codes.copy())

    def fail(self, number: int, codes: Codes) -> None:
        """Pass over a failure: nothing begins there."""


class Moves:
    """Steps of one item or value, away from where the last ones were made.

    Parameters
    ----------
    space
        What a solution is.
    tabu
        Share of the positions that are tabu.
    random
        Source of the random numbers.
    """

    def __init__(self, space: Space, tabu: float, random: np.random.Generator) -> None:
        self._layout, self._random = space.layout, random
        # Items of a permutation have numbers like its positions.
        self._tabu: deque[int] = deque(maxlen=int(tabu * space.num_positions))

    def moved(self, source: Codes, reach: float) -> Codes:
        """Return ``source`` with an item or value moved by up to ``reach`` of all."""
        x = source.copy()
        free = np.setdiff1d(np.arange(len(x)), np.array(self._tabu, np.int64))
        i = int(self._random.choice(free if len(free) else len(x)))
        self._tabu.append(i)
        segment = self._layout.segments[self._layout.places[i].segment]
        start, stop = int(segment.start), int(segment.stop)
        if segment.kind == PERMUTATION:
            self._insert(x[start:stop], i - start, reach)
        elif segment.kind == SUBSET and not _may_flip(x, i, segment):
            partner = int(self._random.integers(start, stop))
            x[i], x[partner] = x[partner], x[i]
        elif x[i] < self._layout.places[i].values:  # else it is absent
            x[i] = self._value(i, int(x[i]), reach, segment.kind == ORDINAL)
        return x

    def _insert(self, order: Codes, item: int, reach: float) -> None:
        """Take an item out and put it in at most ``reach`` of the length away."""
        n, place = len(order), int(np.flatnonzero(order == item)[0])
        most = max(1, round(reach * (n - 1)))
        low, high = max(0, place - most), min(n - 1, place + most)
        target = int(self._random.integers(low, high + 1))
        order[:] = np.insert(np.delete(order, place), target, item)

    def _value(self, i: int, old: int, reach: float, ordered: bool) -> int:
        """Draw another value; an ordered one at most ``reach`` of the scale away."""
        place = self._layout.places[i]
        last = int(place.values) - 1
        if last < 1:
            return old
        if not ordered:
            new = int(self._random.integers(last))
            return new + 1 if new >= old else new
        share = float(coordinates_of(place, np.array([old]))[0])
        step = max(reach, 1.0 / last) * self._random.uniform(-1.0, 1.0)
        new = code_at(self._layout, i, share + step)
        if new != old:
            return int(new)
        return old + 1 if old == 0 or (old < last and step > 0.0) else old - 1


def _may_flip(x: Codes, i: int, segment: Records) -> bool:
    """Whether bit ``i`` of a subset may be flipped alone, by the limits on its size."""
    ones = x[segment.start : segment.stop].sum() + 1 - 2 * x[i]
    return bool(segment.least <= ones <= segment.most)
