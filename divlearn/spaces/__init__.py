"""Spaces: what a solution is."""

from divlearn.spaces.base import Space
from divlearn.spaces.choice import Categorical, Integer, Ordinal
from divlearn.spaces.composite import Composite
from divlearn.spaces.condition import If
from divlearn.spaces.partition import Partition
from divlearn.spaces.permutation import Permutation
from divlearn.spaces.real import Real
from divlearn.spaces.subset import Binary, Subset

__all__ = [
    "Binary",
    "Categorical",
    "Composite",
    "If",
    "Integer",
    "Ordinal",
    "Partition",
    "Permutation",
    "Real",
    "Space",
    "Subset",
]
