import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import divlearn as dl
from divlearn.methods.paper.decomposition import Decomposition, best_size, nearest
from tests.reference import decomposition as reference


@given(st.integers(1, 500), st.integers(1, 60), st.floats(0.1, 10))
def test_the_size_follows_the_rule_for_the_number_of_subproblems(n, overlap, regret):
    """The size is n / K* with K* = sqrt(n / (Q R)), within 2 and n."""
    count = max(1.0, np.sqrt(n / (overlap * regret)))
    assert best_size(n, overlap, regret) == min(n, max(2, round(n / count)))


def test_without_an_overlap_the_rule_solves_for_one():
    """Q = 0.44 n / K makes K = 1 / (0.44 R), the same for every n."""
    for n in (50, 100, 1000):
        size = best_size(n, regret=0.5)
        count = n / size
        assert count == pytest.approx(np.sqrt(n / (0.44 * size * 0.5)), rel=0.05)


@pytest.mark.parametrize(
    ("size", "overlap", "expected"),
    [
        (0.5, 0.44, (25, 11)),  # what the paper says all its experiments use
        (0.5, 0.4, (25, 10)),
        (1.0, 0, (50, 0)),
        (0.01, 1.0, (2, 1)),  # a window has two items, and a stride of one
        (20, 0.5, (20, 10)),
        ("table", 0.2, (25, 5)),
        ("rule", 0.44, (22, 9)),
        (1, 1, (2, 1)),  # positions, not shares
    ],
)
def test_sizes_may_be_shares_of_n_and_overlaps_shares_of_the_size(
    size, overlap, expected
):
    """Of the 50 cities of a tour."""
    settings = {"decomposition.size": size, "decomposition.overlap": overlap}
    method = dl.DivideAndLearn().replace(**settings)
    division = dl.Optimizer(dl.problems.get("bitsp-50"), method).settings.decomposition
    assert (division.size, division.overlap) == expected


@pytest.mark.parametrize(
    ("groups", "named"),
    [([[0, 1], [2, 3]], "leave out 4"), ([[0, 1, 2, 3, 4], [5]], "name 5")],
)
def test_groups_must_hold_the_positions_of_the_problem(groups, named):
    """A position in no group would never change, and nobody would notice."""
    problem = dl.Problem(dl.Binary(5), lambda x: (0, 0), ["a", "b"])
    method = dl.DivideAndLearn(decomposition=Decomposition(groups=groups))
    with pytest.raises(dl.InputError, match=named):
        dl.Optimizer(problem, method)


@given(st.integers(0, 99), st.integers(1, 9), st.integers(1, 12))
def test_the_nearest_indices_start_with_the_index_itself(seed, n, size):
    """Also where another one is at distance zero, or a distance is negative."""
    distance = np.random.default_rng(seed).integers(-1, 4, (n, n)).astype(float)
    given_rows = distance.copy()
    found = nearest(distance, size)
    assert found.tolist() == [reference.nearest(distance, c, size) for c in range(n)]
    assert (distance == given_rows).all()


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"size": 0}, "size"),
        ({"size": "large"}, "size .* table, rule"),
        ({"size": 2.5}, "size"),
        ({"overlap": 2.5}, "overlap"),
        ({"size": -0.5}, "size"),
        ({"groups": []}, "groups"),
        ({"groups": [[0, 0], [1]]}, "groups"),
        ({"groups": [[0, 1], []]}, "groups"),
        ({"groups": [0, 1]}, "groups"),
        ({"groups": [[0, 1.5]]}, "groups"),
        ({"count_neighbourhoods": "no"}, "count_neighbourhoods"),
        ({"overlap": -1}, "overlap"),
        ({"decay": -0.1}, "decay"),
        ({"neighbourhoods": -1}, "neighbourhoods"),
        ({"regret": 0}, "regret"),
        ({"windows": "no"}, "windows"),
    ],
)
def test_divisions_that_cannot_be_are_refused_by_name(options, named):
    """Each message names the setting."""
    with pytest.raises(dl.InputError, match=named):
        Decomposition(**options)
