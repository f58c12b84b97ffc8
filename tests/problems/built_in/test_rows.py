"""Set covering, set packing and p-median: outputs, instances and what is refused."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from divlearn import InputError
from divlearn.problems import Median, SetCovering, SetPacking, get


@given(st.integers(0, 999), st.integers(2, 9), st.integers(1, 6))
def test_outputs_are_sums_and_a_raw_value_per_row_or_their_count(seed, n, rows):
    """A row is covered by one chosen column, and overfull with two."""
    rng = np.random.default_rng(seed)
    members, numbers = rng.integers(0, 2, (rows, n)), rng.random((n, 2))
    members[:, 0] = 1
    choice = rng.integers(0, 2, n)
    sums, chosen = choice @ numbers, members @ choice
    cases = [
        (SetCovering, "rows", 1 - chosen),
        (SetCovering, "count", [np.sum(chosen == 0)]),
        (SetPacking, "rows", chosen - 1),
        (SetPacking, "count", [np.sum(chosen > 1)]),
    ]
    for kind, form, expected in cases:
        problem = kind(members, numbers, form)
        assert_allclose(problem.evaluate(choice), [*sums, *expected], atol=1e-12)
        assert problem.num_constraints == len(expected)


def test_customers_are_served_from_the_nearest_chosen_site():
    """The least cost of each customer among the chosen sites, one map per objective."""
    problem = get("pmedian-30", instance=4, sites=4, costs=3)
    x = [3, 8, 21, 29]
    expected = problem.service[:, :, x].min(axis=2).sum(axis=1)
    assert_allclose(problem.evaluate(x), expected)
    assert_array_equal(problem.space.sample(0).shape, [4])


@pytest.mark.parametrize("name", ["biscp-40", "vcover-20", "bimis-20"])
def test_both_forms_are_the_same_instance_with_the_same_points(name):
    """So that what a count hides can be measured."""
    rows, count = get(name, instance=3), get(name, instance=3, form="count")
    assert_array_equal(rows.members, count.members)
    assert_array_equal(rows.reference, count.reference)
    assert (rows.num_constraints, count.num_constraints) == (len(rows.members), 1)
    better = (rows.ideal - rows.reference) * rows.sign < 0.0
    assert better.all()


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: SetCovering([[1, 2]], [[1], [1]]), "0 and 1 only, got 2"),
        (lambda: SetCovering([[0, 0]], [[1], [1]]), "none in row 0; nothing covers"),
        (lambda: SetPacking([[1, 1]], [[1], [1]], "sum"), "one of rows, count"),
        (lambda: SetPacking([[1]], [[1], [1]]), r"\(rows, 2\).*got shape \(1, 1\)"),
        (lambda: Median([[[1, 2]]], 3), "sites must be a whole number from 1 to 2"),
        (lambda: get("biscp-40", rows=0), "rows must be a whole number from 1"),
    ],
)
def test_wrong_rows_are_refused_with_what_is_wrong(make, message):
    """Each message names the argument, what was expected and what came."""
    with pytest.raises(InputError, match=message):
        make()
