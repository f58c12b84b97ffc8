"""Options that the Bayesian baselines have in common."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from divlearn.basics.checks import require_number, require_one_of, require_whole
from divlearn.basics.errors import InputError
from divlearn.basics.extras import need
from divlearn.basics.typing import Codes
from divlearn.lab.baselines.bayes.features import PERMUTATION_KERNELS
from divlearn.methods.others.base import AskTell, Proposer
from divlearn.methods.others.rehearsal import ask_once
from divlearn.spaces.base import PERMUTATION

if TYPE_CHECKING:
    from divlearn.lab.baselines.bayes.acquisition import Score, View
    from divlearn.lab.baselines.bayes.features import Encoder
    from divlearn.lab.baselines.bayes.search import Variation
    from divlearn.problems import Problem

#: How a search for a candidate makes children.
OPERATORS = ("moves", "crossover")
#: Where hypervolume is measured from.
REFERENCES = ("problem", "worst")


@dataclass(frozen=True)
class Bayes(AskTell):
    """Model every output with a Gaussian process and propose what looks best.

    Parameters
    ----------
    initial
        Solutions before the first model; None for 2 (n + 1), at most 20 and at most
        half of the budget.
    baseline_points
        Limit on the known solutions that a candidate is compared with.
    draws
        Draws of the outputs over which an improvement is averaged.
    population, generations
        Solutions that are scored in a generation of the search for a candidate, and
        number of generations.
    refit
        The models' constants are fitted again when the number of answers has grown by
        this share.
    model_points
        Limit on the answers that the models are fitted to: the front and the newest.
    kernel
        Covariance of permutations: ``"kendall"``, ``"mallows"``, its exponential, or
        ``"both"`` with a weight each. For a space with permutations only.
    operators
        How the search for a candidate makes children: ``"moves"`` of the space, or
        ``"crossover"`` of two good solutions and a mutation, with the operators of
        NSGA-II: order crossover and swaps for tours, uniform crossover and greedy
        repair for knapsacks.
    reference
        Where hypervolume is measured from: ``"problem"``, its reference point, or a
        tenth beyond the known front if it has none; ``"worst"``, a tenth beyond the
        worst values known.
    batch
        Candidates that are chosen together, each with those before it pending; only
        then do answers count.
    """

    initial: int | None = None
    baseline_points: int = 20
    draws: int = 64
    population: int = 50
    generations: int = 40
    refit: float = 0.05
    model_points: int = 500
    kernel: str = PERMUTATION_KERNELS[0]
    operators: str = OPERATORS[0]
    reference: str = REFERENCES[0]
    batch: int = 1

    def __post_init__(self) -> None:
        if self.initial is not None:
            require_whole("initial", self.initial, least=1)
        for option in ("baseline_points", "draws", "population", "generations"):
            require_whole(option, getattr(self, option), least=1)
        require_whole("model_points", self.model_points, least=4)
        require_whole("batch", self.batch, least=1)
        require_one_of("kernel", self.kernel, PERMUTATION_KERNELS)
        require_one_of("operators", self.operators, OPERATORS)
        require_one_of("reference", self.reference, REFERENCES)
        require_number("refit", self.refit, least=0.0)

    def require(self, problem: Problem) -> None:
        """Need BoTorch; handles every problem, but see ``kernel``."""
        need("torch", "bo")
        need("botorch", "bo")
        kinds = problem.space.layout.segments.kind
        if self.kernel != PERMUTATION_KERNELS[0] and PERMUTATION not in kinds:
            raise InputError(
                f"kernel={self.kernel!r} of {self.name} is for spaces with "
                f"permutations, and {problem.name!r} has none; leave it out."
            )

    def warm_up(self, problem: Problem) -> None:
        """Draw a solution and move."""
        from divlearn.lab.baselines.bayes.search import Variation

        ask_once(self, problem)
        variation = Variation(problem, 0)
        variation.move(variation.draw(), 1)

    def start(self, problem: Problem, budget: int | None, seed: int) -> Proposer:
        """Begin a search."""
        self.require(problem)
        from divlearn.lab.baselines.bayes.proposer import BayesProposer

        return BayesProposer(self, problem, budget, seed)

    def encoder(self, problem: Problem) -> Encoder:
        """What the models are told about a solution."""
        from divlearn.lab.baselines.bayes.features import Encoder

        return Encoder(problem.space.layout, kernel=self.kernel)

    def score(self, view: View, rng: np.random.Generator) -> Score:
        """The score that a candidate should maximise."""
        raise NotImplementedError

    def choose(
        self,
        view: View,
        variation: Variation,
        seen: set[bytes],
        rng: np.random.Generator,
    ) -> Codes:
        """Choose one candidate by evolution under the score."""
        from divlearn.lab.baselines.bayes.acquisition import choose_front
        from divlearn.lab.baselines.bayes.search import evolve

        score = self.score(view, rng)
        front = choose_front(view.estimates(), view.reference, 50, fill=True)
        return evolve(
            variation,
            score,
            view.codes[front],
            seen,
            rng,
            self.population,
            self.generations,
        )
