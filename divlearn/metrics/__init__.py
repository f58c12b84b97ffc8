"""How good a set of solutions is, and statistics over many runs."""

from divlearn.metrics.cardinality import num_non_dominated
from divlearn.metrics.coverage import coverage
from divlearn.metrics.distance import (
    SolutionDistance,
    SpaceDistance,
    TourDistance,
    solution_distance,
)
from divlearn.metrics.diversity import (
    adjusted_diversity,
    knn_diversity,
    raw_diversity,
)
from divlearn.metrics.dominance import non_dominated
from divlearn.metrics.hypervolume import hypervolume, hypervolume_is_exact
from divlearn.metrics.reference_front import (
    additive_epsilon,
    inverted_generational_distance,
)
from divlearn.metrics.spread import spread
from divlearn.metrics.statistics import (
    Comparison,
    Summary,
    compare,
    student_quantile,
    summarize,
    wilcoxon_signed_rank,
)

__all__ = [
    "hypervolume",
    "hypervolume_is_exact",
    "non_dominated",
    "num_non_dominated",
    "coverage",
    "spread",
    "raw_diversity",
    "adjusted_diversity",
    "knn_diversity",
    "solution_distance",
    "SolutionDistance",
    "SpaceDistance",
    "TourDistance",
    "inverted_generational_distance",
    "additive_epsilon",
    "Summary",
    "summarize",
    "Comparison",
    "compare",
    "student_quantile",
    "wilcoxon_signed_rank",
]
