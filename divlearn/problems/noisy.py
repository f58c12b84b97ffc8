"""``Noisy``: a problem whose evaluations are measured with an error."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from divlearn.basics.checks import require_number, require_whole
from divlearn.basics.errors import InputError
from divlearn.basics.typing import Floats, Value
from divlearn.problems.built_in.base import BuiltIn
from divlearn.problems.drawings import Drawing
from divlearn.problems.draws import Draws, seeded


class Noisy(BuiltIn):
    """A built-in problem seen through noise that a seed reproduces.

    Every objective value is multiplied by ``1 + level * z`` with an independent
    standard normal z; constraint values stay as they are. A solution gets a new z every
    time it is evaluated: z depends on the seed, the solution and how often it was
    evaluated before. So the order in which different solutions are evaluated does not
    matter. In a study it depends on the seed of the evaluation instead, so it does not
    matter which worker evaluates.

    Parameters
    ----------
    exact
        The problem without noise.
    level
        Standard deviation of the error as a share of the value; 0.05 is 5 %.
    seed
        The same seed gives the same errors.
    reference, ideal, name
        Those of ``exact`` unless given.

    Attributes
    ----------
    exact, level, seed
        As given.

    Examples
    --------
    >>> from divlearn.problems import Noisy, get
    >>> problem = Noisy(get("bitsp-20"), level=0.05)
    >>> x = problem.space.sample(seed=0)
    >>> bool((problem.evaluate(x) == problem.evaluate(x)).any())
    False
    >>> bool((problem.noise_free([x]) == problem.exact.evaluate(x)).all())
    True
    """

    def __init__(
        self,
        exact: BuiltIn,
        level: float = 0.05,
        seed: int = 0,
        *,
        reference: Sequence[float] | None = None,
        ideal: Sequence[float] | None = None,
        name: str | None = None,
    ) -> None:
        compiled = exact.compiled if isinstance(exact, BuiltIn) else None
        if compiled is None:  # also refuses a problem that is already noisy
            raise InputError(
                "exact must be a built-in problem without noise, such as "
                f'problems.get("bitsp-50"), got {exact!r}.'
            )
        self.exact = exact
        self.level: float = require_number("level", level, least=0.0)
        self.seed: int = require_whole("seed", seed)
        self._draws = Draws(self.seed)
        has_repair = compiled.repair is not None
        super().__init__(
            exact.space,
            self._measure,
            exact.objectives,
            constraints=exact.constraints,
            repair=exact.repair if has_repair else None,
            noise=self.level > 0.0,
            reference=_first(reference, exact.reference),
            ideal=_first(ideal, exact.ideal),
            name=name or f"noisy-{exact.name}",
            distance=exact.distance,
            units=exact.units,
        )

    def evaluate_seeded(self, x: Value, seed: int | None) -> Floats:
        """Evaluate with the errors that belong to ``seed``."""
        with seeded(seed):
            return self.evaluate(x)

    def _measure(self, x: Value) -> Floats:
        """Evaluate with noise."""
        codes, compiled = self.space.encode(x), self.exact.compiled
        assert compiled is not None
        outputs = np.empty(len(self.outputs))
        compiled.objective(codes, compiled.table, outputs)
        errors = self._draws.next(codes).standard_normal(self.num_objectives)
        outputs[: self.num_objectives] *= 1.0 + self.level * errors
        return outputs

    def restart(self) -> None:
        """Forget earlier evaluations, so that the same search meets the same errors."""
        self._draws.restart()

    def noise_free(self, solutions: Sequence[Value]) -> Floats:
        """Evaluate q solutions without noise, which no search can: shape (q, m + c).

        Judge the front of a search with it: ``noise_free(result.X)``.
        """
        return self.exact.evaluate_batch(solutions)

    def arguments(self) -> dict[str, Any]:
        """Return the arguments that recreate this instance."""
        return {"exact": self.exact, "level": self.level, "seed": self.seed}

    def describe(self) -> dict[str, Any]:
        """Describe this problem, including its noise."""
        exact = self.exact.describe()
        exact["instance"] += f" with noise {self.level!r} of seed {self.seed}"
        return exact

    def canonical(self, x: Value) -> Value:
        """Return the solution that represents all that are equal to ``x``."""
        return self.exact.canonical(x)

    @property
    def drawing(self) -> Drawing | None:
        """How designs are drawn."""
        return self.exact.drawing

    @property
    def tours(self) -> bool:
        """Whether solutions are closed tours, which are compared by their edges."""
        return getattr(self.exact, "tours", False)

    @property
    def symmetric(self) -> bool:
        """Whether a tour and its reverse are the same."""
        return getattr(self.exact, "symmetric", True)


def _first(given: Any, otherwise: Any) -> Any:
    """The first value that is not None, if there is one."""
    return otherwise if given is None else given
