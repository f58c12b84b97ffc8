"""Pareto local search by regions: neighbours, scans, regions, whole runs."""

import signal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import divlearn as dl
from divlearn.baselines import pareto_local_search
from divlearn.baselines.local_search.moves import moves_for
from divlearn.baselines.local_search.regions import Regions
from divlearn.baselines.pareto_local_search import ParetoLocalSearch
from divlearn.baselines.route_limits import codes_of
from divlearn.kernels.archive import new_archive
from divlearn.kernels.baselines.local_search import front as fronts
from divlearn.kernels.baselines.local_search import items, routes, tours
from divlearn.problems import CVRP, TSP, Knapsack, get
from divlearn.progress import Silent
from divlearn.testing import check_baseline
from tests.reference import knapsack as slow_knapsack
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


def plan_of(codes):
    """Routes of an order with marks."""
    n = len(codes) // 2
    cuts = np.flatnonzero(codes[n:])[1:]
    return [route.tolist() for route in np.split(codes[:n], cuts)]


# --- neighbours


@given(seed=SEEDS, m=st.integers(1, 3))
def test_lengths_of_a_neighbour_by_differences_are_its_lengths(seed, m):
    """Symmetric or not, for any number of objectives."""
    problem = a_tour(seed, m)
    moves = moves_for(problem)
    x = np.random.default_rng(seed).permutation(7)
    scan = new_scan(moves, x, seed)
    listed = list(slow.turned_around(x.tolist()))
    scan.place[:2] = 0, 2
    for other in listed:
        tours.measure(scan, moves.table, moves.turned, *scan.place[:2])
        assert np.allclose(scan.z, problem.evaluate(other), atol=1e-12)
        tours.step(scan.place, 7)
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
    weights, capacity = problem.weights.tolist(), problem.capacity.tolist()
    expected = [
        other
        for other in slow.exchanged(x)
        if slow_knapsack.fits(other, weights, capacity)
    ]
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
                plan = plan_of(scan.neighbour)
                expected = slow_routes.objectives(
                    plan, problem.depot, problem.customers
                )
                assert np.allclose(scan.z, expected)
                found.add(slow.as_set(plan))
    loads = (
        (max(slow_routes.load(r, problem.demands) for r in plan), plan)
        for plan in slow.rerouted(plan_of(x))
    )
    assert found == {slow.as_set(plan) for load, plan in loads if load <= 10}


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
        x.tolist(), slow.turned_around, problem.evaluate, weights, aim, start
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
    for other in neighbours_of(problem, scan.x):
        point = moves.evaluate(np.array(other))
        assert scan.weights @ point > scan.aim[0] - 1e-8
        assert (points <= point + 1e-9).all(axis=1).any()


def neighbours_of(problem, x):
    """All allowed neighbours, as codes of the search."""
    if isinstance(problem, TSP):
        return slow.turned_around(x.tolist())
    if isinstance(problem, Knapsack):
        return [
            other
            for other in slow.exchanged(x)
            if (problem.load(np.array(other) == 1) <= problem.capacity).all()
        ]
    return [
        codes_of(problem, plan)
        for plan in slow.rerouted(plan_of(x))
        if max(slow_routes.load(r, problem.demands) for r in plan) <= problem.capacity
    ]


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


# --- regions


@given(seed=SEEDS, m=st.integers(2, 3))
def test_a_point_belongs_where_it_loses_least(seed, m):
    """By the definition, one point and one region at a time."""
    rng = np.random.default_rng(seed)
    lattice = rng.random((6, m))
    regions = Regions(lattice, 4)
    points = rng.random((9, m))
    regions.best = rng.random(4) * 0.1
    for point, owner in zip(points, regions.owners(points), strict=True):
        losses = [
            sum(w * point) - b for w, b in zip(lattice, regions.best, strict=False)
        ]
        assert owner == int(np.argmin(losses))


def test_a_region_without_gain_moves_to_where_the_front_is_sparse():
    """Least visited weights first, among these those with fewest members."""
    shares = np.array([0.0, 1.0, 0.5, 0.25, 0.75])
    regions = Regions(np.stack([shares, 1.0 - shares], axis=1), 2)
    # An arc with many points near its first end, and one elsewhere.
    angles = np.array([0.01, 0.02, 0.03, 0.3, 0.4, 0.5, 1.2])
    points = 2.0 - np.stack([np.cos(angles), np.sin(angles)], axis=1)
    explored = np.zeros(7, bool)
    regions.cooperate(points, explored)  # everything is new: nobody moves
    assert regions.visits.tolist() == [1, 1, 0, 0, 0]
    regions.is_fresh[:] = False
    owners = regions.cooperate(points, explored)  # nothing was gained: both move
    assert regions.is_fresh.all()
    assert regions.visits.sum() == 4
    assert sorted(regions.visits[:2]) == [1, 1]
    lost = points @ regions.weights.T - (points @ regions.weights.T).min(axis=0)
    assert owners.tolist() == lost.argmin(axis=1).tolist()
    sparse = regions.weights[0]
    assert sparse.tolist() == [0.25, 0.75]


# --- whole runs


@pytest.mark.parametrize("name", ["bitsp-9", "bikp-15", "bicvrp-8"])
def test_without_a_budget_it_ends_where_no_neighbour_adds_to_the_front(name):
    """The rule of Pareto local search, by making all neighbours of all members."""
    options = {"decoder": "flags"} if "cvrp" in name else {}
    problem = get(name, instance=2, **options)
    result = dl.solve(problem, method=ParetoLocalSearch(num_weights=10))
    assert result.stopped == "the method came to its end"
    moves = moves_for(problem)
    points = result.F * problem.sign
    for x in result.X:
        codes = problem.space.encode(x)
        for other in neighbours_of(problem, codes):
            point = moves.evaluate(np.array(other))
            assert (points <= point + 1e-8).all(axis=1).any()


def test_it_finds_the_whole_front_of_a_small_knapsack():
    """Exchanges and kicks reach every point of an exact front."""
    problem = get("bikp-20", instance=3)
    _, exact = dl.problems.exact_front(problem)
    found = dl.solve(problem, 60_000, method="ppls-dc").F
    assert np.allclose(found[np.argsort(found[:, 0])], exact)


@pytest.mark.parametrize("budget", [1, 2, 57, 4_321])
@pytest.mark.parametrize("name", ["tritsp-10", "bikp-15", "bicvrp-10"])
def test_the_budget_is_spent_exactly(name, budget):
    """In the middle of a scan, and before the first one ends."""
    result = dl.solve(get(name), budget, method="ppls-dc")
    assert result.evaluations == budget
    assert len(result.F) >= 1


def test_room_for_the_front_does_not_change_what_is_found(monkeypatch):
    """The archive doubles in the middle of a scan."""
    problem = get("tritsp-12")
    usual = dl.solve(problem, 3_000, method="ppls-dc")
    monkeypatch.setattr(pareto_local_search, "SLOTS", 2)
    tight = dl.solve(problem, 3_000, method="ppls-dc")
    assert len(usual.F) > 100
    assert np.array_equal(usual.F, tight.F)


@pytest.mark.parametrize(
    "problem",
    [
        get("bitsp-10"),
        get("biatsp-10"),
        get("bikp-12", repair="none"),
        get("bikp-12", repair="efficiency", fill=True),
        get("bicvrp-10"),
        get("bicvrp-10", decoder="flags"),
        TSP(distances=np.zeros((2, 4, 4))),
        TSP(np.random.default_rng(0).random((6, 1, 2))),
        Knapsack([3.0], [[1.0, 2.0]], 2.0),
        CVRP([0, 0], [[1, 1]], [1], 1),
    ],
    ids=lambda problem: f"{problem.name}-{problem.num_objectives}",
)
def test_the_shared_checks_pass_on_every_kind_of_instance(problem):
    """Asymmetric, constrained, repaired, one objective, and hardly anything to do."""
    check_baseline("ppls-dc", problem, budget=150)


def test_what_is_reported_is_what_the_problem_says():
    """Values by differences are never reported, only whole evaluations."""
    for name in ("bitsp-15", "bikp-20", "bicvrp-12"):
        problem = get(name, instance=1)
        result = dl.solve(problem, 3_000, method="ppls-dc")
        for x, point in zip(result.X, result.F, strict=True):
            assert (problem.evaluate(x)[:2] == point).all()


def test_it_is_far_better_than_nothing():
    """HV of bitsp-50 at 100,000 evaluations; the paper has .63 at the end."""
    result = dl.solve(get("bitsp-50"), 100_000, method="ppls-dc")
    assert result.hypervolume() > 0.62


def test_ctrl_c_keeps_what_was_found():
    """It is heard between two cooperations."""

    class Interrupting(Silent):
        """A display during which the user presses Ctrl-C."""

        def update(self, optimizer):
            """Press it."""
            if optimizer.evaluations:
                signal.raise_signal(signal.SIGINT)

    problem = get("bitsp-30")
    with pytest.raises(dl.SearchInterrupted) as caught:
        dl.solve(problem, 10**9, method="ppls-dc", progress=Interrupting())
    assert 0 < caught.value.result.evaluations < 10**8
    assert len(caught.value.result.F) > 1


@pytest.mark.parametrize(
    ("problem", "words"),
    [
        (get("mnk-10"), "ppls-dc treats TSP, Knapsack and.*mnk-10"),
        (get("noisytsp-20"), "noisytsp-20"),
        (get("bicvrp-20", decoder="greedy"), "'cap-split' or 'flags'"),
        (TSP(distances=np.ones((2, 3, 3))), "at least 4 cities, got 3"),
    ],
)
def test_other_problems_are_refused(problem, words):
    """Before anything is evaluated, with what can be treated."""
    with pytest.raises(dl.InputError, match=words):
        dl.solve(problem, 100, method="ppls-dc")


@pytest.mark.parametrize("option", ["regions", "period", "num_weights"])
def test_wrong_options_are_named(option):
    """At once, not in the middle of a run."""
    with pytest.raises(dl.InputError, match=option):
        ParetoLocalSearch(**{option: 0})
