"""Methods to compare with, each available by name on your own problem."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from divlearn.methods.others.base import (
    AskTell,
    Entry,
    Ledger,
    OtherMethod,
    Proposer,
    WholeSolver,
)

__all__ = [
    "BASELINES",
    "AskTell",
    "OtherMethod",
    "Entry",
    "Ledger",
    "Proposer",
    "WholeSolver",
    "baseline",
]


def _here(home: str, kind: str, about: str, needs: tuple[str, ...] = ()) -> Entry:
    """An entry whose module is below this package."""
    return Entry(f"{__name__}.{home}", kind, about, needs)


#: Baselines by name, imported when they are used: most need an extra.
BASELINES = {
    "pure-ucb": _here(
        "bandits", "PureUCB", "bandit whose arms are whole solutions: UCB"
    ),
    "pure-exp3": _here(
        "bandits", "PureEXP3", "bandit whose arms are whole solutions: EXP3"
    ),
    "pure-thompson": _here(
        "bandits",
        "PureThompson",
        "bandit whose arms are whole solutions: Thompson sampling",
    ),
    "rls": _here(
        "random_local_search",
        "RandomLocalSearch",
        "random local search: long steps first, short ones later, a tabu list",
    ),
    "linkage-tree": _here(
        "linkage.method",
        "LinkageTree",
        "bits, categories, levels: mixing by a linkage tree, as MO-GOMEA does",
    ),
    "nsga2": _here(
        "nsga2",
        "NSGA2",
        "NSGA-II with operators for every space (pymoo)",
        needs=("pymoo",),
    ),
    "moead": _here(
        "moead",
        "MOEAD",
        "MOEA/D with operators for every space (pymoo)",
        needs=("pymoo",),
    ),
    "optuna-tpe": _here(
        "optuna_methods",
        "OptunaTPE",
        "Optuna's tree-structured Parzen estimator",
        needs=("optuna",),
    ),
    "optuna-nsga2": _here(
        "optuna_methods", "OptunaNSGA2", "Optuna's NSGA-II", needs=("optuna",)
    ),
    "optuna-gp": _here(
        "optuna_methods",
        "OptunaGP",
        "Optuna's Gaussian processes (extras bench and bo)",
        needs=("optuna", "torch"),
    ),
    "qnehvi": _here(
        "bayes.qnehvi",
        "QNEHVI",
        "Bayesian optimization by expected hypervolume improvement (extra bo)",
        needs=("torch", "botorch"),
    ),
    "qparego": _here(
        "bayes.qparego",
        "QParEGO",
        "Bayesian optimization of random scalarizations (extra bo)",
        needs=("torch", "botorch"),
    ),
    "bopr": _here(
        "bayes.bopr",
        "BOPR",
        "Bayesian optimization by probabilistic reparameterization (extra bo)",
        needs=("torch", "botorch"),
    ),
    "ppls-dc": _here(
        "pareto_local_search",
        "ParetoLocalSearch",
        "tours, knapsacks, routes: Pareto local search by regions (PPLS/D-C)",
    ),
    "ws-lkh": _here(
        "weighted_lkh",
        "WeightedLKH",
        "tours: weighted sums by LKH (needs elkai)",
        needs=("elkai",),
    ),
    "ws-2opt": _here(
        "weighted_two_opt", "WeightedTwoOpt", "tours: weighted sums by 2-opt"
    ),
    "ws-dp": _here(
        "weighted_knapsack",
        "WeightedKnapsack",
        "knapsacks: weighted sums by dynamic programming",
    ),
    "pyvrp": _here(
        "route_limits",
        "RouteLimits",
        "routes: PyVRP with limits on the longest route",
        needs=("pyvrp",),
    ),
    "pmoco": _here(
        "pmoco.methods",
        "PMOCO",
        "network trained on random instances (neural)",
        needs=("torch",),
    ),
    "pmoco-matched": _here(
        "pmoco.methods",
        "MatchedPMOCO",
        "the same, with training inside the budget (neural)",
        needs=("torch",),
    ),
}
#: Functions that turn what other packages offer into a baseline, and their modules.
ADAPTERS = {
    "from_nevergrad": "nevergrad_methods",
    "from_optuna": "optuna_methods",
    "from_pymoo": "pymoo_methods",
}
_HOME_OF = {entry.kind: entry.home for entry in BASELINES.values()} | {
    name: f"{__name__}.{module}" for name, module in ADAPTERS.items()
}


def baseline(name: str) -> OtherMethod:
    """Return a baseline by its name, with its usual options.

    Examples
    --------
    >>> baseline("pure-ucb").name
    'pure-ucb'
    """
    return BASELINES[name].make()


def __getattr__(name: str) -> Any:
    """Load a class or an adapter from its module."""
    if name in _HOME_OF:
        return getattr(import_module(_HOME_OF[name]), name)
    raise AttributeError(f"module 'divlearn.lab.baselines' has no attribute {name!r}")
