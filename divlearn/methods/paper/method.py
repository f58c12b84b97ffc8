"""``DivideAndLearn``: the paper's method, every part of it as an option."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Self

from divlearn.basics.checks import (
    require_flag,
    require_number,
    require_one_of,
    require_optional_whole,
    require_whole,
)
from divlearn.basics.errors import InputError
from divlearn.methods.base import Compilation, Method
from divlearn.methods.options import described_fields, replaced, require_parts
from divlearn.methods.paper.coordination import Coordination
from divlearn.methods.paper.decomposition import Decomposition
from divlearn.methods.paper.experts import (
    EXP3,
    FTRL,
    UCB,
    Learning,
    Mixture,
    Thompson,
    Uniform,
)
from divlearn.methods.paper.refinement import Refinement
from divlearn.methods.paper.scalarization import NORMALISATIONS, SCALARIZATIONS
from divlearn.methods.paper.scenario import read_scenario

if TYPE_CHECKING:
    from divlearn.methods.paper.search import PaperSearch
    from divlearn.problems import Problem

NAME = "divide-and-learn"
#: Value of ``trace`` that also costs time.
FULL_TRACE = "full"
#: Evaluations of the paper's runs.
PAPER_BUDGET = 622_000
ARCHIVES = ("all", "best")
AFTER_PATIENCE = ("construct", "next-weight")


def _paper_mixture() -> Mixture:
    return Mixture((UCB(), EXP3(), FTRL()))


@dataclass(frozen=True)
class DivideAndLearn(Method):
    """Position-wise bandits with several experts, subproblems, dual prices.

    None means: by the paper's table, chosen by problem size. ``paper-ucb``,
    ``paper-ts``, ``paper-literal`` and ``uniform`` are such methods, see
    :data:`PRESETS`.

    Parameters
    ----------
    mixture
        Experts and their shares.
    learning
        When and how the shared tables learn.
    decomposition
        Division into subproblems.
    refinement
        Local refinement inside subproblems.
    coordination
        Dual prices on overlaps; None switches them off.
    scalarization
        ``"weighted-sum"``, ``"tchebycheff"`` or ``"augmented-tchebycheff"``.
    augmentation
        Share of the sum in the augmented form.
    normalisation
        What objectives are divided by before they are weighed: ``"running"``, the range
        of all answers so far, or ``"initial"``, that of the initial solutions.
        ``"none"`` weighs them raw; rewards are then their weighted sum, brought to
        [-1, 1] by the least and the greatest sum that the running ranges allow.
    archive
        Which solutions the result is made of: ``"all"`` that were evaluated, or
        ``"best"``, the best one found for each weight.
    weights
        Number of weight vectors (at least), or the vectors themselves, shape (W, m).
    initial
        Random solutions evaluated first, which set the normalisation; at most a
        fifth of the budget.
    iterations
        T, iterations per weight and visit; None shares the budget evenly, or takes
        the table's where there is no budget.
    sweeps
        Visits to each weight within the budget, each begun by a construction.
    patience
        Iterations without improvement after which something else is done.
    after_patience
        What that is: ``"construct"`` lets the experts construct anew, and
        ``"next-weight"`` ends the visit to the weight, as long as no solution improves
        on the best of the visit.
    construct_every
        c, iterations between constructions whatever happens; 0 for never.
    keep_better
        Continue from a construction only if it beats the incumbent.
    scenario
        What disturbs the rewards that the experts are told, with its size: such as
        ``"noise-0.3"``, ``"shift-0.2"``, ``"adversarial"``, ``"plateau"``,
        ``"heavy-tail"``; None for nothing. See
        :func:`divlearn.methods.paper.scenario.read_scenario`.
    trace
        Whether ``result.trace`` tells every iteration. The front is the same.
        ``"full"`` looks for disagreement in every iteration, which is slow.

    Examples
    --------
    >>> from divlearn import DivideAndLearn
    >>> from divlearn.methods.paper.refinement import Refinement
    >>> method = DivideAndLearn(refinement=Refinement(moves=("reversal",)), patience=5)
    >>> method.replace(**{"refinement.steps": 10}).refinement.steps
    10
    """

    mixture: Mixture = field(default_factory=_paper_mixture)
    learning: Learning = Learning()
    decomposition: Decomposition = Decomposition()
    refinement: Refinement = Refinement()
    coordination: Coordination | None = Coordination()
    scalarization: str = "weighted-sum"
    augmentation: float = 0.05
    normalisation: str | None = "running"
    archive: str = "all"
    weights: int | Sequence[Sequence[float]] | None = None
    initial: int = 50
    iterations: int | None = None
    sweeps: int = 1
    patience: int | None = None
    after_patience: str = "construct"
    construct_every: int = 0
    keep_better: bool = False
    scenario: str | None = None
    trace: bool | str = False

    def __post_init__(self) -> None:
        require_parts(self, PARTS, optional=("coordination",))
        require_one_of("scalarization", self.scalarization, SCALARIZATIONS)
        require_number("augmentation", self.augmentation, 0)
        if self.normalisation is None:  # as the command line reads "none"
            object.__setattr__(self, "normalisation", "none")
        require_one_of("normalisation", self.normalisation, NORMALISATIONS)
        require_one_of("archive", self.archive, ARCHIVES)
        require_one_of("after_patience", self.after_patience, AFTER_PATIENCE)
        if self.weights is None or not hasattr(self.weights, "__len__"):
            require_optional_whole("weights", self.weights, 1)
        require_whole("initial", self.initial, 1)
        require_optional_whole("iterations", self.iterations, 1)
        require_whole("sweeps", self.sweeps, 1)
        require_optional_whole("patience", self.patience, 1)
        require_whole("construct_every", self.construct_every, 0)
        require_flag("keep_better", self.keep_better)
        read_scenario(self.scenario)
        if self.mixture.weights == "exp4" and self.learning.update == "never":
            raise InputError(
                'mixture.weights="exp4" follows rewards, and learning.update="never" '
                "tells the experts none; change one of the two."
            )
        if not isinstance(self.trace, bool) and self.trace != FULL_TRACE:
            raise InputError(
                f'trace must be True, False or "{FULL_TRACE}", got {self.trace!r}.'
            )

    @property
    def name(self) -> str:  # type: ignore[override]
        """What results call it: the name of a preset, or "custom"."""
        mine = self.describe() | {"trace": False}  # which changes no search
        same = (name for name, make in PRESETS.items() if make().describe() == mine)
        return next(same, "custom")

    def replace(self, **changes: Any) -> Self:
        """Return a copy with some options changed.

        Parts are reached by a dot: ``replace(**{"refinement.steps": 10})``. The
        experts are reached as ``experts``.
        """
        if "experts" in changes:
            changes["mixture.experts"] = changes.pop("experts")
        return replaced(self, PARTS, changes)

    def describe(self) -> dict[str, Any]:
        """All options as plain data that can be written and compared."""
        return {"method": NAME, **described_fields(self)}

    def begin(self, problem: Problem, budget: int | None, seed: int) -> PaperSearch:
        """Begin a search, with all that is left open filled in."""
        from divlearn.methods.paper.rules import completed
        from divlearn.methods.paper.search import PaperSearch
        from divlearn.methods.paper.state import new_state

        full, weights = completed(self, problem, budget)
        return PaperSearch(full, problem, new_state(problem, full, weights, seed))

    def missing(
        self, problem: Problem, budget: int | None, compiled: bool
    ) -> Compilation | None:
        """What has to be compiled before a search can begin; None if nothing."""
        from divlearn.methods.paper.search import missing

        return missing(compiled, bool(self.trace))

    def compile(self, problem: Problem, budget: int | None, compiled: bool) -> None:
        """Compile or load what a search calls from Python."""
        from divlearn.methods.paper.search import rehearse

        if not compiled:
            rehearse(bool(self.trace))


PARTS: dict[str, type] = {
    "mixture": Mixture,
    "learning": Learning,
    "decomposition": Decomposition,
    "refinement": Refinement,
    "coordination": Coordination,
}


def _thompson() -> DivideAndLearn:
    return DivideAndLearn(
        mixture=Mixture((Thompson(), EXP3())),
        learning=Learning(temperature_decay=0.995),
    )


def _uniform() -> DivideAndLearn:
    return DivideAndLearn(mixture=Mixture((Uniform(),)))


#: Unit moves of every kind of space: neighbours in the paper's metrics.
UNIT_MOVES = ("adjacent swap", "flip", "set", "step")


def _literal() -> DivideAndLearn:
    """The paper's text, where it does not contradict itself.

    The archive keeps all solutions: with one for each of 20 to 35 weights, as in its
    Algorithm 1, the paper could not report fronts of 45 to 494 solutions. A
    weight gets all T iterations of that algorithm: what "patience" means is not said.
    """
    return DivideAndLearn(
        refinement=Refinement(moves=UNIT_MOVES, adaptive=False),
        normalisation="initial",
        construct_every=10,
    )


#: The paper's variants by name, and a control.
PRESETS: dict[str, Callable[[], DivideAndLearn]] = {
    "paper-ucb": DivideAndLearn,
    "paper-ts": _thompson,
    "paper-literal": _literal,
    "uniform": _uniform,
}


def divide_and_learn_from(description: Mapping[str, Any]) -> DivideAndLearn:
    """Make a method from what :meth:`DivideAndLearn.describe` wrote."""
    options = dict(description)
    options.pop("method")
    for name, kind in PARTS.items():
        if options.get(name) is not None:
            options[name] = kind(**options[name])
    return DivideAndLearn(**options)
