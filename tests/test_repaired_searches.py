"""Searches that ask a repair, or ``valid``, before anything is evaluated."""

import numpy as np
import pytest

import divlearn as dl
from divlearn.basics.errors import InvalidDesign
from divlearn.kernels.jit import JIT_DISABLED
from divlearn.problems import Knapsack
from divlearn.problems.built_in.knapsack_exact import exact_front

#: Without a Gaussian process, which would go first, and with room for few evaluations.
METHOD = dl.DL(gp_candidates=0, questions=40)


def knapsack(n=20, seed=1):
    """Items that are dropped at random until the rest fits."""
    rng = np.random.default_rng(seed)
    weights, values = rng.random(n), rng.random((n, 2))
    return Knapsack(weights, values, n / 4, repair="random-drop")


def in_python(problem, **hooks):
    """The same choices and values, with functions in Python."""
    values = problem.values
    return dl.Problem(
        problem.space,
        lambda x: np.asarray(x, float) @ values,
        dict(problem.objectives),
        noise=False,
        **hooks,
    )


@pytest.mark.skipif(JIT_DISABLED, reason="plain Python takes minutes")
def test_a_capacity_that_nobody_stated_is_learned_and_planned_with():
    """The front of a repaired knapsack is complete, point for point."""
    problem = knapsack()
    result = dl.solve(problem, 400, method=METHOD, seed=0)
    points = exact_front(problem)[1]
    assert result.learned["hidden_constraint"]["is"] == "linear"
    assert len(result.F) == len(points)
    np.testing.assert_allclose(result.F[np.argsort(result.F[:, 0])], points)
    assert "linear constraint" in result.explain()


def test_a_repair_in_python_is_asked_as_a_compiled_one_is():
    """The same questions have the same answers, whoever gives them."""
    compiled = knapsack(8)
    plain = in_python(compiled, repair=compiled.repair)
    first = dl.solve(compiled, 70, method=METHOD, seed=2)
    second = dl.solve(plain, 70, method=METHOD, seed=2)
    np.testing.assert_allclose(first.F, second.F)
    assert first.learned["evaluations_by_kind"] == second.learned["evaluations_by_kind"]


@pytest.mark.parametrize("questions", [0, 6])
def test_a_repair_is_asked_so_often_per_candidate(questions):
    """Once for the candidate itself, and for no more than the questions."""
    problem, calls = knapsack(8), [0]

    def repair(x):
        calls[0] += 1
        return problem.repair(x)

    asked = in_python(problem, repair=repair)
    method = METHOD.replace(questions=questions)
    optimizer, most = dl.Optimizer(asked, method, budget=80, seed=0), 0
    for _ in range(80):
        before, candidates = calls[0], optimizer.ask(1)
        most = max(most, calls[0] - before)
        optimizer.tell(candidates, [asked.evaluate(candidates[0].x)])
    assert most == questions + 1


def test_designs_that_valid_refuses_are_never_evaluated():
    """Whether it says so or raises, and whoever is asked."""
    problem = knapsack(8)
    weights, capacity = problem.weights[:, 0], problem.capacity[0]

    def valid(x):
        if x[0] and x[1]:
            raise InvalidDesign("not together")
        return np.asarray(x) @ weights <= capacity

    result = dl.solve(in_python(problem, valid=valid), 80, method=METHOD, seed=0)
    assert all(valid(x) for x in result.X)


@pytest.mark.parametrize("hook", ["valid", "repair"])
@pytest.mark.parametrize("error", [NameError("weigths"), KeyboardInterrupt()])
def test_an_error_in_a_free_question_ends_the_search_at_once(hook, error):
    """A typo must not pass for a refusal, nor an interrupt."""
    problem, asked, raised = knapsack(8), [], []

    def look(x):
        asked.append(tuple(x))
        if raised and len(asked) == 2:  # the first of several questions of a candidate
            raise raised.pop()
        return True if hook == "valid" else problem.repair(x)

    own = in_python(problem, **{hook: look})
    optimizer = dl.Optimizer(own, METHOD.replace(questions=8), budget=80, seed=0)

    def search(count):
        for _ in range(count):
            asked.clear()
            candidates = optimizer.ask(1)
            optimizer.tell(candidates, [own.evaluate(candidates[0].x)])

    search(40)
    raised.append(error)
    with pytest.raises((dl.EvaluationError, KeyboardInterrupt), match=r"weigths|^$"):
        search(10)
    assert len(asked) == 2, "nothing more is asked of a function that failed"
    assert optimizer.pending == []
    assert len(optimizer.ask(1)) == 1, "and when it is mended, the search goes on"


def test_a_repaired_search_continues_from_a_file_and_step_by_step(tmp_path):
    """What was learned of the repair is part of the state, and so is every question."""
    problem, path = knapsack(8), tmp_path / "state.npz"
    whole = dl.Optimizer(problem, METHOD, budget=120, seed=5)
    whole.run(70)
    whole.save(path)
    loaded = dl.Optimizer.load(path, problem)
    whole.run(50)
    for _ in range(50):
        candidates = loaded.ask(1)
        loaded.tell(candidates, [problem.evaluate(candidates[0].x)])
    first, second = whole.result(), loaded.result()
    np.testing.assert_array_equal(first.F, second.F)
    assert first.learned == second.learned
