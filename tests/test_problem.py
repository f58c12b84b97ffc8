import math
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from numba import njit

import divlearn as dl
from divlearn.testing import check_problem


def weigh(x):
    """Weight and speed of three choices."""
    return int(x.sum()), float(x[0])


BITS = dl.Binary(3)
CHOICE = np.array([True, False, True])
SENSES = {"weight": "min", "speed": "max"}


# --- what an objective may return


@pytest.mark.parametrize(
    "answer",
    [
        (2, 3.5),
        [2.0, 3.5],
        np.array([2, 3.5]),
        np.array([[2.0, 3.5]]),
        np.array([2.0, 3.5], np.float32),
        np.array([2, 3.5], object),
        (np.int8(2), np.float32(3.5)),
        (np.array(2), np.array([3.5])),
        np.ma.array([2, 3.5]),
        (True + 1, Fraction(7, 2)),
        (Decimal(2), Decimal("3.5")),
        {"speed": 3.5, "weight": 2},
        pd.Series([2, 3.5]),
        range(2, 4),
    ],
    ids=repr,
)
def test_an_answer_may_have_any_usual_form(answer):
    """Sequence, dict by name, array or series, numbers of any library."""
    values = dl.Problem(BITS, lambda x: answer, SENSES).evaluate(CHOICE)
    assert values.dtype == np.float64
    expected = [2.0, 3.0] if isinstance(answer, range) else [2.0, 3.5]
    assert values.tolist() == expected


@pytest.mark.parametrize("answer", [7, 7.0, np.float64(7), np.array(7), [7], {"f": 7}])
def test_one_objective_may_be_a_plain_number(answer):
    """Without brackets around it."""
    assert dl.Problem(BITS, lambda x: answer, ["f"]).evaluate(CHOICE).tolist() == [7.0]


@pytest.mark.parametrize(
    "answer",
    [
        (1, 2, -3, 4),
        ((1, 2), (-3, 4)),
        (np.array([1, 2]), np.array([-3, 4])),
        [[1, 2], [-3, 4]],
        {"late": 4, "load": -3, "b": 2, "a": 1},
        np.array([1, 2, -3, 4]),
    ],
    ids=repr,
)
def test_constraints_come_after_or_beside_the_objectives(answer):
    """Raw values are kept, also of what is feasible."""
    problem = dl.Problem(
        BITS, lambda x: answer, ["a", "b"], constraints=["load", "late"]
    )
    assert problem.evaluate(CHOICE).tolist() == [1, 2, -3, 4]
    assert problem.outputs == ("a", "b", "load", "late")
    assert (problem.num_objectives, problem.num_constraints) == (2, 2)


@pytest.mark.parametrize(
    "answer",
    [(np.array(1.0), np.array(-1.0)), np.ma.array([1, -1]), [np.ma.array(1), -1]],
    ids=repr,
)
def test_one_objective_and_one_constraint_may_be_arrays_without_axes(answer):
    """As NumPy gives them; two such arrays are two numbers, not two rows."""
    problem = dl.Problem(BITS, lambda x: answer, ["a"], constraints=["load"])
    assert problem.evaluate(CHOICE).tolist() == [1, -1]
    assert dl.solve(problem, 5).evaluations == 5


class Tensor:
    """An array of a library that refuses to give its numbers away."""

    def __array__(self, dtype=None, copy=None):
        raise RuntimeError("requires grad")


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (None, r"2 numbers \(weight, speed\), got None, .* without a return"),
        ((1,), r"2 numbers \(weight, speed\), got 1"),
        ((1, 2, 3), "got 3"),
        ("12", "got 1: '12'"),
        (("1", b"2"), "weight must be a number, got '1'"),
        ((1, None), "speed must be a number, got None; raise .*InvalidDesign"),
        ((1, [2, 3]), r"speed must be a number, got \[2, 3\]"),
        ((1, np.ones(2)), "speed must be a number"),
        ((1, math.nan), "speed must be a finite number, got nan; raise .*InvalidDes"),
        ((math.inf, 1), "weight must be a finite number, got inf"),
        ((1, 10**400), "speed must be a number"),
        ((1, 2j), "speed must be a number, got 2j"),
        ({"weight": 1}, "lacks 'speed'; the objective must return the keys"),
        ({"weight": 1, "speed": 2, "x": 3}, "has 'x', which is not declared"),
        (np.ma.array([1, 2], mask=[0, 1]), "speed must be a number, got None"),
        ((np.ma.masked, 2), "weight must be a number, got masked"),
        (Tensor(), r"must return numbers, got .* \(requires grad\)"),
        ({1, 2}, "got 1"),
    ],
)
def test_an_answer_that_is_no_result_is_explained(answer, message):
    """Names the value, what was expected and what came; carries the solution."""
    problem = dl.Problem(BITS, lambda x: answer, SENSES)
    with pytest.raises(dl.EvaluationError, match=message) as caught:
        problem.evaluate(CHOICE)
    assert caught.value.x is CHOICE
    assert caught.value.result is None


def test_an_exception_of_the_objective_is_kept_as_the_cause():
    """With the solution that did it."""

    def evaluate(x):
        return x[17]

    with pytest.raises(dl.EvaluationError, match="raised IndexError: index 17") as e:
        dl.Problem(BITS, evaluate, SENSES).evaluate(CHOICE)
    assert isinstance(e.value.__cause__, IndexError)


def test_an_invalid_design_is_not_an_error_of_the_objective():
    """It passes as it is, from one evaluation and from several."""

    def evaluate(x):
        raise dl.InvalidDesign("no")

    problem = dl.Problem(BITS, evaluate, SENSES)
    with pytest.raises(dl.InvalidDesign):
        problem.evaluate(CHOICE)
    with pytest.raises(dl.InvalidDesign):
        problem.evaluate_batch([CHOICE])


# --- what may evaluate


class Scale:
    """An objective with everything that an object may have."""

    def evaluate(self, x):
        """Weight and speed."""
        return weigh(x)

    def evaluate_batch(self, solutions):
        """All at once."""
        return [weigh(x) for x in solutions]

    def valid(self, x):
        """Something must be chosen."""
        return x.any()

    def repair(self, x):
        """Choose the last one always."""
        return [*x[:2], True]


@pytest.mark.parametrize("source", [Scale, Scale()], ids=["class", "object"])
def test_an_object_or_its_class_brings_all_of_its_functions(source):
    """Evaluation, batches, valid and repair, as if given one by one."""
    problem = dl.Problem(BITS, source, SENSES)
    assert problem.evaluate(CHOICE).tolist() == [2.0, 1.0]
    assert problem.has_batch
    assert problem.has_python_hooks
    assert not problem.is_valid(np.zeros(3, bool))
    assert problem.repair(np.zeros(3, bool)) == [False, False, True]
    assert problem.name == "Scale"
    check_problem(problem)


def test_arguments_win_over_what_the_object_has():
    """So that one can try another repair without another class."""
    problem = dl.Problem(
        BITS, Scale, SENSES, valid=lambda x: True, repair=[lambda x: ~x, lambda x: ~x]
    )
    assert problem.is_valid(np.zeros(3, bool))
    assert problem.repair(CHOICE).tolist() == CHOICE.tolist()


def test_an_object_may_only_have_a_batch_evaluation():
    """One solution is then a batch of one."""

    class Together:
        def evaluate_batch(self, solutions):
            return np.array([weigh(x) for x in solutions])

    problem = dl.Problem(BITS, Together, SENSES)
    assert problem.evaluate(CHOICE).tolist() == [2.0, 1.0]
    assert problem.evaluate_batch([CHOICE, ~CHOICE]).tolist() == [[2, 1], [1, 0]]
    check_problem(problem)


def test_something_callable_is_a_function():
    """An object with __call__, or a function with arguments bound."""

    class Call:
        def __call__(self, x):
            return weigh(x)

    assert dl.Problem(BITS, Call(), SENSES).evaluate(CHOICE).tolist() == [2.0, 1.0]
    assert dl.Problem(BITS, Call, SENSES).name == "Call"


def test_several_solutions_are_evaluated_one_by_one_where_need_be():
    """Also none at all."""
    problem = dl.Problem(BITS, weigh, SENSES)
    assert problem.evaluate_batch([CHOICE, ~CHOICE]).tolist() == [[2, 1], [1, 0]]
    assert problem.evaluate_batch([]).shape == (0, 2)


@njit
def weigh_codes(x, table, y):
    """Weight by the table, and the first choice."""
    y[0] = (x * table[0]).sum()
    y[1] = x[0]


@njit
def choose_last(x, table):
    """Make the last choice always."""
    x[-1] = 1


def test_a_custom_compiled_objective_needs_nothing_else():
    """It serves single evaluations, repairs and the compiled loop alike."""
    compiled = dl.Compiled(weigh_codes, [[1, 2, 3]], choose_last)
    problem = dl.Problem(BITS, None, SENSES, compiled=compiled)
    assert problem.evaluate(CHOICE).tolist() == [4.0, 1.0]
    assert problem.repair([False] * 3).tolist() == [False, False, True]
    assert not problem.has_python_hooks
    assert problem.name == "problem"
    check_problem(problem)


def test_a_compiled_and_a_python_repair_follow_each_other():
    """Compiled first, then Python; the search then runs in Python."""
    compiled = dl.Compiled(weigh_codes, [[1, 2, 3]], choose_last)
    problem = dl.Problem(
        BITS, None, SENSES, compiled=compiled, repair=lambda x: [x[2], x[1], False]
    )
    assert problem.repair([False] * 3) == [True, False, False]
    assert problem.repair_codes(np.zeros(3, np.int64)).tolist() == [1, 0, 0]
    assert problem.has_python_hooks
    assert not dl.Optimizer(problem).compiled
    assert dl.solve(problem, 30).X[:, 0].all()


# --- names and points


def test_a_list_of_names_is_minimised():
    """The usual case needs no senses."""
    problem = dl.Problem(BITS, weigh, ("a", "b"))
    assert problem.objectives == {"a": "min", "b": "min"}
    assert problem.sign.tolist() == [1, 1]
    mixed = dl.Problem(BITS, weigh, SENSES)
    assert mixed.senses == ("min", "max")
    assert mixed.sign.tolist() == [1, -1]


@pytest.mark.parametrize(
    ("source", "name", "expected"),
    [
        (weigh, None, "weigh"),
        (lambda x: (1, 2), None, "problem"),
        (Scale, None, "Scale"),
        (weigh, "mine", "mine"),
    ],
)
def test_a_problem_has_a_name_fit_for_files(source, name, expected):
    """That of its function or class, unless another one is given."""
    assert dl.Problem(BITS, source, SENSES, name=name).name == expected
    assert expected in repr(dl.Problem(BITS, source, SENSES, name=name))


def test_points_are_kept_as_arrays():
    """One number per objective, in the user's senses."""
    problem = dl.Problem(BITS, weigh, SENSES, reference=(3, 0), ideal=[0, 1])
    assert problem.reference.tolist() == [3.0, 0.0]
    assert problem.ideal.tolist() == [0.0, 1.0]
    assert dl.solve(problem, 100).hypervolume() > 0


def test_valid_says_no_by_raising_invalid_design():
    """The same word as in an objective."""

    def valid(x):
        raise dl.InvalidDesign

    assert not dl.Problem(BITS, weigh, SENSES, valid=valid).is_valid(CHOICE)


def test_a_description_is_plain_and_tells_instances_apart():
    """State files compare it."""
    one, other = (dl.problems.get("bikp-12", instance=i).describe() for i in (1, 2))
    assert one == dl.problems.get("bikp-12", instance=1).describe()
    assert {name for name in one if one[name] != other[name]} == {"instance"}
    assert dl.Problem(BITS, weigh, SENSES).describe() == {
        "space": {"space": "binary", "n": 3},
        "objectives": [["weight", "min"], ["speed", "max"]],
        "constraints": [],
        "instance": None,
    }


def test_inputs_stay_as_they_are():
    """Points and distances are copied or only read."""
    reference, distance = np.array([3.0, 0.0]), np.ones((3, 3))
    problem = dl.Problem(BITS, weigh, SENSES, reference=reference, distance=distance)
    reference[:] = 7
    assert problem.reference.tolist() == [3.0, 0.0]
    dl.solve(problem, 60)
    assert (distance == 1).all()
