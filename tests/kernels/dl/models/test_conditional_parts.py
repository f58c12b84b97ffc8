"""What models make of parts that exist only sometimes."""

from collections import Counter
from itertools import pairwise

import numpy as np
import pytest
from numpy.testing import assert_allclose

import divlearn as dl
from divlearn.kernels.rules.presence import is_absent
from divlearn.methods.dl.kernels.models.encodings import (
    THERMOMETER,
    VALUE,
    list_changes,
)
from divlearn.methods.dl.kernels.models.gp.columns import (
    add_differences,
    columns_of,
    kind_of_difference,
    mean_similarity,
    set_similarities,
)
from divlearn.methods.dl.kernels.models.quadratic.singles import (
    add_to_singles,
    new_singles,
    set_references,
    single_error,
)
from tests.kernels.dl.cases import state_for
from tests.kernels.dl.models.gp.test_columns import rows_of
from tests.kernels.dl.models.quadratic.cases import random_table
from tests.reference.values import additive_outputs

CHIP = dl.Composite(
    kind=dl.Categorical("abc"),
    cache=dl.If(kind="a", then=dl.Ordinal([16, 32, 64, 128])),
    lanes=dl.If(kind=("b", "c"), then=dl.Composite(n=dl.Integer(1, 3), on=dl.Binary())),
    boost=dl.Binary(),
    volt=dl.If(boost=True, then=dl.Categorical("xy")),
)
ORDERED = dl.Composite(
    kind=dl.Categorical("ab"),
    size=dl.If(kind="a", then=dl.Integer(1, 4)),
    order=dl.If(kind="b", then=dl.Permutation(4)),
)


def codes_of(space, count, seed=0):
    """Codes of random solutions, shape (q, n)."""
    return np.array([space.encode(space.sample(seed + s)) for s in range(count)])


def differences_of(columns, rows, smooth):
    """How much solutions differ in every column, shape (C, q, q)."""
    found = np.zeros((len(columns), len(rows), len(rows)))
    for c, column in enumerate(columns):
        others = np.ascontiguousarray(rows[:, c])
        for i, value in enumerate(others):
            kind = kind_of_difference(column, smooth)
            add_differences(kind, value, others, len(rows), 1.0, found[c, i])
    return found


@pytest.mark.parametrize("smooth", [0, 1])
@pytest.mark.parametrize("space", [CHIP, ORDERED])
def test_what_is_absent_is_neither_near_nor_far(space, smooth):
    """Two designs that lack a part agree there, and covariances stay positive."""
    columns, _ = columns_of(space.layout)
    codes, rows = rows_of(space, columns, range(40))
    found = differences_of(columns, rows, smooth)
    weights = np.random.default_rng(1).uniform(0.1, 3.0, len(columns))
    similar = np.exp(-np.tensordot(weights, found, 1))
    assert np.linalg.eigvalsh(similar).min() > -1e-9
    if space is ORDERED:
        lacking = np.array([is_absent(space.layout, x, 3) for x in codes])
        assert not found[3:, lacking][:, :, lacking].any()  # the order
        assert (found[3:7, lacking][:, :, ~lacking] == 1.0).all()  # places of items


def test_products_of_two_columns_stay_covariances():
    """Where an even number of values has no value in the middle, too."""
    columns, _ = columns_of(CHIP.layout)
    rows = rows_of(CHIP, columns, range(40))[1]
    for c, column in enumerate(columns):
        values = np.ascontiguousarray(rows[:, c])
        means = np.array([mean_similarity(column, value) for value in values])
        found = np.zeros((len(rows), len(rows)))
        for value, mean, row in zip(values, means, found, strict=True):
            set_similarities(column, value, mean, values, means, len(rows), row)
        assert np.linalg.eigvalsh(found).min() > -1e-9


def features_of(layout, x):
    """Steps that an ordered value lies above, and which positions are absent."""
    found = Counter()
    for i, place in enumerate(layout.places):
        last = int(place.offset + place.arity) - 1
        if layout.segments[place.segment].kind != 3:
            found[int(place.offset + x[i])] += 1
        elif is_absent(layout, x, i):
            found[last] += 1
        else:
            found.update(range(int(place.offset), int(place.offset + x[i])))
    return found


def test_steps_are_those_between_values_that_exist():
    """From absent to a value, all steps below it come in, and absence goes."""
    layout, changes = CHIP.layout, state_for(CHIP).changes
    codes = codes_of(CHIP, 30)
    for parent, child in pairwise(codes):
        count = list_changes(layout, THERMOMETER, parent, child, changes)
        found = Counter()
        for action, sign in zip(changes.actions, changes.signs[:count], strict=False):
            found[int(action)] += int(sign)
        wanted = features_of(layout, child)
        wanted.subtract(features_of(layout, parent))
        assert {a: s for a, s in found.items() if s} == {
            a: s for a, s in wanted.items() if s
        }
        assert list_changes(layout, VALUE, parent, child, changes) % 2 == 0


def test_sums_over_parts_that_exist_are_learned():
    """What a value is worth, and what it is worth that there is none."""
    layout, rng = CHIP.layout, np.random.default_rng(3)
    truth, singles = random_table(layout, 1, rng), new_singles(layout, 1)
    codes = codes_of(CHIP, 60)
    outputs = [additive_outputs(truth, 0.0, layout, x) for x in codes]
    pairs = rng.integers(len(codes), size=(6000, 2))
    error = np.zeros(1)
    for k, (a, b) in enumerate(pairs):
        x, y = codes[a], codes[b]
        changed = np.flatnonzero(x != y)
        count, delta = len(changed), outputs[b] - outputs[a]
        set_references(singles, layout, x, changed, count)
        single_error(singles, layout, x, y, delta, changed, count, error)
        if k < 5000:
            add_to_singles(singles, layout, x, y, changed, count, error, k < 50)
        else:
            assert_allclose(error, 0.0, atol=0.1)
