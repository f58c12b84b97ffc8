"""Pareto local search by regions: regions, and whole runs."""

import signal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import divlearn as dl
from divlearn.lab.baselines.local_search import search
from divlearn.lab.baselines.local_search.moves import moves_for
from divlearn.lab.baselines.local_search.regions import Regions
from divlearn.lab.baselines.local_search.routes import RouteMoves
from divlearn.lab.baselines.pareto_local_search import ParetoLocalSearch
from divlearn.problems import CVRP, TSP, Knapsack, get
from divlearn.terminal.display import Silent
from divlearn.testing import check_baseline
from tests.reference import local_search as slow

# --- regions


@given(seed=st.integers(0, 10**6), m=st.integers(2, 3))
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


@pytest.mark.parametrize("name", ["bitsp-9", "biatsp-8", "bikp-15", "bicvrp-8"])
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
        for other in slow.neighbours(problem, codes):
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
    monkeypatch.setattr(search, "SLOTS", 2)
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


@pytest.mark.parametrize("budget", [57, 3_000])
def test_every_decoding_of_routes_counts(budget, monkeypatch):
    """The cap split may make other routes of a plan: two solutions, two evaluations."""
    scanned, decoded = [], []
    scan, outputs = RouteMoves.scan, search.LocalSearch.outputs

    def counted_scan(self, *given):
        scanned.append(scan(self, *given))
        return scanned[-1]

    def counted_outputs(self, codes):
        decoded.append(codes)
        return outputs(self, codes)

    # What compiles before the clock starts is not part of the search.
    monkeypatch.setattr(ParetoLocalSearch, "warm_up", lambda self, problem: None)
    monkeypatch.setattr(RouteMoves, "scan", counted_scan)
    monkeypatch.setattr(search.LocalSearch, "outputs", counted_outputs)
    result = dl.solve(get("bicvrp-12"), budget, method="ppls-dc")
    assert sum(scanned) + len(decoded) == result.evaluations == budget
    known = {codes.tobytes() for codes in decoded}
    space = get("bicvrp-12").space
    assert all(space.encode(x).tobytes() in known for x in result.X)


def test_the_plan_that_gives_the_units_counts():
    """Lengths are weighed by those of a first plan, which is an evaluation too."""
    problem = get("bicvrp-12", decoder="flags")
    result = dl.solve(problem, 1, method="ppls-dc")
    assert np.array_equal(result.F[0], moves_for(problem).units)


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
        (get("mnk-10"), "ppls-dc handles TSP, Knapsack and.*mnk-10"),
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
