"""The constants of the model: from a grid at first, then up the evidence."""

from __future__ import annotations

import math

from divlearn.basics.typing import Floats
from divlearn.kernels.jit import lean_kernel
from divlearn.kernels.layout import Layout
from divlearn.methods.dl.kernels.models.gp.covariance import load_rows
from divlearn.methods.dl.kernels.models.gp.interactions import choose_pairs
from divlearn.methods.dl.kernels.models.gp.likelihood import (
    log_posterior,
    set_gradient,
    set_slopes,
)
from divlearn.methods.dl.kernels.models.gp.state import HUGE, GaussianProcess
from divlearn.methods.dl.kernels.models.gp.warping import WARPS, set_targets

#: Grid of the first fit.
RATES, NOISES = (0.3, 0.8, 2.0, 5.0, 12.0), (1e-3, 1e-2, 5e-2, 3e-1)
#: Greatest noise, relative to the signal.
MOST_NOISE = math.log(2.0)
#: Points beyond which fits are rarer: a fit takes long then, and changes little.
_OFTEN_UP_TO = 100
#: Smooth and rough are compared again when points have become so many times more.
_COMPARE_AFTER = 1.3
#: A first fit takes so many times the steps of a later one.
_FIRST_FACTOR = 3
_FIRST_STEP, _LARGEST_STEP = 0.3, 1.0
#: Growth of a step while the sign of its slope stays (Rprop).
_STEP_GROWTH = 1.3


def is_due(gp: GaussianProcess) -> bool:
    """Whether there are enough new points to fit all constants again."""
    control = gp.control[0]
    growth = control.fit_growth * max(1.0, control.taken / _OFTEN_UP_TO)
    return bool(control.taken >= control.fitted * (1.0 + growth) + 2)


@lean_kernel
def fit_model(gp: GaussianProcess, layout: Layout) -> None:
    """Fit all constants to the chosen rows."""
    control = gp.control[0]
    load_rows(gp, layout)
    comparing = control.taken >= _COMPARE_AFTER * control.compared
    for o in range(gp.outputs.shape[0]):
        fit_output(gp, o, comparing)
    if comparing:
        control.compared = control.taken
    control.fitted = control.taken


@lean_kernel
def fit_output(gp: GaussianProcess, o: int, comparing: bool) -> None:
    """Fit the constants of output ``o``; smooth and rough may be compared."""
    control, count = gp.control[0], gp.control[0].num_rows
    first = control.fitted == 0
    num_steps = control.fit_steps * (_FIRST_FACTOR if first else 1)
    set_targets(gp, o, count, gp.outputs[o].warp)
    if first:
        start_hyperparameters(gp, o, count)
        maximize_posterior(gp, o, count, num_steps)
    if comparing and control.smooth > 0 and _has_ordered(gp):
        compare_smooth(gp, o, count, num_steps)
    if control.warp == 1 and o < control.num_objectives:
        choose_warp(gp, o, count)
    value = maximize_posterior(gp, o, count, num_steps)
    if control.num_pairs > 0:
        try_pairs(gp, o, count, num_steps, value)


@lean_kernel
def _has_ordered(gp: GaussianProcess) -> bool:
    """Whether any column has ordered values, which alone can be smooth."""
    found = False
    for column in gp.columns:
        found = found or column.ordered == 1
    return found


@lean_kernel
def start_hyperparameters(gp: GaussianProcess, o: int, count: int) -> None:
    """Choose rate and noise from a grid, all weights equal."""
    output, best = gp.outputs[o], -HUGE
    best_rate, best_noise = output.log_rate, output.log_noise
    for rate in RATES:
        for noise in NOISES:
            output.log_rate, output.log_noise = math.log(rate), math.log(noise)
            value = log_posterior(gp, o, count)
            if value > best:
                best, best_rate, best_noise = value, output.log_rate, output.log_noise
    output.log_rate, output.log_noise = best_rate, best_noise


@lean_kernel
def compare_smooth(gp: GaussianProcess, o: int, count: int, num_steps: int) -> None:
    """Let all ways to vary with ordered values compete by the evidence."""
    output, before = gp.outputs[o], gp.outputs[o].smooth
    best, chosen = maximize_posterior(gp, o, count, num_steps), before
    _get_theta(gp, o, gp.start_theta)
    _get_theta(gp, o, gp.other_theta)
    for smooth in range(gp.control[0].smooth + 1):
        if smooth == before:
            continue
        output.smooth = smooth
        _set_theta(gp, o, gp.start_theta)
        found = maximize_posterior(gp, o, count, num_steps)
        if found > best:
            best, chosen = found, smooth
            _get_theta(gp, o, gp.other_theta)
    output.smooth = chosen
    _set_theta(gp, o, gp.other_theta)


@lean_kernel
def try_pairs(
    gp: GaussianProcess, o: int, count: int, num_steps: int, before: float
) -> None:
    """Take in new pairs if they raise the evidence enough from ``before``."""
    output = gp.outputs[o]
    log_posterior(gp, o, count)
    set_slopes(gp, o, count)
    num_old = choose_pairs(gp, o, count)
    num_new = output.num_pairs - num_old
    if num_new == 0:
        return
    _get_theta(gp, o, gp.other_theta)
    after = maximize_posterior(gp, o, count, num_steps)
    if after < before + gp.control[0].least_evidence * num_new:
        output.num_pairs = num_old
        _set_theta(gp, o, gp.other_theta)


@lean_kernel
def choose_warp(gp: GaussianProcess, o: int, count: int) -> None:
    """Choose the warp by the evidence and leave its targets."""
    best, chosen = -HUGE, 0.0
    for warp in WARPS:
        slopes = set_targets(gp, o, count, warp)
        value = log_posterior(gp, o, count) + slopes
        if value > best:
            best, chosen = value, warp
    set_targets(gp, o, count, chosen)


@lean_kernel
def maximize_posterior(
    gp: GaussianProcess, o: int, count: int, num_steps: int
) -> float:
    """Improve the constants by steps whose sizes follow the signs of the gradient.

    Rprop: M. Riedmiller, H. Braun, "A direct adaptive method for faster
    backpropagation learning", IEEE ICNN 1993.

    Returns
    -------
    The evidence reached.
    """
    best = log_posterior(gp, o, count)
    _get_theta(gp, o, gp.theta)
    _get_theta(gp, o, gp.best_theta)
    for f in range(gp.theta.shape[0]):
        gp.steps[f], gp.signs[f] = _FIRST_STEP, 0.0
    for _ in range(num_steps):
        set_gradient(gp, o, count)
        _step(gp, gp.log_weights.shape[1] + 2 + gp.outputs[o].num_pairs)
        _set_theta(gp, o, gp.theta)
        value = log_posterior(gp, o, count)
        if value > best:
            best = value
            _get_theta(gp, o, gp.best_theta)
    _set_theta(gp, o, gp.best_theta)
    return best


@lean_kernel
def _step(gp: GaussianProcess, size: int) -> None:
    """Move ``theta`` by one step in its first ``size`` coordinates."""
    for f in range(size):
        slope = gp.gradient[f]
        sign = 1.0 if slope > 0.0 else (-1.0 if slope < 0.0 else 0.0)
        if sign * gp.signs[f] < 0.0:
            gp.steps[f] *= 0.5
            sign = 0.0
        elif sign * gp.signs[f] > 0.0:
            gp.steps[f] = min(_LARGEST_STEP, _STEP_GROWTH * gp.steps[f])
        gp.theta[f] += sign * gp.steps[f]
        gp.signs[f] = sign


@lean_kernel
def _get_theta(gp: GaussianProcess, o: int, theta: Floats) -> None:
    """Copy the constants of output ``o`` into ``theta``."""
    num_features = gp.log_weights.shape[1]
    for f in range(num_features):
        theta[f] = gp.log_weights[o, f]
    theta[num_features] = gp.outputs[o].log_rate
    theta[num_features + 1] = gp.outputs[o].log_noise
    for p in range(gp.outputs[o].num_pairs):
        theta[num_features + 2 + p] = gp.log_pairs[o, p]


@lean_kernel
def _set_theta(gp: GaussianProcess, o: int, theta: Floats) -> None:
    """Take the constants of output ``o`` from ``theta``, noise within its limits."""
    num_features = gp.log_weights.shape[1]
    for f in range(num_features):
        gp.log_weights[o, f] = theta[f]
    gp.outputs[o].log_rate = theta[num_features]
    least = math.log(gp.control[0].least_noise)
    noise = min(max(theta[num_features + 1], least), MOST_NOISE)
    gp.outputs[o].log_noise = noise
    theta[num_features + 1] = noise
    for p in range(gp.outputs[o].num_pairs):
        gp.log_pairs[o, p] = theta[num_features + 2 + p]
