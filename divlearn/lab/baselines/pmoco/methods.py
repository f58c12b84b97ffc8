"""``pmoco`` and ``pmoco-matched``."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from divlearn.basics.checks import require_one_of, require_whole
from divlearn.basics.errors import InputError
from divlearn.basics.extras import need
from divlearn.lab.baselines.pmoco.library import find_model, require_family
from divlearn.lab.baselines.pmoco.plan import MAX_SIZE, SCALARIZATIONS, Plan
from divlearn.lab.baselines.threads import one_thread
from divlearn.lab.baselines.weights import spread_weights
from divlearn.methods.others.base import Ledger, WholeSolver

if TYPE_CHECKING:
    from divlearn.lab.baselines.pmoco.files import Network
    from divlearn.lab.baselines.pmoco.inference import Builder
    from divlearn.lab.baselines.pmoco.training import Trainer
    from divlearn.problems import Problem

#: Instances per step of a matched training: a share of the root of all, and limits.
BATCH_SHARE, LEAST_BATCH, MOST_BATCH = 0.3, 2, 64
#: Smallest and largest share of a budget that a matched training leaves.
LEAST_KEPT, MOST_KEPT = 0.2, 0.5


@dataclass(frozen=True)
class PMOCO(WholeSolver):
    """Preference-conditioned network, trained beforehand on random instances.

    For each preference it builds a solution from every start, and does so again on
    equivalent instances (maps rotated and mirrored). Every distinct solution counts as
    one evaluation; training does not, so also compare it with ``pmoco-matched``.

    Parameters
    ----------
    model
        File of a network written by ``divlearn train pmoco``; the one that comes with
        the package if None.
    weights
        Minimum number of preferences.
    augment
        Equivalent instances; there are 8 for routes, 64 for tours on two maps, 512 on
        three, and 1 for knapsacks.
    samples
        Further rounds in which solutions are drawn by their probabilities.

    Examples
    --------
    >>> PMOCO(weights=11).describe()["weights"]
    11
    """

    name: ClassVar[str] = "pmoco"
    model: str | None = None
    weights: int = 101
    augment: int = 8
    samples: int = 0

    def __post_init__(self) -> None:
        require_whole("weights", self.weights, 2, 100_000)
        require_whole("augment", self.augment, 1, 512)
        require_whole("samples", self.samples, 0)

    def require(self, problem: Problem) -> None:
        """Refuse problems of other families, and those without a network."""
        family, size = require_family(self.name, problem)
        if self.model is None:
            find_model(family, size)
        need("torch", "neural")

    def sources(self) -> tuple[str, ...]:
        """The file of the network; those of the package change with its version."""
        return () if self.model is None else (self.model,)

    def solve(self, problem: Problem, ledger: Ledger, seed: int) -> None:
        """Build solutions for all preferences."""
        network = self._network(problem)
        _tell_origin(network, problem, ledger)
        with one_thread():
            builder = _builder(self, problem, network, self.samples, seed)
            _evaluate(builder, ledger)

    def _network(self, problem: Problem) -> Network:
        """Read the network and check that it is for such problems."""
        from divlearn.lab.baselines.pmoco.files import read_network

        family, size = require_family(self.name, problem)
        path = find_model(family, size) if self.model is None else self.model
        network = read_network(path)
        if network.plan.family != family:
            raise InputError(
                f"model must be a network for {family}-N, got {path}, which is one for "
                f"{network.plan.problem}."
            )
        if not network.finished:
            raise InputError(
                f"model must be a trained network, but {path} stopped after "
                f"{network.about['steps']:,} of {network.plan.total_steps:,} steps; go "
                f"on with: divlearn train pmoco --out {path}"
            )
        return network


@dataclass(frozen=True)
class MatchedPMOCO(WholeSolver):
    """The same network, trained within the budget of one run (PMOCO*).

    It is trained on random instances of the problem's family and size. Every solution
    that is built in training counts as an evaluation, as does every distinct one that
    the trained network then builds for the problem itself.

    Parameters
    ----------
    weights
        Minimum number of preferences.
    augment
        Equivalent instances, as for :class:`PMOCO`.
    rate
        Highest learning rate of the training.
    scalarization
        What the training rewards: ``"weighted-sum"``, or ``"tchebycheff"`` as in the
        paper.

    Examples
    --------
    >>> MatchedPMOCO(weights=101).replace(augment=1).describe()["scalarization"]
    'weighted-sum'
    """

    name: ClassVar[str] = "pmoco-matched"
    weights: int = 40
    augment: int = 8
    rate: float = 2e-3
    scalarization: str = "weighted-sum"

    def __post_init__(self) -> None:
        require_one_of("scalarization", self.scalarization, SCALARIZATIONS)
        require_whole("weights", self.weights, 2, 100_000)
        require_whole("augment", self.augment, 1, 512)

    def require(self, problem: Problem) -> None:
        """Refuse problems of other families, and those too large to train for."""
        family, size = require_family(self.name, problem)
        if not 2 <= size <= MAX_SIZE:
            raise InputError(
                f"{self.name} trains for sizes from 2 to {MAX_SIZE}, got "
                f"{family}-{size}."
            )
        need("torch", "neural")

    def require_budget(self, problem: Problem, budget: int | None) -> None:
        """Refuse to train without an end, or for less than two instances."""
        _, size = require_family(self.name, problem)
        if budget is None or budget < 2 * size:
            raise InputError(
                f"{self.name} spends its budget on training, and needs one of at least "
                f"{2 * size} evaluations for {problem.name!r}, got {budget}; give "
                f"budget=10_000, or {self.name}@10000 in a benchmark. A time limit may "
                "be given as well, but not instead."
            )

    def solve(self, problem: Problem, ledger: Ledger, seed: int) -> None:
        """Train, then build solutions with what is left."""
        from divlearn.lab.baselines.pmoco.training import Trainer

        plan = matched_plan(self, problem, ledger.budget, seed)
        with one_thread():
            trainer = Trainer(plan)
            _train(trainer, ledger)
            _evaluate(_builder(self, problem, trainer, None, seed), ledger)


def matched_plan(
    method: MatchedPMOCO, problem: Problem, budget: int | None, seed: int
) -> Plan:
    """Plan a training that leaves enough of the budget for using the network.

    It leaves one solution per preference and start, at least a fifth of the budget and
    at most half of it.
    """
    family, size = require_family(method.name, problem)
    method.require_budget(problem, budget)
    assert budget is not None
    kept = max(method.weights * size, int(LEAST_KEPT * budget))
    kept = min(kept, int(MOST_KEPT * budget))
    instances = (budget - kept) // size
    wanted = round(BATCH_SHARE * math.sqrt(instances))
    batch = min(max(wanted, LEAST_BATCH), MOST_BATCH, instances)
    return Plan(
        f"{family}-{size}",
        epochs=1,
        steps=instances // batch,
        preferences=batch,
        instances=1,
        rate=method.rate,
        scalarization=method.scalarization,
        seed=seed,
    )


def _train(trainer: Trainer, ledger: Ledger) -> None:
    """Train to the end of the plan, counting every solution."""
    plan = trainer.plan
    made = plan.preferences * plan.instances * plan.size
    while not trainer.finished:
        trainer.step()
        ledger.tell("training_solutions", trainer.step_count * made)
        ledger.tell("training_steps", trainer.step_count)
        ledger.count(made)


def _builder(
    method: PMOCO | MatchedPMOCO,
    problem: Problem,
    network: Network | Trainer,
    samples: int | None,
    seed: int,
) -> Builder:
    """Prepare to build solutions of a problem."""
    from divlearn.lab.baselines.pmoco.inference import Builder
    from divlearn.lab.baselines.pmoco.tasks import task_of

    parameters = {k: value.detach() for k, value in network.parameters.items()}
    return Builder(
        task_of(network.plan.family),
        network.plan.shape,
        parameters,
        problem,
        spread_weights(problem.num_objectives, method.weights),
        method.augment,
        samples,
        seed,
    )


def _evaluate(builder: Builder, ledger: Ledger) -> None:
    """Evaluate what is built, until it ends or the budget is spent."""
    try:
        for codes in builder:
            ledger.evaluate(codes)
    finally:
        ledger.tell("solutions_built", builder.built)


def _tell_origin(network: Network, problem: Problem, ledger: Ledger) -> None:
    """Say in the result where the network comes from."""
    facts: dict[str, Any] = {
        "network trained for": network.plan.problem,
        "network trained on": f"{network.about['instances']:,} random instances",
        "network_trained_by": f"{network.plan.scalarization} rewards",
    }
    _, size = require_family("pmoco", problem)
    if size != network.plan.size:
        facts["note"] = (
            f"the network was trained for size {network.plan.size}, not {size}; train "
            f"one for this size with: divlearn train pmoco --problem "
            f"{network.plan.family}-{size} --out FILE"
        )
    for what, value in facts.items():
        ledger.tell(what, value)
