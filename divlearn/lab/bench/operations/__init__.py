"""Operation counts: what a search costs, whatever machine it runs on.

A model of problem size and options, not a measurement: the arithmetic that each part
of a method implies, as in the paper's operation counts. :func:`validate` compares the
shares that it predicts with measured shares of time.
"""

from divlearn.lab.bench.operations.counts import Count, Work, evaluation, total
from divlearn.lab.bench.operations.model import operations
from divlearn.lab.bench.operations.networks import training
from divlearn.lab.bench.operations.validation import Validation, validate

__all__ = [
    "Count",
    "Validation",
    "Work",
    "evaluation",
    "operations",
    "total",
    "training",
    "validate",
]
