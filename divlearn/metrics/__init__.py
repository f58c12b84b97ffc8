"""How good a set of solutions is."""

from divlearn.metrics.dominance import non_dominated
from divlearn.metrics.hypervolume import hypervolume

__all__ = ["hypervolume", "non_dominated"]
