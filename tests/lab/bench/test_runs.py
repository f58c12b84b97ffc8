"""Runs that end with their schedule, share their beginning, or are looked at."""

import dataclasses
import sqlite3
from contextlib import closing

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import divlearn as dl
from divlearn.basics.errors import InputError
from divlearn.lab.bench import Case, Contender, Store, Suite, run_suite, schema
from divlearn.lab.bench.cases import problem_of
from divlearn.lab.bench.fronts import FRONT_MEASURES
from divlearn.lab.bench.measures import values_of
from divlearn.lab.bench.task import Task, gridded
from divlearn.lab.bench.work import initial_solutions, perform
from divlearn.metrics import non_dominated
from tests.lab.bench.conftest import outcome

TOUR = Case("bitsp-8")
SHORT = {"iterations": 2, "weights": 3}


def test_runs_of_the_papers_methods_end_with_their_schedule(store):
    """A budget that is a word, in the key, in the store and in the table."""
    methods = (Contender("paper-ucb", SHORT), Contender("random", budget=50))
    suite = Suite("s", "", (TOUR,), methods, budget="schedule")
    suite.require_runnable()
    run_suite(suite, store, workers=1)
    scheduled, random = store.runs(task.key for task in suite.tasks())
    problem = problem_of(TOUR, 0)
    method = dl.DivideAndLearn(**SHORT)
    alone = dl.solve(problem, "schedule", method=method, progress=False)
    assert scheduled.evaluations == alone.evaluations
    assert scheduled.task.budget == "schedule"
    assert_array_equal(np.sort(store.front(scheduled.key), 0), np.sort(alone.F, 0))
    assert random.evaluations == 50
    # 2 iterations for each of 3 weights; the rest of the evaluations are others.
    found = values_of("redundancy", [scheduled, random], store)
    assert found[scheduled.key] == scheduled.tally["refined"] / (8 * 3 * 2)
    assert np.isnan(found[random.key])


def test_methods_without_a_schedule_need_a_budget_of_their_own():
    """And the message says how."""
    suite = Suite("s", "", (TOUR,), (Contender("random"),), budget="schedule")
    with pytest.raises(InputError, match="random@10000"):
        suite.require_runnable()


@pytest.mark.parametrize("method", ["paper-ts", "random", "dl"])
def test_all_methods_are_told_the_same_initial_solutions(method):
    """They are part of the budget, and the front is never worse than theirs."""
    task = Task(TOUR, 3, Contender(method), seed=5, budget=60, initial=40)
    problem = problem_of(TOUR, 3)
    given = initial_solutions(problem, task)
    assert len({tuple(x) for x in given}) > 30
    other = dataclasses.replace(task, contender=Contender("uniform"))
    assert_array_equal(given, initial_solutions(problem, other))
    found = perform(task)
    assert (found.state, found.message) == ("ok", "")
    values = np.array([problem.evaluate(x) for x in given])
    best = values[non_dominated(values, problem.senses)]
    from divlearn.lab.bench.record import unpack

    front = unpack(found.front)
    assert all((front <= point).all(axis=1).any() for point in best + 1e-12)


def test_initial_solutions_and_snapshots_make_another_run_of_it():
    """Keys of runs without them stay what they were."""
    plain = Task(TOUR, 0, Contender("uniform"), seed=0, budget=60)
    keys = {
        plain.key,
        dataclasses.replace(plain, initial=10).key,
        dataclasses.replace(plain, snapshots=10).key,
    }
    assert len(keys) == 3
    assert dataclasses.replace(plain, initial=0).key == plain.key


def test_snapshots_tell_how_the_front_was_and_change_nothing(store):
    """The last one is that of the final front."""
    plain = Task(TOUR, 0, Contender("paper-ts"), seed=0, budget=200)
    task = dataclasses.replace(plain, snapshots=4)
    first, second = perform(plain), perform(task)
    assert first.front == second.front
    store.write(task, second)
    seen = store.series(task.key, "snapshots")
    assert list(seen["evaluations"]) == [50, 100, 150, 200]
    problem = problem_of(TOUR, 0)
    solutions = store.solutions(task.key, problem)
    for name in ("coverage", "adjusted_diversity"):
        value = FRONT_MEASURES[name](store.front(task.key), solutions, problem)
        assert_allclose(seen[name][-1], value, rtol=1e-6)
    assert store.series(task.key, "trace") is None


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"budget": "schedule", "snapshots": 3}, "snapshots must be 0"),
        ({"budget": 10, "initial": 10}, "initial must be less"),
        ({"budget": "soon"}, "budget must be"),
        ({"budget": 10, "snapshots": -1}, "snapshots"),
    ],
)
def test_what_means_nothing_is_refused(changes, message):
    """When the suite is made, not when it runs."""
    with pytest.raises(InputError, match=message):
        Suite("s", "", (TOUR,), (Contender("uniform"),), **changes)


def test_a_grid_has_every_combination_of_its_settings():
    """With labels that tell them apart, and the budget of the method."""
    axes = {"patience": [5, 10], "refinement.moves": [("swap",), ("reversal",)]}
    made = gridded(Contender("paper-ts", {"initial": 9}, "x", 7), axes)
    assert [one.label for one in made] == [
        "x (patience=5, refinement.moves=swap)",
        "x (patience=5, refinement.moves=reversal)",
        "x (patience=10, refinement.moves=swap)",
        "x (patience=10, refinement.moves=reversal)",
    ]
    assert {one.budget for one in made} == {7}
    assert made[3].settings == {
        "initial": 9,
        "patience": 10,
        "refinement.moves": ("reversal",),
    }


def test_a_store_of_the_first_version_is_brought_up_to_date(tmp_path):
    """Its runs are all there, and are found under the keys that they have."""
    path = tmp_path / "bench.db"
    task = Task(TOUR, 0, Contender("uniform"), seed=0, budget=60)
    with Store(path) as store:
        store.write(task, outcome(0.5))
    names = ", ".join(name for name in schema.OLD_COLUMNS)
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(
            f"ALTER TABLE runs RENAME TO new_runs; {schema.OLD_RUNS}"
            f"INSERT INTO runs ({names}) SELECT {names} FROM new_runs;"
            "DROP TABLE new_runs; DROP TABLE series; PRAGMA user_version = 1;"
        )
    with pytest.raises(InputError, match="version 1"):
        Store(path, read_only=True)
    with Store(path) as store:
        (run,) = store.runs([task.key])
        assert (run.task.initial, run.hypervolume) == (0, 0.5)
        store.write(dataclasses.replace(task, initial=5), outcome(0.6))
    with Store(path, read_only=True) as store:
        assert [run.task.initial for run in store.runs()] == [0, 5]
