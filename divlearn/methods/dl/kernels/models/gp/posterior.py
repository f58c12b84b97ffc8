"""What the model says of all rows and of one candidate."""

from __future__ import annotations

import math

from divlearn.basics.typing import Codes
from divlearn.kernels.jit import lean_kernel
from divlearn.kernels.layout import Layout
from divlearn.methods.dl.kernels.models.gp.columns import (
    add_differences,
    kind_of_difference,
    mean_similarity,
    set_similarities,
    write_row,
)
from divlearn.methods.dl.kernels.models.gp.covariance import (
    fill_kernel,
    set_weights,
    solve,
)
from divlearn.methods.dl.kernels.models.gp.state import Similarity
from divlearn.methods.dl.kernels.models.gp.warping import in_own_units, set_targets

_LEAST_VARIANCE = 1e-10


@lean_kernel
def condition(sim: Similarity, o: int) -> None:
    """Posterior of output ``o`` given the points, pending ones believed.

    A pending proposal counts as measured at its predicted mean.
    """
    control, output = sim.control[0], sim.outputs[o]
    known, count = control.num_rows, control.num_rows + control.num_pending
    set_targets(sim, o, known, output.bend)
    set_weights(sim, o)
    fill_kernel(sim, o, count)
    solve(sim, o, known, known)
    targets, alphas, noise = sim.targets[o], sim.alphas[o], math.exp(output.log_noise)
    for i in range(known):
        sim.fitted[o, i] = in_own_units(sim, o, targets[i] - noise * alphas[i])
    if count > known:
        for i in range(known, count):
            believed = output.level
            for j in range(known):
                believed += sim.kernel[i, j] * alphas[j]
            targets[i] = believed
            sim.fitted[o, i] = in_own_units(sim, o, believed)
        signal = output.signal
        solve(sim, o, count, known)
        output.signal = signal
    for i in range(count):
        for j in range(i + 1):
            sim.factors[o, j, i] = sim.lower[i, j]


@lean_kernel
def set_distances(sim: Similarity, layout: Layout, x: Codes) -> None:
    """Weighted differences of ``x`` from all rows, for every output."""
    control = sim.control[0]
    count = control.num_rows + control.num_pending
    write_row(layout, sim.first, x, sim.row)
    for o in range(sim.outputs.shape[0]):
        distances = sim.distances[o]
        for i in range(count):
            distances[i] = 0.0
        for c in range(sim.columns.shape[0]):
            kind = kind_of_difference(sim.columns[c], sim.outputs[o].smooth)
            own, others, weight = sim.row[c], sim.coordinates[c], sim.weights[o, c]
            add_differences(kind, own, others, count, weight, distances)
    _set_together(sim, count)


@lean_kernel
def _set_together(sim: Similarity, count: int) -> None:
    """What pairs add to the covariances of the candidate in ``row``."""
    for c in range(sim.columns.shape[0]):
        sim.row_means[c] = mean_similarity(sim.columns[c], sim.row[c])
        if sim.columns[c].arity > 0.0:
            set_similarities(
                sim.columns[c],
                sim.row[c],
                sim.row_means[c],
                sim.coordinates[c],
                sim.means[c],
                count,
                sim.alike[c],
            )
    for o in range(sim.outputs.shape[0]):
        together, output = sim.together[o], sim.outputs[o]
        for i in range(count):
            together[i] = 0.0
        output.own = 1.0
        for p in range(output.num_pairs):
            weight = math.exp(sim.log_pairs[o, p])
            a, b = sim.pairs[o, p, 0], sim.pairs[o, p, 1]
            output.own += weight * (_own(sim, a) * _own(sim, b))
            first, second = sim.alike[a], sim.alike[b]
            for i in range(count):
                together[i] += weight * (first[i] * second[i])


@lean_kernel
def _own(sim: Similarity, c: int) -> float:
    """Centred similarity of the candidate's coordinate with itself."""
    return float((1.0 - 2.0 * sim.row_means[c]) / (1.0 - sim.columns[c].middle))


@lean_kernel
def predict(sim: Similarity, o: int) -> None:
    """Mean and deviation of output ``o`` from the covariances in ``similar``."""
    control, output = sim.control[0], sim.outputs[o]
    count = control.num_rows + control.num_pending
    similar, sums, alphas = sim.similar, sim.sums, sim.alphas[o]
    mean = output.level
    for i in range(count):
        mean += similar[i] * alphas[i]
        sums[i] = 0.0
    for j in range(count):
        factor, row = similar[j], sim.factors[o, j]
        for i in range(j, count):
            sums[i] += factor * row[i]
    left = output.own
    for i in range(count):
        left -= sums[i] * sums[i]
    output.predicted = mean
    output.deviation = output.signal * math.sqrt(max(left, _LEAST_VARIANCE))


@lean_kernel
def predict_all(sim: Similarity, layout: Layout, x: Codes) -> None:
    """Predict every output of ``x``; its distances stay for :func:`predict_change`."""
    control = sim.control[0]
    count = control.num_rows + control.num_pending
    set_distances(sim, layout, x)
    for o in range(sim.outputs.shape[0]):
        for i in range(count):
            sim.similar[i] = math.exp(-sim.distances[o, i]) + sim.together[o, i]
        predict(sim, o)


@lean_kernel
def predict_change(sim: Similarity, c: int, after: float) -> None:
    """Predict every output with coordinate ``c`` changed to another one.

    Expects what :func:`set_distances` left of the solution before the change.
    """
    control, column, changed = sim.control[0], sim.columns[c], sim.changed
    count = control.num_rows + control.num_pending
    others, before = sim.coordinates[c], sim.row[c]
    own_mean = mean_similarity(column, after)
    set_similarities(column, after, own_mean, others, sim.means[c], count, changed)
    for o in range(sim.outputs.shape[0]):
        weight, distances, similar = sim.weights[o, c], sim.distances[o], sim.similar
        kind = kind_of_difference(column, sim.outputs[o].smooth)
        if kind == 2:
            for i in range(count):
                change = (after - before) * (after + before - 2.0 * others[i])
                similar[i] = math.exp(-distances[i] - weight * change)
        elif kind == 1:
            for i in range(count):
                change = abs(after - others[i]) - abs(before - others[i])
                similar[i] = math.exp(-distances[i] - weight * change)
        else:
            for i in range(count):
                change = 0.0
                if after == others[i]:
                    change = -weight
                elif before == others[i]:
                    change = weight
                similar[i] = math.exp(-distances[i] - change)
        own = sim.outputs[o].own
        _change_pairs(sim, o, c, own_mean, count)
        predict(sim, o)
        sim.outputs[o].own = own


@lean_kernel
def _change_pairs(sim: Similarity, o: int, c: int, own_mean: float, count: int) -> None:
    """Add to ``similar`` what pairs add once column ``c`` has changed."""
    output, similar, together = sim.outputs[o], sim.similar, sim.together[o]
    before, after, scale = sim.alike[c], sim.changed, 1.0 - sim.columns[c].middle
    for i in range(count):
        similar[i] += together[i]
    for p in range(output.num_pairs):
        a, b = sim.pairs[o, p, 0], sim.pairs[o, p, 1]
        if c not in (a, b):
            continue
        partner = b if a == c else a
        other, weight = sim.alike[partner], math.exp(sim.log_pairs[o, p])
        rise = 2.0 * (sim.row_means[c] - own_mean) / scale
        output.own += weight * (rise * _own(sim, partner))
        for i in range(count):
            similar[i] += weight * ((after[i] - before[i]) * other[i])
