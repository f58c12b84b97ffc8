"""EXP4: shares of the experts that follow the rewards of what they recommend.

An expert gains by every update, in proportion to how far the reward is above the mean,
and to how much more probable the expert alone would have made the actions than the
mixture did. Subtracting the mean changes no comparison of experts, since the ratios are
1 on average whoever chooses, and takes away most of the noise.
"""

from __future__ import annotations

import math

from divlearn.kernels.jit import lean_kernel
from divlearn.methods.paper.kernels.state import SearchState

#: Part of the choices that all experts share evenly, so that none is forgotten.
EVEN = 0.1
#: Most that the logarithm of a share changes by one update, and the least share.
MAX_GAIN, LEAST = 5.0, 1e-6


@lean_kernel
def begin_gains(state: SearchState, reward: float) -> None:
    """Take a reward into the mean, before experts are credited for it."""
    control = state.control[0]
    control.mean_reward += (reward - control.mean_reward) / (control.updates + 1.0)
    for e in range(state.experts.shape[0]):
        state.expert_gains[e] = 0.0


@lean_kernel
def credit_experts(state: SearchState, probability: float, reward: float) -> None:
    """Credit each expert for the action of one of the positions.

    Parameters
    ----------
    state
        Its ``expert_marginals`` hold the probability of the action under each.
    probability
        That under the mixture.
    reward
        Normalised reward in [-1, 1].
    """
    control = state.control[0]
    gain = control.exp4_rate * (reward - control.mean_reward)
    gain /= state.positions.shape[0] * max(probability, control.least_probability)
    for e in range(state.experts.shape[0]):
        state.expert_gains[e] += gain * state.expert_marginals[e]


@lean_kernel
def reweigh_experts(state: SearchState) -> None:
    """Multiply the shares by the exponentials of the gains."""
    count = state.experts.shape[0]
    least, total = EVEN / count, 0.0
    for e in range(count):
        gain = min(MAX_GAIN, max(-MAX_GAIN, state.expert_gains[e]))
        earned = max(LEAST, (state.expert_shares[e] - least) / (1.0 - EVEN))
        state.expert_gains[e] = earned * math.exp(gain)
        total += state.expert_gains[e]
    for e in range(count):
        state.expert_shares[e] = least + (1.0 - EVEN) * state.expert_gains[e] / total
