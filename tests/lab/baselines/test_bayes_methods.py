"""qNEHVI, qParEGO and BOPR as methods: on every space, whatever comes back."""

import sys

import numpy as np
import pytest

import divlearn as dl
from divlearn.basics.errors import InputError, MissingExtra
from divlearn.lab.baselines import baseline
from divlearn.lab.baselines.bayes.design import initial_design
from divlearn.testing import check_baseline
from tests.lab.baselines.test_baselines import SPACES, problem_over

NAMES = ["qnehvi", "qparego", "bopr"]
#: As little work as possible: what is tested here is not how good they are.
QUICK = {"initial": 4, "draws": 8, "population": 8, "generations": 2, "refit": 9.0}


def quick(name, **options):
    """A method with little work per candidate."""
    options = QUICK | options
    if name == "bopr":
        options |= {"restarts": 2, "samples": 4, "steps": 2}
    return baseline(name).replace(**options)


@pytest.mark.parametrize("name", NAMES)
def test_a_missing_package_is_named_with_the_extra(name, monkeypatch):
    """Before anything is evaluated."""
    monkeypatch.setitem(sys.modules, "botorch", None)
    with pytest.raises(MissingExtra, match=r'pip install "divlearn\[bo\]"'):
        dl.solve(problem_over(SPACES["binary"]), 5, method=name)


@pytest.mark.parametrize(
    "options",
    [{"draws": 0}, {"initial": 0}, {"refit": -1.0}, {"model_points": 1}],
    ids=str,
)
def test_options_are_checked(options):
    """With the name of the option."""
    with pytest.raises(InputError, match=next(iter(options))):
        baseline("qnehvi").replace(**options)
    with pytest.raises(InputError, match="concentration"):
        baseline("qparego").replace(concentration=0.0)
    with pytest.raises(InputError, match="steps"):
        baseline("bopr").replace(steps=0)


def test_the_first_solutions_have_every_value_equally_often():
    """Small samples at random leave values out."""
    space = dl.Composite(
        kind=dl.Categorical("abcd"), on=dl.Binary(3), k=dl.Subset(5, 2)
    )
    design = initial_design(space.layout, 12, seed=5)
    assert np.bincount(design[:, 0]).tolist() == [3, 3, 3, 3]
    assert (design[:, 1:4].sum(axis=0) == 6).all()
    assert all(space.contains(space.decode(row)) for row in design)


@pytest.mark.parametrize(
    ("name", "space"),
    [*(("qnehvi", space) for space in SPACES), ("qparego", "mixed"), ("bopr", "mixed")],
)
def test_the_bayesian_baselines_pass_the_shared_checks_on_every_space(name, space):
    """Seeds, budgets, failures, late answers, files."""
    pytest.importorskip("botorch")
    check_baseline(quick(name), problem_over(SPACES[space]), budget=10)


@pytest.mark.parametrize("name", NAMES)
def test_a_batch_holds_different_candidates(name):
    """Each is chosen with those before it on their way."""
    pytest.importorskip("botorch")
    problem = problem_over(SPACES["mixed"])
    optimizer = dl.Optimizer(problem, quick(name), seed=1)
    for candidate in optimizer.ask(6):
        optimizer.tell(candidate, problem.evaluate(candidate.x))
    batch = optimizer.ask(4)
    assert len({candidate.codes.tobytes() for candidate in batch}) == 4


@pytest.mark.parametrize("name", NAMES)
def test_a_space_that_is_used_up_does_not_stop_the_search(name):
    """Repeats are all that is left, and with noise they are of use."""
    pytest.importorskip("botorch")
    problem = dl.Problem(
        dl.Binary(2), lambda x: (float(x.sum()), 1.0 - x[0]), ["a", "b"], noise=True
    )
    assert dl.solve(problem, 8, method=quick(name)).evaluations == 8


@pytest.mark.usefixtures("tiny_spaces_go_on")
def test_one_objective_one_value_and_equal_outputs_are_no_trouble():
    """What degenerates in a model must not end a run."""
    pytest.importorskip("botorch")
    space = dl.Composite(only=dl.Categorical(["x"]), n=dl.Integer(0, 30))
    for name in NAMES:
        for objective in (lambda x: abs(x["n"] - 7.0), lambda x: 1.0):
            problem = dl.Problem(space, objective, ["f"])
            assert dl.solve(problem, 8, method=quick(name)).evaluations == 8
    fixed = dl.Problem(dl.Categorical(["x"]), lambda x: 1.0, ["f"])
    assert dl.solve(fixed, 4, method=quick("qnehvi")).evaluations == 4


@pytest.mark.parametrize("name", NAMES)
def test_constraints_and_valid_keep_the_search_where_designs_are_feasible(name):
    """Neither invalid nor, as soon as that is learned, infeasible ones are tried."""
    pytest.importorskip("botorch")
    tried = []

    def evaluate(x):
        tried.append(x)
        return (x[0], 12.0 - x[0] + x[1]), [x[0] - 8.0]

    problem = dl.Problem(
        dl.Integer(0, 12, n=2),
        evaluate,
        ["a", "b"],
        constraints=["limit"],
        valid=lambda x: x[1] != 3,
        reference=(13, 25),
    )
    options = {"initial": 8, "draws": 32, "population": 30, "refit": 0.5}
    dl.solve(problem, 20, method=quick(name, **options), seed=2)
    assert all(x[1] != 3 for x in tried)
    late = np.array(tried)[12:]
    assert (late[:, 0] <= 8).mean() > 0.7


@pytest.mark.parametrize("name", NAMES)
def test_failures_are_kept_away_from(name):
    """Half of the space has no value; the models learn where."""
    pytest.importorskip("botorch")
    tried = []

    def evaluate(x):
        tried.append(int(x[0]))
        if x[0] > 10:
            raise dl.InvalidDesign("too large")
        return float((x[0] - 9) ** 2 + x[1]), float(abs(x[1] - 5))

    problem = dl.Problem(dl.Integer(0, 20, n=2), evaluate, ["a", "b"])
    options = {"initial": 8, "draws": 32, "population": 30, "refit": 0.5}
    optimizer = dl.Optimizer(problem, quick(name, **options), seed=0)
    for _ in range(20):
        (candidate,) = optimizer.ask()
        try:
            optimizer.tell(candidate, problem.evaluate(candidate.x))
        except dl.InvalidDesign:
            optimizer.tell(candidate, None)
    assert np.mean(np.array(tried[10:]) > 10) <= 0.4


@pytest.mark.parametrize("name", NAMES)
def test_few_evaluations_go_further_than_at_random(name):
    """The least that a model must achieve: sign or sense errors would show."""
    pytest.importorskip("botorch")
    problem = dl.problems.get("bikp-20", instance=1)
    options = {"initial": 10, "population": 20, "generations": 5, "draws": 16}
    method = quick(name, **options, refit=0.5)
    reached = [
        dl.solve(problem, 40, method=m, seed=1).hypervolume()
        for m in (method, "random")
    ]
    assert reached[0] > 1.1 * reached[1]
