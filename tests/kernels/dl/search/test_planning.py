"""The whole front, planned inside exact tables."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

import divlearn as dl
from divlearn.kernels.layout import is_member
from divlearn.methods.dl.kernels.memory import hash_solution, mark_seen
from divlearn.methods.dl.kernels.models.quadratic.values import STREAK, new_values
from divlearn.methods.dl.kernels.search.enumeration import new_plan
from divlearn.methods.dl.kernels.search.gaps import LEVELS
from divlearn.methods.dl.kernels.search.planning import is_planning, plan_values
from divlearn.methods.dl.kernels.state import OF_TABLES
from tests.kernels.dl.models.quadratic.cases import SPACES, random_table, state_around
from tests.reference.values import additive_outputs, all_codes, front_of


class Planner:
    """Plans inside a table that is the truth, and evaluates what was planned."""

    def __init__(self, space, table, base, m, start):
        self.layout = layout = space.layout
        self.outputs = lambda x: additive_outputs(table, base, layout, x)
        p = table.shape[1]
        self.values, self.plan = new_values(layout, p, 1), new_plan(layout, m, p - m)
        self.values.singles.mean[:] = table
        self.values.outputs.square[:] = 1.0
        self.values.streak[0] = STREAK
        state = state_around(space, self.outputs, start, m)
        self.state = state._replace(values=self.values, plan=self.plan)
        self.found = [self.outputs(x) for x in start]

    def ask(self, weights):
        """The next planned solution, or None."""
        y = np.zeros(len(self.layout.places), np.int64)
        self.state.weights[OF_TABLES, : len(weights)] = weights
        if not plan_values(self.state, y):
            return None
        assert mark_seen(
            self.state.seen, np.uint64(hash_solution(self.layout, y, False))
        )
        assert is_member(self.layout, y)
        self.found.append(self.outputs(y))
        return y


def planner_for(name, seed, m, constraints):
    """A random truth, begun with one feasible solution; None without any."""
    layout, rng = SPACES[name].layout, np.random.default_rng(seed)
    table = random_table(layout, m + constraints, rng)
    base = np.zeros(m + constraints)
    base[m:] = rng.integers(-12, 0, constraints)
    codes = all_codes(layout)
    outputs = np.array([additive_outputs(table, base, layout, x) for x in codes])
    feasible = np.flatnonzero((outputs[:, m:] <= 0.0).all(axis=1))
    if len(feasible) == 0:
        return None, None
    start = codes[feasible[:1]]
    return Planner(SPACES[name], table, base, m, start), front_of(outputs, m)


@pytest.mark.parametrize("constraints", [0, 1, 2])
@pytest.mark.parametrize("name", sorted(SPACES))
def test_the_plan_is_the_front_of_all_solutions(name, constraints):
    """Two objectives; constraints and limits of subsets are kept."""
    for seed in range(5):
        planner, front = planner_for(name, seed, 2, constraints)
        if planner is None:
            continue
        while planner.ask(np.ones(2)) is not None or (
            planner.plan.control[0].level <= LEVELS
        ):
            pass
        assert_allclose(front_of(planner.found, 2), front)
        # Little else is evaluated than what lies on the front.
        assert len(planner.found) <= 2 * len(front) + 4


@pytest.mark.parametrize("name", ["bits", "few"])
def test_many_constraints_are_planned_by_walks_to_the_front_of_all_solutions(name):
    """Seven constraints; all that is planned keeps them."""
    for seed in range(3):
        planner, front = planner_for(name, seed, 2, 7)
        if planner is None:
            continue
        for _ in range(60):
            planner.ask(np.ones(2))
        assert_allclose(front_of(planner.found, 2), front)
        assert (np.array(planner.found)[:, 2:] <= 1e-9).all()


def test_the_best_of_one_objective_is_planned():
    """A single direction holds everything."""
    planner, front = planner_for("bits", 3, 1, 1)
    for _ in range(20):
        planner.ask(np.ones(1))
    assert_allclose(front_of(planner.found, 1), front)


def test_three_objectives_are_planned_by_directions():
    """Weights come from outside; every end of the front is found."""
    planner, front = planner_for("bits", 4, 3, 0)
    rng = np.random.default_rng(0)
    for _ in range(400):
        planner.ask(rng.dirichlet(np.ones(3)))
    found = front_of(planner.found, 3)
    assert_allclose(found.min(axis=0), front.min(axis=0))
    assert len({tuple(y) for y in found} & {tuple(y) for y in front}) > len(front) / 2


def test_points_that_all_known_ones_miss_by_most_come_first():
    """Three objectives: as comparing all that wait with all that do not."""
    planner, _ = planner_for("bits", 4, 3, 0)
    rng, plan, compared = np.random.default_rng(0), planner.plan, 0
    for _ in range(30):
        if planner.ask(rng.dirichlet(np.ones(3))) is None:
            continue
        slots = plan.archive.order[: plan.control[0].points]
        waits, keys = plan.waiting[slots] == 1, plan.archive.keys[slots]
        missed = [(keys[~waits] - key).max(axis=1).min() for key in keys[waits]]
        assert_allclose(plan.promise[slots[waits]], missed)
        compared += waits.sum()
    assert compared > 10


def test_a_plan_without_room_is_left_to_the_search_once_it_is_evaluated():
    """More than two objectives; with two there is nothing that it has left out."""
    for m, goes_on in ((2, True), (3, False)):
        planner, _ = planner_for("bits", 4, m, 0)
        planner.ask(np.ones(m))
        control = planner.plan.control[0]
        control.points = len(planner.plan.waiting) - 1
        assert is_planning(planner.plan, planner.values) or control.waiting == 0
        control.waiting = 0
        assert is_planning(planner.plan, planner.values) == goes_on
        planner.values.streak[0] = 0
        assert not is_planning(planner.plan, planner.values)


def test_the_ends_of_the_front_come_first():
    """They promise most; what lies between them follows."""
    planner, front = planner_for("bits", 1, 2, 1)
    for _ in range(2):
        planner.ask(np.ones(2))
    found = np.array(planner.found)[:, :2]
    assert found[:, 0].min() == front[:, 0].min()
    assert found[:, 1].min() == front[:, 1].min()


def test_nothing_is_planned_before_the_tables_are_exact():
    """A plan that was made is dropped with them."""
    planner, _ = planner_for("bits", 0, 2, 1)
    planner.ask(np.ones(2))
    assert planner.plan.control[0].ready == 1
    planner.values.streak[0] = 0
    assert planner.ask(np.ones(2)) is None
    assert planner.plan.control[0].ready == 0


def test_permutations_beside_cannot_be_planned():
    """The tables say nothing about them."""
    space = dl.Composite(a=dl.Permutation(3), b=dl.Binary(3))
    layout = space.layout
    table = random_table(layout, 2, np.random.default_rng(0))
    start = np.array([[0, 1, 2, 0, 0, 0]])
    planner = Planner(space, table, np.zeros(2), 2, start)
    assert planner.ask(np.ones(2)) is None
