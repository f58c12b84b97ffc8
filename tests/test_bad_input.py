"""Requests that are wrong: each is refused by name before anything is paid for."""

import math

import numpy as np
import pytest
from numba import njit

import divlearn as dl
from divlearn.kernels.jit import JIT_DISABLED
from divlearn.methods.paper.experts import UCB, Mixture
from tests.search_cases import nobody


def problem(space=None, evaluate=nobody, objectives=("a", "b"), **options):
    """A problem that is right unless something is changed."""
    return dl.Problem(space or dl.Binary(4), evaluate, objectives, **options)


class NeedsMore:
    """A class that cannot be made without arguments."""

    def __init__(self, netlist):
        self.netlist = netlist


class NoCriterion:
    """Something with a check, but no criterion."""

    interval = 5

    def check(self, progress):
        """Never stop."""


# For each: what is asked for, and what the message must say, in this order - the
# argument, what was expected, what came, what to do.
LIMITS = {
    "budget 0": (lambda: dl.solve(problem(), 0), "budget .* at least 1, got 0"),
    "budget negative": (
        lambda: dl.solve(problem(), -5),
        "budget .* at least 1, got -5",
    ),
    "budget NaN": (lambda: dl.solve(problem(), math.nan), "budget .* whole .* got nan"),
    "budget infinite": (lambda: dl.solve(problem(), math.inf), "budget .* got inf"),
    "budget text": (
        lambda: dl.solve(problem(), "abc"),
        "budget .* evaluations, or .*schedule.* got 'abc'",
    ),
    "budget broken": (lambda: dl.solve(problem(), 1.5), "budget .* whole .* got 1.5"),
    "budget true": (lambda: dl.solve(problem(), True), "budget .* whole .* got True"),
    "budget of optimizer": (
        lambda: dl.Optimizer(problem(), budget=0),
        "budget .* at least 1, got 0",
    ),
    "no limit": (lambda: dl.solve(problem()), "budget, seconds or stop .* Try budget="),
    "seconds 0": (lambda: dl.solve(problem(), seconds=0), "seconds .* number .* got 0"),
    "seconds negative": (lambda: dl.solve(problem(), seconds=-1), "seconds .* got -1"),
    "seconds NaN": (lambda: dl.solve(problem(), seconds=math.nan), "seconds .* nan"),
    "seconds text": (lambda: dl.solve(problem(), seconds="1"), "seconds .* got '1'"),
    "stop number": (
        lambda: dl.solve(problem(), stop=5),
        r"stop .* criterion, such as MaxSeconds\(60\).* got 5",
    ),
    "stop duck": (
        lambda: dl.solve(problem(), stop=NoCriterion()),
        r"stop .* derive from divlearn\.Criterion, got <.*NoCriterion",
    ),
    "stop joined": (
        lambda: dl.solve(problem(), stop=dl.MaxSeconds(5) | 7),
        "combined .* got 7",
    ),
    "callbacks number": (
        lambda: dl.solve(problem(), 5, callbacks=5),
        r"callbacks must be functions callback\(optimizer, candidate\), got 5",
    ),
    "callbacks list": (
        lambda: dl.solve(problem(), 5, callbacks=[print, "x"]),
        "callbacks must be functions .*'x'",
    ),
    "count": (lambda: dl.Optimizer(problem()).ask(0), "count .* at least 1, got 0"),
    "count text": (lambda: dl.Optimizer(problem()).ask("2"), "count .* got '2'"),
}
SEEDS = {
    f"seed {seed!r}": (
        lambda seed=seed: dl.solve(problem(), 5, seed=seed),
        f"seed must be a whole number from 0 to .* got {seed!r}",
    )
    for seed in (-1, 1.5, "a", None, 2**63, True, math.nan)
}
METHODS = {
    "unknown method": (
        lambda: dl.solve(problem(), 5, method="papr-ts"),
        "method must be one of .*paper-ts.* got 'papr-ts'. Did you mean 'paper-ts'",
    ),
    "method number": (lambda: dl.solve(problem(), 5, method=3), "method .* got 3"),
    "unknown setting": (
        lambda: dl.DivideAndLearn().replace(pacience=3),
        "setting must be one of .* got 'pacience'. Did you mean 'patience'",
    ),
    "unknown part": (
        lambda: dl.DivideAndLearn().replace(**{"refinement.stepps": 3}),
        "got 'refinement.stepps'. Did you mean 'refinement.steps'",
    ),
    "weights off the simplex": (
        lambda: dl.solve(problem(), 5, method=dl.DivideAndLearn(weights=[[0.5, 0.6]])),
        r"weights must lie on the simplex .* \[0.5, 0.6\]; divide it by its sum",
    ),
    "weights negative": (
        lambda: dl.solve(problem(), 5, method=dl.DivideAndLearn(weights=[[1.5, -0.5]])),
        "weights must lie on the simplex .* -0.5",
    ),
    "weights of three": (
        lambda: dl.solve(problem(), 5, method=dl.DivideAndLearn(weights=[[1, 0, 0]])),
        r"weights needs .* 2 columns, got \[\[1, 0, 0\]\]",
    ),
    "weights none": (
        lambda: dl.solve(problem(), 5, method=dl.DivideAndLearn(weights=[])),
        r"weights needs one row .* got \[\]",
    ),
    "weights text": (
        lambda: dl.solve(problem(), 5, method=dl.DivideAndLearn(weights="many")),
        "weights needs one row .* got 'many'",
    ),
    "weights broken": (
        lambda: dl.DivideAndLearn(weights=2.5),
        "weights must be a whole number .* got 2.5",
    ),
    "keep_better text": (
        lambda: dl.DivideAndLearn(keep_better="yes"),
        "keep_better must be True or False, got 'yes'",
    ),
    "part of another kind": (
        lambda: dl.DivideAndLearn(mixture=UCB()),
        r"mixture must be a Mixture, got UCB",
    ),
    "no expert": (lambda: Mixture(()), r"experts .*UCB\(\), got \(\)"),
    "neighbours without distance": (
        lambda: dl.solve(
            problem(),
            5,
            method=dl.DivideAndLearn().replace(**{"decomposition.neighbourhoods": 1}),
        ),
        "neighbourhoods needs .* distance .*; pass distance= .* or neighbourhoods=0",
    ),
}
SPACES = {
    "nothing to choose from": (lambda: dl.Categorical([]), "at least one value"),
    "empty range": (lambda: dl.Integer(3, 2), "low = 3 and high = 2: .* empty"),
    "no items": (lambda: dl.Permutation(0), "n .* at least 1, got 0"),
    "no parts": (lambda: dl.Composite(), "Composite needs at least one part"),
    "parts in a dict": (
        lambda: dl.Composite({"a": dl.Real(0, 1)}),
        r"Composite .* by name.* Composite\(\*\*parts\) .* got {'a': Real",
    ),
    "k > n": (lambda: dl.Subset(3, 4), "0 <= min <= max <= 3, got k = 4; choose no"),
    "k and limits": (lambda: dl.Subset(3, 2, min=1), "either k or min and max"),
    "least > most": (lambda: dl.Subset(5, min=3, max=2), "min = 3, max = 2"),
    "a value twice": (lambda: dl.Ordinal([1, 2, 1]), r"different, got \[1, 2, 1\]"),
    "too many actions": (
        lambda: dl.solve(problem(dl.Categorical("ab", 10**8)), 5),
        "200,000,000 actions .* coarser values",
    ),
    "too many values": (
        lambda: dl.Integer(-(10**12), 10**12),
        "2,000,000,000,001 values .* narrower range",
    ),
}
PROBLEMS = {
    "a function for a problem": (
        lambda: dl.solve(nobody, 5),
        r"problem must be a divlearn\.Problem, got <function nobody.*; wrap a function",
    ),
    "an unknown problem": (
        lambda: dl.problems.get("bitps-100"),
        "bitps-100",
    ),
    "no space": (lambda: problem(5), r"space must be .*Permutation\(30\).* got 5"),
    "a class for a space": (lambda: problem(dl.Binary), "space must be .* got <class"),
    "no objective": (
        lambda: problem(objectives=[]),
        "at least one objective, got none",
    ),
    "objectives text": (
        lambda: problem(objectives="ab"),
        'objectives must be names with senses, such as {"cost": "min"}, got \'ab\'',
    ),
    "objectives number": (lambda: problem(objectives=2), "objectives must be .* got 2"),
    "objectives not names": (
        lambda: problem(objectives=[["a"], "b"]),
        r"objectives must be a list of names, got \[\['a'\], 'b'\]",
    ),
    "objectives twice": (
        lambda: problem(objectives=["a", "b", "a"]),
        "objectives must have different names, got 'a' twice",
    ),
    "unknown sense": (
        lambda: problem(objectives={"a": "minimise"}),
        "\"min\" or \"max\", got 'a': 'minimise'",
    ),
    "constraint named as an objective": (
        lambda: problem(constraints=["b"]),
        "objectives and constraints must have different names, got 'b' twice",
    ),
    "constraints number": (
        lambda: problem(constraints=3),
        "constraints must be a list of names, got 3",
    ),
    "constraints not names": (
        lambda: problem(constraints=[3]),
        r"constraints must be a list of names, got \[3\]",
    ),
    "nothing to evaluate": (
        lambda: problem(evaluate=None),
        "evaluate must be a function of one solution .* got None",
    ),
    "a class that needs more": (
        lambda: problem(evaluate=NeedsMore),
        "evaluate must be .* class NeedsMore.* 'netlist'.*; pass an object of it",
    ),
    "an object that evaluates nothing": (
        lambda: problem(evaluate=NeedsMore("x")),
        "evaluate must be a function .* got <.*NeedsMore",
    ),
    "valid": (lambda: problem(valid=5), "valid must be a function .* got 5"),
    "repair": (lambda: problem(repair=5), "repair must be a function .* got 5"),
    "repairs": (
        lambda: problem(repair=[abs, 5]),
        "repair must be a function .* or a list of them, got .*5",
    ),
    "compiled": (
        lambda: problem(compiled=nobody),
        r"compiled must be divlearn\.Compiled\(objective, table\), got <function",
    ),
    "objective that is no function": (
        lambda: dl.Compiled(5, np.ones((1, 1))),
        r"objective must be a function compiled by numba\.njit, got 5",
    ),
    "compiled repair that is no function": (
        lambda: dl.Compiled(nobody, np.ones((1, 1)), 5),
        r"repair must be a function compiled by numba\.njit, got 5",
    ),
    "table of text": (
        lambda: dl.Compiled(nobody, "abc"),
        "table must be a matrix of numbers, got 'abc'",
    ),
    "table of one dimension": (
        lambda: dl.Compiled(nobody, np.ones(3)),
        "table must be a matrix of two dimensions, got 1; reshape",
    ),
    "reference of one": (
        lambda: problem(reference=(1,)),
        r"reference needs one finite number per objective \(a, b\), got \(1,\)",
    ),
    "reference NaN": (
        lambda: problem(reference=(1, math.nan)),
        "reference needs one finite number",
    ),
    "ideal text": (lambda: problem(ideal="ab"), "ideal needs .* got 'ab'"),
    "points swapped": (
        lambda: problem(reference=(0, 0), ideal=(9, 9)),
        r"ideal must be better than reference .* 'a': got ideal = \[9.0, 9.0\] and "
        r"reference = \[0.0, 0.0\]; swap",
    ),
    "points of a maximum swapped": (
        lambda: problem(
            objectives={"a": "min", "b": "max"}, reference=(9, 9), ideal=(0, 0)
        ),
        "ideal must be better than reference .* 'b'",
    ),
    "distance of another size": (
        lambda: problem(distance=np.ones((3, 3))),
        r"distance must be .* every position, shape \(4, 4\), got shape \(3, 3\)",
    ),
    "distance text": (
        lambda: problem(distance="far"),
        "distance must be a square matrix of numbers, got 'far'",
    ),
    "distance NaN": (
        lambda: problem(distance=np.full((4, 4), math.nan)),
        "distance must have finite entries",
    ),
}
CASES = LIMITS | SEEDS | METHODS | SPACES | PROBLEMS


@pytest.mark.parametrize("case", CASES)
def test_a_wrong_request_is_refused_in_words(case):
    """Argument, expectation, value and remedy, on less than a screen."""
    request, message = CASES[case]
    with pytest.raises(dl.InputError, match=message) as caught:
        request()
    text = str(caught.value)
    assert len(text) < 1_000
    assert text.count("\n") < 10


def test_every_refusal_is_a_value_error_too():
    """Code that knows nothing of divlearn can catch it."""
    with pytest.raises(ValueError, match="budget"):
        dl.solve(problem(), 0)
    assert issubclass(dl.InputError, dl.DivlearnError)


@njit
def two_arguments(x, y):
    """Forgets the table."""


@njit
def returns(x, table, y):
    """Returns what it should write."""
    return 3.0


@njit
def does_not_compile(x, table, y):
    """Asks for something that an array does not have."""
    y[0] = x.weight


@pytest.mark.skipif(JIT_DISABLED, reason="plain Python takes any function")
@pytest.mark.parametrize(
    "function",
    [nobody, two_arguments, returns, does_not_compile],
    ids=lambda f: f.__name__,
)
def test_a_compiled_objective_of_another_kind_is_refused(function):
    """Before the first evaluation, and without a page of types."""
    compiled = dl.Compiled(function, np.ones((1, 1)))
    with pytest.raises(dl.InputError, match=r"compiled: objective\(x, table, y\)") as e:
        dl.solve(problem(evaluate=None, compiled=compiled), 50)
    assert len(str(e.value)) < 1_000


@pytest.mark.parametrize("weights", [5, np.int64(5), 5.0])
def test_a_number_of_weights_may_be_any_whole_number(weights):
    """5.0 passes the check of a whole number, so it must work as one."""
    right = dl.Problem(dl.Binary(4), lambda x: (1, 2), ["a", "b"])
    optimizer = dl.Optimizer(right, dl.DivideAndLearn(weights=weights))
    assert len(optimizer.search.state.weights) == 5
