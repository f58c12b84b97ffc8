"""Neighbours by differences, and scans of all of them, against slow ones."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from divlearn.kernels.archive import new_archive
from divlearn.lab.baselines.local_search.moves import moves_for
from divlearn.lab.kernels.local_search import front as fronts
from divlearn.lab.kernels.local_search import items, routes, tours
from divlearn.problems import CVRP, TSP, Knapsack
from tests.reference import local_search as slow
from tests.reference import routes as slow_routes

SEEDS = st.integers(0, 10**6)


def a_tour(seed, m=2):
    """Seven cities, half of the instances without symmetry."""
    ways = np.random.default_rng(seed).random((m, 7, 7))
    return TSP(distances=ways if seed % 2 else ways + ways.transpose(0, 2, 1))


def a_knapsack(seed):
    """Eight items, whole weights, two values, one or two capacities."""
    rng = np.random.default_rng(seed)
    weights = rng.integers(1, 9, (8, 1 + seed % 2))
    return Knapsack(weights, rng.random((8, 2)), weights.sum(axis=0) // 2)


def some_routes(seed):
    """Seven customers of a depot."""
    rng = np.random.default_rng(seed)
    demands = rng.integers(1, 6, 7)
    return CVRP([0.5, 0.5], rng.random((7, 2)), demands, 10, decoder="flags")


def new_front(moves, slots=2_000):
    """An archive without members."""
    archive = new_archive(slots, moves.length, len(moves.units), 0)
    return fronts.Front(archive, np.zeros(slots, bool), np.zeros(1, np.int64))


def new_scan(moves, x, seed, aim=None):
    """A scan of ``x`` with random weights, ready to begin."""
    rng = np.random.default_rng(seed)
    y = moves.evaluate(x)
    weights = rng.random(len(y)) / moves.units
    scan = fronts.Scan(
        x.copy(),
        y,
        weights,
        np.array([weights @ y if aim is None else aim]),
        np.zeros(4, np.int64),
        np.empty_like(x),
        np.empty_like(y),
    )
    moves.begin(scan, rng)
    return scan


def members(front):
    """Points of an archive, sorted."""
    used = front.archive.order[: front.size[0]]
    return sorted(map(tuple, front.archive.outputs[used].tolist()))


# --- neighbours


@given(seed=SEEDS, m=st.integers(1, 3))
def test_lengths_of_a_neighbour_by_differences_are_its_lengths(seed, m):
    """Symmetric or not, for any number of objectives; and no move is left out."""
    problem = a_tour(seed, m)
    moves = moves_for(problem)
    x = np.random.default_rng(seed).permutation(7)
    scan = new_scan(moves, x, seed)
    scan.place[:2] = 0, 2
    listed = slow.neighbours(problem, x)
    assert len(listed) == tours.count_moves(7, moves.longest)
    for other in listed:
        i, j = scan.place[:2]
        tours.measure(scan, moves.table, moves.turned, i, j)
        assert np.allclose(scan.z, problem.evaluate(other), atol=1e-12)
        tours.change(x, i, j, scan.neighbour)
        assert scan.neighbour.tolist() == other
        tours.step(scan.place, 7, moves.longest)
    assert scan.place[:2].tolist() == [0, 2]


@given(seed=SEEDS)
def test_values_of_an_exchange_by_differences_are_its_values(seed):
    """And the moves that fit are all choices that are one exchange away and fit."""
    problem = a_knapsack(seed)
    moves = moves_for(problem)
    x = moves.start(np.random.default_rng(seed).random(2), np.random.default_rng(0))
    scan = new_scan(moves, x, seed)
    found = []
    for i in range(9):
        for j in np.flatnonzero(x == 0):
            if (i == 8 or x[i]) and items.fits(moves.table, moves.room, i, j):
                items.measure(scan, moves.table, i, j)
                other, y = x.copy(), np.empty(2)
                assert items.exchange(other, moves.table, i, j, y)
                assert np.allclose(scan.z, y)
                found.append(other.tolist())
    expected = [other.tolist() for other in slow.neighbours(problem, x)]
    assert sorted(found) == sorted(expected)


@given(seed=SEEDS)
def test_changed_routes_by_differences_are_as_long_as_they_are(seed):
    """And the moves are all plans that are one change away and fit the vehicles."""
    problem, rng = some_routes(seed), np.random.default_rng(seed)
    moves = moves_for(problem)
    x = moves.start(np.ones(2), rng)
    if seed % 2:
        x = moves.kick(x, np.ones(2), rng)
    scan = new_scan(moves, x, seed)
    found = set()
    for i in range(7):
        for t in range(7 + moves.routes.top[0] + 1):
            if routes.is_move(x, moves.table, moves.routes, i, t):
                routes.measure(scan, moves.table, moves.routes, i, t)
                routes.change(x, moves.routes, i, t, scan.neighbour)
                plan = slow.plan_of(scan.neighbour)
                expected = slow_routes.objectives(
                    plan, problem.depot, problem.customers
                )
                assert np.allclose(scan.z, expected)
                found.add(slow.as_set(plan))
    listed = slow.neighbours(problem, x)
    assert found == {slow.as_set(slow.plan_of(codes)) for codes in listed}


@given(seed=SEEDS, m=st.integers(1, 4))
def test_a_point_is_covered_if_a_member_is_as_good(seed, m):
    """By binary search for two objectives, one by one otherwise."""
    rng = np.random.default_rng(seed)
    points = rng.integers(0, 5, (25, m)).astype(float)
    slots = 40
    archive = new_archive(slots, 1, m, 0)
    front = fronts.Front(archive, np.zeros(slots, bool), np.zeros(1, np.int64))
    for count, point in enumerate(points):
        expected = any(slow.covers(p, point) for p in points[:count])
        assert fronts.is_covered(front, point) == expected
        fronts.enter(front, np.zeros(1, np.int64), point)
    assert members(front) == slow.non_dominated(set(map(tuple, points.tolist())))


# --- scans


@given(seed=SEEDS)
def test_a_scan_of_tours_does_what_the_slow_one_does(seed):
    """The same moves in the same order, the same front, the same count."""
    problem = a_tour(seed)
    moves, rng = moves_for(problem), np.random.default_rng(seed)
    x, front = rng.permutation(7), new_front(moves)
    scan = new_scan(moves, x, seed)
    listed = [m for i in range(5) for m in [(i, j) for j in range(i + 2, 7)]]
    listed.remove((0, 6))
    start = listed.index(tuple(scan.place[:2]))
    weights, aim = scan.weights, scan.aim[0]
    count = moves.scan(front, scan, 10**6)
    last, tried, expected = slow.scan(
        x.tolist(),
        lambda tour: slow.neighbours(problem, tour),
        problem.evaluate,
        weights,
        aim,
        start,
    )
    assert scan.place[3] == 1
    assert (scan.x.tolist(), count) == (last, tried)
    assert np.allclose(members(front), expected)
    assert (problem.evaluate(scan.x) == scan.y).all()


@pytest.mark.parametrize("make", [a_tour, a_knapsack, some_routes])
@given(seed=SEEDS)
def test_a_scan_ends_where_no_neighbour_is_better_or_missing(make, seed):
    """For each kind of problem, by making all neighbours of the last solution."""
    problem, rng = make(seed), np.random.default_rng(seed)
    moves = moves_for(problem)
    x = moves.kick(moves.start(rng.random(2), rng), np.ones(2), rng)
    front, scan = new_front(moves), new_scan(moves, x, seed)
    fronts.enter(front, x, moves.evaluate(x))
    moves.scan(front, scan, 10**6)
    points = np.array(members(front))
    for other in slow.neighbours(problem, scan.x):
        point = moves.evaluate(np.array(other))
        assert scan.weights @ point > scan.aim[0] - 1e-8
        assert (points <= point + 1e-9).all(axis=1).any()


@pytest.mark.parametrize("make", [a_tour, a_knapsack, some_routes])
def test_a_scan_in_pieces_is_the_same_scan(make):
    """A full archive interrupts it, and the end of the budget cuts it short."""
    problem, rng = make(4), np.random.default_rng(0)
    moves = moves_for(problem)
    x = moves.kick(moves.start(rng.random(2), rng), np.ones(2), rng)
    whole, scan = new_front(moves), new_scan(moves, x, 4)
    count = moves.scan(whole, scan, 10**6)
    pieces, other = new_front(moves), new_scan(moves, x, 4)
    made = []
    while not other.place[3]:
        made.append(moves.scan(pieces, other, 3))
    assert max(made) == 3
    assert sum(made) == count
    assert scan.x.tolist() == other.x.tolist()
    assert members(whole) == members(pieces)
