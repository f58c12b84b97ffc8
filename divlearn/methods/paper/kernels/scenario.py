"""Scenarios: rewards that are disturbed before the experts are told."""

from __future__ import annotations

import math

from divlearn.kernels.jit import lean_kernel
from divlearn.kernels.random import uniform
from divlearn.methods.paper.kernels.state import SearchState

NONE, NOISE, SHIFT, ADVERSARIAL, PLATEAU, HEAVY_TAIL = 0, 1, 2, 3, 4, 5
#: Iterations of a weight at which rewards are shifted.
SHIFTS = (40, 80, 120)
#: How far below the best reward the adversary still takes something away.
NEAR = 0.2
#: What is left of differences between rewards on a plateau.
FLATNESS = 0.1
#: Rewards with heavy tails are not clipped to [-1, 1], but far out.
FAR = 1000.0


@lean_kernel
def disturbed(state: SearchState, reward: float) -> float:
    """What a scenario makes of a reward; the archive sees none of it.

    The best reward that was seen on this weight is remembered.
    """
    control = state.control[0]
    kind, size = control.scenario, float(control.disturbance)
    best = float(control.best_seen)
    if kind == NONE:
        return reward
    control.best_seen = max(best, reward)
    if kind == NOISE:
        return reward + size * uniform_noise(state)
    if kind == SHIFT:
        return reward - size * shifted(control.iteration)
    if kind == ADVERSARIAL:
        return reward - size * goodness_before(reward, best)
    if kind == PLATEAU:
        return flattened(reward, max(best, reward) - size)
    return reward + size * heavy_noise(state)


@lean_kernel
def largest_reward(state: SearchState) -> float:
    """Where rewards are clipped: at 1, as the paper's theory assumes."""
    return FAR if state.control[0].scenario == HEAVY_TAIL else 1.0


@lean_kernel
def uniform_noise(state: SearchState) -> float:
    """Bounded noise of mean 0 and standard deviation 1."""
    return math.sqrt(3.0) * (2.0 * uniform(state.noise_words) - 1.0)


@lean_kernel
def heavy_noise(state: SearchState) -> float:
    """A draw of Student's t with two degrees of freedom: its variance is infinite."""
    u = max(uniform(state.noise_words), 1e-16)
    return (2.0 * u - 1.0) / math.sqrt(2.0 * u * (1.0 - u))


@lean_kernel
def shifted(iteration: int) -> float:
    """1 where rewards are shifted down, 0 where they are back: each shift is one."""
    passed = 0
    for start in SHIFTS:
        if iteration >= start:
            passed += 1
    return float(passed % 2)


@lean_kernel
def goodness_before(reward: float, best: float) -> float:
    """1 for what is as good as the best before, falling to 0; a new best is spared."""
    if reward > best:
        return 0.0
    return max(0.0, 1.0 - (best - reward) / NEAR)


@lean_kernel
def flattened(reward: float, edge: float) -> float:
    """Draw rewards above the edge of a plateau together."""
    return edge + FLATNESS * (reward - edge) if reward > edge else reward
