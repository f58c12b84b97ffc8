"""Objectives and studies that the tests of the sampler share."""

import math

import optuna
from optuna.distributions import (
    CategoricalDistribution,
    FloatDistribution,
    IntDistribution,
)

from divlearn.integration.optuna import DivlearnSampler

SPACE = {
    "x": FloatDistribution(0.0, 1.0),
    "n": IntDistribution(2, 20, step=3),
    "rate": FloatDistribution(1e-4, 1.0, log=True),
    "kind": CategoricalDistribution(("a", "b", None)),
}


def plain(trial):
    """Two values of four parameters that always exist."""
    x = trial.suggest_float("x", 0.0, 1.0)
    n = trial.suggest_int("n", 2, 20, step=3)
    rate = trial.suggest_float("rate", 1e-4, 1.0, log=True)
    kind = trial.suggest_categorical("kind", ["a", "b", None])
    return (x - 0.5) ** 2 + n, abs(math.log10(rate) + 2) + x + (kind is None)


def conditional(trial):
    """One value; what else there is depends on the kind and the number of layers."""
    kind = trial.suggest_categorical("kind", ["tree", "net", "line"])
    if kind == "tree":
        return 1.0 + (trial.suggest_int("depth", 1, 9) - 4) ** 2
    if kind == "line":
        return 3.0
    layers = trial.suggest_int("layers", 1, 3)
    units = [trial.suggest_float(f"units_{i}", 0.0, 1.0) for i in range(layers)]
    return 2.0 - layers + sum((u - 0.25) ** 2 for u in units)


def study_of(objective, trials, directions=("minimize",), storage=None, **options):
    """A study after some trials."""
    options = {"seed": 3, **options}
    sampler = DivlearnSampler(**options)
    study = optuna.create_study(directions=directions, sampler=sampler, storage=storage)
    study.optimize(objective, n_trials=trials)
    return study


BOTH = ("minimize", "minimize")
