"""What the model says of all rows and of one candidate."""

from __future__ import annotations

import math

from divlearn.kernels.dl.bending import in_own_units, set_targets
from divlearn.kernels.dl.columns import add_differences, write_row
from divlearn.kernels.dl.evidence import (
    choose_bend,
    climb_evidence,
    fill_kernel,
    set_weights,
    solve,
    start_constants,
)
from divlearn.kernels.dl.points import Similarity, num_points
from divlearn.kernels.jit import lean_kernel
from divlearn.kernels.layout import Layout
from divlearn.typing import Codes

_LEAST_VARIANCE = 1e-10
#: A first fit takes so many times the steps of a later one.
_FIRST_FACTOR = 3


@lean_kernel
def load_rows(sim: Similarity, layout: Layout) -> None:
    """Write coordinates of all rows: chosen points, then pending proposals."""
    control = sim.control[0]
    for r in range(control.num_rows + control.num_pending):
        if r < control.num_rows:
            write_row(layout, sim.first, sim.points[sim.rows[r]], sim.row)
        else:
            p = r - control.num_rows
            write_row(layout, sim.first, sim.pending[p], sim.row)
        for c in range(sim.row.shape[0]):
            sim.coordinates[c, r] = sim.row[c]


@lean_kernel
def fit_if_due(sim: Similarity, num_objectives: int) -> None:
    """Fit all constants again when the number of points has grown enough."""
    control = sim.control[0]
    if control.taken < control.fitted * (1.0 + control.fit_growth) + 2:
        return
    first = control.fitted == 0
    num_steps = control.fit_steps * (_FIRST_FACTOR if first else 1)
    for o in range(sim.outputs.shape[0]):
        set_targets(sim, o, control.num_rows, sim.outputs[o].bend)
        if first:
            start_constants(sim, o, control.num_rows)
        if control.bend == 1 and o < num_objectives:
            choose_bend(sim, o, control.num_rows)
        climb_evidence(sim, o, control.num_rows, num_steps)
    control.fitted = control.taken


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
            ordered, weight = sim.columns[c].ordered, sim.weights[o, c]
            add_differences(
                ordered, sim.row[c], sim.coordinates[c], count, weight, distances
            )


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
    left = 1.0
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
            sim.similar[i] = math.exp(-sim.distances[o, i])
        predict(sim, o)


@lean_kernel
def predict_change(sim: Similarity, c: int, before: float, after: float) -> None:
    """Predict every output with coordinate ``c`` changed, distances given."""
    control = sim.control[0]
    count = control.num_rows + control.num_pending
    others, ordered = sim.coordinates[c], sim.columns[c].ordered == 1
    for o in range(sim.outputs.shape[0]):
        weight, distances, similar = sim.weights[o, c], sim.distances[o], sim.similar
        if ordered:
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
        predict(sim, o)


@lean_kernel
def use_all_points(sim: Similarity) -> None:
    """Build the model on all points."""
    sim.control[0].num_rows = num_points(sim)
    for i in range(num_points(sim)):
        sim.rows[i] = i
