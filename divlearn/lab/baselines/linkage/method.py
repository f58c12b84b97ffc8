"""``LinkageTree``: mixing by a linkage tree, with populations that grow."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from divlearn.basics.checks import require_whole
from divlearn.basics.errors import InputError
from divlearn.basics.typing import Codes, Floats, Integers
from divlearn.kernels.layout import PERMUTATION
from divlearn.kernels.structure import settle
from divlearn.lab.baselines.linkage.population import (
    Answer,
    Conversation,
    Elite,
    Population,
)
from divlearn.methods.others.base import AskTell
from divlearn.methods.others.rehearsal import ask_once
from divlearn.methods.others.sampling import Sampler
from divlearn.problems import Problem
from divlearn.spaces.base import WIDE

#: Solutions in the first population; every further one has twice as many, up to most.
SMALLEST, LARGEST = 32, 4_096
#: Generations after which the next population begins.
GENERATIONS = 30
#: Generations in a row that may find nothing to ask, as everything is known.
MOST_IDLE = 3


@dataclass(frozen=True)
class LinkageTree(AskTell):
    """Mix solutions by sets of positions that vary together.

    A population is divided by directions in objective space. For each direction a tree
    of sets of positions is learned from the mutual information in its best solutions,
    joined by average likeness. Every solution takes over one set after the other from
    others of its direction, and keeps what is no worse or new on the front; a solution
    that does not improve tries the same with members of the front. Populations double
    once they converge or have had some generations. The front is kept throughout.

    This is our own and simpler kind of MO-GOMEA: N. H. Luong, H. La Poutré, P. A. N.
    Bosman, "Multi-objective gene-pool optimal mixing evolutionary algorithm with the
    interleaved multi-start scheme", Swarm and Evolutionary Computation 40 (2018).

    Parameters
    ----------
    population
        Solutions in the first population.
    clusters
        Directions in objective space.
    generations
        Generations after which the next population begins.

    Examples
    --------
    >>> import divlearn as dl
    >>> problem = dl.problems.get("traps-20")
    >>> dl.solve(problem, budget=300, method="linkage-tree").evaluations
    300
    """

    name: ClassVar[str] = "linkage-tree"
    quick: ClassVar[bool] = True
    population: int = SMALLEST
    clusters: int = 3
    generations: int = GENERATIONS

    def __post_init__(self) -> None:
        require_whole("population", self.population, 4)
        require_whole("clusters", self.clusters, 1)
        require_whole("generations", self.generations, 1)

    def require(self, problem: Problem) -> None:
        """Need positions whose values can be mixed one by one."""
        layout = problem.space.layout
        if PERMUTATION in layout.segments.kind or layout.places.levels.max() > WIDE:
            raise InputError(
                f"method {self.name!r} mixes bits, categories and up to {WIDE} levels, "
                f"and {problem.name!r} has permutations or reals; use nsga2 there."
            )

    def warm_up(self, problem: Problem) -> None:
        """Draw a solution."""
        ask_once(self, problem)

    def start(self, problem: Problem, budget: int | None, seed: int) -> Mixing:
        """Draw the first population."""
        return Mixing(self, problem, seed)


class Mixing:
    """A running search: the present population and what it asks.

    Parameters
    ----------
    method
        The options.
    problem
        What is searched.
    seed
        Seed of solutions and choices.
    """

    def __init__(self, method: LinkageTree, problem: Problem, seed: int) -> None:
        self._method = method
        self._layout = layout = problem.space.layout
        self._levels = layout.places.levels.astype(np.int64)
        self._sampler = Sampler(layout, seed)
        self._random = np.random.default_rng([seed, len(self._levels)])
        self._known: dict[bytes, Floats] = {}  # asked again, it costs nothing
        self._num_known = -1  # when the present population was drawn
        self._noise = bool(problem.noise)
        self._elite = Elite(problem.num_objectives)
        self._size, self._left = method.population, 0
        self._population: Population | None = None
        self._ready: deque[tuple[Conversation, Codes]] = deque()
        self._asked: dict[int, Conversation] = {}

    def propose(self, count: int, numbers: Integers) -> Codes:
        """Return what conversations ask; random solutions while all of them wait."""
        rows = [self._next(int(number)) for number in numbers[:count]]
        return np.stack(rows)

    def _next(self, number: int) -> Codes:
        """Return the next question."""
        if not self._ready and not self._asked:
            self._begin()
        if not self._ready:
            drawn: Codes = self._sampler.draw(1)[0]
            return drawn
        talk, codes = self._ready.popleft()
        self._asked[number] = talk
        return codes

    def _begin(self) -> None:
        """Begin a generation, or a population of twice the size."""
        for _ in range(MOST_IDLE):
            if self._ready:
                return
            old = self._population
            if old is None or self._left == 0 or old.has_converged:
                drawn = self._sampler.draw(self._size)
                grown = self._num_known < len(self._known)
                self._num_known = len(self._known)
                self._population = Population(
                    drawn,
                    self._levels,
                    self._method.clusters,
                    self._elite,
                    self._random,
                )
                self._size = min(2 * self._size, LARGEST) if grown else self._size
                self._left = self._method.generations
                talks = self._population.first()
            else:
                self._left -= 1
                talks = old.generation()
            for talk in talks:
                self._go_on(talk, None)

    def _go_on(self, talk: Conversation, answer: Answer | None) -> None:
        """Send an answer to a conversation, and queue what it asks next."""
        while True:
            try:
                codes = next(talk) if answer is None else talk.send(answer)
            except StopIteration:
                return
            codes = codes.copy()
            settle(self._layout, codes, self._sampler.words)
            outputs = None if self._noise else self._known.get(codes.tobytes())
            if outputs is None:
                self._ready.append((talk, codes))
                return
            answer = Answer(codes, outputs)

    def observe(self, number: int, codes: Codes, outputs: Floats) -> None:
        """Hand an answer to the conversation that asked."""
        self._known[codes.tobytes()] = outputs.copy()
        talk = self._asked.pop(number, None)
        if talk is None:
            self._elite.take(codes, outputs)
        else:
            self._go_on(talk, Answer(codes.copy(), outputs.copy()))

    def fail(self, number: int, codes: Codes) -> None:
        """End the conversation that asked: its solution stays as it is."""
        self._asked.pop(number, None)
