"""Which methods meet which tours, and what was seen on the way."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from divlearn.basics.typing import Floats
from divlearn.lab.bench import Case, Contender, Suite
from divlearn.lab.bench.built_in import DIVERSITY_COLUMNS
from divlearn.lab.bench.snapshots import SNAPSHOTS
from divlearn.lab.paper.study import Evidence
from divlearn.methods.names import other_methods

SMALL, LARGE = "bitsp-matrix-20", "bitsp-matrix-50"
BUDGETS = {SMALL: 17_000, LARGE: 10_000}
SHORT_BUDGET = 2_000
#: Evaluations of Bayesian optimization, which takes up to seconds for each.
BAYESIAN, SHORT_BAYESIAN = 100, 24
UCB, TS, NSGA2 = "paper-ucb", "paper-ts", "nsga2"
OURS = (UCB, TS)
MODELS = ("qnehvi", "qparego", "bopr")
LOOKS, SHORT_LOOKS = 20, 8


class Numbers(NamedTuple):
    """What the paper reports of a method with 50 cities."""

    volume: float
    size: float
    coverage: float
    diversity: float
    seconds: float


PAPER = {
    NSGA2: Numbers(0.36, 26, 0.747, 2.51, 1501),
    TS: Numbers(0.36, 103, 0.911, 2.63, 16),
    UCB: Numbers(0.355, 156, 0.947, 3.57, 29),
    "qnehvi": Numbers(0.249, 182, 0.931, 3.02, 3691),
    "qparego": Numbers(0.200, 5, 0.271, 1.41, 1975),
    "bopr": Numbers(0.197, 7, 0.418, 2.01, 1305),
}


def suites(short: bool) -> tuple[Suite, ...]:
    """All methods on one instance of both sizes, five seeds."""
    budget = SHORT_BAYESIAN if short else BAYESIAN
    # Compiling dl alone takes longer than the short form may.
    names = (UCB, TS, "random") if short else (UCB, TS, "dl", "random")
    methods = [Contender(name) for name in names]
    if other_methods()[NSGA2].installed:
        methods.append(Contender(NSGA2))
    methods += [
        Contender(name, label=name, budget=budget)
        for name in MODELS
        if other_methods()[name].installed
    ]
    return tuple(
        Suite(
            problem,
            "",
            (Case(problem),),
            tuple(methods),
            budget=SHORT_BUDGET if short else BUDGETS[problem],
            instances=(100,),
            seeds=tuple(range(2 if short else 5)),
            columns=DIVERSITY_COLUMNS,
            deviation="deviation",
            snapshots=SHORT_LOOKS if short else LOOKS,
        )
        for problem in ((LARGE,) if short else (SMALL, LARGE))
    )


def on_the_way(
    evidence: Evidence, problem: str, method: str, measure: str
) -> tuple[Floats, Floats]:
    """How a measure went, over seeds.

    Returns
    -------
    Evaluations, shape (looks,), and values, shape (seeds, looks).
    """
    runs = evidence.cell(problem, method, problem).runs.values()
    found = [evidence.store.series(run.key, SNAPSHOTS) for run in runs]
    seen = [one for one in found if one is not None and len(one["evaluations"])]
    if not seen:
        return np.empty(0), np.empty((0, 0))
    count = min(len(one["evaluations"]) for one in seen)
    rows = np.array([one[measure][:count] for one in seen])
    return seen[0]["evaluations"][:count], rows


def volume_at(evidence: Evidence, problem: str, method: str, share: float) -> Floats:
    """Hypervolume when a share of the budget was spent, shape (seeds,)."""
    runs = evidence.cell(problem, method, problem).runs.values()
    found = []
    for run in runs:
        history = evidence.store.history(run.key)
        volumes = history["hypervolume"]
        place = int(np.searchsorted(history["evaluations"], share * run.evaluations))
        found.append(float(volumes[min(place, len(volumes) - 1)]))
    return np.array(found, np.float64)
