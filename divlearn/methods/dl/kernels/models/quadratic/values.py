"""What changes are worth on spaces without permutations, learned from differences.

Two models stand side by side: *order 1* adds a number per action (``singles.py``),
*order 2* also one per pair of actions (``pairs.py``). The *prequential* error of each,
of the next difference before it is learned, says per output which of them to believe.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from divlearn.basics.typing import Codes, Floats, Integers, Records, Words
from divlearn.kernels.cells import action_of
from divlearn.kernels.jit import lean_kernel
from divlearn.kernels.layout import PERMUTATION, Layout
from divlearn.kernels.random import below
from divlearn.kernels.views import viewed
from divlearn.methods.dl.kernels.memory import Ring
from divlearn.methods.dl.kernels.models.quadratic.pairs import (
    Pairs,
    add_to_pairs,
    new_pairs,
    pair_error,
    pair_size,
)
from divlearn.methods.dl.kernels.models.quadratic.singles import (
    TRUST,
    Singles,
    add_to_singles,
    are_known,
    new_singles,
    num_unsure,
    set_references,
    single_error,
    was_right,
)

#: Variance of every changed position up to which a difference should be known.
KNOWN = 0.2
#: Share of the newest difference in the running errors.
RATE = 0.02
#: How much smaller the steps of order 2 are while it explains nothing.
CAUTION = 1.0
#: Changed positions up to which a difference makes each of them better known, as
#: long as sums over positions may be exact.
FEW = 2
#: A prediction is right if it is off by less than this share of the usual difference.
RIGHT = 1e-9
#: Right predictions in a row after which order 1 counts as exact.
STREAK = 20

OUTPUT = np.dtype(
    [
        ("square", "f8"),  # running mean square of differences
        ("error", "f8"),  # of order 1: running mean square error
        ("pair_error", "f8"),  # of order 2
        ("seen", "f8"),  # number of differences behind the running means
        ("right", "f8"),  # differences in a row that sums had known exactly
    ]
)


@viewed
class Values(NamedTuple):
    """Tables of both orders, and how well they predict."""

    singles: Singles
    pairs: Pairs
    outputs: Records  # (p,) of OUTPUT
    streak: Integers  # (1,) differences in a row that order 1 had known exactly
    changed: Integers  # (n,) scratch: positions that differ
    error: Floats  # (p,) scratch
    old: Codes  # (n,) scratch: actions of a parent
    new: Codes  # (n,) scratch: those of its child


def new_values(layout: Layout, num_outputs: int, order: int = 2) -> Values:
    """Make tables that know nothing.

    Parameters
    ----------
    layout
        Positions; what permutations do is not learned.
    num_outputs
        Objectives and constraints, p.
    order
        2 for a table of pairs, which is left out where it would be too large.
    """
    return Values(
        new_singles(layout, num_outputs),
        new_pairs(layout, num_outputs, order),
        np.zeros(num_outputs, OUTPUT).view(np.recarray),
        np.zeros(1, np.int64),
        np.zeros(len(layout.places), np.int64),
        np.zeros(num_outputs),
        np.zeros(len(layout.places), np.int64),
        np.zeros(len(layout.places), np.int64),
    )


@lean_kernel
def list_changed(layout: Layout, x: Codes, y: Codes, changed: Integers) -> int:
    """List the positions where the actions ``x`` and ``y`` differ.

    Returns
    -------
    How many there are; 0 if a permutation differs, about which nothing is learned.
    """
    count = 0
    for i in range(x.shape[0]):
        if x[i] != y[i]:
            if layout.segments[layout.places[i].segment].kind == PERMUTATION:
                return 0
            changed[count] = i
            count += 1
    return count


@lean_kernel
def learn_values(
    values: Values,
    layout: Layout,
    parent: Codes,
    child: Codes,
    delta: Floats,
    fair: bool,
) -> None:
    """Credit a difference to the actions that changed.

    Parameters
    ----------
    values, layout
        Tables and the positions they are about.
    parent, child
        Two evaluated solutions, shape (n,).
    delta
        Outputs of the child minus those of the parent, shape (p,).
    fair
        Whether the child was chosen without looking at the tables: only then does it
        count for their errors, since chosen ones are those that look too good.
    """
    old, new = values.old, values.new
    for i in range(old.shape[0]):
        old[i] = action_of(layout, i, parent[i])
        new[i] = action_of(layout, i, child[i])
    count = list_changed(layout, old, new, values.changed)
    if count == 0:
        _doubt(values, delta)
        return
    set_references(values.singles, layout, old, values.changed, count)
    _judge(values, layout, old, new, delta, count, fair)
    if not is_exact(values):
        _learn(values, layout, old, new, delta, count, True)


@lean_kernel
def _doubt(values: Values, delta: Floats) -> None:
    """Tables are not exact where a change inside a cell makes a difference."""
    for k in range(delta.shape[0]):
        if delta[k] != 0.0:
            values.streak[0] = 0


@lean_kernel
def replay_values(
    values: Values, layout: Layout, ring: Ring, known: int, replays: int, rng: Words
) -> None:
    """Learn some of the ``known`` differences in the ring once more.

    So many that ``replays`` of one changed position each would take as long. Tables
    that are exact have nothing to learn.
    """
    work = 0 if is_exact(values) or known == 0 else 2 * replays
    while work > 0:
        work -= 1 + _replay(values, layout, ring, below(rng, known))


@lean_kernel
def replay_whole(
    values: Values, layout: Layout, ring: Ring, known: int, replays: int, rng: Words
) -> None:
    """Learn ``replays`` of the ``known`` differences once more, however long each is.

    Differences of broad steps overlap: one pass over them leaves much unexplained.
    """
    for _ in range(0 if known == 0 else replays):
        _replay(values, layout, ring, below(rng, known))


@lean_kernel
def _replay(values: Values, layout: Layout, ring: Ring, r: int) -> int:
    """Learn difference ``r`` of the ring again; return how many positions changed."""
    old, new = values.old, values.new
    for i in range(old.shape[0]):
        old[i] = action_of(layout, i, ring.parents[r, i])
        new[i] = action_of(layout, i, ring.children[r, i])
    count = list_changed(layout, old, new, values.changed)
    if count > 0:
        _learn(values, layout, old, new, ring.deltas[r], count, False)
    return count


@lean_kernel
def _learn(
    values: Values,
    layout: Layout,
    x: Codes,
    y: Codes,
    delta: Floats,
    count: int,
    fresh: bool,
) -> None:
    """Move both models so that they explain this difference."""
    singles, pairs, changed = values.singles, values.pairs, values.changed
    single_error(singles, layout, x, y, delta, changed, count, values.error)
    if count > FEW and was_right(singles):
        fresh = False  # what all of them add says little about each
    add_to_singles(singles, layout, x, y, changed, count, values.error, fresh)
    if has_pairs(values):
        pair_error(pairs, layout, x, y, delta, changed, count, values.error)
        size = pair_size(pairs, layout, x, y, changed, count)
        size *= 1.0 + CAUTION * _doubt_of_pairs(values)
        add_to_pairs(pairs, layout, x, y, changed, count, values.error, size)


@lean_kernel
def _doubt_of_pairs(values: Values) -> float:
    """Share of the differences that order 2 leaves unexplained, mean over outputs."""
    total = 0.0
    for k in range(values.outputs.shape[0]):
        output = values.outputs[k]
        if output.square > 0.0:
            total += min(1.0, output.pair_error / output.square)
    return float(total / values.outputs.shape[0])


@lean_kernel
def _judge(
    values: Values,
    layout: Layout,
    x: Codes,
    y: Codes,
    delta: Floats,
    count: int,
    fair: bool,
) -> None:
    """Compare the predictions with the difference before it is learned."""
    changed, error = values.changed, values.error
    single_error(values.singles, layout, x, y, delta, changed, count, error)
    known = are_known(values.singles, layout, x, y, changed, count, KNOWN)
    _check_exact(values, delta, known)
    if num_unsure(values.singles, layout, x, y, changed, count) == 0:
        _check_sums(values, delta)
    if not fair:
        return
    for k in range(delta.shape[0]):
        output = values.outputs[k]
        output.seen += 1.0
        rate = max(RATE, 1.0 / output.seen)
        output.square += rate * (delta[k] * delta[k] - output.square)
        output.error += rate * (error[k] * error[k] - output.error)
    if has_pairs(values) and not is_exact(values):
        pair_error(values.pairs, layout, x, y, delta, changed, count, error)
        for k in range(delta.shape[0]):
            output = values.outputs[k]
            rate = max(RATE, 1.0 / output.seen)
            output.pair_error += rate * (error[k] * error[k] - output.pair_error)


@lean_kernel
def _check_exact(values: Values, delta: Floats, known: bool) -> None:
    """Take note of how wrong order 1 was, and whether it should have ``known``."""
    num, noise = delta.shape[0], values.singles.noise
    right, moved, total = True, False, 0.0
    for k in range(num):
        square, error = values.outputs[k].square, values.error[k]
        moved = moved or delta[k] != 0.0
        if abs(error) > RIGHT * (math.sqrt(square) + abs(delta[k])):
            right = False
        if square > 0.0:
            total += min(1.0, error * error / square)
    if not right:
        values.streak[0] = 0
    elif known and moved:
        values.streak[0] += 1
    if known:
        noise[0] += RATE * (total / num - noise[0])


@lean_kernel
def _check_sums(values: Values, delta: Floats) -> None:
    """Take note of the outputs for which sums of known actions were right or wrong."""
    doubt = values.singles.doubt
    for k in range(delta.shape[0]):
        output = values.outputs[k]
        allowed = RIGHT * (math.sqrt(output.square) + abs(delta[k]))
        wrong = abs(values.error[k]) > allowed
        doubt[k] += RATE * ((1.0 if wrong else 0.0) - doubt[k])
        output.right = 0.0 if wrong else output.right + 1.0


@lean_kernel
def is_known_sum(values: Values, k: int) -> bool:
    """Whether sums over positions have lately been right about output ``k``."""
    right = values.outputs[k].right >= STREAK
    return bool(right and values.singles.doubt[k] <= TRUST)


@lean_kernel
def is_exact(values: Values) -> bool:
    """Whether order 1 has lately predicted all outputs to the last digit."""
    return bool(values.streak[0] >= STREAK)


@lean_kernel
def unexplained(values: Values, k: int) -> float:
    """Share q of the squared differences of output ``k`` that is not predicted."""
    output = values.outputs[k]
    if output.square <= 0.0:
        return 1.0
    error = output.pair_error if uses_pairs(values, k) else output.error
    return float(error / output.square)


@lean_kernel
def describes_space(values: Values) -> bool:
    """Whether there are tables: they stay empty where something is permuted."""
    return bool(values.singles.variance.shape[0] > 0)


@lean_kernel
def has_pairs(values: Values) -> bool:
    """Whether there is a table of pairs."""
    return bool(values.pairs.product.shape[0] > 0)


@lean_kernel
def uses_pairs(values: Values, k: int) -> bool:
    """Whether order 2 predicts output ``k`` better than order 1."""
    output = values.outputs[k]
    return has_pairs(values) and output.pair_error < output.error
