"""Experts: no-regret rules that choose an action at a position."""

from divlearn.methods.paper.experts.base import Expert
from divlearn.methods.paper.experts.by_name import expert_from
from divlearn.methods.paper.experts.exp3 import EXP3
from divlearn.methods.paper.experts.ftrl import FTRL
from divlearn.methods.paper.experts.mixture import Learning, Mixture
from divlearn.methods.paper.experts.thompson import Thompson
from divlearn.methods.paper.experts.ucb import UCB
from divlearn.methods.paper.experts.uniform import Uniform
from divlearn.methods.paper.kernels.known import Known

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
    "expert_from",
]
