"""Operation counts: what a search costs, whatever machine it runs on.

A model of problem size and settings, not a measurement: the arithmetic that each part
of the algorithm implies, as in the paper's operation counts. :func:`validate` compares
the shares it predicts with measured shares of time.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import astuple, dataclass
from typing import Any

import numpy as np

from divlearn.errors import InputError
from divlearn.methods import Method, method_for
from divlearn.plan import num_subproblems, resolve
from divlearn.problems import CVRP, TSP, Knapsack, Problem
from divlearn.settings import Settings
from divlearn.spaces.base import PERMUTATION, SUBSET

#: Additions in which one exponential, logarithm or root is counted.
EXPONENTIAL = 10.0
#: A division is counted as this many multiplications.
DIVISION = 5.0
#: Shifts, exclusive ors and sums of one random number, and its scaling.
RANDOM = 20.0
#: Random numbers of one refinement step: radius, position, move, places, length.
DRAWS = 6.0
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


def total(counts: dict[str, Count]) -> float:
    """All operations of all components."""
    return sum(count.total for count in counts.values())


def operations(
    problem: Problem,
    method: str | Method,
    evaluations: int,
    *,
    constructions: int | None = None,
    front_size: float = 100.0,
) -> dict[str, Count]:
    """Count the operations of a search by component.

    Parameters
    ----------
    problem
        A built-in problem, whose evaluation is counted, or any other, whose evaluation
        is left out.
    method
        Name of a method of the paper's frame, or Settings.
    evaluations
        Number of evaluations.
    constructions
        How often the experts built a solution, if known from a run; otherwise once
        per weight vector.
    front_size
        Mean number of solutions in the archive.

    Returns
    -------
    Components in the order of the algorithm, each with its count.

    Examples
    --------
    >>> from divlearn import problems
    >>> counts = operations(problems.get("bitsp-20"), "paper-ucb", 10_000)
    >>> max(counts, key=lambda name: counts[name].total)
    'refinement'
    """
    chosen = method_for(method)
    if not isinstance(chosen, Settings) or chosen.differences is not None:
        raise InputError(
            "method must be one of the paper's, such as 'paper-ucb', for operations "
            f"to be counted, got {method!r}; measure the time of others."
        )
    settings, weights = resolve(chosen, problem, evaluations)
    calls = calls_by_component(problem, settings, len(weights), evaluations)
    if constructions is not None:
        calls["construction"] = constructions
    each = count_by_component(problem, settings, front_size)
    return {name: calls[name] * each[name] for name in each}


def calls_by_component(
    problem: Problem, settings: Settings, num_weights: int, evaluations: int
) -> dict[str, float]:
    """How often each component runs."""
    steps, subproblems = (
        settings.refinement.steps or 0,
        num_subproblems(settings.decomposition, problem),
    )
    constructions = float(num_weights)
    refinements = evaluations - settings.initial - constructions
    iterations = refinements / max(1, steps * subproblems)
    learns = {"never": 0.0, "iteration": iterations, "evaluation": float(evaluations)}
    return {
        "construction": constructions,
        "refinement": refinements,
        "evaluation": float(evaluations),
        "archive": float(evaluations),
        "acceptance": refinements,
        "experts": learns[settings.learning.update],
        "coordination": iterations if settings.coordination is not None else 0.0,
    }


def count_by_component(
    problem: Problem, settings: Settings, front_size: float
) -> dict[str, Count]:
    """What one call of each component costs."""
    n, m = problem.space.num_positions, problem.num_objectives
    return {
        "construction": _construction(problem, settings),
        "refinement": _refinement(problem, settings),
        "evaluation": evaluation(problem),
        "archive": _archive(m, front_size),
        # Both sides are scalarised anew, because the bounds may have moved.
        "acceptance": 2 * m * Count(3, 1 + DIVISION, 4) + Count(comparisons=6),
        "experts": n * Count(14, 5 + 3 * DIVISION, 3, 3),
        "coordination": n * Count(3, 2 * DIVISION, 3)
        + _overlapping(settings, n) * Count(12, 6 + 4 * DIVISION, 4, 1),
    }


def _overlapping(settings: Settings, n: int) -> float:
    """Positions that two windows share."""
    size, overlap = settings.decomposition.size, settings.decomposition.overlap
    assert isinstance(size, int)
    assert overlap is not None
    return overlap * max(0.0, (n - size) / (size - overlap)) if size > overlap else n


def _construction(problem: Problem, settings: Settings) -> Count:
    """SelectAction at all positions: masks, and a score for each available action."""
    scored = 0.0
    masked = 0.0
    for kind, arities, _, _ in problem.space.segments():
        n = len(arities)
        if kind == PERMUTATION:
            scored += n * (n + 1) / 2
            masked += n * (2.5 * n)
        else:
            scored += sum(arities)
            masked += n * n / 2 if kind == SUBSET else sum(arities)
    score = Count(
        additions=2 * RANDOM + 2, multiplications=3, comparisons=2, exponentials=2
    )
    return scored * score + masked * Count(copies=1)


def _refinement(problem: Problem, settings: Settings) -> Count:
    """LocalRefine: copy, list the subproblem, make a move."""
    n, size = problem.space.num_positions, settings.decomposition.size
    assert isinstance(size, int)
    # A move of a permutation shifts or reverses a third of the subproblem on average.
    share = sum(
        len(arities) / n
        for kind, arities, _, _ in problem.space.segments()
        if kind == PERMUTATION
    )
    moved = share * 0.3 * size + (1 - share) * 0.5 * size
    return Count(additions=DRAWS * RANDOM, comparisons=20, copies=n + size + moved)


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


def _archive(m: int, front_size: float) -> Count:
    """Bounds and rounding, then a binary search, or a scan of part of the front."""
    prepare = m * Count(additions=2, multiplications=1 + DIVISION, comparisons=5)
    if m == 2:
        return prepare + Count(comparisons=4 * math.log2(front_size + 2), copies=4)
    return prepare + Count(comparisons=SCANNED * m * front_size)


# --- validation


@dataclass(frozen=True)
class Validation:
    """Predicted shares of operations beside measured shares of time, by component."""

    predicted: dict[str, float]
    measured: dict[str, float]

    @property
    def mean_absolute_error(self) -> float:
        """Mean over components of the difference of shares, from 0 to 1."""
        differences = [abs(p - self.measured[k]) for k, p in self.predicted.items()]
        return sum(differences) / len(differences)

    def __str__(self) -> str:
        lines = [f"{'component':<14} predicted  measured"]
        for name, share in self.predicted.items():
            lines.append(f"{name:<14} {share:9.1%} {self.measured[name]:9.1%}")
        lines.append(f"mean absolute error {self.mean_absolute_error:.1%}")
        return "\n".join(lines)


def validate(
    problem: Problem, method: str | Method, evaluations: int = 50_000, seed: int = 0
) -> Validation:
    """Compare the model with the time that each component really takes.

    Each component is repeated by itself on a state in the middle of a search; its time
    per call times its number of calls in that search is its measured share.
    """
    from divlearn.optimizer import Optimizer

    optimizer = Optimizer(problem, method, seed, budget=evaluations)
    if not optimizer.compiled:
        raise InputError("validate needs a problem with a compiled objective.")
    optimizer.run(evaluations)
    constructions = int(optimizer._state.control[0].constructed)
    counts = operations(
        problem,
        method,
        evaluations,
        constructions=constructions,
        front_size=optimizer.front_size,
    )
    calls = calls_by_component(
        problem, optimizer.settings, len(optimizer._state.weights), evaluations
    )
    calls["construction"] = constructions
    seconds = {
        name: calls[name] * per_call for name, per_call in _seconds(optimizer).items()
    }
    return Validation(
        _shares({name: count.total for name, count in counts.items()}), _shares(seconds)
    )


def _shares(parts: dict[str, float]) -> dict[str, float]:
    """Divide by the sum."""
    whole = sum(parts.values())
    return {name: part / whole for name, part in parts.items()}


def _seconds(optimizer: Any) -> dict[str, float]:
    """CPU seconds of one call of each component."""
    from divlearn.kernels import timing
    from divlearn.kernels.jit import no_repair

    state, compiled = optimizer._state, optimizer.problem.compiled
    x, y = state.incumbents[0].copy(), state.incumbent_outputs[0].copy()
    changed, out = x.copy(), y.copy()
    worse = y + 0.1 * np.abs(y)
    repair = compiled.repair or no_repair
    evaluate = timing.repeat_evaluation()
    parts: dict[str, Callable[[int], Any]] = {
        "refinement": lambda k: timing.repeat_refinement(state, changed, k),
        "evaluation": lambda k: evaluate(
            compiled.objective, repair, compiled.table, changed, x, out, k
        ),
        "archive": lambda k: timing.repeat_archive(state, x, worse, k),
        "acceptance": lambda k: timing.repeat_acceptance(state, worse, k),
        "experts": lambda k: timing.repeat_update(state, x, k),
        "coordination": lambda k: timing.repeat_coordination(state, x, k),
        "construction": lambda k: timing.repeat_construction(state, changed, k),
    }
    return {name: _per_call(part) for name, part in parts.items()}


def _per_call(part: Callable[[int], Any], least: float = 0.02) -> float:
    """Best of three timings that are long enough to be read."""
    times = 16
    while True:
        seconds = _cpu(part, times)
        if seconds >= least:
            return min(seconds, _cpu(part, times), _cpu(part, times)) / times
        times *= 4


def _cpu(part: Callable[[int], Any], times: int) -> float:
    """CPU seconds of ``times`` repetitions."""
    part(1)
    start = time.process_time()
    part(times)
    return time.process_time() - start
