"""Which variables matter for which output, by the models that a search has learned."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from divlearn.basics.typing import Floats, Records
from divlearn.kernels.layout import PERMUTATION
from divlearn.methods.dl.kernels.models.encodings import VALUE
from divlearn.methods.dl.kernels.models.gp.mixture import LOGIT
from divlearn.methods.dl.kernels.models.gp.state import GaussianProcess
from divlearn.methods.dl.kernels.models.quadratic.pairs import Pairs
from divlearn.methods.dl.kernels.models.quadratic.values import (
    describes_space,
    uses_pairs,
)
from divlearn.methods.dl.kernels.state import DifferenceState
from divlearn.methods.dl.method import ENCODINGS
from divlearn.methods.report import shares_of
from divlearn.problems import Problem
from divlearn.spaces import Space
from divlearn.spaces.names import position_names, stretches

#: Unexplained share of an output above which nothing is said about its variables.
MOST_UNEXPLAINED = 0.5
#: Outcomes below which the Gaussian process's weights are those it began with.
FEWEST_OUTCOMES = 10
#: How the Gaussian process compares orders, see its blocks.
OF_PERMUTATION = ("places", "how early", "successors", "neighbours", "precedence")
#: What an encoding of permutations says, in words.
IN_WORDS = {
    "position": "which item stands where",
    "successor": "which item follows which",
    "neighbour": "which items are next to each other",
    "precedence": "which item comes before which",
}
#: Pairs that are told.
MOST_PAIRS = 10


def what_matters(state: DifferenceState, problem: Problem) -> dict[str, dict[str, Any]]:
    """Return for every output that is understood what it depends on.

    Returns
    -------
    By output: ``source``, the model; ``shares`` of the variance by position or item,
    the largest first, and ``parts`` that these belong to; ``pairs`` of positions that
    act together; ``by`` in words, where an order decides; ``unexplained`` share, and
    whether that was ``tested`` on what was not known before; number of evaluations it
    is known ``from``.
    """
    found = {}
    for j, name in enumerate(problem.outputs):
        known = _of_output(state, problem.space, j)
        if known is not None and known["unexplained"] < MOST_UNEXPLAINED:
            found[name] = known
    return found


def _of_output(state: DifferenceState, space: Space, j: int) -> dict[str, Any] | None:
    """What one output depends on, by the model that explains it best; None if none."""
    by_tables = _by_values if describes_space(state.values) else _by_orders
    models = [by_tables(state, space, j), _by_gp(state, space, j)]
    return min(
        (known for known in models if known is not None),
        key=lambda known: float(known["unexplained"]),
        default=None,
    )


# --- the Gaussian process


def _by_gp(state: DifferenceState, space: Space, j: int) -> dict[str, Any] | None:
    """The Gaussian process's weights: how much solutions differ by a position."""
    gp = state.gp
    fitted = int(gp.control[0].fitted)
    if fitted < FEWEST_OUTCOMES:
        return None
    noise = float(np.exp(gp.outputs[j].log_noise))
    weights = _weights_of_gp(gp, j)
    names, parts = zip(*_features(space, gp.blocks), strict=True)
    return {
        "source": "lengthscales",
        "tested": False,
        **shares_of(weights, names, parts),
        "unexplained": noise / (1.0 + noise),
        "from": fitted,
    }


def _weights_of_gp(gp: GaussianProcess, j: int) -> Floats:
    """Weights of all columns, then of all ways to compare orders, the largest is 1."""
    logs, num_blocks = gp.log_weights[j], len(gp.blocks)
    inside = np.exp(logs[: len(logs) - num_blocks])
    if num_blocks:  # what they add to the exponential, and what they add beside it
        logits = LOGIT * np.append(logs[len(logs) - num_blocks :], 0.0)
        shares = np.exp(logits - logits.max()) / np.exp(logits - logits.max()).sum()
        inside *= shares[-1] / inside.sum()
        inside[len(inside) - num_blocks :] += shares[:-1]
    weights: Floats = inside / inside.max()
    return weights


def _features(space: Space, blocks: Records) -> Iterator[tuple[str, str]]:
    """What the Gaussian process's features are called, and of which part they are."""
    found = list(stretches(space))
    for stretch in found:
        if stretch.kind != PERMUTATION:
            yield from ((name, stretch.part) for name in stretch.names)
    for block in blocks:
        part = found[block.segment].part
        yield f"{part} ({OF_PERMUTATION[block.kind]})", part


# --- tables of values


def _by_values(state: DifferenceState, space: Space, j: int) -> dict[str, Any] | None:
    """Tables of single values and of pairs: how much an output varies with them."""
    values = state.values
    output, pairwise = values.outputs[j], uses_pairs(values, j)
    if output.square <= 0.0:
        return None
    error = output.pair_error if pairwise else output.error
    names = position_names(space)
    parts = [stretch.part for stretch in stretches(space) for _ in stretch.names]
    mean, shared, pairs = values.singles.mean[:, j], np.zeros(len(names)), []
    if pairwise:
        mean, together = with_pairs(state, values.pairs, j)
        shared = together.sum(axis=1) / 2.0
    alone = _variances(state, mean, values.singles.variance)
    if pairwise:
        pairs = _largest(together, names, float(alone.sum() + together.sum() / 2.0))
    return {
        "source": "tables of pairs" if pairwise else "tables",
        **shares_of(alone + shared, names, parts),
        "pairs": pairs,
        "unexplained": float(error / output.square),
        "from": int(state.control[0].observed),
    }


def with_pairs(state: DifferenceState, pairs: Pairs, j: int) -> tuple[Floats, Floats]:
    """Worth of every action, and the variance of what two positions do together.

    What two actions do together is centred: the mean over the actions of the other
    position belongs to the action itself.
    """
    first = state.layout.places.offset
    sizes = state.layout.places.arity[:, None].astype(float)
    product = pairs.product[:, :, j][np.ix_(pairs.feature, pairs.feature)]
    worth = product * pairs.level[:, None] * pairs.level  # (A, A)
    rows = np.repeat(np.arange(len(first)), state.layout.places.arity)
    worth[rows[:, None] == rows] = 0.0
    by_place = np.add.reduceat(worth, first, axis=1) / sizes.T  # (A, n)
    mean = pairs.mean[:, j] + by_place.sum(axis=1)
    centred = worth - by_place[:, rows] - by_place.T[rows]
    centred += (np.add.reduceat(by_place, first, axis=0) / sizes)[np.ix_(rows, rows)]
    centred[rows[:, None] == rows] = 0.0
    square = np.add.reduceat(np.add.reduceat(centred**2, first, axis=0), first, axis=1)
    return mean, square / (sizes * sizes.T)


def _variances(state: DifferenceState, mean: Floats, variance: Floats) -> Floats:
    """Variance over the values that were tried, by position, shape (n,)."""
    largest = np.abs(mean).max(initial=0.0)
    unit = 1.0 / largest if 0.0 < largest < np.inf else 0.0
    found = np.zeros(len(state.layout.places))
    for i, place in enumerate(state.layout.places):
        rows = slice(int(place.offset), int(place.offset + place.arity))
        tried = mean[rows][variance[rows] < 1.0] * unit
        found[i] = np.var(tried) / unit**2 if len(tried) and unit else 0.0
    return found


def _largest(together: Floats, names: list[str], total: float) -> list[list[Any]]:
    """The pairs that act together most, with their shares."""
    upper = np.triu(together, 1)
    order = np.argsort(-upper, axis=None)[:MOST_PAIRS]
    rows, columns = np.unravel_index(order, upper.shape)
    return [
        [names[a], names[b], float(upper[a, b] / total)]
        for a, b in zip(rows, columns, strict=True)
        if upper[a, b] > 0.0
    ]


# --- tables of orders


def _by_orders(state: DifferenceState, space: Space, j: int) -> dict[str, Any] | None:
    """Tables of a space with permutations: in which terms an output is a sum."""
    tables, found = state.tables, stretches(space)
    if tables.size[j] <= 0.0 or len(found) > 1:
        return None
    chosen = int(tables.chosen[j])
    number, (stretch,) = int(tables.encodings[chosen]), found
    known: dict[str, Any] = {
        "source": "tables",
        "unexplained": float(tables.error[chosen, j] / tables.size[j]),
        "from": int(state.control[0].observed),
        **shares_of(np.ones(1), [stretch.part], [stretch.part]),
    }
    if number < len(ENCODINGS):
        known["by"] = IN_WORDS.get(ENCODINGS[number], ENCODINGS[number])
        # Beside a custom encoding, other spaces than orders have such tables too.
        if tables.keys.shape[1] == 0 and stretch.kind == PERMUTATION:
            known |= shares_of(
                _item_variances(state, chosen, j, number == VALUE),
                stretch.names,
                [stretch.part] * len(stretch.names),
            )
    return known


def _item_variances(
    state: DifferenceState, chosen: int, j: int, by_place: bool
) -> Floats:
    """How much an output varies with what is tabled about every item, shape (n,)."""
    n, tables = len(state.layout.places), state.tables
    tried = tables.variance[chosen, : n * n].reshape(n, n) < 1.0
    worth = np.where(tried, tables.mean[chosen, : n * n, j].reshape(n, n), 0.0)
    middle = worth.sum() / max(1, int(tried.sum()))
    square = np.where(tried, worth - middle, 0.0) ** 2
    items: Floats = square.sum(axis=0)
    return items if by_place else (items + square.sum(axis=1)) / 2.0
