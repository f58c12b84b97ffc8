"""The sampler of divlearn, for ``optunahub.load_module("samplers/divlearn")``."""

from divlearn.integration.optuna import (
    DivlearnSampler,
    suggest_permutation,
    suggest_subset,
)

__all__ = ["DivlearnSampler", "suggest_permutation", "suggest_subset"]
