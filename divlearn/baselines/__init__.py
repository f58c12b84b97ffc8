"""Methods to compare with: each from one's own problem by one name."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from divlearn.baselines.base import (
    DIGEST,
    AskTell,
    Baseline,
    Ledger,
    Proposer,
    WholeSolver,
)
from divlearn.errors import InputError

__all__ = [
    "BASELINES",
    "AskTell",
    "Baseline",
    "Entry",
    "Ledger",
    "Proposer",
    "WholeSolver",
    "baseline",
    "baseline_from",
]


@dataclass(frozen=True)
class Entry:
    """Where a baseline lives, and a line on it.

    Attributes
    ----------
    home
        Module, below this package.
    kind
        Name of the class.
    about
        What it is, for lists.
    needs
        Modules from elsewhere without which it does not run.
    """

    home: str
    kind: str
    about: str
    needs: tuple[str, ...] = ()

    @property
    def installed(self) -> bool:
        """Whether all that it needs is there."""
        return all(find_spec(module) is not None for module in self.needs)


#: Baselines by name, imported when they are used: most need an extra.
BASELINES = {
    "random": Entry("random", "RandomSearch", "control: random solutions"),
    "pure-ucb": Entry(
        "bandits", "PureUCB", "bandit whose arms are whole solutions: UCB"
    ),
    "pure-exp3": Entry(
        "bandits", "PureEXP3", "bandit whose arms are whole solutions: EXP3"
    ),
    "pure-thompson": Entry(
        "bandits",
        "PureThompson",
        "bandit whose arms are whole solutions: Thompson sampling",
    ),
    "nsga2": Entry(
        "nsga2",
        "NSGA2",
        "NSGA-II with operators for every space (pymoo)",
        needs=("pymoo",),
    ),
    "moead": Entry(
        "moead",
        "MOEAD",
        "MOEA/D with operators for every space (pymoo)",
        needs=("pymoo",),
    ),
    "optuna-tpe": Entry(
        "optuna_methods",
        "OptunaTPE",
        "Optuna's tree-structured Parzen estimator",
        needs=("optuna",),
    ),
    "optuna-nsga2": Entry(
        "optuna_methods", "OptunaNSGA2", "Optuna's NSGA-II", needs=("optuna",)
    ),
    "qnehvi": Entry(
        "bayes.qnehvi",
        "QNEHVI",
        "Bayesian optimization by expected hypervolume improvement (extra bo)",
        needs=("torch", "botorch"),
    ),
    "qparego": Entry(
        "bayes.qparego",
        "QParEGO",
        "Bayesian optimization of random scalarizations (extra bo)",
        needs=("torch", "botorch"),
    ),
    "bopr": Entry(
        "bayes.bopr",
        "BOPR",
        "Bayesian optimization by probabilistic reparameterization (extra bo)",
        needs=("torch", "botorch"),
    ),
    "ppls-dc": Entry(
        "pareto_local_search",
        "ParetoLocalSearch",
        "tours, knapsacks, routes: Pareto local search by regions (PPLS/D-C)",
    ),
    "ws-lkh": Entry(
        "weighted_lkh",
        "WeightedLKH",
        "tours: weighted sums by LKH (needs elkai)",
        needs=("elkai",),
    ),
    "ws-2opt": Entry(
        "weighted_two_opt", "WeightedTwoOpt", "tours: weighted sums by 2-opt"
    ),
    "ws-dp": Entry(
        "weighted_knapsack",
        "WeightedKnapsack",
        "knapsacks: weighted sums by dynamic programming",
    ),
    "pyvrp": Entry(
        "route_limits",
        "RouteLimits",
        "routes: PyVRP below limits on the longest route",
        needs=("pyvrp",),
    ),
    "pmoco": Entry(
        "pmoco.methods",
        "PMOCO",
        "network trained on random instances (neural)",
        needs=("torch",),
    ),
    "pmoco-matched": Entry(
        "pmoco.methods",
        "MatchedPMOCO",
        "the same, with training inside the budget (neural)",
        needs=("torch",),
    ),
}
#: Functions that make a baseline of what other packages offer, and their modules.
ADAPTERS = {
    "from_nevergrad": "nevergrad_methods",
    "from_optuna": "optuna_methods",
    "from_pymoo": "pymoo_methods",
}
_HOME_OF = {entry.kind: entry.home for entry in BASELINES.values()} | ADAPTERS


def baseline(name: str) -> Baseline:
    """Return a baseline by its name, with its usual options.

    Examples
    --------
    >>> baseline("random").describe()
    {'baseline': 'random'}
    """
    entry = BASELINES[name]
    home = import_module(f"divlearn.baselines.{entry.home}")
    found: Baseline = getattr(home, entry.kind)()
    return found


def baseline_from(description: dict[str, Any]) -> Baseline:
    """Make a baseline from what :meth:`Baseline.describe` wrote."""
    options = dict(description)
    name, digest = options.pop("baseline"), options.pop(DIGEST, "")
    if name not in BASELINES:
        raise InputError(
            f"the baseline {name!r} is not one of the built-in ones; pass method= with "
            "the object."
        )
    found = baseline(name).replace(**options)
    if found.digest != digest:
        raise InputError(
            f"{', '.join(found.sources())} is not the file that {name} was described "
            "with: its content has changed. Restore it, or begin anew."
        )
    return found


def __getattr__(name: str) -> Any:
    """Load a class or an adapter from where it lives."""
    if name in _HOME_OF:
        return getattr(import_module(f"divlearn.baselines.{_HOME_OF[name]}"), name)
    raise AttributeError(f"module 'divlearn.baselines' has no attribute {name!r}")
