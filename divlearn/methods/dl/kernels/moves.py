"""Random steps: blind ones, uncertain ones, and those that the tables recommend."""

from __future__ import annotations

from divlearn.basics.typing import Codes, Floats, Integers, Words
from divlearn.kernels.jit import lean_kernel
from divlearn.kernels.layout import Layout
from divlearn.kernels.moves import random_move
from divlearn.kernels.random import below
from divlearn.methods.dl.kernels.front import gain
from divlearn.methods.dl.kernels.models.additive import (
    Changes,
    Tables,
    list_step,
    uncertainty,
)
from divlearn.methods.dl.kernels.search.outlook import Outlook


@lean_kernel
def perturb(
    layout: Layout,
    x: Codes,
    window: int,
    moves: int,
    shares: Floats,
    words: Words,
    subset: Integers,
    scratch: Integers,
) -> None:
    """Make random moves inside a random window of ``x``."""
    n = x.shape[0]
    width = min(n, window)
    first = below(words, n - width + 1)
    for i in range(width):
        subset[i] = first + i
    for _ in range(moves):
        random_move(layout, x, subset, width, shares, words, scratch)


@lean_kernel
def step_uncertainty(
    tables: Tables, layout: Layout, changes: Changes, x: Codes, y: Codes
) -> float:
    """How little the table of the first objective knows of the step to ``y``."""
    e = tables.chosen[0]
    count = list_step(tables, e, layout, changes, x, y, False)
    return uncertainty(tables, e, changes, count)


@lean_kernel
def predicted_gain(outlook: Outlook) -> float:
    """What a solution with the predicted difference would add to the front."""
    m = outlook.low.shape[0]
    for j in range(outlook.delta.shape[0]):
        outlook.outputs[j] = outlook.y[j] + outlook.delta[j]
        if j >= m and outlook.outputs[j] > 0.0:
            return 0.0
    return gain(
        outlook.archive, outlook.size, outlook.outputs, outlook.low, outlook.high
    )
