"""The shared checks pass what is right and name what is wrong."""

from itertools import count

import numpy as np
import pytest

import divlearn as dl
from divlearn.kernels.jit import kernel
from divlearn.methods.paper.experts import Expert
from divlearn.problems import CVRP, TSP, Knapsack
from divlearn.spaces.base import ORDINAL, Segment
from divlearn.testing import check_expert, check_problem, check_space

# --- spaces


def broken_space(**methods):
    """A permutation of four items with some methods replaced."""
    return type("Broken", (dl.Permutation,), methods)(4)


calls = count()
SPACES = {
    "sample": broken_space(
        sample=lambda self, seed=0: np.random.default_rng(next(calls)).permutation(4)
    ),
    "is not in": broken_space(sample=lambda self, seed=0: np.zeros(4)),
    "returned a view": broken_space(decode=lambda self, codes: codes),
    "encodes to other codes": broken_space(
        decode=lambda self, codes: codes[::-1].copy()
    ),
    "int64 codes": broken_space(encode=lambda self, value: np.array(value, float)),
    "canonical form differs": broken_space(
        canonical=lambda self, value: np.roll(value, 1)
    ),
    "symmetric": broken_space(distance=lambda self, a, b: float(a[0])),
    "0 must mean equal": broken_space(distance=lambda self, a, b: 0.0),
    "shorter over": broken_space(
        distance=lambda self, a, b: dl.Permutation.distance(self, a, b) ** 3
    ),
    "offers the actions": broken_space(available=lambda self, earlier: []),
    "a construction by available": broken_space(
        available=lambda self, earlier: [0, 1, 2, 3]
    ),
    "were given": broken_space(
        neighbour=lambda self, value, seed, move, positions: np.roll(value, 1)
    ),
    "plain data": broken_space(describe=lambda self: {(1, 2): 3}),
    "the same for a copy": broken_space(describe=lambda self: {"n": next(calls)}),
    "must equal its copy": broken_space(
        __eq__=lambda self, other: self is other, __hash__=lambda self: 0
    ),
}


@pytest.mark.parametrize("named", SPACES)
def test_a_broken_space_is_caught_and_its_fault_is_named(named):
    """Each space breaks one promise; the message says which."""
    with pytest.raises(AssertionError, match=named):
        check_space(SPACES[named])


def test_what_is_not_a_space_is_refused():
    """A class in place of its object is the usual mistake."""
    with pytest.raises(AssertionError, match=r"not a divlearn\.Space"):
        check_space(dl.Permutation)


class Ring(dl.Space):
    """A custom space: a place on a ring, by its angle in degrees."""

    def __init__(self, places):
        self.places = places

    def segments(self):
        """One ordered position."""
        return [Segment(ORDINAL, [self.places])]

    def decode(self, codes):
        """Turn the place into its angle."""
        return 360.0 * int(codes[0]) / self.places

    def encode(self, value):
        """Find the place of an angle."""
        place = value * self.places / 360.0
        if place != int(place) or not 0 <= place < self.places:
            raise dl.InputError(f"value must be a place on the ring, got {value!r}.")
        return np.array([int(place)], np.int64)

    def describe(self):
        """Say how many places there are."""
        return {"space": "ring", "places": self.places}


def test_a_custom_space_passes_and_can_be_searched():
    """Three methods and a description are all it takes."""
    check_space(Ring(8))
    check_problem(dl.Problem(Ring(8), lambda angle: (angle, 360 - angle), ["a", "b"]))


# --- problems


@kernel
def first_and_last(x, table, y):
    """Two items, scaled by the table."""
    y[0] = x[0] * table[0, 0]
    y[1] = x[x.shape[0] - 1]


@kernel
def forgetful(x, table, y):
    """Changes what it is given."""
    y[0], y[1] = x[0], x[1]
    x[0], x[1] = x[1], x[0]


def order_problem(evaluate=lambda x: (x[0], x[3]), **options):
    """Two objectives of an order of four items."""
    return dl.Problem(dl.Permutation(4), evaluate, ["a", "b"], **options)


def mutating(x):
    """Sorts what it is given."""
    first = int(x[0])
    x.sort()
    return first, 1


class WrongBatch:
    """Evaluates several at once, and differently."""

    def evaluate(self, x):
        """Give the first two items."""
        return x[0], x[1]

    def evaluate_batch(self, solutions):
        """Give the last two instead."""
        return [(x[2], x[3]) for x in solutions]


TABLE = np.ones((1, 1))
PROBLEMS = {
    "must return 2 numbers": order_problem(lambda x: (1, 2, 3)),
    "finite": order_problem(lambda x: (1, np.inf)),
    "raised ZeroDivisionError": order_problem(lambda x: (1 / 0, 0)),
    "changed its input": order_problem(mutating),
    "noise=True": order_problem(lambda x: (next(calls), 0)),
    "repair must return": order_problem(repair=lambda x: [0, 0, 0, 0]),
    "feasible solution": dl.Problem(
        dl.Binary(4),
        lambda x: (x.sum(), -1.0, x.sum() - 1),
        ["a", "b"],
        constraints=["few"],
        repair=lambda x: x,
    ),
    "the compiled objective gives": order_problem(
        compiled=dl.Compiled(first_and_last, 2 * TABLE)
    ),
    "changed its input or its table": order_problem(
        lambda x: (x[0], x[1]), compiled=dl.Compiled(forgetful, TABLE)
    ),
    "evaluate_batch gives": dl.Problem(dl.Permutation(4), WrongBatch, ["a", "b"]),
    "can be evaluated": order_problem(valid=lambda x: False),
}


@pytest.mark.parametrize("named", PROBLEMS)
def test_a_broken_problem_is_caught_and_its_fault_is_named(named):
    """Each problem breaks one promise; the message says which."""
    with pytest.raises(AssertionError, match=named):
        check_problem(PROBLEMS[named])


def test_built_in_problems_pass(tiny_tour, tiny_knapsack, tiny_mixed):
    """Compiled or not, constrained or repaired, with both drivers agreeing."""
    rng = np.random.default_rng(0)
    weights, values = rng.random(9), rng.random((9, 2))
    customers, demands = rng.random((5, 2)), rng.integers(1, 4, 5)
    for problem in (
        tiny_tour,
        tiny_knapsack,
        tiny_mixed,
        TSP(rng.random((5, 3, 2))),
        Knapsack(weights, values, 2.0, repair="random-drop"),
        Knapsack(weights, values, 2.0, repair="efficiency", fill=True),
        CVRP((0.5, 0.5), customers, demands, 6),
    ):
        check_problem(problem, samples=8, evaluations=60)


def test_designs_that_refuse_to_be_evaluated_are_passed_over():
    """An objective may say so for some designs, not for all."""

    def evaluate(x):
        if x[0] == 0:
            raise dl.InvalidDesign("nothing may come first")
        return x[0], x[3]

    check_problem(order_problem(evaluate))

    def repair(x):
        if x[0] == 1:
            raise dl.InvalidDesign("beyond repair")
        return x

    check_problem(order_problem(repair=repair))


def test_noise_is_allowed_where_it_is_declared():
    """The values then need not repeat."""
    check_problem(order_problem(lambda x: (next(calls), 0), noise=True))


# --- experts


def expert_class(class_name, expression, label="broken", **members):
    """A class of experts whose score is an expression of what is known."""
    names = {"calls": calls}
    exec(f"def score(known, options):\n    return {expression}", names)
    members |= {"score": staticmethod(names["score"]), "__module__": __name__}
    return type(class_name, (Expert,), {"name": label, **members})


NotANumber = expert_class(
    "NotANumber",
    "known.value / 0.0 * 0.0 if known.visits else known.value - known.value",
)
Overflowing = expert_class("Overflowing", "(known.visits + 2.0) ** 2000.0")
Nameless = expert_class("Nameless", "known.value", label="")
Growing = expert_class(
    "Growing", "known.value", __init__=lambda s: setattr(s, "x", {1, 2})
)
Uncompiled = expert_class("Uncompiled", "len(calls)")
InfiniteMinusInfinite = expert_class("InfiniteMinusInfinite", "1e308 * 10 - 1e308 * 10")
Greedy = expert_class("Greedy", "known.value", label="greedy")
EXPERTS = {
    "raised ZeroDivisionError, which ends a search": NotANumber(),
    "compiled and .* in plain Python": Overflowing(),
    "needs a name": Nameless(),
    "describe itself as plain data": Growing(),
    "does not compile": Uncompiled(),
    "is NaN": InfiniteMinusInfinite(),
}


@pytest.mark.parametrize("named", EXPERTS)
def test_a_broken_expert_is_caught_and_its_fault_is_named(named):
    """Each expert breaks one promise; the message says which."""
    with pytest.raises(AssertionError, match=named):
        check_expert(EXPERTS[named])


def test_a_custom_expert_passes():
    """Without any parameter or setting."""
    check_expert(Greedy())


def test_what_is_not_an_expert_is_refused():
    """A class in place of its object is the usual mistake."""
    with pytest.raises(AssertionError, match="not a divlearn Expert"):
        check_expert(Greedy)
