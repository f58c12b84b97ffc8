"""A sampler of Optuna, and permutations and subsets for its trials."""

from divlearn.basics.extras import need

need("optuna", "optuna")

from divlearn.integration.optuna.groups import (  # noqa: E402 - it needs Optuna
    suggest_permutation,
    suggest_subset,
)
from divlearn.integration.optuna.sampler import DivlearnSampler  # noqa: E402

__all__ = ["DivlearnSampler", "suggest_permutation", "suggest_subset"]
