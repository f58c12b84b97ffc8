"""Subproblems that are learned: positions whose changes depend on each other.

Two changes interact where both together do something else than their sum:
f(x + a + b) - f(x + a) - f(x + b) + f(x) is not zero. Positions that interact belong
into one subproblem.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import combinations

import numpy as np

from divlearn.basics.checks import require_whole
from divlearn.basics.typing import Codes, Floats
from divlearn.problems import Problem
from divlearn.spaces.base import PERMUTATION, SUBSET, Segment

#: A change of a solution: positions, and the codes that they get.
Change = tuple[list[int], list[int]]


def learned_groups(
    problem: Problem, size: int, evaluations: int = 2_000, seed: int = 0
) -> list[list[int]]:
    """Divide the positions of a problem by their interactions.

    Parameters
    ----------
    problem
        What to divide; solutions of its space are evaluated as they are drawn.
    size
        Most positions in a group.
    evaluations
        Number of evaluations spent on looking.
    seed
        The same seed gives the same groups.

    Returns
    -------
    For ``Decomposition(groups=...)``: disjoint lists of positions.

    Examples
    --------
    >>> from divlearn import Binary, Problem
    >>> problem = Problem(Binary(4), lambda x: x[0] * x[2] + x[1] * x[3], ["f"])
    >>> learned_groups(problem, size=2, evaluations=50)
    [[0, 2], [1, 3]]
    """
    strength = interactions(problem, evaluations, seed)
    return strongest_groups(strength, require_whole("size", size, 1))


def interactions(problem: Problem, evaluations: int, seed: int = 0) -> Floats:
    """Mean absolute second difference of changes at two positions, shape (n, n).

    Each round draws a solution and disjoint changes of it: another value at a position,
    or a swap of two positions where the space allows nothing less. It evaluates them
    alone and by twos. Outputs count in units of their standard deviation.
    """
    require_whole("evaluations", evaluations, 4)
    rng, left = np.random.default_rng(seed), evaluations
    n = problem.space.num_positions
    total, count = np.zeros((n, n)), np.zeros((n, n))
    rounds = []
    while (most := _most_changes(left)) >= 2:
        x = _random_solution(problem, rng)
        changes = list(_changes(problem.space.segments(), x, rng))
        chosen = [changes[i] for i in rng.permutation(len(changes))[:most]]
        if len(chosen) < 2:
            break
        rounds.append(_second_differences(problem, x, chosen))
        left -= 1 + len(chosen) * (len(chosen) + 1) // 2
    scale = _deviations([values for _, values in rounds])
    for differences, _ in rounds:
        for a, b, difference in differences:
            places = np.ix_(a, b)
            total[places] += (difference / scale).sum()
            count[places] += 1
    total, count = total + total.T, count + count.T
    mean: Floats = total / np.maximum(count, 1)
    return mean


def strongest_groups(strength: Floats, size: int) -> list[list[int]]:
    """Collect positions from the strongest pair on, to groups of at most ``size``.

    Examples
    --------
    >>> strongest_groups(np.array([[0, 1, 9], [1, 0, 2], [9, 2, 0.0]]), 2)
    [[0, 2], [1]]
    """
    left, groups = list(range(len(strength))), []
    while left:
        among = strength[np.ix_(left, left)]
        group = [left[int(np.argmax(among.max(axis=1)))]]
        left.remove(group[0])
        while left and len(group) < size:
            nearest = left[int(np.argmax(strength[np.ix_(group, left)].sum(axis=0)))]
            group.append(nearest)
            left.remove(nearest)
        groups.append(sorted(group))
    return groups


def _most_changes(evaluations: int) -> int:
    """Greatest number c of changes with 1 + c + c (c - 1) / 2 evaluations."""
    if evaluations < 4:
        return 0
    return int((math.sqrt(8.0 * evaluations - 7.0) - 1.0) / 2.0)


def _random_solution(problem: Problem, rng: np.random.Generator) -> Codes:
    """Codes of a random solution, shape (n,)."""
    from divlearn.kernels.layout import sample
    from divlearn.kernels.random import seed_words

    words, x = np.empty(4, np.uint64), np.empty(problem.space.num_positions, np.int64)
    seed_words(words, np.uint64(rng.integers(2**63)))
    sample(problem.space.layout, words, x)
    return x


def _changes(
    segments: list[Segment], x: Codes, rng: np.random.Generator
) -> Iterator[Change]:
    """Disjoint changes of ``x`` that leave it a solution, as many as there are."""
    first = 0
    for kind, arities, least, most, *_ in segments:
        n = len(arities)
        own = first + rng.permutation(n)
        if kind == PERMUTATION:
            pairs = zip(own[::2], own[1::2], strict=False)
            yield from ([[i, j], [x[j], x[i]]] for i, j in pairs)  # type: ignore[misc]
        elif kind == SUBSET and (least > 0 or most < n):
            inside, outside = own[x[own] == 1], own[x[own] == 0]
            pairs = zip(inside, outside, strict=False)
            yield from ([[i, j], [0, 1]] for i, j in pairs)  # type: ignore[misc]
        else:
            for i in own:
                if arities[i - first] > 1:
                    other = rng.integers(arities[i - first] - 1)
                    yield [i], [other + (other >= x[i])]
        first += n


def _second_differences(
    problem: Problem, x: Codes, changes: list[Change]
) -> tuple[list[tuple[list[int], list[int], Floats]], Floats]:
    """Evaluate changes alone and by twos.

    Returns
    -------
    For each two changes their positions and what they do beyond their sum, shape
    (m + c,); and the outputs of the solution and of each change, shape (1 + changes,
    m + c).
    """

    def value(*made: Change) -> Floats:
        codes = x.copy()
        for positions, new in made:
            codes[positions] = new
        settled = problem.space.settled(codes)
        return problem.evaluate(problem.space.decode(settled))

    own, alone = value(), [value(change) for change in changes]
    differences = [
        (
            changes[a][0],
            changes[b][0],
            np.abs(value(changes[a], changes[b]) - alone[a] - alone[b] + own),
        )
        for a, b in combinations(range(len(changes)), 2)
    ]
    return differences, np.array([own, *alone])


def _deviations(values: list[Floats]) -> Floats:
    """Standard deviation of each output; 1 for one that never changes."""
    if not values:
        return np.ones(1)
    spread: Floats = np.concatenate(values).std(axis=0)
    return np.where(spread > 0, spread, 1.0)
