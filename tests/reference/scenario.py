"""Scenarios by their definitions: what becomes of a list of rewards."""

import math


def noise(rewards, size, uniforms):
    """Uniform noise of standard deviation ``size``."""
    half = size * math.sqrt(3)
    return [r - half + 2 * half * u for r, u in zip(rewards, uniforms, strict=True)]


def heavy_tail(rewards, size, uniforms):
    """Student's t with two degrees of freedom, by its quantiles."""
    quantiles = [(2 * u - 1) * math.sqrt(1 / (2 * u * (1 - u))) for u in uniforms]
    return [r + size * q for r, q in zip(rewards, quantiles, strict=True)]


def shift(reward, size, iteration):
    """Lower by ``size`` from 40 to 79 and from 120 on."""
    down = 40 <= iteration < 80 or iteration >= 120
    return reward - size if down else reward


def adversarial(rewards, size):
    """What comes near the best of all rewards before loses up to ``size``."""
    told = []
    for k, reward in enumerate(rewards):
        best = max(rewards[:k], default=-math.inf)
        lost = 0.0
        if reward <= best and best - reward < 0.2:
            lost = size * (1 - (best - reward) / 0.2)
        told.append(reward - lost)
    return told


def plateau(rewards, size):
    """Of what lies above (the best so far - size), a tenth is left."""
    told = []
    for k, reward in enumerate(rewards):
        edge = max(rewards[: k + 1]) - size
        told.append(reward if reward <= edge else edge + (reward - edge) / 10)
    return told
