"""Bayesian optimization by probabilistic reparameterization.

S. Daulton, X. Wan, D. Eriksson, M. Balandat, M. A. Osborne, E. Bakshy, "Bayesian
optimization over discrete and mixed spaces via probabilistic reparameterization",
NeurIPS (2022); for several objectives with the logarithm of the noisy expected
hypervolume improvement.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from divlearn.basics.checks import require_number, require_whole
from divlearn.basics.errors import InputError
from divlearn.basics.typing import Codes
from divlearn.lab.baselines.bayes.options import OPERATORS, Bayes
from divlearn.lab.baselines.bayes.qnehvi import QNEHVI

if TYPE_CHECKING:
    from divlearn.lab.baselines.bayes.acquisition import Score, View
    from divlearn.lab.baselines.bayes.features import Encoder
    from divlearn.lab.baselines.bayes.search import Variation
    from divlearn.problems import Problem


@dataclass(frozen=True)
class BOPR(Bayes):
    """Propose draws from distributions that are moved towards high improvement.

    The parameters of several distributions over solutions follow the gradient of the
    expected logarithm of the improvement, estimated from draws (REINFORCE, with a
    moving baseline) with Adam. Tours are described to the models by their edges. The
    best of all solutions drawn on the way is proposed. See :class:`Bayes` for the other
    options; ``population`` solutions are scored to find where to begin, and
    ``generations`` is not used.

    Parameters
    ----------
    restarts
        Number of distributions, which begin around the best of some variations of
        the front and random solutions.
    samples
        Solutions drawn from each distribution per step.
    steps
        Steps of Adam.
    rate
        Its step size.
    temperature
        Divides the parameters of the distributions.

    Examples
    --------
    >>> import divlearn as dl
    >>> dl.lab.baselines.BOPR(restarts=4).describe()["restarts"]
    4
    """

    name: ClassVar[str] = "bopr"
    restarts: int = 8
    samples: int = 16
    steps: int = 30
    rate: float = 0.3
    temperature: float = 1.0

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.operators != OPERATORS[0]:
            raise InputError(
                f"operators={self.operators!r} is for searches by evolution, and bopr "
                "draws its candidates from distributions; leave it out."
            )
        for option in ("restarts", "samples", "steps"):
            require_whole(option, getattr(self, option), least=1)
        require_number("rate", self.rate, least=0.0)
        require_number("temperature", self.temperature, least=1e-6)

    def require(self, problem: Problem) -> None:
        """Need BoTorch, and positions with a probability for each of their values."""
        super().require(problem)
        layout = problem.space.layout
        places = layout.places
        if (places.levels > places.arity).any() or (
            places.values < places.levels
        ).any():
            raise InputError(
                f"bopr keeps a probability for every value, and {problem.name!r} has "
                "reals, large integers or conditions; use qnehvi or qparego."
            )

    def encoder(self, problem: Problem) -> Encoder:
        """Tours by their edges, everything else as in the other methods."""
        from divlearn.lab.baselines.bayes.features import Encoder

        return Encoder(
            problem.space.layout,
            edges=bool(getattr(problem, "tours", False)),
            directed=not getattr(problem, "symmetric", True),
            kernel=self.kernel,
        )

    def score(self, view: View, rng: np.random.Generator) -> Score:
        """Logarithm of the noisy expected hypervolume improvement."""
        return QNEHVI.score(self, view, rng)  # type: ignore[arg-type]

    def choose(
        self,
        view: View,
        variation: Variation,
        seen: set[bytes],
        rng: np.random.Generator,
    ) -> Codes:
        """Choose one candidate among the draws of trained distributions."""
        from divlearn.lab.baselines.bayes.acquisition import choose_front
        from divlearn.lab.baselines.bayes.reparameterization import Ascent

        front = choose_front(view.estimates(), view.reference, 50)
        ascent = Ascent(self, variation, self.score(view, rng), seen, rng)
        return ascent.run(view.codes[front])
