"""What the tests of the similarity expert share: small memories, and its kernels."""

import numpy as np

import divlearn as dl
from divlearn.kernels.jit import lean_kernel
from divlearn.methods.dl.kernels.models.gp.acquisition import (
    draw_directions,
    draw_hope,
    find_front,
    gain,
    log_chance,
    set_box,
)
from divlearn.methods.dl.kernels.models.gp.columns import write_row
from divlearn.methods.dl.kernels.models.gp.covariance import load_rows
from divlearn.methods.dl.kernels.models.gp.likelihood import log_evidence, set_gradient
from divlearn.methods.dl.kernels.models.gp.points import (
    choose_rows,
    take_pending,
    take_point,
)
from divlearn.methods.dl.kernels.models.gp.posterior import (
    condition,
    predict_all,
    predict_change,
    set_distances,
)
from divlearn.methods.dl.kernels.models.gp.state import new_similarity
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
    sim = new_similarity(space.layout, num_objectives, p, 20, **QUICK | settings)
    for x in codes_of(space, count, seed):
        take_point(sim, x, rng.normal(size=p))
    choose_rows(sim)
    sim.log_weights[:] = rng.normal(0, 0.5, sim.log_weights.shape)
    sim.outputs.log_rate = rng.normal(0.5, 0.5, p)
    sim.outputs.log_noise = np.log(rng.uniform(0.01, 0.2, p))
    return sim


def wait_for(sim, space, count, seed=1000):
    """Let some solutions be proposed and not answered; returns them."""
    pending = codes_of(space, count, seed)
    for x in pending:
        take_pending(sim, x)
    return pending


def pair_up(sim, pairs):
    """Give pairs of columns, ``(a, b, weight)``, to every output."""
    for k, (a, b, weight) in enumerate(pairs):
        sim.pairs[:, k] = a, b
        sim.log_pairs[:, k] = np.log(weight)
    sim.outputs.num_pairs = len(pairs)


def feature_weights(sim, o):
    """Weight of every feature, as its definition has it."""
    rate = np.exp(sim.outputs[o].log_rate)
    return rate * np.exp(sim.log_weights[o]) / sim.log_weights.shape[1]


@lean_kernel
def learn(sim, layout):
    """Condition all outputs on the chosen rows, outputs not bent."""
    load_rows(sim, layout)
    for o in range(sim.outputs.shape[0]):
        condition(sim, o)


@lean_kernel
def evidence(sim, layout, o):
    """Evidence and prior of the constants of output ``o``; leaves the gradient."""
    count = sim.control[0].num_rows
    load_rows(sim, layout)
    set_targets(sim, o, count, sim.outputs[o].bend)
    value = log_evidence(sim, o, count)
    set_gradient(sim, o, count)
    return value


@lean_kernel
def bend_targets(sim, o, bend):
    """Write targets; returns the logarithm of the product of the slopes."""
    return set_targets(sim, o, sim.control[0].num_rows, bend)


@lean_kernel
def predict_at(sim, layout, x):
    """Predict all outputs of ``x`` after :func:`learn`; returns its log chance."""
    predict_all(sim, layout, x)
    return log_chance(sim)


@lean_kernel
def predict_changed(sim, layout, x, c, coordinate):
    """Predict all outputs of ``x`` with column ``c`` changed."""
    set_distances(sim, layout, x)
    predict_change(sim, c, coordinate)


@lean_kernel
def see_front(sim, words):
    """Find the front after :func:`learn`, its box, directions and a hope."""
    find_front(sim)
    set_box(sim)
    draw_directions(sim, words)
    draw_hope(sim, words)


@lean_kernel
def hope(sim, words):
    """Draw how much is hoped for."""
    draw_hope(sim, words)


@lean_kernel
def gain_at(sim, place):
    """Gain of a place in the box, shape (m,), after :func:`see_front`."""
    for o in range(place.shape[0]):
        sim.place[o] = place[o]
    return gain(sim)


def coordinates(sim, layout, x):
    """Coordinates of ``x``, shape (C,)."""
    row = np.empty(len(sim.columns))
    write_row(layout, sim.first, x, row)
    return row
