"""2-opt under one matrix, against the slow one."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from divlearn.lab.kernels import two_opt
from tests.reference import local_search as slow


def random_ways(seed, n, symmetric):
    """Distances between n cities, shape (n, n)."""
    ways = np.random.default_rng(seed).random((n, n))
    ways = ways + ways.T if symmetric else ways
    np.fill_diagonal(ways, 0.0)
    return ways


@given(seed=st.integers(0, 10**6), n=st.integers(4, 9), symmetric=st.booleans())
def test_the_change_by_a_move_is_the_difference_of_two_lengths(seed, n, symmetric):
    """Also where ways there and back differ, so that a turned stretch does too."""
    ways = random_ways(seed, n, symmetric)
    tour = np.random.default_rng(seed).permutation(n)
    turned = np.empty(n)
    two_opt.sum_turned(tour, ways, turned)
    neighbours = iter(slow.turned_around(tour.tolist()))
    for i in range(n - 2):
        for j in range(i + 2, n - 1 if i == 0 else n):
            other = np.array(next(neighbours))
            before, after = (ways[t, np.roll(t, -1)].sum() for t in (tour, other))
            change = two_opt.change(tour, ways, turned, i, j)
            assert np.isclose(change, after - before, atol=1e-12)
            two_opt.turn(moved := tour.copy(), i + 1, j)
            assert moved.tolist() == other.tolist()
    assert next(neighbours, None) is None


@given(seed=st.integers(0, 10**6), n=st.integers(4, 9), symmetric=st.booleans())
def test_a_descent_takes_and_counts_what_the_slow_one_does(seed, n, symmetric):
    """Every neighbour that is looked at counts as an evaluation."""
    ways = random_ways(seed, n, symmetric)
    tour = np.random.default_rng(seed).permutation(n)
    expected, count = slow.descend(
        tour.tolist(), lambda t: ways[t, np.roll(t, -1)].sum()
    )
    assert two_opt.descend(tour, ways, np.empty(n), 10**6) == count
    assert tour.tolist() == expected


def test_a_descent_stops_at_its_limit():
    """The budget is exact."""
    ways = random_ways(0, 30, symmetric=True)
    tour = np.random.default_rng(0).permutation(30)
    assert two_opt.descend(tour, ways, np.empty(30), 123) == 123
    assert two_opt.descend(tour, ways, np.empty(30), 0) == 0
