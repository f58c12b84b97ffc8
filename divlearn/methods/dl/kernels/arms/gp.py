"""Small budgets: the Gaussian process proposes as long as evaluations are few."""

from __future__ import annotations

from divlearn.basics.typing import Codes, Floats, Integers
from divlearn.kernels.scale import tame
from divlearn.methods.dl.kernels.arms.bandit import GP
from divlearn.methods.dl.kernels.models.gp.points import take_point
from divlearn.methods.dl.kernels.models.gp.proposal import propose_gp
from divlearn.methods.dl.kernels.state import DifferenceState


def is_small(state: DifferenceState) -> bool:
    """Whether the Gaussian process makes the next candidate."""
    control = state.control[0]
    return bool(control.proposed < control.gp_candidates)


def propose_small(state: DifferenceState, x: Codes, ticket: Integers) -> bool:
    """Let the Gaussian process propose; False if it finds nothing unseen."""
    control = state.control[0]
    if not propose_gp(state.gp, state.layout, state.seen, state.rng, x):
        return False
    control.proposed += 1
    control.num_seen += 1
    ticket[0], ticket[1] = GP, control.last_sample
    return True


def take_answer(state: DifferenceState, x: Codes, answer: Floats) -> None:
    """Show an answer to the Gaussian process, objectives minimised, all tamed."""
    y = answer.copy()
    y[: len(state.objectives)] *= state.objectives.sign
    tame(y, y)
    take_point(state.gp, x, y)
