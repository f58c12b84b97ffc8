"""What every value of every position is worth by itself: order 1.

Only differences within a position matter. Where values are in order the unknowns are
the steps between neighbours, so that a change from 3 to 5 also says something about 4
and 6; elsewhere they are the values, compared with the one that came first.

Kernels that learn are given the actions of solutions in place of their codes, which
differ at wide positions only (:mod:`divlearn.kernels.cells`).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from divlearn.basics.typing import Codes, Floats, Integers, Words
from divlearn.kernels.cells import action_of, code_in
from divlearn.kernels.jit import lean_kernel
from divlearn.kernels.layout import ORDINAL, Layout
from divlearn.kernels.random import below
from divlearn.kernels.rules.presence import has_absent
from divlearn.kernels.views import viewed
from divlearn.methods.dl.kernels.variation import copy_codes, is_free

#: Least share of its prior variance that an action keeps, so that the table goes on
#: following, unless all that should be known has been right so far.
FLOOR, TRUST = 0.02, 1e-18
#: Share of the prior variance above which an action is worth exploring.
UNKNOWN = 0.1
#: Differences of variances below this are rounding.
ROUNDING = 1e-9


@viewed
class Singles(NamedTuple):
    """Table of order 1."""

    mean: Floats  # (A, p) what an action adds to each output
    variance: Floats  # (A,) share of the prior variance left, of an action or a step
    noise: Floats  # (1,) mean square error about known actions, by their square
    sure: Floats  # (A,) 0 where an output that is a sum knows an action, else 1
    doubt: Floats  # (p,) how often sums of such actions were wrong of late


def new_singles(layout: Layout, num_outputs: int) -> Singles:
    """Make a table that knows nothing."""
    num_actions = int(layout.places.arity.sum())
    return Singles(
        np.zeros((num_actions, num_outputs)),
        np.ones(num_actions),
        np.zeros(1),
        np.ones(num_actions),
        np.zeros(num_outputs),
    )


@lean_kernel
def single_error(
    singles: Singles,
    layout: Layout,
    x: Codes,
    y: Codes,
    delta: Floats,
    changed: Integers,
    count: int,
    error: Floats,
) -> None:
    """Write ``delta`` minus its prediction by order 1 into ``error``, shape (p,)."""
    mean = singles.mean
    for k in range(delta.shape[0]):
        error[k] = delta[k]
    for c in range(count):
        i = changed[c]
        first = layout.places[i].offset
        for k in range(delta.shape[0]):
            error[k] -= mean[first + y[i], k] - mean[first + x[i], k]


@lean_kernel
def set_references(
    singles: Singles, layout: Layout, x: Codes, changed: Integers, count: int
) -> None:
    """Let what a position first had be what its other actions are compared with."""
    for c in range(count):
        i = changed[c]
        place = layout.places[i]
        fresh = layout.segments[place.segment].kind != ORDINAL
        for a in range(place.offset, place.offset + place.arity):
            if singles.variance[a] < 1.0:
                fresh = False
                break
        if fresh:
            singles.variance[place.offset + x[i]] = 0.0
            singles.sure[place.offset + x[i]] = 0.0


@lean_kernel
def was_right(singles: Singles) -> bool:
    """Whether all that should be known has been right so far."""
    return bool(singles.noise[0] <= TRUST)


@lean_kernel
def is_sum(singles: Singles, k: int) -> bool:
    """Whether output ``k`` has been right where other outputs were not.

    What it shows of a single unknown action is then taken at its word: other outputs
    must not make its table vague. Where all are right, nothing is vague.
    """
    return bool(singles.doubt[k] <= TRUST) and not was_right(singles)


@lean_kernel
def num_unsure(
    singles: Singles,
    layout: Layout,
    x: Codes,
    y: Codes,
    changed: Integers,
    count: int,
) -> int:
    """How many unknown actions, or steps of ordered values, a difference depends on."""
    total = 0.0
    for c in range(count):
        i = changed[c]
        first = layout.places[i].offset
        if layout.segments[layout.places[i].segment].kind != ORDINAL:
            total += singles.sure[first + x[i]] + singles.sure[first + y[i]]
            continue
        old, new, absent = x[i], y[i], _absent_action(layout, i)
        if absent in (old, new):
            total += singles.sure[first + absent]
            old, new = _or_least(old, absent), _or_least(new, absent)
        for step in range(min(old, new) + 1, max(old, new) + 1):
            total += singles.sure[first + step]
    return int(total)


@lean_kernel
def _part(singles: Singles, a: int, unsure: int) -> float:
    """Share of an error of a sum that belongs to action ``a``: known ones have none."""
    return float(singles.sure[a] / max(1, unsure))


@lean_kernel
def _make_sure(
    singles: Singles,
    layout: Layout,
    x: Codes,
    y: Codes,
    changed: Integers,
    count: int,
) -> None:
    """Note that the only unknown action of a difference is known now."""
    for c in range(count):
        i = changed[c]
        first = layout.places[i].offset
        if layout.segments[layout.places[i].segment].kind != ORDINAL:
            singles.sure[first + x[i]] = singles.sure[first + y[i]] = 0.0
            continue
        old, new, absent = x[i], y[i], _absent_action(layout, i)
        if absent in (old, new):
            singles.sure[first + absent] = 0.0
            old, new = _or_least(old, absent), _or_least(new, absent)
        for step in range(min(old, new) + 1, max(old, new) + 1):
            singles.sure[first + step] = 0.0


@lean_kernel
def _known(singles: Singles, a: int) -> float:
    """Variance of an action or a step, never below the floor."""
    floor = 0.0 if was_right(singles) else FLOOR
    return float(max(floor, singles.variance[a]))


@lean_kernel
def change_variance(
    singles: Singles, layout: Layout, i: int, old: int, new: int
) -> float:
    """Variance of the change of position ``i`` from action ``old`` to ``new``."""
    first, total = layout.places[i].offset, 0.0
    if layout.segments[layout.places[i].segment].kind != ORDINAL:
        return _known(singles, first + old) + _known(singles, first + new)
    absent = _absent_action(layout, i)
    if absent in (old, new):  # a value is reached over the least one
        total = _known(singles, first + absent)
        old, new = _or_least(old, absent), _or_least(new, absent)
    for step in range(min(old, new) + 1, max(old, new) + 1):
        total += _known(singles, first + step)
    return total


@lean_kernel
def total_variance(
    singles: Singles,
    layout: Layout,
    x: Codes,
    y: Codes,
    changed: Integers,
    count: int,
) -> float:
    """Variance of a whole difference, in units of the prior variance."""
    total = 0.0
    for c in range(count):
        i = changed[c]
        total += change_variance(singles, layout, i, x[i], y[i])
    return total


@lean_kernel
def are_known(
    singles: Singles,
    layout: Layout,
    x: Codes,
    y: Codes,
    changed: Integers,
    count: int,
    most: float,
) -> bool:
    """Whether every change of a difference has a variance of at most ``most``."""
    for c in range(count):
        i = changed[c]
        if change_variance(singles, layout, i, x[i], y[i]) > most:
            return False
    return True


@lean_kernel
def add_to_singles(
    singles: Singles,
    layout: Layout,
    x: Codes,
    y: Codes,
    changed: Integers,
    count: int,
    error: Floats,
    fresh: bool,
) -> None:
    """Share ``error`` among the changed actions by their variance (Kalman).

    A difference that is not ``fresh`` was learned before and makes nothing more
    certain.
    """
    total = total_variance(singles, layout, x, y, changed, count) + singles.noise[0]
    if total <= 0.0:
        return
    unsure = num_unsure(singles, layout, x, y, changed, count)
    for c in range(count):
        i = changed[c]
        if layout.segments[layout.places[i].segment].kind == ORDINAL:
            _credit_ordered(singles, layout, i, x[i], y[i], error, total, unsure, fresh)
            continue
        old, new = layout.places[i].offset + x[i], layout.places[i].offset + y[i]
        down = _gain(singles, old, total, fresh)
        up = _gain(singles, new, total, fresh)
        gone, come = _part(singles, old, unsure), _part(singles, new, unsure)
        for k in range(error.shape[0]):
            sums = is_sum(singles, k)
            singles.mean[new, k] += (come if sums else up) * error[k]
            singles.mean[old, k] -= (gone if sums else down) * error[k]
    if fresh and unsure == 1:
        _make_sure(singles, layout, x, y, changed, count)


@lean_kernel
def _absent_action(layout: Layout, i: int) -> int:
    """Action of position ``i`` that says that it is absent; -1 if there is none."""
    return int(layout.places[i].arity - 1) if has_absent(layout, i) else -1


@lean_kernel
def _or_least(action: int, absent: int) -> int:
    """The least value in the place of an absent one."""
    return 0 if action == absent else action


@lean_kernel
def _credit_ordered(
    singles: Singles,
    layout: Layout,
    i: int,
    old: int,
    new: int,
    error: Floats,
    total: float,
    unsure: int,
    fresh: bool,
) -> None:
    """Credit the steps between two ordered values, one of which may be absent."""
    absent = _absent_action(layout, i)
    if absent in (old, new) and old != new:
        row, sign = layout.places[i].offset + absent, 1.0 if new == absent else -1.0
        share = sign * _gain(singles, row, total, fresh)
        part = sign * _part(singles, row, unsure)
        for k in range(error.shape[0]):
            singles.mean[row, k] += (part if is_sum(singles, k) else share) * error[k]
        old, new = _or_least(old, absent), _or_least(new, absent)
    _credit_steps(singles, layout, i, old, new, error, total, unsure, fresh)


@lean_kernel
def _credit_steps(
    singles: Singles,
    layout: Layout,
    i: int,
    old: int,
    new: int,
    error: Floats,
    total: float,
    unsure: int,
    fresh: bool,
) -> None:
    """Credit the steps between two ordered values; what lies above moves along."""
    place = layout.places[i]
    low, high, sign = min(old, new), max(old, new), 1.0 if new > old else -1.0
    share, part = 0.0, 0.0
    for value in range(low + 1, place.arity - int(has_absent(layout, i))):
        if value <= high:
            share += _gain(singles, place.offset + value, total, fresh)
            part += _part(singles, place.offset + value, unsure)
        for k in range(error.shape[0]):
            credit = sign * (part if is_sum(singles, k) else share)
            singles.mean[place.offset + value, k] += credit * error[k]


@lean_kernel
def _gain(singles: Singles, a: int, total: float, fresh: bool) -> float:
    """Share of an error that belongs to action ``a``, which is then better known."""
    variance = _known(singles, a)
    if fresh:
        singles.variance[a] = variance * (1.0 - variance / total)
    return variance / total


@lean_kernel
def explore_values(
    singles: Singles, layout: Layout, rng: Words, x: Codes, y: Codes
) -> bool:
    """Write ``x`` with its least known change into ``y``.

    One of both values is known unless nothing is, so that the other one is known
    after it. Subsets keep their limits; ordered values move by one step.

    Returns
    -------
    False if all changes of one position are known; ``y`` is then undefined.
    """
    n, spot, value, most = x.shape[0], -1, 0, UNKNOWN
    first = below(rng, n)
    for k in range(n):
        i = (first + k) % n
        place = layout.places[i]
        kind = layout.segments[place.segment].kind
        if not is_free(layout, x, i):
            continue
        known = kind == ORDINAL or _least_variance(singles, layout, i) > UNKNOWN
        own = action_of(layout, i, x[i])
        known = known or singles.variance[place.offset + own] <= UNKNOWN
        for new in range(place.arity - int(has_absent(layout, i))):
            if new == own or (kind == ORDINAL and abs(new - own) != 1):
                continue
            if not known and singles.variance[place.offset + new] > UNKNOWN:
                continue
            variance = change_variance(singles, layout, i, own, new)
            if variance > most + ROUNDING:
                spot, value, most = i, new, variance
    if spot < 0:
        return False
    copy_codes(x, y)
    y[spot] = code_in(layout, spot, value, x[spot])
    return True


@lean_kernel
def _least_variance(singles: Singles, layout: Layout, i: int) -> float:
    """Variance of the best known action of a position."""
    place, least = layout.places[i], 1.0
    for a in range(place.offset, place.offset + place.arity):
        least = min(least, singles.variance[a])
    return least
