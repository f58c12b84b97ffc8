"""Evolution under a score by moves or crossover; reals are climbed at the end."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from divlearn.basics.errors import DivlearnError
from divlearn.basics.typing import Codes, Floats, Integers
from divlearn.kernels.layout import SUBSET
from divlearn.kernels.moves import MAX_BLOCK, move_shares, random_move
from divlearn.kernels.random import below
from divlearn.kernels.structure import settle
from divlearn.lab.baselines.bayes.acquisition import Score
from divlearn.lab.baselines.bayes.climbing import climb, fine_scales
from divlearn.lab.baselines.operators.space import SpaceOperators
from divlearn.lab.baselines.operators.special import operators_for
from divlearn.methods.others.sampling import Sampler

#: Share of a generation that is drawn anew.
NEW = 0.1
#: Attempts to draw an admissible solution before any other is taken.
NUM_TRIES = 50
#: Solutions from which the reals are climbed, the best of all generations.
CLIMBS = 3


class Variation:
    """Random solutions of a problem and random moves, repaired and admissible.

    Parameters
    ----------
    problem
        Its space gives the moves; its ``repair`` and ``valid`` are applied to the
        results.
    seed
        Seed of all random choices.
    crossed
        Whether children have two parents, see :func:`children`.
    """

    def __init__(self, problem: Any, seed: int, crossed: bool = False) -> None:
        self._problem = problem
        # Swaps, as the paper's genetic algorithms mutate tours.
        self.operators = operators_for(problem, "swap") if crossed else None
        self.layout = problem.space.layout
        self.fine = fine_scales(self.layout)
        self._shares = move_shares()
        self._sampler = Sampler(self.layout, seed)
        n = problem.space.num_positions
        self._positions = np.arange(n)
        self._scratch = np.empty(n, np.int64)

    def draw(self) -> Codes:
        """Draw a random solution."""
        codes: Codes = self._sampler.draw(1)[0]
        return codes

    def move(self, codes: Codes, steps: int) -> Codes:
        """Change a copy by some moves."""
        codes = codes.copy()
        for _ in range(steps):
            random_move(
                self.layout,
                codes,
                self._positions,
                len(codes),
                self._shares,
                MAX_BLOCK,
                self._sampler.words,
                self._scratch,
            )
        return codes

    def limited(self, codes: Codes) -> Codes:
        """Bring subsets to an allowed size, in place, and settle what else is wrong."""
        for segment in self.layout.segments:
            bits = codes[segment.start : segment.stop]
            while segment.kind == SUBSET and not (
                segment.least <= bits.sum() <= segment.most
            ):
                wrong = np.flatnonzero(bits == (bits.sum() > segment.most))
                bits[wrong[below(self._sampler.words, len(wrong))]] ^= 1
        settle(self.layout, codes, self._sampler.words)
        return codes

    def repaired(self, codes: Codes) -> Codes | None:
        """Repair a solution; None if it may not be tried."""
        try:
            codes = self._problem.repair_codes(codes)
            return codes if self._problem.codes_are_valid(codes) else None
        except DivlearnError:
            return None

    def unseen(self, seen: set[bytes]) -> Codes:
        """Draw a solution that is not among ``seen``, if one can be found."""
        last = self.draw()
        for _ in range(NUM_TRIES):
            codes = self.repaired(self.draw())
            if codes is not None:
                last = codes
                if codes.tobytes() not in seen:
                    break
        return last


def evolve(
    variation: Variation,
    score: Score,
    parents: Integers,
    seen: set[bytes],
    rng: np.random.Generator,
    population: int,
    generations: int,
) -> Codes:
    """Find an unseen solution of high score.

    Parameters
    ----------
    variation
        Moves and random solutions.
    score
        What is to be large.
    parents
        Good solutions to begin with, shape (p, n).
    seen
        Codes, as bytes, that may not be proposed.
    rng
        Chooses parents and the number of moves.
    population
        Solutions that are scored in each generation.
    generations
        Number of generations; each begins with the best of all before.

    Returns
    -------
    The best unseen solution that was scored.
    """
    pool = Pool(score, seen)
    for generation in range(generations):
        starts = parents if generation == 0 else pool.best(population // 4)
        pool.add(children(variation, starts, rng, population))
    if len(variation.fine):
        climbed = (climb(score, row, variation.fine) for row in pool.best(CLIMBS))
        repaired = (variation.repaired(row) for row in climbed)
        pool.add([row for row in repaired if row is not None])
    if generations and len(pool.codes):
        best: Codes = pool.best(1)[0]
        return best
    return variation.unseen(seen)


def children(
    variation: Variation, parents: Integers, rng: np.random.Generator, count: int
) -> list[Codes]:
    """Make children by one move or a few, or by crossover, and some at random."""
    if variation.operators is not None and len(parents):
        made = crossed_children(variation.operators, parents, rng, count)
    else:
        made = moved_children(variation, parents, rng, count)
    repaired = (variation.repaired(row) for row in made)
    return [row for row in repaired if row is not None]


def moved_children(
    variation: Variation, parents: Integers, rng: np.random.Generator, count: int
) -> Iterator[Codes]:
    """Children by one move or a few, and some solutions at random."""
    for _ in range(count):
        if not len(parents) or rng.random() < NEW:
            yield variation.draw()
        else:
            rank = _rank(len(parents), rng.random())
            yield variation.move(parents[rank], int(rng.geometric(0.5)))


def crossed_children(
    operators: SpaceOperators, parents: Integers, rng: np.random.Generator, count: int
) -> Iterator[Codes]:
    """Children of two parents, mutated, and some solutions at random."""
    drawn = int(NEW * count)
    pairs = -(-(count - drawn) // 2)
    chosen = [_rank(len(parents), draw) for draw in rng.random(2 * pairs)]
    couples = operators.cross(parents[chosen[:pairs]], parents[chosen[pairs:]], rng)
    mutated = operators.mutate(np.concatenate(couples)[: count - drawn], rng)
    yield from operators.repair(mutated)
    yield from operators.sample(drawn, rng)


def _rank(count: int, uniform: float) -> int:
    """Number of a parent: the best come first and are chosen most often."""
    return int(count * uniform**1.5)


class Pool:
    """Unseen solutions and their scores."""

    def __init__(self, score: Score, seen: set[bytes]) -> None:
        self._score = score
        self._seen = seen
        self._numbers: dict[bytes, int] = {}
        self.codes: list[Codes] = []
        self.scores: Floats = np.empty(0)

    def add(self, rows: list[Codes]) -> None:
        """Score those that are new."""
        new = []
        for row in rows:
            key = row.tobytes()
            if key not in self._seen and key not in self._numbers:
                self._numbers[key] = len(self._numbers)
                new.append(row)
        if new:
            self.codes.extend(new)
            self.scores = np.concatenate([self.scores, self._score(np.array(new))])

    def score_of(self, row: Codes | None) -> float:
        """Score of a solution that was added; minus infinity for any other."""
        number = None if row is None else self._numbers.get(row.tobytes())
        return -np.inf if number is None else float(self.scores[number])

    def order(self) -> Integers:
        """Numbers of the solutions, the best first."""
        return np.argsort(-self.scores, kind="stable")

    def best(self, count: int) -> Integers:
        """The best solutions, shape (count, n) at most."""
        chosen = [self.codes[i] for i in self.order()[:count]]
        return np.array(chosen, np.int64)
