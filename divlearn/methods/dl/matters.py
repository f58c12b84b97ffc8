"""Which knobs matter for which output, by what a search has learned."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

import numpy as np

from divlearn.basics.typing import Floats
from divlearn.methods.dl.kernels.models.encodings import VALUE
from divlearn.methods.dl.kernels.models.quadratic.values import describes_space
from divlearn.methods.dl.kernels.state import DifferenceState
from divlearn.methods.dl.method import ENCODINGS
from divlearn.problems import Problem
from divlearn.spaces import Categorical, Composite, Space, Subset
from divlearn.spaces.base import PERMUTATION

#: Unexplained share of an output above which nothing is said about its knobs.
MOST_UNEXPLAINED = 0.5
#: Outcomes below which the Gaussian process's weights are those it began with.
FEWEST_OUTCOMES = 10
#: What a permutation's three features in the Gaussian process are.
OF_PERMUTATION = ("places", "nearness", "successors")
#: What an encoding of permutations says, in words.
IN_WORDS = {
    "position": "which item stands where",
    "successor": "which item follows which",
    "neighbour": "which items are next to each other",
    "precedence": "which item comes before which",
}


def what_matters(state: DifferenceState, problem: Problem) -> dict[str, dict[str, Any]]:
    """Return for every output that is understood what it depends on.

    Returns
    -------
    By output: ``shares`` of the knobs, the largest first; ``by`` in words, where an
    order decides; ``unexplained`` share; number of evaluations it is known ``from``.
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


def _by_gp(state: DifferenceState, space: Space, j: int) -> dict[str, Any] | None:
    """The Gaussian process's weights: how much solutions differ by a knob."""
    gp = state.gp
    fitted = int(gp.control[0].fitted)
    if fitted < FEWEST_OUTCOMES:
        return None
    noise = float(np.exp(gp.outputs[j].log_noise))
    weights = np.exp(gp.log_weights[j] - gp.log_weights[j].max())
    shares = _shares(weights, list(_features(space)))
    return {"shares": shares, "unexplained": noise / (1.0 + noise), "from": fitted}


def _by_values(state: DifferenceState, space: Space, j: int) -> dict[str, Any] | None:
    """Tables of single values: how far apart the values of a knob are."""
    output = state.values.outputs[j]
    if output.square <= 0.0:
        return None
    singles = state.values.singles
    spreads = _spreads(state, singles.mean[:, j], singles.variance)
    return {
        "shares": _shares(spreads, position_names(space)),
        "unexplained": float(output.error / output.square),
        "from": int(state.control[0].observed),
    }


def _by_orders(state: DifferenceState, space: Space, j: int) -> dict[str, Any] | None:
    """Tables of a space with permutations: in which terms an output is a sum."""
    tables = state.tables
    if tables.size[j] <= 0.0:
        return None
    chosen = int(tables.chosen[j])
    known: dict[str, Any] = {
        "unexplained": float(tables.error[chosen, j] / tables.size[j]),
        "from": int(state.control[0].observed),
    }
    number = int(tables.encodings[chosen])
    if number < len(ENCODINGS) and not isinstance(space, Composite):
        known["by"] = IN_WORDS.get(ENCODINGS[number], ENCODINGS[number])
    if number == VALUE and tables.keys.shape[1] == 0:
        mean, variance = tables.mean[chosen, :, j], tables.variance[chosen]
        spreads = _spreads(state, mean, variance)
        known["shares"] = _shares(spreads, position_names(space))
    return known


def _spreads(state: DifferenceState, mean: Floats, variance: Floats) -> Floats:
    """Largest difference between two tried values of every position, shape (n,)."""
    places = state.layout.places
    largest = np.abs(mean).max(initial=0.0)
    unit = 1.0 / largest if 0.0 < largest < np.inf else 0.0
    spreads = np.zeros(len(places))
    for i, place in enumerate(places):
        rows = slice(int(place.offset), int(place.offset + place.arity))
        tried = mean[rows][variance[rows] < 1.0] * unit
        spreads[i] = np.ptp(tried) if len(tried) else 0.0
    return spreads


def _shares(weights: Floats, names: list[str]) -> dict[str, float]:
    """Weights that add up to 1, by name, the largest first; none if all are 0."""
    total = float(weights.sum())
    if not 0.0 < total < np.inf:
        return {}
    order = np.argsort(-weights, kind="stable")
    return {names[i]: float(weights[i] / total) for i in order if weights[i] > 0.0}


# --- names


def position_names(space: Space) -> list[str]:
    """What a user calls every position of a space.

    Examples
    --------
    >>> from divlearn import Binary, Integer
    >>> position_names(Composite(speed=Integer(0, 9), on=Binary(2)))
    ['speed', 'on[0]', 'on[1]']
    """
    return [name for part, label in _parts(space) for name in _positions(part, label)]


def _features(space: Space) -> Iterator[str]:
    """What the Gaussian process's features are called."""
    for part, label in _parts(space):
        names = iter(_positions(part, label))
        for kind, arities, *_ in part.segments():
            own = list(islice(names, len(arities)))
            if kind == PERMUTATION:
                yield from (f"{label} ({feature})" for feature in OF_PERMUTATION)
            else:
                yield from own


def _parts(space: Space) -> Iterator[tuple[Space, str]]:
    """The parts of a space with their names; a part of parts by both names."""
    if not isinstance(space, Composite):
        yield space, "x"
        return
    for name, part in space.placed.items():
        if part.flags == 1:
            yield Categorical([True]), f"{name} (there)"
        if not isinstance(part.space, Composite):
            yield part.space, name
        else:
            for inner, label in _parts(part.space):
                yield inner, f"{name}.{label}"


def _positions(part: Space, label: str) -> list[str]:
    """Names of the positions of one part."""
    if isinstance(part, Subset):
        return [f"{label}: item {i}" for i in range(part.num_positions)]
    if part.num_positions == 1:
        return [label]
    return [f"{label}[{i}]" for i in range(part.num_positions)]
