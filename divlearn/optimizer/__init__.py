"""A search that is asked and told, saved and loaded."""

from divlearn.optimizer.candidates import Candidate
from divlearn.optimizer.optimizer import Optimizer

__all__ = ["Candidate", "Optimizer"]
