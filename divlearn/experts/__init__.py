"""Experts: no-regret rules that choose an action at a position."""

from divlearn.experts.base import Expert
from divlearn.experts.exp3 import EXP3
from divlearn.experts.ftrl import FTRL
from divlearn.experts.mixture import Learning, Mixture
from divlearn.experts.thompson import Thompson
from divlearn.experts.ucb import UCB
from divlearn.experts.uniform import Uniform
from divlearn.kernels.known import Known

__all__ = [
    "EXP3",
    "FTRL",
    "Expert",
    "Known",
    "Learning",
    "Mixture",
    "Thompson",
    "UCB",
    "Uniform",
]
