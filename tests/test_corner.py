"""A corner of what counts, where a problem has no reference point."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

import divlearn as dl


def without_reference(name):
    """A built-in problem that does not say what is bad."""
    problem = dl.problems.get(name, instance=1)
    problem.reference = None
    return problem


def begun(problem, **options):
    """A search after its first answers, and these, minimised."""
    optimizer = dl.Optimizer(problem, dl.DL(**options), 5, budget=60)
    values = []
    while len(values) < 12:
        (candidate,) = optimizer.ask()
        answer = problem.evaluate(candidate.x)
        values.append(answer[: problem.num_objectives] * problem.sign)
        optimizer.tell(candidate, answer)
    return optimizer.search.state.gp.reference, np.array(values)


def test_the_worst_of_the_first_answers_is_the_corner():
    """A fifth of 60 evaluations are random; later ones do not move the corner."""
    reference, values = begun(without_reference("bitsp-8"))
    assert_array_equal(reference, values.max(axis=0))


@pytest.mark.parametrize("objectives", [1, 2])
def test_nothing_is_guessed_where_it_is_not_wanted_or_not_needed(objectives):
    """A single objective has no ends, and the switch turns the guess off."""
    names = ["first", "second"][:objectives]
    problem = dl.Problem(
        dl.Binary(8), lambda x: [float(sum(x)), float(x[0])][:objectives], names
    )
    reference, _ = begun(problem, corner=objectives == 1)
    assert np.isnan(reference).all()


def test_a_reference_point_of_the_problem_stays():
    """Whoever says what counts is taken at their word."""
    problem = dl.problems.get("bitsp-8", instance=1)
    reference, _ = begun(problem)
    assert_array_equal(reference, problem.reference * problem.sign)


def test_both_loops_guess_the_same_corner():
    """The corner decides what is proposed, so fronts would differ otherwise."""
    problem = without_reference("bitsp-8")
    compiled = dl.Optimizer(problem, seed=2, budget=40)
    compiled.run(40)
    told = dl.Optimizer(problem, seed=2, budget=40)
    for _ in range(40):
        (candidate,) = told.ask()
        told.tell(candidate, problem.evaluate(candidate.x))
    assert_array_equal(compiled.result().F, told.result().F)
    found = compiled.search.state.gp.reference
    assert np.isfinite(found).all()
    assert_array_equal(found, told.search.state.gp.reference)
