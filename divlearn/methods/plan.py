"""What settings leave open, filled in for a problem and a budget."""

from __future__ import annotations

import dataclasses

import numpy as np

from divlearn.basics.typing import Floats
from divlearn.errors import InputError
from divlearn.methods.dl.differences import Differences
from divlearn.methods.paper.decomposition import OVERLAP_SHARE, Decomposition, best_size
from divlearn.methods.paper.scalarization import (
    read_weights,
    simplex_lattice,
    spread_subset,
)
from divlearn.methods.paper.settings import Settings
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
#: Exploring evaluations per item of a permutation, and else per action.
EXPLORATION, EXPLORATION_OF_VALUES = 5, 4
#: Differences that are kept: at least, per position, and codes of solutions at most.
SHORTEST_RING, RING_PER_POSITION, LARGEST_RING = 4096, 10, 10_000_000
#: Budgets that are small, and candidates that the similarity expert then makes.
SMALL_BUDGET, KERNEL_POINTS = 2_000, 300
#: Positions above which it makes none where there are constraints.
LONGEST_BOUND = 30
#: Random solutions per pair of items that the pair model takes, least and most, and
#: the lengths of permutations that it is made for.
PAIR_SAMPLES = (2.0, 3.6)
PAIRED_LENGTHS = (8, 64)


def size_class(problem: Problem) -> int:
    """0, 1 or 2 for small, medium or large.

    Two bits or values count as much as one item of a permutation: 50 items of a
    knapsack are as small as 20 cities.
    """
    size = sum(
        len(arities) * (1.0 if kind == PERMUTATION else 0.5)
        for kind, arities, _, _ in problem.space.segments()
    )
    return sum(size > limit for limit in SIZE_LIMITS)


def resolve(
    settings: Settings, problem: Problem, budget: int | None
) -> tuple[Settings, Floats]:
    """Fill in what is None, for a problem and a budget.

    Returns
    -------
    Settings without None (but for parts that are off), and the weight vectors, shape
    (W, m).
    """
    if settings.differences is not None:
        return _resolve_differences(settings, problem, budget)
    column = size_class(problem)
    decomposition = _resolve_decomposition(settings.decomposition, problem, column)
    steps = settings.refinement.steps
    steps = TABLE["steps"][column] if steps is None else int(steps)
    initial = settings.initial
    if budget is not None:
        initial = max(1, min(initial, budget // 5))
    per_iteration = max(1, steps * num_subproblems(decomposition, problem))
    weights = _resolve_weights(settings, problem, column, budget, per_iteration)
    iterations = settings.iterations
    if iterations is None:
        iterations = TABLE["iterations"][column]
        if budget is not None:
            visits = len(weights) * settings.sweeps
            share = max(1, -(-(budget - initial) // visits))
            iterations = _iterations_within(share, steps, decomposition, problem)
    patience = settings.patience
    resolved = dataclasses.replace(
        settings,
        decomposition=decomposition,
        refinement=dataclasses.replace(settings.refinement, steps=steps),
        initial=initial,
        iterations=iterations,
        patience=TABLE["patience"][column] if patience is None else patience,
    )
    return resolved, weights


def longest_permutation(problem: Problem) -> tuple[int, int]:
    """Where the longest permutation of a space begins and how long it is; 0 if none."""
    first, length, start = 0, 0, 0
    for kind, arities, _, _ in problem.space.segments():
        if kind == PERMUTATION and len(arities) > length:
            first, length = start, len(arities)
        start += len(arities)
    return first, length


def ring_for(n: int) -> int:
    """Differences to keep of ``n`` positions: enough to fit points to, if they fit."""
    return max(SHORTEST_RING, min(RING_PER_POSITION * n, LARGEST_RING // max(1, n)))


def _resolve_differences(
    settings: Settings, problem: Problem, budget: int | None
) -> tuple[Settings, Floats]:
    """Fill in what learning from differences leaves open; it draws its own weights."""
    given = settings.differences
    assert given is not None
    _require_used(settings)
    initial, exploration = settings.initial, given.exploration
    if budget is not None:
        initial = max(1, min(initial, budget // 5))
    if exploration is None:
        exploration = initial + _exploration(problem)
        if budget is not None:
            exploration = min(exploration, budget // 2)
    n = problem.space.num_positions
    kernel_points = given.kernel_points
    if kernel_points is None:
        permuted = longest_permutation(problem)[1] > 0
        few = budget is None or budget <= SMALL_BUDGET
        # Sums that are kept within limits are learned faster than likeness tells.
        bound = problem.num_constraints > 0 and n > LONGEST_BOUND
        kernel_points = 0 if permuted or bound or not few else KERNEL_POINTS
    final_from = _final_from(given, problem, budget)
    if final_from is not None:
        kernel_points = min(kernel_points, final_from)
    resolved = dataclasses.replace(
        given,
        ring=ring_for(n) if given.ring is None else given.ring,
        exploration=exploration,
        window=n if given.window is None else given.window,
        kernel_points=kernel_points,
        pairing_samples=_pairing_samples(given, problem, budget),
        final_from=final_from,
    )
    return (
        dataclasses.replace(settings, initial=initial, differences=resolved),
        np.zeros((0, problem.num_objectives)),
    )


def _final_from(given: Differences, problem: Problem, budget: int | None) -> int | None:
    """Answers after which only the front is measured; None for never."""
    if not (problem.noise and given.repeats):
        return None
    if given.final_from is not None or budget is None or given.final_share == 0.0:
        return given.final_from
    return budget - int(given.final_share * budget)


def _exploration(problem: Problem) -> int:
    """Evaluations that mostly explore: by items of a permutation, or by actions."""
    items = longest_permutation(problem)[1]
    if items > 0:
        return EXPLORATION * items
    return EXPLORATION_OF_VALUES * int(problem.space.layout.places.arity.sum())


def _pairing_samples(given: Differences, problem: Problem, budget: int | None) -> int:
    """Random solutions for the pair model; 0 where it cannot be fitted."""
    n = longest_permutation(problem)[1]
    whole = n == problem.space.num_positions and problem.num_constraints == 0
    least, most = PAIRED_LENGTHS
    if not (given.pairing and given.tables and whole and least <= n <= most):
        return 0
    if given.pairing_samples is not None:
        return given.pairing_samples
    pairs = n * (n - 1) // 2
    half = (SMALL_BUDGET if budget is None else budget) // 2
    samples = min(int(PAIR_SAMPLES[1] * pairs), half)
    return samples if samples >= PAIR_SAMPLES[0] * pairs else 0


def _require_used(settings: Settings) -> None:
    """Refuse what learning from differences would ignore."""
    mine, usual = settings.describe(), Settings().describe()
    used = ("initial", "differences", "refinement")
    ignored = [name for name in mine if name not in used and mine[name] != usual[name]]
    for name, value in mine["refinement"].items():
        if name != "moves" and value != usual["refinement"][name]:
            ignored.append(f"refinement.{name}")
    if ignored:
        raise InputError(
            f"{ignored[0]} has no effect where differences is set, as in the method "
            "'dl'; leave it out, or choose another method, such as 'paper-ts'."
        )


def _resolve_decomposition(
    given: Decomposition, problem: Problem, column: int
) -> Decomposition:
    """Turn size, overlap and neighbourhoods into numbers that fit the problem."""
    n = problem.space.num_positions
    overlap = given.overlap
    if given.size == "rule":
        size = best_size(n, overlap, given.regret)
    elif given.size == "table":
        size = TABLE["size"][column]
        overlap = TABLE["overlap"][column] if overlap is None else overlap
    else:
        size = int(given.size)
    # In a window of one item nothing could be reordered.
    orders = any(segment[0] == PERMUTATION for segment in problem.space.segments())
    size = min(n, max(2 if orders else 1, size))
    if overlap is None:
        overlap = int(OVERLAP_SHARE * size)
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


def num_subproblems(decomposition: Decomposition, problem: Problem) -> int:
    """K at the first iteration."""
    size, overlap = decomposition.size, decomposition.overlap
    assert isinstance(size, int)
    assert overlap is not None
    assert decomposition.neighbourhoods is not None
    rest = problem.space.num_positions - size
    windows = 1 + -(-rest // max(1, size - overlap)) if rest > 0 else 1
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


def _resolve_weights(
    settings: Settings,
    problem: Problem,
    column: int,
    budget: int | None,
    per_iteration: int,
) -> Floats:
    """Take the given vectors, or a lattice that the budget can serve."""
    m = problem.num_objectives
    given = settings.weights
    if hasattr(given, "__len__"):
        return read_weights(given, m)
    if given is None:
        row = "weights of two objectives" if m <= 2 else "weights of more"
        lattice = simplex_lattice(m, TABLE[row][column])
        if budget is not None:  # rather few weights served than many begun
            return spread_subset(lattice, max(m, budget // per_iteration))
        return lattice
    return simplex_lattice(m, int(given))
