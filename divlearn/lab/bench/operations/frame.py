"""Methods of the paper's frame: experts build, moves refine, windows coordinate."""

from __future__ import annotations

from divlearn.lab.bench.operations.counts import (
    DIVISION,
    RANDOM,
    Count,
    Counts,
    Work,
    archive,
    evaluation,
)
from divlearn.methods.paper.method import DivideAndLearn
from divlearn.methods.paper.rules import completed, num_subproblems
from divlearn.problems import Problem
from divlearn.spaces.base import PERMUTATION, SUBSET

#: Random numbers of one refinement step: radius, position, move, places, length.
DRAWS = 6.0


def paper_frame(problem: Problem, method: DivideAndLearn, work: Work) -> Counts:
    """Count by component; constructions are one per weight vector if not known."""
    full, weights = completed(method, problem, work.evaluations)
    calls = calls_by_component(problem, full, len(weights), work.evaluations)
    calls["construction"] = work.tally.get("constructed", calls["construction"])
    each = count_by_component(problem, full, work.front_size)
    return {name: calls[name] * each[name] for name in each}


def calls_by_component(
    problem: Problem, method: DivideAndLearn, num_weights: int, evaluations: int
) -> dict[str, float]:
    """How often each component runs."""
    steps, subproblems = (
        method.refinement.steps or 0,
        num_subproblems(method.decomposition, problem),
    )
    constructions = float(num_weights)
    refinements = evaluations - method.initial - constructions
    iterations = refinements / max(1, steps * subproblems)
    learns = {"never": 0.0, "iteration": iterations, "evaluation": float(evaluations)}
    return {
        "construction": constructions,
        "refinement": refinements,
        "evaluation": float(evaluations),
        "archive": float(evaluations),
        "acceptance": refinements,
        "experts": learns[method.learning.update],
        "coordination": iterations if method.coordination is not None else 0.0,
    }


def count_by_component(
    problem: Problem, method: DivideAndLearn, front_size: float
) -> dict[str, Count]:
    """What one call of each component costs."""
    n, m = problem.space.num_positions, problem.num_objectives
    return {
        "construction": _construction(problem, method),
        "refinement": _refinement(problem, method),
        "evaluation": evaluation(problem),
        "archive": archive(m, front_size),
        # Both sides are scalarised anew, because the bounds may have moved.
        "acceptance": 2 * m * Count(3, 1 + DIVISION, 4) + Count(comparisons=6),
        "experts": n * Count(14, 5 + 3 * DIVISION, 3, 3),
        "coordination": n * Count(3, 2 * DIVISION, 3)
        + _overlapping(method, n) * Count(12, 6 + 4 * DIVISION, 4, 1),
    }


def _overlapping(method: DivideAndLearn, n: int) -> float:
    """Positions that two windows share."""
    size, overlap = method.decomposition.size, method.decomposition.overlap
    assert isinstance(size, int)
    assert overlap is not None
    return overlap * max(0.0, (n - size) / (size - overlap)) if size > overlap else n


def _construction(problem: Problem, method: DivideAndLearn) -> Count:
    """SelectAction at all positions: masks, and a score for each available action."""
    scored = 0.0
    masked = 0.0
    for segment in problem.space.segments():
        kind, n, actions = segment.kind, len(segment.levels), segment.num_actions
        if kind == PERMUTATION:
            scored += n * (n + 1) / 2
            masked += n * (2.5 * n)
        else:
            scored += actions
            masked += n * n / 2 if kind == SUBSET else actions
    score = Count(
        additions=2 * RANDOM + 2, multiplications=3, comparisons=2, exponentials=2
    )
    return scored * score + masked * Count(copies=1)


def _refinement(problem: Problem, method: DivideAndLearn) -> Count:
    """LocalRefine: copy, list the subproblem, make a move."""
    n, size = problem.space.num_positions, method.decomposition.size
    assert isinstance(size, int)
    # A move of a permutation shifts or reverses a third of the subproblem on average.
    share = sum(
        len(arities) / n
        for kind, arities, *_ in problem.space.segments()
        if kind == PERMUTATION
    )
    moved = share * 0.3 * size + (1 - share) * 0.5 * size
    return Count(additions=DRAWS * RANDOM, comparisons=20, copies=n + size + moved)
