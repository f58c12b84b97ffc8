import numpy as np
import pytest
from numpy.testing import assert_array_equal

from divlearn import InputError
from divlearn.problems import read
from tests.problems.files.samples import COUNTS, LAYOUTS, LISTS

WEIGHTS, VALUES = [[2], [3], [4]], [[5, 1], [1, 5], [3, 3]]


@pytest.mark.parametrize("text", LAYOUTS.values(), ids=LAYOUTS.keys())
def test_every_layout_of_the_same_items_is_the_same_problem(file, text):
    """Three items with one weight and two values each, capacity 6."""
    problem = read(file("# items\n" + text, "items.dat"))
    assert_array_equal(problem.weights, WEIGHTS)
    assert_array_equal(problem.values, VALUES)
    assert_array_equal(problem.capacity, [6])
    assert problem.name == "items"
    assert problem.senses == ("max", "max")


def test_several_constraints_have_a_weight_each(file):
    """``n m c``: the weights of an item come before its values."""
    problem = read(file("2 1 3\n7 8 9\n1 2 3 50\n4 5 6 60\n"))
    assert_array_equal(problem.weights, [[1, 2, 3], [4, 5, 6]])
    assert_array_equal(problem.values, [[50], [60]])
    assert_array_equal(problem.capacity, [7, 8, 9])


def test_a_library_file_has_several_problems(file):
    """Of which one is chosen, the first without a word; lines break anywhere."""
    text = "2\n2 1 0\n5 6\n1\n2 3\n1 2 9.5\n7 8 9 4 5\n"
    first, second = read(file(text)), read(file(text), instance=1)
    assert_array_equal(first.weights, [[1], [2]])
    assert_array_equal(second.weights, [[8, 9]])
    assert_array_equal(second.values, [[7]])
    with pytest.raises(InputError, match=r"instance must be below 2.*got 2"):
        read(file(text), instance=2)


def test_problem_sizes_that_look_like_two_layouts_are_told_apart(file):
    """As many capacities as items, and as many weights as values."""
    items = read(file("2 1 2\n8 9\n1 2 50\n3 4 60\n"))
    assert_array_equal(items.values, [[50], [60]])
    lists = read(file("2 1 2\n50 60\n1 3\n2 4\n8 9\n"))
    for name in ("weights", "values", "capacity"):
        assert_array_equal(getattr(lists, name), getattr(items, name))


def test_a_knapsack_repairs_as_the_named_ones_do(file):
    """Constraints instead, on request."""
    path = file(COUNTS)
    assert read(path).constraints == ()
    assert read(path).repair_rule == "random-drop"
    assert read(path, repair=None).constraints == ("load 1",)
    assert read(path, repair="efficiency", fill=True).fill


def test_points_enclose_everything_that_fits(file):
    """Nothing is the reference; more than any choice can have is ideal."""
    problem = read(file(COUNTS))
    assert_array_equal(problem.reference, [0, 0])
    # By value 1: items 1, 3 and none of 2, of weight 6. By value 2: 2, 3/4 of 3.
    assert_array_equal(problem.ideal, [8, 7.3])


def test_items_without_weight_are_in_the_ideal_point(file):
    """They always fit; without any value there is no point to speak of."""
    assert read(file("2 5\n3 0\n4 5\n")).ideal == [7]
    assert read(file("2 5\n0 0\n0 5\n")).ideal is None


WRONG = [
    (
        "3 2 1\n6\n2 5 1\n3 1 5\n",
        "line 4: expected 3 items, got 2 up to here; the",
    ),
    (
        COUNTS + "1 1 1\n",
        "line 6: expected the end of the file after 3 items, got",
    ),
    (
        "3 2 1\n6\n2 5 1\n3 1\n4 3 3\n",
        "line 4: expected an item, 1 weight and 2 v",
    ),
    ("3 2 1\n6\n2 5 x\n3 1 5\n4 3 3\n", "line 3: expected a number, got 'x'"),
    ("3 2 1\n6\n2 5 nan\n3 1 5\n4 3 3\n", "line 3: expected a number, got 'nan'"),
    ("3 2 1\n6\n2 5 1_0\n3 1 5\n4 3 3\n", "line 3: expected a number, got '1_0'"),
    ("3 2 1\n6\n2 5 1e999\n3 1 5\n4 3 3\n", "line 3: expected a number, got '1e999'"),
    ("3 2 1\n6\n2 5 -1\n3 1 5\n4 3 3\n", "line 3: .*of at least 0, got '-1'"),
    ("3 2 1\n0\n2 5 1\n3 1 5\n4 3 3\n", "line 2: expected capacities above 0, got 0"),
    ("3.5 2 1\n6\n2 5 1\n", "line 1: expected a number of items, a whole.* got 3.5"),
    ("0 6\n2 5\n", "line 1: expected a number of items, a whole number.* got 0"),
    ("3 2 2\n6\n2 5 1\n", "line 2: expected 2 capacities, got 1 number: '6'"),
    ("3 6\n", "line 1: expected an item, its values and its weight, got the end"),
    ("3\n", "line 1: expected the number of items and the capacity, got 1 number"),
    ("3\n6\n5\n1 5 3\n", "line 4: expected .* numbers, the values of all items, got"),
    ("# nothing\n", "line 1: expected the number of items, got the end"),
    ("", "line 1: expected an instance, got an empty file"),
    ("2\n2 1 0\n5 6\n1 2\n3\n", "line 5: expected 1 number, the number of items"),
    (LISTS + "1\n", "line 6: expected the end of the file, got more numbers"),
    ("1 2 3 4\n5 6\n", "line 1: expected the number of items and the capacity, got 4"),
    (COUNTS.rstrip(), "line 5: expected a line break at the end of the last line"),
]


@pytest.mark.parametrize(("text", "message"), WRONG)
def test_a_malformed_file_is_refused_with_its_line(file, text, message):
    """What was expected and what came, where it came."""
    with pytest.raises(InputError, match=r"instance\.txt, " + message):
        read(file(text))


def test_the_bound_of_the_ideal_point_is_never_too_low(file):
    """Against all choices of random instances with two constraints."""
    rng = np.random.default_rng(0)
    choices = np.array(list(np.ndindex(*(2,) * 8)))
    for _ in range(30):
        items = rng.integers(0, 9, (8, 4))
        rows = "\n".join(" ".join(map(str, row)) for row in items)
        problem = read(file(f"8 2 2\n12 15\n{rows}\n"))
        fits = (choices @ problem.weights <= problem.capacity).all(axis=1)
        assert ((choices[fits] @ problem.values).max(axis=0) <= problem.ideal).all()
