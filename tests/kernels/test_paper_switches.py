"""What the switches of the paper's method do: archive, acceptance, bounds, patience."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

import divlearn as dl
from divlearn.methods.names import method_for
from divlearn.methods.paper.kernels.local_refine import keeps
from divlearn.methods.paper.kernels.scalarization import scalarize
from divlearn.methods.paper.kernels.search import REFINEMENT, SAMPLE
from divlearn.methods.paper.method import UNIT_MOVES
from tests.kernels.cases import (
    WEIGHTS,
    ask_and_tell,
    differing_arrays,
    hashed_problem,
    new_search,
    small_settings,
    walk,
)
from tests.reference.bests import best_of_each, non_dominated


def raw(**changes):
    """A small search whose cost of a solution never changes."""
    return small_settings(normalisation="none", **changes)


def answers_of(optimizer, evaluations):
    """Ask and tell; what was made for which weight, and its objectives."""
    told = []
    for _ in range(evaluations):
        (candidate,) = optimizer.ask()
        y = optimizer.problem.evaluate(candidate.x)
        optimizer.tell(candidate, y)
        if candidate.ticket[0] != SAMPLE:
            told.append((int(candidate.ticket[1]), tuple(y)))
    return told


@pytest.mark.parametrize("evaluations", [6, 60, 200])
def test_an_archive_of_the_best_holds_one_solution_of_each_weight(evaluations):
    """Line 10 of the main loop; the reference looks through all answers."""
    problem = hashed_problem(dl.Permutation(7), num_objectives=2)
    optimizer, _ = new_search(problem, raw(archive="best"), 3)
    told = answers_of(optimizer, evaluations)
    expected = non_dominated(best_of_each(told, WEIGHTS).values())
    found = {tuple(row) for row in optimizer.front_objectives.tolist()}
    assert found == expected
    assert len(found) <= len(WEIGHTS)


def test_which_archive_is_kept_does_not_change_the_search():
    """Both evaluate the same solutions in the same order."""
    asked = []
    for archive in ("all", "best"):
        problem = hashed_problem(dl.Binary(9))
        optimizer, state = new_search(problem, small_settings(archive=archive))
        ask_and_tell(optimizer, 120)
        asked.append((state.incumbents.tolist(), state.words.tolist()))
    assert asked[0] == asked[1]


def test_infeasible_solutions_stay_out_of_an_archive_of_the_best():
    """Where nothing is feasible, the front is empty."""
    problem = dl.Problem(
        dl.Binary(6),
        lambda x: (x.sum(), -x.sum(), 1.0 - x.all()),
        ["a", "b"],
        constraints=["g"],
    )
    optimizer, _ = new_search(problem, small_settings(archive="best"))
    (first,) = optimizer.ask()
    optimizer.tell(first, problem.evaluate(first.x))
    assert optimizer.front_size == 0
    optimizer.add(np.ones(6, bool), (6.0, -6.0, 0.0))
    assert optimizer.front_objectives.tolist() == [[6.0, -6.0]]


outputs = st.tuples(st.floats(-1, 3), st.floats(0, 10)).map(np.array)


@given(outputs, outputs, st.integers(0, 2))
def test_raw_costs_order_solutions_by_their_weighted_sums(y, z, w):
    """Scaled to [0, 1] by the sums at the bounds, and by nothing else."""
    _, state = new_search(hashed_problem(dl.Binary(3)), raw())
    state.objectives.low, state.objectives.high = [-1.0, 0.0], [3.0, 10.0]
    low, high = (np.dot(WEIGHTS[w], bounds) for bounds in ([-1, 0], [3, 10]))
    for point in (y, z):
        expected = (np.dot(WEIGHTS[w], point) - low) / (high - low)
        assert_allclose(scalarize(state, w, point), expected, atol=1e-12)


def test_initial_bounds_stay_as_the_initial_solutions_set_them():
    """Later answers may lie beyond, and running bounds follow them."""
    bounds = {}
    for name in ("running", "initial"):
        settings = small_settings(normalisation=name)
        optimizer, state = new_search(hashed_problem(dl.Binary(9)), settings)
        ask_and_tell(optimizer, 5)
        first = (*state.objectives.low, *state.objectives.high)
        ask_and_tell(optimizer, 200)
        bounds[name] = first, (*state.objectives.low, *state.objectives.high)
    assert bounds["initial"][0] == bounds["initial"][1] == bounds["running"][0]
    assert bounds["running"][0] != bounds["running"][1]


def test_costs_beyond_the_initial_bounds_still_tell_what_is_better():
    """Also with Tchebycheff, whose ideal point may be passed."""
    options = {"normalisation": "initial", "scalarization": "tchebycheff"}
    _, state = new_search(hashed_problem(dl.Binary(3)), small_settings(**options))
    state.objectives.low, state.objectives.high = [0.0, 0.0], [1.0, 1.0]
    costs = [scalarize(state, 1, np.array([-v, -v])) for v in (0.0, 1.0, 2.0)]
    assert costs == [0.0, -0.5, -1.0]


def test_initial_solutions_that_are_all_alike_leave_the_bounds_open():
    """Else nothing would ever be better than anything."""
    settings = small_settings(normalisation="initial", initial=1)
    optimizer, state = new_search(hashed_problem(dl.Binary(9)), settings)
    ask_and_tell(optimizer, 30)
    assert (state.objectives.high > state.objectives.low).all()


def test_a_weight_is_left_when_its_patience_ends():
    """Only the first of equal solutions is an improvement, so four iterations each."""
    problem = dl.Problem(dl.Binary(9), lambda x: (1.0, 1.0), ["a", "b"])
    settings = small_settings(
        after_patience="next-weight",
        patience=3,
        iterations=50,
        **{"decomposition.decay": 0.0, "coordination": None},
    )
    result = dl.solve(problem, "schedule", method=settings)
    windows = 6  # of four positions, with a stride of one
    assert result.evaluations == 5 + len(WEIGHTS) * (1 + 4 * windows * 2)


def test_constructions_alone_do_not_prolong_a_visit():
    """Only a solution better than the best of the visit does."""
    problem = dl.Problem(dl.Binary(9), lambda x: (1.0, 1.0), ["a", "b"])
    settings = small_settings(
        after_patience="next-weight", patience=3, iterations=50, construct_every=2
    )
    optimizer, state = new_search(problem, settings)
    most = max(cursor["iteration"] for cursor, *_ in walk(optimizer, state, 150))
    assert most == 4


@pytest.mark.parametrize("accept", ["better", "gradient", "always"])
def test_perturbations_are_kept_as_the_acceptance_says(accept):
    """Improvements, improvements with a probability, or all of them."""
    settings = small_settings(**{"refinement.accept": accept, "iterations": 4})
    _, state = new_search(hashed_problem(dl.Binary(3)), settings)
    state.objectives.low, state.objectives.high = 0.0, 1.0
    state.incumbent_outputs[1] = 0.5, 0.5
    shares = [
        np.mean([keeps(state, 1, np.array([y, y])) for _ in range(2_000)])
        for y in (0.4, 0.6)
    ]
    # eta_0 sqrt(T / t) times the gain of a tenth, at the first of four iterations.
    expected = {"better": (1.0, 0.0), "gradient": (0.2, 0.0), "always": (1.0, 1.0)}
    assert_allclose(shares, expected[accept], atol=4 * math.sqrt(0.16 / 2_000))


def test_less_violation_is_kept_whatever_the_acceptance():
    """And more of it is not."""
    problem = dl.Problem(
        dl.Binary(3), lambda x: (0, 0, 0), ["a", "b"], constraints=["g"]
    )
    for accept in ("better", "gradient", "always"):
        _, state = new_search(problem, small_settings(**{"refinement.accept": accept}))
        state.objectives.low, state.objectives.high = 0.0, 1.0
        state.incumbent_outputs[1] = 0.5, 0.5, 1.0
        assert keeps(state, 1, np.array([0.9, 0.9, 0.5]))
        assert not keeps(state, 1, np.array([0.1, 0.1, 1.5]))


def test_the_literal_preset_makes_unit_moves_only():
    """A refinement swaps two neighbours of the incumbent."""
    method = method_for("paper-literal").replace(weights=WEIGHTS, initial=5)
    optimizer, state = new_search(hashed_problem(dl.Permutation(9)), method)
    seen = 0
    for cursor, x, kind in walk(optimizer, state, 100):
        if kind == REFINEMENT:
            before = state.incumbents[cursor["weight"]]
            places = np.flatnonzero(before != x)
            assert len(places) == 2
            assert places[1] == places[0] + 1
            seen += 1
    assert seen > 80
    assert optimizer.method == "custom"
    assert set(UNIT_MOVES) == set(method.refinement.moves)


def test_the_literal_preset_moves_in_every_kind_of_space():
    """A subset of fixed size has no flips, and exchanges instead."""
    space = dl.Composite(
        chosen=dl.Subset(6, min=3, max=3), level=dl.Integer(0, 9), kind=dl.Binary(2)
    )
    problem = hashed_problem(space)
    optimizer, state = new_search(problem, "paper-literal")
    incumbents = {tuple(x) for _, x, _ in walk(optimizer, state, 300)}
    columns = np.array(sorted(incumbents)).T
    assert all(len(set(column)) > 1 for column in columns)
    assert_array_equal(columns[:6].sum(axis=0), 3)


@pytest.mark.parametrize(
    "changes",
    [
        {"archive": "best"},
        {"refinement.accept": "gradient", "normalisation": "initial"},
        {"after_patience": "next-weight", "patience": 1},
        {"decomposition.groups": [[0, 1, 2], [2, 3, 4, 5, 6]]},
        {"decomposition.size": 0.5, "normalisation": "none"},
    ],
    ids=lambda changes: ", ".join(changes),
)
def test_a_saved_search_goes_on_as_it_would_have(tmp_path, changes):
    """Also what is remembered for these switches alone is in the file."""
    problem = hashed_problem(dl.Permutation(7))
    whole, _ = new_search(problem, small_settings(**changes), 3)
    ask_and_tell(whole, 70)
    whole.save(tmp_path / "state.npz")
    loaded = dl.Optimizer.load(tmp_path / "state.npz", problem)
    for optimizer in (whole, loaded):
        ask_and_tell(optimizer, 70)
    assert differing_arrays(whole, loaded) == []
    assert loaded.settings == whole.settings
