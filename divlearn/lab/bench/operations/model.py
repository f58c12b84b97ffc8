"""``operations``: which method is counted by what."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal

from divlearn.basics.errors import InputError
from divlearn.lab.baselines import OtherMethod
from divlearn.lab.baselines.bandits import PureEXP3, PureThompson, PureUCB
from divlearn.lab.baselines.bayes.bopr import BOPR
from divlearn.lab.baselines.bayes.qnehvi import QNEHVI
from divlearn.lab.baselines.bayes.qparego import QParEGO
from divlearn.lab.baselines.moead import MOEAD
from divlearn.lab.baselines.nsga2 import NSGA2
from divlearn.lab.baselines.pareto_local_search import ParetoLocalSearch
from divlearn.lab.baselines.pmoco.methods import PMOCO, MatchedPMOCO
from divlearn.lab.baselines.weighted_knapsack import WeightedKnapsack
from divlearn.lab.baselines.weighted_lkh import WeightedLKH
from divlearn.lab.baselines.weighted_two_opt import WeightedTwoOpt
from divlearn.lab.bench.operations.bandits import pure_bandit, random_search
from divlearn.lab.bench.operations.counts import Counts, Work
from divlearn.lab.bench.operations.frame import paper_frame
from divlearn.lab.bench.operations.gaussian import bayes
from divlearn.lab.bench.operations.local_search import pareto_local_search
from divlearn.lab.bench.operations.networks import matched_network, network
from divlearn.lab.bench.operations.populations import moead, nsga2
from divlearn.lab.bench.operations.weighted_sums import dynamic_program, lkh, two_opt
from divlearn.methods.base import Method
from divlearn.methods.names import method_for
from divlearn.methods.others.random import RandomSearch
from divlearn.methods.paper.method import DivideAndLearn
from divlearn.problems import Problem

#: Models by the class of the method, exactly: who derives from one does other things.
MODELS: dict[type[OtherMethod], Callable[..., Counts]] = {
    RandomSearch: random_search,
    PureUCB: pure_bandit,
    PureThompson: pure_bandit,
    PureEXP3: pure_bandit,
    NSGA2: nsga2,
    MOEAD: moead,
    ParetoLocalSearch: pareto_local_search,
    WeightedLKH: lkh,
    WeightedTwoOpt: two_opt,
    WeightedKnapsack: dynamic_program,
    PMOCO: network,
    MatchedPMOCO: matched_network,
    QNEHVI: bayes,
    QParEGO: bayes,
    BOPR: bayes,
}


def operations(
    problem: Problem,
    method: str | Method,
    evaluations: int,
    *,
    budget: int | Literal["spent"] | None = "spent",
    front_size: float = 100.0,
    tally: Mapping[str, Any] | None = None,
) -> Counts:
    """Count the operations of a search by component.

    Parameters
    ----------
    problem
        A built-in problem, whose evaluation is counted, or any other, whose evaluation
        is left out.
    method
        Name of a method, or a method with its options.
    evaluations
        Number of evaluations that were made.
    budget
        Number that was planned, by which some methods choose their options:
        ``"spent"`` for as many as were made, None if only time was limited.
    front_size
        Mean number of solutions in the archive.
    tally
        What a run counted itself, see :class:`Work`.

    Returns
    -------
    Components in the order of the algorithm, each with its count.

    Raises
    ------
    InputError
        For methods whose work depends on what they find, or on another solver.

    Examples
    --------
    >>> from divlearn import problems
    >>> counts = operations(problems.get("bitsp-20"), "paper-ucb", 10_000)
    >>> max(counts, key=lambda name: counts[name].total)
    'refinement'
    """
    chosen = method_for(method)
    model = model_of(chosen)
    planned = evaluations if budget == "spent" else budget
    return model(problem, chosen, Work(evaluations, planned, front_size, tally or {}))


def model_of(method: Method) -> Callable[..., Counts]:
    """Return what counts the operations of a method.

    Raises
    ------
    InputError
        For methods that have no model.
    """
    if isinstance(method, DivideAndLearn):
        return paper_frame
    model = MODELS.get(type(method))  # type: ignore[arg-type]
    if model is None:
        raise InputError(
            "method must be one whose work follows from sizes and options, for its "
            f"operations to be counted, got {method.name!r}; counted are the paper's "
            f"presets and {', '.join(sorted(known.name for known in MODELS))}. "
            "Measure the time of others."
        )
    return model
