"""What two solutions have in common, against the definition."""

import numpy as np
import pytest
from hypothesis import given
from numpy.testing import assert_allclose

import divlearn as dl
from divlearn.methods.dl.kernels.models.gp.columns import (
    add_differences,
    columns_of,
    first_columns,
    kind_of_difference,
    mean_similarity,
    set_similarities,
    write_row,
)
from tests.kernels.cases import SEEDS, composites
from tests.reference.gp import centred_similarities, differences
from tests.reference.layout import CATEGORICAL, ORDINAL


def rows_of(space, columns, seeds):
    """Coordinates of random solutions, shape (q, C), and their codes."""
    codes = [space.encode(space.sample(seed)) for seed in seeds]
    rows, first = np.empty((len(codes), len(columns))), first_columns(space.layout)
    for x, row in zip(codes, rows, strict=True):
        write_row(space.layout, first, x, row)
    return codes, rows


@pytest.mark.parametrize("smooth", [0, 1])
@given(composites(), SEEDS)
def test_differences_add_up_to_those_of_the_features(smooth, space, seed):
    """For every kind of space; each column counts with its share of its feature."""
    columns, num_features = columns_of(space.layout)
    (x, y), rows = rows_of(space, columns, [seed, seed + 1])
    found = np.zeros(num_features)
    for c, column in enumerate(columns):
        total = np.zeros(1)
        kind = kind_of_difference(column, smooth)
        add_differences(kind, rows[0, c], rows[1:, c], 1, 1.0, total)
        found[column.feature] += column.share * total[0]
    assert_allclose(found, differences(space.segments(), x, y, smooth), atol=1e-12)


@pytest.mark.parametrize("arity", [2, 3, 6])
@pytest.mark.parametrize("kind", [CATEGORICAL, ORDINAL])
def test_similarities_are_centred_and_scaled(kind, arity):
    """Over all values they add up to nothing, as a product of two effects must."""
    make = dl.Categorical if kind == CATEGORICAL else dl.Ordinal
    column = columns_of(make(range(arity)).layout)[0][0]
    values = np.arange(arity) / (arity - 1 if kind == ORDINAL else 1)
    means = np.array([mean_similarity(column, value) for value in values])
    found = np.empty((arity, arity))
    for value, mean, row in zip(values, means, found, strict=True):
        set_similarities(column, value, mean, values, means, arity, row)
    assert_allclose(found, centred_similarities(kind, arity), atol=1e-12)
    assert_allclose(found.sum(axis=0), 0.0, atol=1e-12)
