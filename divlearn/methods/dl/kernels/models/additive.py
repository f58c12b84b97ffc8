"""Tables of action values, learned from the differences that single steps make.

Every encoding explains a difference of outputs as a sum over the actions that changed.
Its table holds a mean per action and output and a variance per action in units of the
prior's, and is corrected by what it failed to predict. With c_k = 1 or -1 for an
action that came or went, a difference is delta = sum_k c_k theta_k + noise, and

    gain_k  = c_k v_k / (sum_i c_i^2 v_i + noise)
    theta_k = theta_k + gain_k (delta - sum_i c_i theta_i)
    v_k     = v_k (1 - c_k gain_k)

for mean theta and variance v: a Kalman filter, or recursive least squares (RLS), that
keeps only the diagonal of the covariance. Past differences are replayed from a ring
with the variances held (steps of Kaczmarz's method, weighted by them), which makes the
table exact where an output is a sum over actions.
"""

from __future__ import annotations

from typing import NamedTuple

from divlearn.basics.typing import Codes, Floats, Integers, Words
from divlearn.kernels.jit import lean_kernel
from divlearn.kernels.layout import Layout
from divlearn.kernels.views import viewed
from divlearn.methods.dl.kernels.memory import (
    Ring,
    list_in_ring,
)
from divlearn.methods.dl.kernels.models.custom import BUILT_IN, list_custom_changes
from divlearn.methods.dl.kernels.models.encodings import Changes, list_changes

#: Least variance of an action, as a share of the prior: tables can follow a drift.
LEAST_VARIANCE = 0.02
#: Squared error, relative to the squared size, of what was as expected.
EXPECTED, TINY = 1e-8, 1e-300
#: Rows that are looked at for one action, and the factor that scatters actions.
MOST_PROBES, HASH = 32, 2_654_435_761
#: Share of a weighted sum's variance below which an output does not matter in it.
MATTERING = 0.05
#: Keeps the gain of a filter finite where nothing is uncertain.
JITTER = 1e-12
#: Share of the best encoding's error below which a rival takes its place: the choice
#: must not flicker.
CLEARLY_BETTER = 0.9
#: Weight of the latest difference in running means.
RECENT = 0.02


@viewed
class Tables(NamedTuple):
    """What is known of the actions of every encoding in use."""

    encodings: Integers  # (E,) which encodings
    keys: Integers  # (E, S) actions that have a row, -1 for none; S = 0: all have one
    mean: Floats  # (E, R, m + c) what an action adds to each output
    variance: Floats  # (E, R) uncertainty, in units of the prior variance
    noise: Floats  # (E,) what tables cannot explain, in the same units
    error: Floats  # (E, m + c) running mean of squared errors of prediction
    size: Floats  # (m + c,) running mean of squared differences
    changed: Floats  # (E,) running mean of the number of actions a step changes
    chosen: Integers  # (m + c,) row of the encoding that explains each output best
    judged: Integers  # (1,) differences that counted in the running means
    addresses: Words  # (E,) of encodings of a user's own, 0 for those built in


@lean_kernel
def list_step(
    tables: Tables,
    e: int,
    layout: Layout,
    changes: Changes,
    x: Codes,
    y: Codes,
    claim: bool,
) -> int:
    """List the rows of table ``e`` whose actions the step from ``x`` to ``y`` changes.

    Parameters
    ----------
    tables, e
        Tables, and the row of an encoding.
    layout, changes
        Space and scratch, which is filled.
    x, y
        Solutions before and after the step, shape (n,).
    claim
        Whether actions without a row are given one.

    Returns
    -------
    Number of changed actions.
    """
    count = _list_actions(tables, e, layout, changes, x, y)
    find_rows(tables, e, changes, count, claim)
    return count


@lean_kernel
def _list_actions(
    tables: Tables, e: int, layout: Layout, changes: Changes, x: Codes, y: Codes
) -> int:
    """List the actions of encoding number ``e`` that the step from ``x`` changes."""
    if tables.addresses[e] == BUILT_IN:
        return list_changes(layout, tables.encodings[e], x, y, changes)
    return list_custom_changes(tables.addresses[e], x, y, changes)


@lean_kernel
def find_rows(
    tables: Tables, e: int, changes: Changes, count: int, claim: bool
) -> None:
    """Turn the listed actions into rows of a table.

    Where there is a row for every action that is no work. Elsewhere rows are given out
    as actions are learned about (``claim``), found again by hashing; an action without
    one is a stranger, for whom the last row stands, which never changes.
    """
    if tables.keys.shape[1] == 0:
        return
    for k in range(count):
        changes.actions[k] = find_row(tables.keys[e], changes.actions[k], claim)


@lean_kernel
def find_row(keys: Integers, action: int, claim: bool) -> int:
    """Row of an action, or that of strangers: the number of keys."""
    size = keys.shape[0]
    place = (action * HASH) % size
    for _ in range(MOST_PROBES):
        if keys[place] == action:
            return int(place)
        if keys[place] < 0:
            if not claim:
                return int(size)
            keys[place] = action
            return int(place)
        place = place + 1 if place + 1 < size else 0
    return int(size)


@lean_kernel
def quality(tables: Tables, e: int, j: int) -> float:
    """q: squared error of prediction by squared size, of output ``j``; 1 is nothing."""
    if tables.size[j] <= 0.0:
        return 1.0
    return float(tables.error[e, j] / tables.size[j])


@lean_kernel
def running_rate(tables: Tables) -> float:
    """Weight of the latest difference: a plain mean at first, then a running one."""
    return float(max(RECENT, 1.0 / max(1, tables.judged[0])))


@lean_kernel
def chosen_quality(tables: Tables, num_objectives: int) -> float:
    """The largest q of the objectives, each by the encoding that explains it best."""
    worst = 0.0
    for j in range(num_objectives):
        worst = max(worst, quality(tables, tables.chosen[j], j))
    return worst


@lean_kernel
def weighted_quality(tables: Tables, weights: Floats) -> float:
    """The largest q of the outputs that matter in a weighted sum."""
    total, worst = 0.0, 0.0
    for j in range(weights.shape[0]):
        total += weights[j] * weights[j] * tables.size[j]
    for j in range(weights.shape[0]):
        part = weights[j] * weights[j] * tables.size[j]
        if part > MATTERING * total:
            worst = max(worst, quality(tables, tables.chosen[j], j))
    return worst if total > 0.0 else 1.0


@lean_kernel
def predict(tables: Tables, e: int, changes: Changes, count: int, j: int) -> float:
    """Difference of output ``j`` that the listed changes should make."""
    total = 0.0
    for k in range(count):
        total += changes.signs[k] * tables.mean[e, changes.actions[k], j]
    return total


@lean_kernel
def uncertainty(tables: Tables, e: int, changes: Changes, count: int) -> float:
    """Variance of the predicted difference, in units of the prior."""
    total = 0.0
    for k in range(count):
        sign = changes.signs[k]
        total += sign * sign * tables.variance[e, changes.actions[k]]
    return total


@lean_kernel
def predict_step(
    tables: Tables, layout: Layout, changes: Changes, x: Codes, y: Codes, delta: Floats
) -> None:
    """Write the predicted difference of every output for the step to ``y``."""
    for e in range(tables.encodings.shape[0]):
        listed = -1
        for j in range(delta.shape[0]):
            if tables.chosen[j] != e:
                continue
            if listed < 0:
                listed = list_step(tables, e, layout, changes, x, y, False)
            delta[j] = predict(tables, e, changes, listed, j)


@lean_kernel
def learn_difference(
    tables: Tables,
    layout: Layout,
    changes: Changes,
    parent: Codes,
    child: Codes,
    delta: Floats,
    judged: bool,
) -> float:
    """Credit ``delta``, shape (m + c,), to the actions that changed.

    Parameters
    ----------
    tables, layout, changes
        Tables, space and scratch.
    parent, child
        Solutions before and after the step, shape (n,).
    delta
        Outputs of the child minus those of the parent.
    judged
        Whether the step was chosen without looking at the tables: only then does its
        error say how good they are.

    Returns
    -------
    Squared error of the chosen tables by the squared size of differences, the largest
    over all outputs.
    """
    outputs = delta.shape[0]
    if not judged:
        predict_step(tables, layout, changes, parent, child, changes.errors)
        surprise = 0.0
        for j in range(outputs):
            square = (delta[j] - changes.errors[j]) ** 2
            surprise = max(surprise, square / max(tables.size[j], TINY))
        if surprise < EXPECTED:
            return surprise
    if judged:
        _note_size(tables, delta)
    surprise = 0.0
    for e in range(tables.encodings.shape[0]):
        count = list_step(tables, e, layout, changes, parent, child, True)
        error = _correct(tables, e, changes, count, delta, judged)
        surprise = max(surprise, error)
    if judged:
        choose_encodings(tables)
    return surprise


@lean_kernel
def _note_size(tables: Tables, delta: Floats) -> None:
    """Count a difference that judges, and how large it is."""
    tables.judged[0] += 1
    rate = running_rate(tables)
    for j in range(delta.shape[0]):
        square = delta[j] * delta[j]
        tables.size[j] += rate * (square - tables.size[j])


@lean_kernel
def learn_listed(
    tables: Tables,
    layout: Layout,
    changes: Changes,
    ring: Ring,
    place: int,
    parent: Codes,
    child: Codes,
    judged: bool,
) -> float:
    """Credit the difference at ``place`` of the ring, which lists what changed.

    What changed too many actions of an encoding to be listed says nothing of a single
    one, and counts as not predicted. The parameters are those of ``learn_difference``.

    Returns
    -------
    Squared error as there; negative if no encoding could list the difference.
    """
    delta, surprise = ring.deltas[place], -1.0
    if judged:
        _note_size(tables, delta)
    for e in range(tables.encodings.shape[0]):
        count = _list_actions(tables, e, layout, changes, parent, child)
        if list_in_ring(ring, place, e, changes, count):
            find_rows(tables, e, changes, count, True)
            error = _correct(tables, e, changes, count, delta, judged)
            surprise = max(surprise, error)
        elif judged:
            rate = running_rate(tables)
            for j in range(delta.shape[0]):
                square = delta[j] * delta[j]
                tables.error[e, j] += rate * (square - tables.error[e, j])
    if judged:
        choose_encodings(tables)
    return surprise


@lean_kernel
def _correct(
    tables: Tables, e: int, changes: Changes, count: int, delta: Floats, judged: bool
) -> float:
    """Kalman step of one encoding; return its error where it is the chosen one.

    The prior variance of an action is what an output's differences show per changed
    action, so that nothing depends on the units of the outputs.
    """
    total = uncertainty(tables, e, changes, count)
    excess, surprise, outputs = 0.0, 0.0, delta.shape[0]
    rate = running_rate(tables) if judged else 0.0
    tables.changed[e] += rate * (count - tables.changed[e])
    for j in range(outputs):
        error = delta[j] - predict(tables, e, changes, count, j)
        changes.errors[j] = error
        square = error * error
        tables.error[e, j] += rate * (square - tables.error[e, j])
        if tables.size[j] > 0.0:
            parts = square * tables.changed[e] / tables.size[j]
            excess += (parts - total) / outputs
            if tables.chosen[j] == e:
                surprise = max(surprise, square / tables.size[j])
    tables.noise[e] += rate * (max(0.0, excess) - tables.noise[e])
    scale = 1.0 / (total + tables.noise[e] + JITTER)
    stranger = tables.keys.shape[1] if tables.keys.shape[1] > 0 else -1
    for k in range(count):
        a = changes.actions[k]
        if a == stranger:
            continue
        sign, gain = changes.signs[k], tables.variance[e, a] * scale
        for j in range(outputs):
            tables.mean[e, a, j] += sign * gain * changes.errors[j]
        kept = tables.variance[e, a] * (1.0 - sign * sign * gain)
        tables.variance[e, a] = max(LEAST_VARIANCE, kept)
    return surprise


@lean_kernel
def choose_encodings(tables: Tables) -> None:
    """For every output prefer the encoding of the least running error.

    Errors are running means, so this follows the leader among the experts; a rival
    must be clearly better.
    """
    for j in range(tables.chosen.shape[0]):
        best = tables.chosen[j]
        for e in range(tables.encodings.shape[0]):
            if tables.error[e, j] < CLEARLY_BETTER * tables.error[best, j]:
                best = e
        tables.chosen[j] = best


@lean_kernel
def is_described(tables: Tables) -> bool:
    """Whether all outputs are explained by encodings that are built in."""
    for j in range(tables.chosen.shape[0]):
        if tables.addresses[tables.chosen[j]] != BUILT_IN:
            return False
    return True


@lean_kernel
def is_chosen(tables: Tables, e: int) -> bool:
    """Whether any output is explained by encoding ``e``."""
    found = False
    for j in range(tables.chosen.shape[0]):
        found = found or tables.chosen[j] == e
    return bool(found)
