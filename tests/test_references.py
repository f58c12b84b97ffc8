"""The reference methods of the benchmarks, as far as they need no further packages."""

import json
from itertools import permutations

import numpy as np
import pytest

import divlearn as dl
from benchmarks.references import (
    assignment,
    by_name,
    common,
    knapsack,
    operators,
    run,
)
from benchmarks.references import pareto_local_search as pls
from divlearn.basics.errors import InputError, MissingExtra
from divlearn.metrics import non_dominated
from divlearn.problems import LinearAssignment, get


def two_opt_points(distances, tour):
    """Lengths of all 2-opt neighbours, by making every one of them."""
    n = len(tour)
    for i in range(n):
        for j in range(i + 2, n + 1):
            other = np.concatenate([tour[:i], tour[i:j][::-1], tour[j:]])
            yield distances[:, other, np.roll(other, -1)].sum(axis=1)


def test_pareto_local_search_ends_where_no_neighbour_adds_to_the_front():
    """The stopping rule itself, checked by making all neighbours of all tours."""
    problem = get("bitsp-9", instance=3)
    starts = operators.random_codes(problem.space.layout, 3, 0)
    tours, evaluations = pls.local_search(problem.distances, starts)
    points = np.array([problem.evaluate(tour) for tour in tours])
    assert non_dominated(points).all()
    assert (np.diff(points[:, 0]) > 0).all()
    assert evaluations >= len(tours) * 9 * 6 // 2
    for point in [
        *(problem.evaluate(tour) for tour in starts),
        *(p for tour in tours for p in two_opt_points(problem.distances, tour)),
    ]:
        assert (points <= point + 1e-8).all(axis=1).any()


def test_pareto_local_search_says_when_there_is_no_room():
    """A front that was cut off would count as a weaker reference."""
    problem = get("bitsp-20")
    starts = operators.random_codes(problem.space.layout, 1, 0)
    with pytest.raises(InputError, match="more than 5 points"):
        pls.local_search(problem.distances, starts, most=5)


@pytest.mark.parametrize("m", [2, 3])
def test_fronts_of_linear_assignment_are_those_of_all_assignments(m):
    """Exact with two costs; with three, so small a local search misses nothing."""
    pytest.importorskip("scipy")
    costs = np.random.default_rng(m).integers(1, 30, (m, 6, 6)).astype(float)
    problem = LinearAssignment(costs)
    every = np.array([problem.evaluate(x) for x in permutations(range(6))])
    expected = np.unique(every[non_dominated(every)], axis=0)
    found = assignment.front(problem, exact=m == 2).F
    np.testing.assert_array_equal(np.unique(found, axis=0), expected)


def test_a_missing_package_is_named():
    """With the command that installs it."""
    with pytest.raises(MissingExtra, match="pip install nosuchpackage"):
        common.need("nosuchpackage")


@pytest.mark.parametrize("module", [knapsack, pls])
def test_a_specialised_reference_refuses_other_problems(module):
    """Before it starts, and with the name of what it got."""
    with pytest.raises(InputError, match="mnk-10"):
        module.front(get("mnk-10"))


def test_a_method_that_ends_by_itself_needs_no_budget():
    """Solvers see the whole instance and come to an end."""
    found = by_name.front(get("bikp-20"), method="ws-dp", num_weights=5)
    assert found.evaluations == 5
    assert len(found.F)


def test_what_seemed_best_under_noise_is_judged_without_it():
    """Values of lucky measurements would let noise pass for quality."""
    problem = get("mixed-20", instance=1)
    evaluator = common.Evaluator(problem)
    for row in operators.random_codes(problem.space.layout, 40, 0):
        evaluator(row)
    exact = problem.noise_free([problem.space.decode(x) for x in evaluator.codes])
    found = evaluator.front()
    assert len(found)
    for point in found:
        assert (exact == point).all(axis=1).any()
    assert not np.isin(found, np.array(evaluator.outputs)).any()


def test_infeasible_solutions_are_not_on_a_front():
    """A knapsack that is too full would have the largest values of all."""
    problem = get("bikp-10", repair="none")
    evaluator = common.Evaluator(problem)
    evaluator(np.ones(10, np.int64))
    assert not len(evaluator.front())
    evaluator(np.zeros(10, np.int64))
    assert evaluator.front().tolist() == [[0.0, 0.0]]


def test_methods_by_name_spend_their_budget_and_are_judged_without_noise():
    """What divlearn runs by a name is measured like the other references."""
    problem = get("mixed-20", instance=1)
    found = by_name.front(problem, 40, seed=1, method="random")
    assert found.evaluations == 40
    result = dl.solve(problem, 40, method="random", seed=1)
    exact = problem.noise_free(result.X)
    for point in found.F:
        assert (exact == point).all(axis=1).any()


def test_the_command_appends_what_is_missing_and_nothing_else(tmp_path, capsys):
    """Long comparisons are made of many short calls."""
    out = tmp_path / "rows.json"
    request = ["exact", "--problems", "bikp-10,bikp-12", "--out", str(out)]
    run.main([*request, "--instances", "0-1"])
    run.main([*request, "--instances", "1-2"])
    rows = json.loads(out.read_text())
    assert [(r["problem"], r["instance"]) for r in rows] == [
        (f"bikp-{n}", i)
        for instances in ((0, 1), (2,))
        for n in (10, 12)
        for i in instances
    ]
    assert len(capsys.readouterr().out.splitlines()) == 6
    assert all(0 < r["hv"] < 1 and r["versions"]["divlearn"] for r in rows)


def test_budgets_and_seeds_are_part_of_what_a_row_is_known_by(tmp_path, capsys):
    """The same reference at two budgets is two rows; the seed is the instance."""
    out = tmp_path / "rows.json"
    request = ["random", "--problems", "mnk-10:k=1", "--instances", "3"]
    run.main([*request, "--budgets", "20,40", "--out", str(out)])
    rows = json.loads(out.read_text())
    assert [(r["budget"], r["seed"], r["evaluations"]) for r in rows] == [
        (20, 3, 20),
        (40, 3, 40),
    ]
    assert rows[0]["hv"] <= rows[1]["hv"]
    with pytest.raises(InputError, match="--budgets"):
        run.main([*request, "--out", str(out)])


def test_problems_take_options_after_their_name():
    """Landscapes of several degrees of interaction in one comparison."""
    assert run.get_problem("bicvrp-20:levels=8", 3).limits.shape == (8,)
    assert run.get_problem("bikp-20:repair=none", 0).num_constraints == 1
    assert run.numbers("0-2,7") == [0, 1, 2, 7]


def test_what_was_measured_is_complete_and_plausible():
    """The rows kept in the project: no run twice, every ratio between 0 and 1."""
    rows = run.read_rows(run.MEASURED)
    assert rows
    assert len({run.key_of(row) for row in rows}) == len(rows)
    for row in rows:
        assert row["reference"] in run.REFERENCES
        assert 0.0 < row["hv"] < 1.0
        assert row["cpu_seconds"] > 0.0
