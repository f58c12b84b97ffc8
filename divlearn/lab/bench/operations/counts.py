"""``Count``, and what all methods share: draws, evaluations, the archive."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import astuple, dataclass, field
from typing import Any

import numpy as np

from divlearn.problems import CVRP, TSP, Knapsack, Problem

#: Additions in which one exponential, logarithm or root is counted.
EXPONENTIAL = 10.0
#: A division is counted as this many multiplications.
DIVISION = 5.0
#: Shifts, exclusive ors and sums of one random number, and its scaling.
RANDOM = 20.0
#: Share of a front of three or more objectives that is asked about a newcomer.
SCANNED = 0.05


@dataclass(frozen=True)
class Count:
    """Operations by kind; ``total`` counts an exponential as 10 of the others.

    Examples
    --------
    >>> (2 * Count(additions=3, exponentials=1)).total
    26.0
    """

    additions: float = 0.0
    multiplications: float = 0.0
    comparisons: float = 0.0
    exponentials: float = 0.0
    copies: float = 0.0

    @property
    def total(self) -> float:
        """All operations as one number."""
        plain = self.additions + self.multiplications + self.comparisons + self.copies
        return plain + EXPONENTIAL * self.exponentials

    def __add__(self, other: Count) -> Count:
        pairs = zip(astuple(self), astuple(other), strict=True)
        return Count(*(a + b for a, b in pairs))

    def __rmul__(self, factor: float) -> Count:
        return Count(*(factor * a for a in astuple(self)))


#: Components of a search, each with its count.
Counts = dict[str, Count]
#: The derivative of a product of two matrices is two products of that size.
BACKWARD = 2.0
#: Adam, per parameter: its share of the norm, two moving means, a root, quotients.
ADAM = Count(6, 6 + 2 * DIVISION, exponentials=1)


@dataclass(frozen=True)
class Work:
    """What is known about a run.

    Attributes
    ----------
    evaluations
        Number of evaluations that were made.
    budget
        Number that was planned, by which some methods choose their options; None if
        only time was limited.
    front_size
        Mean number of solutions in the archive.
    tally
        What the run counted itself, such as ``"constructed"`` or
        ``"solutions_built"``; without it the model guesses.
    """

    evaluations: int
    budget: int | None
    front_size: float
    tally: Mapping[str, Any] = field(default_factory=dict)


def total(counts: Counts) -> float:
    """All operations of all components."""
    return sum(count.total for count in counts.values())


def multiply_adds(number: float) -> Count:
    """Products that are summed up, each one multiplication and one addition."""
    return Count(additions=number, multiplications=number)


def evaluation(problem: Problem) -> Count:
    """One evaluation of a built-in problem; nothing for any other.

    Tours add m distances per city. Knapsacks sum weights and values, and drop items.
    Routes are split by dynamic programming over the customers a vehicle can hold.
    """
    n, m = problem.space.num_positions, problem.num_objectives
    if isinstance(problem, TSP):
        return n * Count(additions=m + 1, multiplications=1, copies=1)
    if isinstance(problem, Knapsack):
        return n * Count(
            additions=m + 2, multiplications=m + 1, comparisons=2, copies=1
        )
    if isinstance(problem, CVRP):
        held = float(problem.capacity) / float(np.mean(problem.demands))
        return n * held * Count(additions=4, multiplications=1, comparisons=3)
    return Count()


def archive(m: int, front_size: float) -> Count:
    """Bounds and rounding, then a binary search, or a scan of part of the front."""
    prepare = m * Count(additions=2, multiplications=1 + DIVISION, comparisons=5)
    if m == 2:
        return prepare + Count(comparisons=4 * math.log2(front_size + 2), copies=4)
    return prepare + Count(comparisons=SCANNED * m * front_size)


def kept(problem: Problem, work: Work) -> Counts:
    """Evaluations and the archive, which are the same for most methods."""
    one = archive(problem.num_objectives, work.front_size)
    return {
        "evaluation": work.evaluations * evaluation(problem),
        "archive": work.evaluations * one,
    }


def draw(problem: Problem) -> Count:
    """One random solution: a random number and two copies per position, repaired."""
    n = problem.space.num_positions
    return n * Count(additions=RANDOM, copies=2) + _repair_of_any(problem)


def _repair_of_any(problem: Problem) -> Count:
    """What a knapsack drops of a random choice: all is weighed anew at each drop."""
    if not isinstance(problem, Knapsack) or problem.repair_rule == "none":
        return Count()
    # Half of all items are chosen; what is too much goes in items of mean weight.
    excess = problem.weights.sum(axis=0) / 2 - problem.capacity
    drops = max(0.0, float((excess / problem.weights.mean(axis=0)).max()))
    return drops * (weighing(problem) + Count(additions=RANDOM, copies=2))


def weighing(problem: Knapsack) -> Count:
    """Sum the c weights of n items, chosen or not, and compare with the capacities."""
    n, c = problem.weights.shape
    return multiply_adds(n * c) + Count(comparisons=c)
