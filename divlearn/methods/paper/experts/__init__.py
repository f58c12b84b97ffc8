"""Experts: no-regret rules that choose an action at a position."""

from divlearn.methods.paper.experts.acquisition import EI, KG, PI
from divlearn.methods.paper.experts.base import Expert
from divlearn.methods.paper.experts.by_name import expert_from
from divlearn.methods.paper.experts.exp3 import EXP3
from divlearn.methods.paper.experts.ftrl import FTRL, EntropicFTRL
from divlearn.methods.paper.experts.learning import Learning
from divlearn.methods.paper.experts.mixture import Mixture
from divlearn.methods.paper.experts.thompson import Thompson
from divlearn.methods.paper.experts.ucb import UCB
from divlearn.methods.paper.experts.uniform import Uniform
from divlearn.methods.paper.kernels.known import Known

__all__ = [
    "EI",
    "EXP3",
    "FTRL",
    "KG",
    "PI",
    "UCB",
    "EntropicFTRL",
    "Expert",
    "Known",
    "Learning",
    "Mixture",
    "Thompson",
    "Uniform",
    "expert_from",
]
