"""MOEA/D: shared checks, subproblems, constraints."""

import numpy as np
import pytest

import divlearn as dl
from divlearn.lab.baselines.moead import MOEAD
from divlearn.testing import check_baseline
from tests.lab.baselines.test_baselines import SPACES, problem_over

pytest.importorskip("pymoo")


@pytest.mark.parametrize("space", SPACES)
def test_moead_passes_the_shared_checks_on_every_space(space):
    """Ask, tell, failures, late answers and files, as every method."""
    check_baseline(MOEAD(population=10, step=3), problem_over(SPACES[space]))


@pytest.mark.parametrize("name", ["synkp-50", "mixed-20"])
def test_moead_passes_the_shared_checks_with_constraints_and_noise(name):
    """Pymoo's own refuses constraints; four objectives have a lattice of weights."""
    check_baseline(MOEAD(scalarization="tchebycheff"), dl.problems.get(name))


@pytest.mark.parametrize("scalarization", ["weighted-sum", "tchebycheff"])
def test_moead_is_far_better_than_random_search(scalarization):
    """Neighbours that help each other must show on tours."""
    problem = dl.problems.get("bitsp-20", instance=7)
    method = MOEAD(scalarization=scalarization)
    found = dl.solve(problem, 3_000, method=method).hypervolume()
    assert found > 1.15 * dl.solve(problem, 3_000, method="random").hypervolume()


def test_each_subproblem_ends_with_what_is_good_under_its_weights():
    """At the ends of the lattice each objective alone is small."""
    problem = dl.problems.get("bitsp-20", instance=3)
    search = MOEAD(population=20).start(problem, None, 0)
    for number in range(2_000):
        (row,) = search.propose(1, np.array([number]))
        search.observe(number, row, problem.evaluate(row))
    values = search._algorithm.pop.get("F")
    assert values[0, 1] < values[-1, 1] - 3
    assert values[-1, 0] < values[0, 0] - 3


def test_feasible_solutions_replace_infeasible_ones():
    """Where random solutions break the capacity, the search finds those that fit."""
    problem = dl.problems.get("bikp-50", repair="none")
    result = dl.solve(problem, 1_500, method=MOEAD(special=False))
    assert len(result.X) > 3
    assert (result.G <= 0).all()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"neighbours": 1}, "neighbours must be a whole number of at least 2"),
        ({"replaced": 0}, "replaced must be a whole number of at least 1"),
        ({"step": 0}, "step must be a whole number of at least 1"),
        ({"scalarization": "sum"}, "scalarization must be one of weighted-sum"),
        ({"population": 1}, "population must be"),
    ],
)
def test_wrong_options_are_refused_with_what_was_expected(options, message):
    """Before anything is evaluated."""
    with pytest.raises(dl.InputError, match=message):
        MOEAD(**options)
