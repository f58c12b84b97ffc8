"""Problems of pymoo that divlearn searches."""

import copy
import subprocess
import sys

import numpy as np
import pytest
from pymoo.algorithms.moo.nsga2 import NSGA2
from pymoo.core.callback import Callback
from pymoo.core.mixed import MixedVariableGA
from pymoo.core.population import Population
from pymoo.core.problem import ElementwiseProblem, Problem
from pymoo.operators.sampling.rnd import (
    BinaryRandomSampling,
    PermutationRandomSampling,
)
from pymoo.optimize import minimize
from pymoo.problems import get_problem
from pymoo.problems.single.traveling_salesman import create_random_tsp_problem

import divlearn as dl
from divlearn.basics.errors import InputError
from divlearn.integration.pymoo import DivideAndLearn
from tests.integration.pymoo_problems import Columns, Knapsack, Mixed, Named, Orders

pytestmark = pytest.mark.usefixtures("short_gp")


def front_of(result):
    """Objective values of a front, sorted, each once."""
    return np.unique(np.round(result.F, 12), axis=0)


def evaluate_mixed(x):
    out = {}
    Mixed()._evaluate(x, out)
    return [*out["F"], *out["G"]]


def evaluate_knapsack(x):
    problem = Knapsack()
    values, bounds = problem.evaluate(x)
    return [*values, *bounds]


SAME = {
    "mixed": (
        Mixed(),
        DivideAndLearn(),
        dl.Composite(
            b=dl.Binary(),
            c=dl.Categorical(["nothing", "multiply"]),
            i=dl.Integer(-2, 2),
            r=dl.Real(-5, 5),
        ),
        evaluate_mixed,
        1,
    ),
    "orders": (
        Orders(),
        DivideAndLearn(space="permutation"),
        dl.Permutation(7),
        lambda x: Orders().evaluate(x),
        0,
    ),
    "knapsack": (Knapsack(), DivideAndLearn(), dl.Binary(12), evaluate_knapsack, 1),
}


@pytest.mark.parametrize("name", SAME)
def test_the_front_is_that_of_solve_for_the_same_seed(name):
    """The evaluator, display and termination of pymoo change nothing of the search."""
    problem, algorithm, space, evaluate, bounds = SAME[name]
    found = minimize(problem, algorithm, ("n_eval", 110), seed=4)
    names = [f"g{i}" for i in range(bounds)]
    ours = dl.Problem(space, evaluate, ["a", "b"], constraints=names)
    expected = dl.solve(ours, 110, seed=4)
    assert found.algorithm.evaluator.n_eval == 110
    assert np.allclose(front_of(found), front_of(expected), atol=1e-12)


def test_a_script_works_with_only_the_algorithm_exchanged():
    """As pymoo's own documentation writes it for NSGA-II."""
    fronts = []
    for algorithm in (NSGA2(pop_size=20), DivideAndLearn(pop_size=20)):
        problem = get_problem("zdt1", n_var=6)
        result = minimize(problem, algorithm, ("n_gen", 6), seed=1, verbose=False)
        assert result.algorithm.evaluator.n_eval == 120
        assert result.X.shape[1] == 6
        fronts.append(result.F)
    assert fronts[1].sum(axis=1).min() < fronts[0].sum(axis=1).min()


def test_ask_and_tell_give_generations_and_take_them_back():
    """In the way in which pymoo's users run simulations of their own."""
    problem = Knapsack()
    algorithm = DivideAndLearn(pop_size=5).setup(
        problem, seed=1, termination=("n_gen", 6)
    )
    while algorithm.has_next():
        infills = algorithm.ask()
        assert len(infills) == 5
        algorithm.evaluator.eval(problem, infills)
        algorithm.tell(infills=infills)
    assert algorithm.optimizer.evaluations == 30
    assert len(algorithm.result().F) >= 1


def test_next_is_a_generation_and_callbacks_see_it():
    """A generation is `pop_size` evaluations, also if a batch is all of it."""

    class Seen(Callback):
        def notify(self, algorithm):
            self.data.setdefault("n", []).append(algorithm.evaluator.n_eval)

    algorithm = DivideAndLearn(pop_size=4, batch=4)
    result = minimize(Knapsack(), algorithm, ("n_gen", 3), seed=1, callback=Seen())
    assert result.algorithm.callback.data["n"] == [4, 8, 12]


def test_one_objective_gives_one_solution():
    """As pymoo does: X is the best one itself."""
    result = minimize(Named(), DivideAndLearn(), ("n_eval", 60), seed=1)
    assert result.X["kind"] == "b"
    assert abs(result.X["x"] - 0.25) < 0.1
    assert result.F.shape == (1,)


def test_equalities_and_limits_of_single_variables_are_kept():
    """An equality holds up to pymoo's own tolerance."""
    result = minimize(Columns(), DivideAndLearn(), ("n_eval", 60), seed=1)
    assert result.X[1] == 2
    assert result.X[0] + result.X[2] == 10
    assert result.F[0] == 12


def test_samplings_of_pymoo_say_what_the_variables_are():
    """A user who exchanges the algorithm may leave them where they are."""
    tour = create_random_tsp_problem(8, 100, seed=1)
    algorithm = DivideAndLearn(sampling=PermutationRandomSampling())
    result = minimize(tour, algorithm, ("n_eval", 60), seed=1)
    assert sorted(result.X) == list(range(8))
    algorithm = DivideAndLearn(sampling=BinaryRandomSampling())
    result = minimize(get_problem("zdt5", m=2, n=3), algorithm, ("n_eval", 20), seed=1)
    assert result.X.dtype == bool


def test_spaces_of_divlearn_say_more_than_pymoo_can():
    """Orders with precedence, subsets of a size: nothing else is ever evaluated."""
    order = dl.Permutation(7, before=[(3, 0)])
    result = minimize(Orders(), DivideAndLearn(space=order), ("n_eval", 40), seed=1)
    for row in result.algorithm.pop.get("X"):
        assert list(row).index(3) < list(row).index(0)
    some = dl.Subset(12, 4)
    result = minimize(Knapsack(), DivideAndLearn(space=some), ("n_eval", 40), seed=1)
    assert (result.algorithm.pop.get("X").sum(axis=1) == 4).all()


def test_designs_to_begin_with_are_evaluated_or_known():
    """An array is evaluated first; a population that was evaluated costs nothing."""
    first = np.arange(7), np.arange(7)[::-1]
    algorithm = DivideAndLearn(4, space="permutation", sampling=np.array(first))
    algorithm.setup(Orders(), seed=1, termination=("n_gen", 2))
    infills = algorithm.ask()
    assert np.array_equal(infills[:2].get("X"), first)
    known = Population.new(X=np.array(first))
    result = minimize(Orders(), NSGA2(2, sampling=known), ("n_gen", 1), seed=1)
    algorithm = DivideAndLearn(4, space="permutation", sampling=result.pop)
    found = minimize(Orders(), algorithm, ("n_gen", 2), seed=1)
    assert found.algorithm.evaluator.n_eval == 8
    assert found.algorithm.optimizer.under_way.num_known == len(result.pop)


def test_nothing_that_was_known_before_is_lost():
    """The best of an earlier run stays the best, however short the next one is."""
    before = minimize(Knapsack(), DivideAndLearn(), ("n_eval", 100), seed=1)
    again = DivideAndLearn(2, sampling=before.pop, method="random")
    after = minimize(Knapsack(), again, ("n_eval", 2), seed=2)
    assert {tuple(row) for row in before.F} <= {tuple(row) for row in after.F}


def test_individuals_that_users_change_or_bring_are_learned_as_they_are():
    """What was asked for is not what was evaluated then."""
    problem = Orders()
    algorithm = DivideAndLearn(2, space="permutation")
    algorithm.setup(problem, seed=1, termination=("n_gen", 5))
    infills = algorithm.ask()
    infills[0].X = np.arange(7)
    others = Population.merge(infills, Population.new(X=np.arange(7)[None, ::-1]))
    algorithm.evaluator.eval(problem, others)
    algorithm.tell(infills=others)
    assert algorithm.optimizer.under_way.num_known == 2
    assert algorithm.optimizer.evaluations == 1


def test_values_that_are_no_numbers_count_as_failed():
    """A simulation that fails is not tried again."""

    class Failing(ElementwiseProblem):
        def __init__(self):
            super().__init__(n_var=1, n_obj=2, xl=0, xu=9, vtype=int)

        def _evaluate(self, x, out, *args, **kwargs):
            out["F"] = [np.nan if x[0] < 3 else x[0], -x[0]]

    result = minimize(Failing(), DivideAndLearn(5), ("n_eval", 20), seed=1)
    assert 1 <= result.algorithm.optimizer.under_way.num_failed <= 3
    assert np.isfinite(result.F).all()


def test_a_run_ends_where_all_there_is_has_failed(monkeypatch):
    """Rather than by an error, which would lose the result."""

    class Hopeless(ElementwiseProblem):
        def __init__(self):
            super().__init__(n_var=1, n_obj=1, xl=0, xu=2, vtype=int)

        def _evaluate(self, x, out, *args, **kwargs):
            out["F"] = [np.nan]

    monkeypatch.setattr("divlearn.optimizer.steps.MAX_REFUSED", 100)
    result = minimize(Hopeless(), DivideAndLearn(2), ("n_eval", 20), seed=1)
    assert result.algorithm.evaluator.n_eval == 3


def test_individuals_of_another_run_are_learned_when_they_are_told():
    """They carry numbers of candidates of their own run."""
    first, second = (
        DivideAndLearn(3).setup(Knapsack(), seed=seed, termination=("n_gen", 9))
        for seed in (1, 2)
    )
    first.next()
    second.tell(infills=first.off)
    assert second.optimizer.under_way.num_known == 3


def test_a_run_continues_from_a_deep_copy_as_if_it_had_never_stopped():
    """Users of pymoo make checkpoints like this."""
    algorithm = DivideAndLearn(10).setup(Knapsack(), seed=1, termination=("n_gen", 6))
    for _ in range(3):
        algorithm.next()
    checkpoint = copy.deepcopy(algorithm)
    results = [
        minimize(Knapsack(), each, copy_algorithm=False)
        for each in (algorithm, checkpoint)
    ]
    assert np.array_equal(results[0].F, results[1].F)
    assert algorithm.evaluator.n_eval == 60


RESUME = """
import pickle, sys
algorithm = pickle.load(open(sys.argv[1], "rb"))
print(algorithm.run().F.tolist())
"""


def test_a_run_continues_from_a_pickle_in_another_process(tmp_path):
    """dill, which pymoo's users take, is pickle where it can be."""
    import pickle

    algorithm = DivideAndLearn(10).setup(
        get_problem("zdt5", m=2, n=3), seed=1, termination=("n_gen", 5)
    )
    algorithm.next()
    (tmp_path / "checkpoint").write_bytes(pickle.dumps(algorithm))
    command = [
        sys.executable,
        "-W",
        "ignore",
        "-c",
        RESUME,
        str(tmp_path / "checkpoint"),
    ]
    printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert printed.strip().splitlines()[-1] == str(algorithm.run().F.tolist())


def test_history_is_kept_without_the_search():
    """Which would be megabytes for each generation."""
    result = minimize(
        Knapsack(), DivideAndLearn(5), ("n_gen", 3), seed=1, save_history=True
    )
    assert [len(each.opt) > 0 for each in result.history] == [True] * 3
    assert all(each.optimizer is None for each in result.history)
    assert result.algorithm.optimizer is not None


def test_pymoo_prints_its_table(capsys):
    """With verbose, as for any algorithm; and ends by itself where nobody says when."""
    minimize(Knapsack(), DivideAndLearn(5), ("n_gen", 2), seed=1, verbose=True)
    assert "n_nds" in capsys.readouterr().out
    result = minimize(Columns(), DivideAndLearn(40), seed=1)
    assert result.F[0] == 12


def test_mixed_variables_of_pymoo_are_what_its_own_algorithm_sees():
    """The same keys and types of values."""
    theirs = minimize(Mixed(), MixedVariableGA(pop_size=5), ("n_eval", 5), seed=1)
    ours = minimize(Mixed(), DivideAndLearn(5), ("n_eval", 5), seed=1)
    assert theirs.algorithm.pop[0].X.keys() == ours.algorithm.pop[0].X.keys()


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: DivideAndLearn(0), "pop_size must be"),
        (lambda: DivideAndLearn(batch=0), "batch must be"),
        (lambda: DivideAndLearn(crossover=1), "crossover is not an option"),
        (lambda: DivideAndLearn(method="no"), "'no'"),
        (lambda: DivideAndLearn(space="tour").setup(Orders()), "space must be one of"),
        (
            lambda: DivideAndLearn(space=dl.Permutation(3)).setup(Orders()),
            "7 variables",
        ),
        (lambda: DivideAndLearn().setup(Problem(n_var=2, n_obj=1)), "needs limits"),
        (
            lambda: DivideAndLearn().setup(Problem(n_var=2, n_obj=1, xl=1, xu=1)),
            "xl must be below xu",
        ),
        (
            lambda: DivideAndLearn().setup(Problem(n_var=2, n_obj=1, vtype="text")),
            "vtype must be",
        ),
        (
            lambda: DivideAndLearn().setup(Problem(vars={"x": 3}, n_obj=1)),
            "'x' must be a Real",
        ),
        (lambda: DivideAndLearn().setup(Orders()).tell(), "tell needs infills"),
        (
            lambda: DivideAndLearn(
                sampling=np.array([{"b": 1, "c": "?", "i": 0, "r": 0.0}])
            ).setup(Mixed()),
            "'c' must be one of",
        ),
    ],
)
def test_mistakes_are_refused_in_words(make, words):
    """Where they are made."""
    with pytest.raises(InputError, match=words):
        make()


def test_without_pymoo_the_error_says_what_to_install(monkeypatch):
    """A newcomer reads it and has it."""
    monkeypatch.delitem(sys.modules, "divlearn.integration.pymoo")
    monkeypatch.setitem(sys.modules, "pymoo", None)
    with pytest.raises(dl.MissingExtra, match=r'pip install "divlearn\[pymoo\]"'):
        __import__("divlearn.integration.pymoo")
