import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

import divlearn as dl
from divlearn.problems import TSP, MaxTSP, get, read
from divlearn.problems.built_in.tour_points import (
    longer_on_maps,
    mean_lengths,
    point_lengths,
)
from divlearn.problems.files.points import suggest_points

MANY = 5_001


@given(st.integers(2, 30), st.integers(3, 4), st.integers(0, 99))
def test_lengths_on_maps_are_those_of_a_table_to_the_last_bit(n, m, seed):
    """A search must not depend on whether distances are kept or computed."""
    rng = np.random.default_rng(seed)
    places, x = rng.random((n, m, 2)), rng.permutation(n)
    table = places.reshape(n, 2 * m)
    found, longer = np.empty(m), np.empty(m - 1)
    point_lengths(x, table, found)
    longer_on_maps(x, table, longer)
    assert_array_equal(found, TSP(places).evaluate(x))
    assert_array_equal(longer, MaxTSP(places).evaluate(x))


def test_many_cities_need_no_table_of_distances():
    """Memory follows the number of cities; who needs all distances is told."""
    problem = get(f"bitsp-{MANY}")
    assert problem.compiled.table.shape == (MANY, 4)
    assert problem.symmetric
    x = np.arange(MANY)
    steps = problem.coordinates - np.roll(problem.coordinates, 1, axis=0)
    assert_allclose(problem.evaluate(x), np.sqrt((steps**2).sum(axis=2)).sum(axis=0))
    with pytest.raises(dl.InputError, match="5,001 cities and no table"):
        problem.distances  # noqa: B018
    assert suggest_points(problem)[0] == pytest.approx([3300.0] * 2, rel=0.03)


def test_places_too_far_apart_are_refused_for_many_cities_as_for_few():
    """Squares that overflow would make all tours equal."""
    places = np.zeros((MANY, 1, 2))
    places[7] = 1e200
    with pytest.raises(dl.InputError, match="near enough for their distances"):
        TSP(places)


def test_the_mean_length_of_all_tours_is_that_of_their_distances():
    """The reference point of a large file rests on it."""
    problem = get("bitsp-20")
    expected = problem.distances.sum(axis=(1, 2)) / 19
    assert_allclose(mean_lengths(problem.coordinates), expected)


def test_a_large_file_is_read_if_lines_are_straight_and_not_rounded(tmp_path):
    """Other distances need a table that would not fit into memory."""
    path, places = tmp_path / "large.tsp", np.random.default_rng(0).random((MANY, 2))
    nodes = "\n".join(
        f"{i + 1} {x!r} {y!r}" for i, (x, y) in enumerate(places.tolist())
    )
    path.write_text(
        f"NAME : large\nTYPE : TSP\nDIMENSION : {MANY}\nEDGE_WEIGHT_TYPE : EUC_2D\n"
        f"NODE_COORD_SECTION\n{nodes}\nEOF\n"
    )
    assert_array_equal(read(path, rounded=False).coordinates[:, 0], places)
    with pytest.raises(dl.InputError, match=r"5,000, got 5,001.*rounded is False"):
        read(path)
