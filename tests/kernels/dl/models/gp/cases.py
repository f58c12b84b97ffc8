"""What the tests of the Gaussian process share: small memories, and its kernels."""

import numpy as np

import divlearn as dl
from divlearn.kernels.jit import lean_kernel
from divlearn.methods.dl.kernels.models.gp.acquisition import (
    draw_directions,
    draw_kappa,
    find_front,
    gain,
    log_feasibility,
    set_box,
)
from divlearn.methods.dl.kernels.models.gp.columns import write_row
from divlearn.methods.dl.kernels.models.gp.covariance import load_rows
from divlearn.methods.dl.kernels.models.gp.likelihood import log_posterior, set_gradient
from divlearn.methods.dl.kernels.models.gp.mixture import (
    LOGIT,
    NEGLIGIBLE,
    hear_blocks,
)
from divlearn.methods.dl.kernels.models.gp.points import (
    choose_rows,
    take_pending,
    take_point,
)
from divlearn.methods.dl.kernels.models.gp.posterior import (
    begin_change,
    bound_deviation,
    condition,
    predict_output,
    set_anchor,
    set_covariances,
    set_distances,
)
from divlearn.methods.dl.kernels.models.gp.state import new_gp
from divlearn.methods.dl.kernels.models.gp.warping import set_targets

#: Every kind of position, without permutations.
MIXED = dl.Composite(
    bits=dl.Binary(2),
    few=dl.Subset(4, min=1, max=2),
    name=dl.Categorical(["a", "b", "c"]),
    step=dl.Ordinal([1, 2, 5, 9]),
    size=dl.Integer(1, 6),
)
#: Settings under which plain Python needs no minute.
QUICK = {"num_initial": 4, "num_tries": 8, "num_steps": 20, "fit_steps": 2}


def codes_of(space, count, seed=0):
    """Random solutions, shape (count, n)."""
    return np.array([space.encode(space.sample(seed + k)) for k in range(count)])


def memory_of(space, count, num_objectives=2, num_constraints=0, seed=0, **settings):
    """A memory of random solutions with random outputs and random constants."""
    rng, p = np.random.default_rng(seed), num_objectives + num_constraints
    gp = new_gp(space.layout, num_objectives, p, 20, **QUICK | settings)
    for x in codes_of(space, count, seed):
        take_point(gp, x, rng.normal(size=p))
    choose_rows(gp)
    gp.log_weights[:] = rng.normal(0, 0.5, gp.log_weights.shape)
    gp.outputs.log_rate = rng.normal(0.5, 0.5, p)
    gp.outputs.log_noise = np.log(rng.uniform(0.01, 0.2, p))
    return gp


def wait_for(gp, space, count, seed=1000):
    """Let some solutions be proposed and not answered; returns them."""
    pending = codes_of(space, count, seed)
    for x in pending:
        take_pending(gp, x)
    return pending


def pair_up(gp, pairs):
    """Give pairs of columns, ``(a, b, weight)``, to every output."""
    for k, (a, b, weight) in enumerate(pairs):
        gp.pairs[:, k] = a, b
        gp.log_pairs[:, k] = np.log(weight)
    gp.outputs.num_pairs = len(pairs)


def feature_weights(gp, o):
    """Weight of every feature and way to compare orders, as its definition has it."""
    logs = gp.log_weights[o, : gp.log_weights.shape[1] - len(gp.blocks)]
    return np.exp(gp.outputs[o].log_rate + logs) / len(logs)


def shares(gp, o):
    """Share of every way to compare orders, that of the exponential last."""
    logits = LOGIT * gp.log_weights[o, gp.log_weights.shape[1] - len(gp.blocks) :]
    parts = np.exp([*(logits + gp.blocks.logit), 0.0])
    return parts / parts.sum()


def kept_parts(gp, o):
    """Weights and shares like the above, without what is next to nothing."""
    weights, parts, num_blocks = feature_weights(gp, o), shares(gp, o), len(gp.blocks)
    least = parts[-1]
    for b in range(num_blocks):
        if parts[b] < NEGLIGIBLE:
            parts[b] = 0.0
            rate = len(weights) - num_blocks + b
            if least * weights[rate] < NEGLIGIBLE:
                weights[rate] = 0.0
    return weights, parts / parts.sum()


@lean_kernel
def learn(gp, layout):
    """Condition all outputs on the chosen rows, outputs not bent."""
    load_rows(gp, layout)
    for o in range(gp.outputs.shape[0]):
        condition(gp, o, 0)
    hear_blocks(gp)


@lean_kernel
def bound_at(gp, layout, anchor, x):
    """Bound the deviations of ``x`` after :func:`learn`, by one of another solution."""
    set_distances(gp, layout, anchor)
    set_anchor(gp)
    set_distances(gp, layout, x)
    for o in range(gp.control[0].num_objectives):
        set_covariances(gp, o, -1, 0.0, 0.0)
        bound_deviation(gp, o)


@lean_kernel
def evidence(gp, layout, o):
    """Evidence and prior of the constants of output ``o``; leaves the gradient."""
    count = gp.control[0].num_rows
    load_rows(gp, layout)
    set_targets(gp, o, count, gp.outputs[o].warp)
    value = log_posterior(gp, o, count)
    set_gradient(gp, o, count)
    return value


@lean_kernel
def bend_targets(gp, o, warp):
    """Write targets; returns the logarithm of the product of the slopes."""
    return set_targets(gp, o, gp.control[0].num_rows, warp)


@lean_kernel
def predict_at(gp, layout, x):
    """Predict all outputs of ``x`` after :func:`learn`; returns its log chance."""
    set_distances(gp, layout, x)
    chance = 0.0
    for o in range(gp.outputs.shape[0]):
        predict_output(gp, o, -1, 0.0, 0.0)
        if o >= gp.control[0].num_objectives:
            chance += log_feasibility(gp, o)
    return chance


@lean_kernel
def predict_changed(gp, layout, x, c, coordinate):
    """Predict all outputs of ``x`` with column ``c`` changed."""
    set_distances(gp, layout, x)
    mean = begin_change(gp, c, coordinate)
    for o in range(gp.outputs.shape[0]):
        predict_output(gp, o, c, coordinate, mean)


@lean_kernel
def see_front(gp, words):
    """Find the front after :func:`learn`, its box, directions and a hope."""
    find_front(gp)
    set_box(gp)
    draw_directions(gp, words)
    draw_kappa(gp, words)


@lean_kernel
def kappa(gp, words):
    """Draw how much is hoped for."""
    draw_kappa(gp, words)


@lean_kernel
def gain_at(gp, place):
    """Gain of a place in the box, shape (m,), after :func:`see_front`."""
    for o in range(place.shape[0]):
        gp.place[o] = place[o]
    return gain(gp)


def coordinates(gp, layout, x):
    """Coordinates of ``x``, shape (C,)."""
    row = np.empty(len(gp.columns))
    write_row(layout, gp.first, x, row)
    return row
