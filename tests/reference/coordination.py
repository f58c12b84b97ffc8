"""Soft violations and DualUpdate, one position at a time."""

import math


def soft_violation(k_i, values, visits, action):
    """xi_i = (k_i - 1) Var(V_i) (1 - N_ia / sum N_i)."""
    if sum(visits) == 0:
        return 0.0
    mean = sum(values) / len(values)
    variance = sum((v - mean) ** 2 for v in values) / len(values)
    return (k_i - 1) * variance * (1.0 - visits[action] / sum(visits))


def plain_dual(price, violation, t, alpha_0, cap):
    """DualUpdate: lambda exp(alpha_t xi), held below the cap."""
    return min(cap, price * math.exp(alpha_0 / math.sqrt(t) * violation))


def nesterov_dual(price, violation, t, alpha_0, cap):
    """The paper's momentum: m + theta (m - lambda), m the mirror step from lambda."""
    moved = plain_dual(price, violation, t, alpha_0, cap)
    return min(cap, moved + 2.0 / (t + 1.0) * (moved - price))


def averaged_dual(price, mirror, violation, t, alpha_0, cap):
    """A mirror sequence takes the long step, the price averages it in."""
    theta = 2.0 / (t + 1.0)
    mirror = min(cap, mirror * math.exp(alpha_0 / math.sqrt(t) / theta * violation))
    return (1.0 - theta) * price + theta * mirror, mirror
