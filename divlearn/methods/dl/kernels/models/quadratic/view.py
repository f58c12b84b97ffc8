"""A solution seen through the learned values: what each change would do."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from divlearn.basics.typing import Codes, Floats, Integers
from divlearn.kernels.cells import code_in, row_of
from divlearn.kernels.jit import lean_kernel
from divlearn.kernels.layout import SUBSET, Layout
from divlearn.kernels.views import viewed
from divlearn.methods.dl.kernels.models.quadratic.values import Values, uses_pairs


@viewed
class View(NamedTuple):
    """Scratch for a walk through predicted solutions."""

    actions: Integers  # (n,) action number at each position
    codes: Codes  # (n,) where the walk began
    outputs: Floats  # (p,) predicted outputs
    field: Floats  # (F, p) derivative of the outputs by each feature
    paired: Integers  # (p,) 1 where order 2 predicts the output
    ones: Integers  # (s,) ones in each segment


def new_view(layout: Layout, values: Values) -> View:
    """Make the scratch for tables of this shape."""
    num = values.outputs.shape[0]
    return View(
        np.zeros(len(layout.places), np.int64),
        np.zeros(len(layout.places), np.int64),
        np.zeros(num),
        np.zeros((values.pairs.product.shape[0], num)),
        np.zeros(num, np.int64),
        np.zeros(len(layout.segments), np.int64),
    )


@lean_kernel
def choose_orders(view: View, values: Values) -> None:
    """Let each output be predicted by the better order."""
    for k in range(view.paired.shape[0]):
        view.paired[k] = 1 if uses_pairs(values, k) else 0


@lean_kernel
def has_fields(view: View) -> bool:
    """Whether some output is predicted by order 2."""
    total = 0
    for k in range(view.paired.shape[0]):
        total += view.paired[k]
    return total > 0


@lean_kernel
def look_at(
    view: View, values: Values, layout: Layout, x: Codes, outputs: Floats
) -> None:
    """Start from solution ``x`` whose outputs are known."""
    num = outputs.shape[0]
    for k in range(num):
        view.outputs[k] = outputs[k]
    for s in range(layout.segments.shape[0]):
        view.ones[s] = 0
    for i in range(x.shape[0]):
        view.actions[i], view.codes[i] = row_of(layout, i, x[i]), x[i]
        view.ones[layout.places[i].segment] += x[i]
    if not has_fields(view):
        return
    pairs, field = values.pairs, view.field
    for f in range(field.shape[0]):
        for k in range(num):
            field[f, k] = 0.0
    for i in range(x.shape[0]):
        level = pairs.level[view.actions[i]]
        if level != 0.0:
            row = pairs.product[pairs.feature[view.actions[i]]]
            for f in range(field.shape[0]):
                for k in range(num):
                    field[f, k] += level * row[f, k]


@lean_kernel
def change(view: View, values: Values, new: int, old: int, k: int) -> float:
    """Predicted change of output ``k`` if action ``new`` replaces ``old``."""
    if view.paired[k] == 0:
        return float(values.singles.mean[new, k] - values.singles.mean[old, k])
    pairs = values.pairs
    return float(
        pairs.mean[new, k]
        - pairs.mean[old, k]
        + pairs.level[new] * view.field[pairs.feature[new], k]
        - pairs.level[old] * view.field[pairs.feature[old], k]
    )


@lean_kernel
def joint_change(
    values: Values, new: int, old: int, come: int, gone: int, k: int
) -> float:
    """What two changes do to output ``k`` beyond the sum of both, by order 2."""
    pairs = values.pairs
    feature, level, product = pairs.feature, pairs.level, pairs.product
    return float(
        level[new] * level[come] * product[feature[new], feature[come], k]
        - level[new] * level[gone] * product[feature[new], feature[gone], k]
        - level[old] * level[come] * product[feature[old], feature[come], k]
        + level[old] * level[gone] * product[feature[old], feature[gone], k]
    )


@lean_kernel
def take(view: View, values: Values, layout: Layout, i: int, new: int) -> None:
    """Give position ``i`` the action ``new``."""
    old = view.actions[i]
    num = view.outputs.shape[0]
    for k in range(num):
        view.outputs[k] += change(view, values, new, old, k)
    view.actions[i] = new
    view.ones[layout.places[i].segment] += new - old
    if not has_fields(view):
        return
    pairs, field = values.pairs, view.field
    up, down = pairs.level[new], pairs.level[old]
    come, gone = pairs.feature[new], pairs.feature[old]
    if come == gone:
        row, step = pairs.product[come], up - down
        for f in range(field.shape[0]):
            for k in range(num):
                field[f, k] += step * row[f, k]
        return
    row, other = pairs.product[come], pairs.product[gone]
    for f in range(field.shape[0]):
        for k in range(num):
            field[f, k] += up * row[f, k] - down * other[f, k]


@lean_kernel
def may_take(view: View, layout: Layout, i: int, new: int, slack: int) -> bool:
    """Whether the subset of position ``i`` keeps an allowed number of ones.

    A walk may be ``slack`` beyond the limits, but only moves towards them then.
    """
    s = layout.places[i].segment
    segment = layout.segments[s]
    if segment.kind != SUBSET:
        return True
    step = new - view.actions[i]
    ones = view.ones[s] + step
    if step > 0:
        return bool(ones <= segment.most + slack)
    return bool(ones >= segment.least - slack)


@lean_kernel
def within_limits(view: View, layout: Layout) -> bool:
    """Whether all subsets have an allowed number of ones."""
    for s in range(layout.segments.shape[0]):
        segment = layout.segments[s]
        outside = view.ones[s] < segment.least or view.ones[s] > segment.most
        if segment.kind == SUBSET and outside:
            return False
    return True


@lean_kernel
def write_codes(view: View, layout: Layout, y: Codes) -> None:
    """Write the solution into ``y``; wide positions moved by whole cells."""
    for i in range(y.shape[0]):
        y[i] = code_of_row(view, layout, i, view.actions[i])


@lean_kernel
def code_of_row(view: View, layout: Layout, i: int, row: int) -> int:
    """Code of an action of position ``i``, where the walk in view takes it."""
    return code_in(layout, i, row - layout.places[i].offset, view.codes[i])
