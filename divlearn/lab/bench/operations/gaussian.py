"""Bayesian optimization: fits of Gaussian processes, predictions, improvements.

Sizes: N answers are known, k outputs have a process each, C solutions are scored for
one candidate, S draws are averaged, F solutions are compared with.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from divlearn.basics.extras import need
from divlearn.lab.baselines.bayes.bopr import BOPR
from divlearn.lab.baselines.bayes.design import initial_size
from divlearn.lab.baselines.bayes.features import Columns, Encoder
from divlearn.lab.baselines.bayes.options import Bayes
from divlearn.lab.baselines.bayes.qparego import QParEGO
from divlearn.lab.bench.operations.counts import (
    ADAM,
    BACKWARD,
    DIVISION,
    RANDOM,
    Count,
    Counts,
    Work,
    draw,
    kept,
    multiply_adds,
)
from divlearn.lab.bench.operations.populations import cross, mutate, repair
from divlearn.problems import Problem

#: Likelihoods and their gradients per fit: 10 to 28, and 15 on average, were measured
#: on ``bitsp-20`` with 20 to 60 answers, because a fit begins with the last one.
LIKELIHOODS = 15.0
#: Share of the candidates of a search that were not scored before.
NEW_BY_MOVES, NEW_BY_DRAWS = 0.97, 0.85
#: Share of a generation that is drawn anew, and moves of any other child.
ANEW, MOVES = 0.1, 2.0
#: Random numbers of one move.
DRAWS_OF_MOVE = 5.0


@dataclass(frozen=True)
class Sizes:
    """What the counts of one run depend on.

    Attributes
    ----------
    columns
        Features of a solution by part.
    width
        Number of features, d.
    positions, objectives, outputs
        n, m and k.
    shared
        Solutions whose draws all others share: F under noise, else none, and those of
        a batch that were chosen before.
    front
        Solutions that a candidate is compared with, F.
    draws
        S.
    """

    columns: Columns
    width: int
    positions: int
    objectives: int
    outputs: int
    shared: float
    front: float
    draws: int


def bayes(problem: Problem, method: Bayes, work: Work) -> Counts:
    """A first design, then for each candidate a model, and a search under a score.

    Components: constants fitted anew when answers have grown by a share; processes
    conditioned on all answers; predictions; improvements, of which boxes are part; and
    the candidates themselves.
    """
    need("torch", "bo")
    sizes = sizes_of(problem, method, work.front_size)
    first = method.initial or initial_size(sizes.positions, work.budget)
    asked = answers_by_proposal(first, work.evaluations, method.model_points)
    scored = scored_solutions(method)
    predictions = Count()
    conditioning = Count()
    for answers, times in asked.items():
        conditioning += times / method.batch * condition(sizes, answers)
        predictions += (times * scored) * predict(sizes, answers)
    proposals = sum(asked.values())
    fits = sum(
        (likelihood(sizes, min(n, method.model_points)) for n in fitted(method, asked)),
        Count(),
    )
    return {
        "design": min(first, work.evaluations) * draw(problem),
        "fits": LIKELIHOODS * (1 + BACKWARD) * fits,
        "conditioning": conditioning,
        "predictions": predictions,
        "improvements": proposals * improvements(method, sizes, scored),
        "candidates": proposals * candidates(problem, method, sizes),
        **kept(problem, work),
    }


def sizes_of(problem: Problem, method: Bayes, front_size: float) -> Sizes:
    """Take the sizes from a problem and the options."""
    encoder: Encoder = method.encoder(problem)
    front = min(method.baseline_points, max(1.0, front_size))
    return Sizes(
        encoder.columns,
        encoder.width,
        problem.space.num_positions,
        problem.num_objectives,
        len(problem.outputs),
        (front if problem.noise else 0.0) + (method.batch - 1) / 2,
        front,
        method.draws,
    )


def answers_by_proposal(first: int, evaluations: int, most: int) -> dict[int, int]:
    """How many candidates were chosen by models of how many answers.

    Examples
    --------
    >>> answers_by_proposal(20, 25, 23)
    {20: 1, 21: 1, 22: 1, 23: 2}
    """
    asked = dict.fromkeys(range(first, min(evaluations, most)), 1)
    beyond = evaluations - max(first, most)
    return asked | ({most: beyond} if beyond > 0 else {})


def fitted(method: Bayes, asked: dict[int, int]) -> list[int]:
    """Numbers of answers at which the constants are fitted anew."""
    at: list[int] = []
    if not asked:
        return at
    first = min(asked)
    for answers in range(first, first + sum(asked.values()), method.batch):
        if not at or answers >= at[-1] * (1.0 + method.refit):
            at.append(answers)
    return at


def scored_solutions(method: Bayes) -> float:
    """Solutions that are scored for one candidate: those that are new."""
    if isinstance(method, BOPR):
        drawn = method.restarts * method.samples * method.steps
        return max(method.population, method.restarts) + NEW_BY_DRAWS * drawn
    return NEW_BY_MOVES * method.population * method.generations


# --- Gaussian processes


def covariances(sizes: Sizes, pairs: float) -> Count:
    """Covariances of so many pairs of solutions, for all outputs.

    A similarity of permutations is one product of rows for all outputs; lengths and
    contrasts differ by output, and so do the products of rows divided by them.
    """
    columns, k = sizes.columns, sizes.outputs
    each = Count()
    for a, b in columns.similar:
        each += multiply_adds(b - a) + k * Count(1, 1)
        if columns.kernel != "kendall":
            each += k * Count(2, 1 + DIVISION, exponentials=1)
    if columns.num_ordered:
        each += k * (multiply_adds(columns.num_ordered) + Count(6, 5, 1, 2))
    if columns.num_categories:
        width = columns.category[1] - columns.category[0]
        each += k * (multiply_adds(width) + Count(2, 1, exponentials=1))
    return pairs * each


def factor(sizes: Sizes, answers: float) -> Count:
    """Cholesky factors, N^3 / 6 products each, and two triangular solves."""
    return sizes.outputs * multiply_adds(answers**3 / 6 + answers**2)


def condition(sizes: Sizes, answers: float) -> Count:
    """Features and covariances of all answers, and their factors."""
    known = answers * features(sizes) + covariances(sizes, answers**2)
    return known + factor(sizes, answers)


def likelihood(sizes: Sizes, answers: float) -> Count:
    """One likelihood of the constants, without its gradient."""
    return covariances(sizes, answers**2) + factor(sizes, answers)


def predict(sizes: Sizes, answers: float) -> Count:
    """Draws of the outputs of one solution.

    Its features and covariances with all answers; a mean (N products), a triangular
    solve (N^2 / 2) and a sum of squares per output; then S draws. Where the solutions
    to compare with are drawn too, r of them: N r, r^2 / 2 and r S products more.
    """
    r, s, k = sizes.shared, sizes.draws, sizes.outputs
    own = features(sizes) + covariances(sizes, answers + r)
    products = answers**2 / 2 + 2 * answers + answers * r + r * r / 2 + r * s
    return own + k * (multiply_adds(products + s) + Count(exponentials=1))


def features(sizes: Sizes) -> Count:
    """Write the features of one solution; permutations are looked at pair by pair."""
    n = sizes.positions
    sorts = n * math.log2(n + 1) if sizes.columns.similar else 0.0
    return Count(comparisons=sorts) + sizes.width * Count(0, DIVISION, 1, copies=2)


# --- improvements


def num_boxes(front: float, m: int) -> float:
    """Boxes of the region that a front dominates: exact for up to three objectives.

    Examples
    --------
    >>> num_boxes(20, 2), num_boxes(20, 3), num_boxes(20, 4)
    (21, 41, 400.0)
    """
    if m <= 3:
        return max(1, m - 1) * front + 1
    return float(front ** (m // 2))


def improvements(method: Bayes, sizes: Sizes, scored: float) -> Count:
    """Scores of all solutions that are tried for one candidate."""
    one = _scalarized if isinstance(method, QParEGO) else _hypervolumes
    logarithm = sizes.draws * Count(2, 1, 1, exponentials=1) + Count(exponentials=1)
    constraints = sizes.outputs - sizes.objectives
    feasible = sizes.draws * constraints * Count(2, 1 + DIVISION, 3, exponentials=1)
    whole = scored * (one(sizes) + logarithm + feasible)
    return whole if isinstance(method, QParEGO) else whole + cut(sizes)


def _scalarized(sizes: Sizes) -> Count:
    """Augmented Tchebycheff of S draws, and by how much it is below the best."""
    each = sizes.objectives * Count(2, 1 + DIVISION, 1) + Count(3, 1, 2)
    return sizes.draws * each


def _hypervolumes(sizes: Sizes) -> Count:
    """What S draws of a point add to the hypervolume: less what each box covers.

    A side of a box above the point: the higher of two corners, a difference, at least
    0. What is measured where hardly anything is gained is left out.
    """
    m, s = sizes.objectives, sizes.draws
    boxes = num_boxes(sizes.front, m)
    side = Count(additions=1, multiplications=1, comparisons=2)
    covered = boxes * (m * side + Count(additions=1))
    own = m * Count(additions=1, multiplications=1, comparisons=1)
    return s * (own + covered)


def cut(sizes: Sizes) -> Count:
    """Cut the dominated region into boxes, point by point; S fronts under noise.

    Every point is compared with all bounds, and those above it are replaced.
    """
    m, fronts = sizes.objectives, sizes.draws if sizes.shared else 1
    bounds = num_boxes(sizes.front, m)
    compared = bounds / 2 * Count(comparisons=m)
    replaced = m * Count(comparisons=m * m, copies=m * m + m + 1)
    return fronts * sizes.front * (compared + m * replaced)


# --- candidates


def candidates(problem: Problem, method: Bayes, sizes: Sizes) -> Count:
    """Make the solutions that are scored for one candidate."""
    n = sizes.positions
    if method.operators == "crossover":
        varied = cross(problem, special=True) + mutate(problem)
    else:
        varied = MOVES * Count(DRAWS_OF_MOVE * RANDOM, comparisons=20, copies=1.3 * n)
    child = ANEW * draw(problem) + (1 - ANEW) * (varied + Count(RANDOM, copies=n))
    child += repair(problem)
    if isinstance(method, BOPR):
        begin = max(method.population, method.restarts) * child
        return begin + _ascent(problem, method)
    made = method.population * method.generations
    return made * child + _ranking(method)


def _ranking(method: Bayes) -> Count:
    """Sort all that were scored so far, once per generation."""
    size = method.population
    sorts = (g * size * math.log2(g * size + 1) for g in range(1, method.generations))
    return Count(comparisons=sum(sorts))


def _ascent(problem: Problem, method: BOPR) -> Count:
    """Draw from all distributions, derive by their parameters, and move these.

    A draw races n logits: two logarithms each, and a sort. Its gradient takes an
    exponential, two running sums and a quotient for each. Adam follows, once per step.
    """
    n = problem.space.num_positions
    logits = float(sum(_num_logits(problem)))
    race = logits * Count(RANDOM + 1, DIVISION, 1, 2) + Count(
        comparisons=n * math.log2(n + 1), copies=2 * n
    )
    slope = logits * Count(4, 2 + DIVISION, 1, 1, 2)
    drawn = race + slope + repair(problem) + logits * Count(2, 1)
    step = method.samples * drawn + logits * ADAM
    return (method.steps * method.restarts) * step


def _num_logits(problem: Problem) -> list[int]:
    """Parameters of the distribution of each part: one per item, bit or value."""
    from divlearn.spaces.base import PERMUTATION, SUBSET

    return [
        len(arities) if kind in (PERMUTATION, SUBSET) else sum(arities)
        for kind, arities, *_ in problem.space.segments()
    ]
