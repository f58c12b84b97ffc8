"""What the options leave open, filled in by the paper's table and rules."""

from __future__ import annotations

import dataclasses

import numpy as np

from divlearn.basics.errors import InputError
from divlearn.basics.typing import Floats
from divlearn.methods.paper.decomposition import (
    OVERLAP_SHARE,
    Decomposition,
    best_size,
    is_share,
)
from divlearn.methods.paper.method import DivideAndLearn
from divlearn.methods.paper.scalarization import (
    read_weights,
    simplex_lattice,
    spread_subset,
)
from divlearn.problems import Problem
from divlearn.spaces.base import PERMUTATION

#: The paper's hyperparameter table: small, medium and large problems.
TABLE = {
    "size": (15, 25, 35),
    "overlap": (6, 11, 18),
    "iterations": (100, 150, 200),
    "steps": (5, 10, 20),
    "patience": (10, 20, 50),
    "weights of two objectives": (20, 20, 20),
    "weights of more": (20, 25, 35),
}
#: Sizes, counted in items of a permutation, above which medium and large begin.
SIZE_LIMITS = (35, 75)


def size_class(problem: Problem) -> int:
    """0, 1 or 2 for small, medium or large.

    Two bits or values count as much as one item of a permutation: 50 items of a
    knapsack are as small as 20 cities.
    """
    size = sum(
        len(arities) * (1.0 if kind == PERMUTATION else 0.5)
        for kind, arities, *_ in problem.space.segments()
    )
    return sum(size > limit for limit in SIZE_LIMITS)


def completed(
    given: DivideAndLearn, problem: Problem, budget: int | None
) -> tuple[DivideAndLearn, Floats]:
    """Fill in what is None, for a problem and a budget.

    Returns
    -------
    The method without None (but for parts that are off), and the weight vectors, shape
    (W, m).
    """
    column = size_class(problem)
    decomposition = _decomposition(given.decomposition, problem, column)
    steps = given.refinement.steps
    steps = TABLE["steps"][column] if steps is None else int(steps)
    initial = given.initial
    if budget is not None:
        initial = max(1, min(initial, budget // 5))
    per_iteration = max(1, steps * num_subproblems(decomposition, problem))
    weights = _weights(given, problem, column, budget, per_iteration)
    iterations = given.iterations
    if iterations is None:
        iterations = TABLE["iterations"][column]
        if budget is not None:
            visits = len(weights) * given.sweeps
            share = max(1, -(-(budget - initial) // visits))
            iterations = _iterations_within(share, steps, decomposition, problem)
    patience = given.patience
    full = dataclasses.replace(
        given,
        decomposition=decomposition,
        refinement=dataclasses.replace(given.refinement, steps=steps),
        initial=initial,
        iterations=iterations,
        patience=TABLE["patience"][column] if patience is None else patience,
    )
    return full, weights


def _decomposition(
    given: Decomposition, problem: Problem, column: int
) -> Decomposition:
    """Turn size, overlap and neighbourhoods into numbers that fit the problem."""
    size, overlap = _size_and_overlap(given, problem, column)
    _require_groups(given, problem)
    around = given.neighbourhoods
    if around is None:
        around = 0 if problem.distance is None else 1
    if around > 0 and problem.distance is None:
        raise InputError(
            "neighbourhoods needs a problem that declares a distance between its "
            "indices; pass distance= to the problem or neighbourhoods=0."
        )
    if around == 0 and not given.windows:
        raise InputError(
            "decomposition needs windows=True or at least one neighbourhood."
        )
    return dataclasses.replace(
        given, size=size, overlap=min(overlap, size - 1), neighbourhoods=around
    )


def _size_and_overlap(
    given: Decomposition, problem: Problem, column: int
) -> tuple[int, int]:
    """Positions per subproblem, and positions that windows share at first."""
    n, overlap = problem.space.num_positions, given.overlap
    if given.size == "rule":
        fixed = None if overlap is None or is_share(overlap) else int(overlap)
        size = best_size(n, fixed, given.regret)
    elif given.size == "table":
        size = TABLE["size"][column]
        overlap = TABLE["overlap"][column] if overlap is None else overlap
    else:
        size = round(float(given.size) * (n if is_share(given.size) else 1))
    # In a window of one item nothing could be reordered.
    orders = any(segment[0] == PERMUTATION for segment in problem.space.segments())
    size = min(n, max(2 if orders else 1, size))
    share = OVERLAP_SHARE if overlap is None else overlap
    if overlap is None or is_share(overlap):
        # The small number undoes rounding where the share is a whole number.
        overlap = int(share * size + 1e-9)
    return size, int(overlap)


def _require_groups(given: Decomposition, problem: Problem) -> None:
    """Refuse groups that do not hold exactly the positions of the problem."""
    if given.groups is None:
        return
    n, held = problem.space.num_positions, {i for row in given.groups for i in row}
    if held != set(range(n)):
        odd = min(held ^ set(range(n)))
        what = "leave out" if odd < n else "name"
        raise InputError(
            f"groups must hold all positions from 0 to {n - 1} of {problem.name}, "
            f"but they {what} {odd}."
        )


def num_subproblems(decomposition: Decomposition, problem: Problem) -> int:
    """K at the first iteration."""
    size, overlap = decomposition.size, decomposition.overlap
    assert isinstance(size, int)
    assert isinstance(overlap, int)
    assert decomposition.neighbourhoods is not None
    rest = problem.space.num_positions - size
    windows = 1 + -(-rest // max(1, size - overlap)) if rest > 0 else 1
    if decomposition.groups is not None:
        windows = len(decomposition.groups)
    return (windows if decomposition.windows else 0) + decomposition.neighbourhoods


def _iterations_within(
    evaluations: int, steps: int, decomposition: Decomposition, problem: Problem
) -> int:
    """Iterations that a visit of so many evaluations takes.

    An iteration costs less as the overlap shrinks and fewer windows cover all.
    """
    last = dataclasses.replace(decomposition, overlap=0)
    longest = evaluations // max(1, steps * num_subproblems(last, problem)) + 1
    overlap, decay = decomposition.overlap, decomposition.decay
    assert overlap is not None
    overlaps = np.floor(overlap * np.arange(1, longest + 1.0) ** -decay + 1e-9)
    kinds, which = np.unique(overlaps, return_inverse=True)
    counts = [
        num_subproblems(dataclasses.replace(decomposition, overlap=int(o)), problem)
        for o in kinds
    ]
    spent = np.cumsum(np.maximum(1, steps * np.array(counts)[which]))
    return min(longest, int(np.searchsorted(spent, evaluations)) + 1)


def _weights(
    method: DivideAndLearn,
    problem: Problem,
    column: int,
    budget: int | None,
    per_iteration: int,
) -> Floats:
    """Take the given vectors, or a lattice that the budget can serve."""
    m = problem.num_objectives
    given = method.weights
    if hasattr(given, "__len__"):
        return read_weights(given, m)
    if given is None:
        row = "weights of two objectives" if m <= 2 else "weights of more"
        lattice = simplex_lattice(m, TABLE[row][column])
        if budget is not None:  # rather few weights served than many begun
            return spread_subset(lattice, max(m, budget // per_iteration))
        return lattice
    return simplex_lattice(m, int(given))
