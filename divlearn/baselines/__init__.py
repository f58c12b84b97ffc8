"""Methods to compare with: each from one's own problem by one name."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import Any

from divlearn.baselines.base import AskTell, Baseline, Ledger, Proposer, WholeSolver
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
    """

    home: str
    kind: str
    about: str


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
    "qnehvi": Entry(
        "bayes.qnehvi",
        "QNEHVI",
        "Bayesian optimization by expected hypervolume improvement (extra bo)",
    ),
    "qparego": Entry(
        "bayes.qparego",
        "QParEGO",
        "Bayesian optimization of random scalarizations (extra bo)",
    ),
    "bopr": Entry(
        "bayes.bopr",
        "BOPR",
        "Bayesian optimization by probabilistic reparameterization (extra bo)",
    ),
}
_HOME_OF = {entry.kind: entry.home for entry in BASELINES.values()}


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
    name = options.pop("baseline")
    if name not in BASELINES:
        raise InputError(
            f"the baseline {name!r} is not one of the built-in ones; pass method= with "
            "the object."
        )
    return baseline(name).replace(**options)


def __getattr__(name: str) -> Any:
    """Load a class from where it lives."""
    if name in _HOME_OF:
        return getattr(import_module(f"divlearn.baselines.{_HOME_OF[name]}"), name)
    raise AttributeError(f"module 'divlearn.baselines' has no attribute {name!r}")
