"""What each kind of space gives to the user, and what it refuses."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

import divlearn as dl
from divlearn import (
    Binary,
    Categorical,
    Composite,
    Integer,
    Ordinal,
    Permutation,
    Subset,
)


def test_a_permutation_is_an_integer_array():
    """Each item once, in the order in which they come."""
    value = Permutation(5).sample(seed=1)
    assert value.dtype == np.int64
    assert sorted(value) == list(range(5))
    assert not Permutation(3).contains([0, 1, 1])
    assert not Permutation(3).contains([1, 2, 3])


def test_bits_are_booleans():
    """So that ~x and x.sum() mean what one expects."""
    value = Binary(5).sample(seed=1)
    assert value.dtype == bool
    assert value.shape == (5,)
    assert Binary(2).contains([0, 1])
    assert Binary(2).contains([True, False])
    assert not Binary(2).contains([0, 2])
    assert not Binary(2).contains([0, 1, 1])


def test_a_subset_lists_the_chosen_items_in_ascending_order():
    """Any order is understood; the canonical one is sorted."""
    space = Subset(6, 3)
    assert_array_equal(space.canonical([5, 0, 2]), [0, 2, 5])
    assert space.distance([0, 1, 2], [2, 1, 0]) == 0
    assert not space.contains([0, 1])
    assert not space.contains([0, 1, 1])
    assert not space.contains([0, 1, 6])
    assert Subset(4).contains([])


def test_choices_come_as_they_were_declared():
    """Strings, tuples and numbers themselves, never their codes."""
    marks = Categorical(["low", ("a", 1), 2.5])
    assert {repr(marks.sample(seed)) for seed in range(30)} == {
        "'low'",
        "('a', 1)",
        "2.5",
    }
    assert isinstance(Categorical("ab", n=3).sample(), list)
    assert Categorical("ab", n=2).canonical(("a", "b")) == ["a", "b"]


def test_ordered_values_are_as_far_apart_as_steps_lie_between_them():
    """And unordered ones are all one apart."""
    assert Ordinal([1, 10, 100]).distance(1, 100) == 2
    assert Categorical([1, 10, 100]).distance(1, 100) == 1


def test_integers_keep_their_limits():
    """One is an int, several are an array, both ends are possible."""
    one, several = Integer(-1, 1), Integer(-1, 1, n=3)
    assert {one.sample(seed) for seed in range(30)} == {-1, 0, 1}
    assert type(one.sample()) is int
    assert several.sample().dtype == np.int64
    assert one.contains(np.int64(1))
    assert not one.contains(2)
    assert not one.contains(0.5)
    assert not several.contains([0, 0, 2])


def test_a_composite_is_a_dict_of_its_parts():
    """Parts keep their names and kinds, however deep."""
    space = Composite(order=Permutation(3), inner=Composite(width=Integer(1, 4)))
    value = space.sample()
    assert list(value) == ["order", "inner"]
    assert list(value["inner"]) == ["width"]
    assert space.num_positions == 4
    assert_array_equal(
        space.encode({"inner": {"width": 2}, "order": [2, 1, 0]}), [2, 1, 0, 1]
    )


def test_composites_of_other_names_or_orders_are_other_spaces():
    """A state of one must not be continued with the other."""
    one = Composite(a=Binary(2), b=Integer(0, 1))
    assert one == Composite(a=Binary(2), b=Integer(0, 1))
    assert one != Composite(b=Integer(0, 1), a=Binary(2))
    assert one != Composite(x=Binary(2), b=Integer(0, 1))


@pytest.mark.parametrize(
    ("make", "named"),
    [
        (lambda: Permutation(0), "n must"),  # empty
        (lambda: Permutation(2.5), "n must"),  # not whole
        (lambda: Permutation(True), "n must"),  # a yes is no number
        (lambda: Binary(-1), "n must"),
        (lambda: Binary("4"), "n must"),
        (lambda: Subset(3, 4), "k = 4"),  # more than there are
        (lambda: Subset(3, -1), "k must"),
        (lambda: Subset(3, 2, max=3), "either k or"),
        (lambda: Subset(5, min=3, max=2), "min = 3, max = 2"),
        (lambda: Subset(5, max=6), "max = 6"),
        (lambda: Categorical([]), "at least one value"),  # empty
        (lambda: Categorical(["a", "a"]), "all be different"),
        (lambda: Categorical([[1], [2]]), "hashable"),
        (lambda: Categorical("ab", n=0), "n must"),
        (lambda: Ordinal([]), "Ordinal needs"),
        (lambda: Integer(3, 2), "low = 3 and high = 2"),  # empty
        (lambda: Integer(0.5, 2), "low must be a whole number, got 0.5"),
        (lambda: Integer(0, 2, n=-1), "n must"),
        (lambda: Composite(), "at least one part"),  # empty
        (lambda: Composite(a=5), "part 'a'"),
    ],
)
def test_spaces_that_cannot_be_are_refused(make, named):
    """Each message names the argument and what came."""
    with pytest.raises(dl.InputError, match=named):
        make()


def test_a_whole_number_may_be_a_float():
    """As for budgets, 1e4 is 10,000."""
    assert repr(Permutation(1e3)) == "Permutation(1000)"
    assert repr(Integer(-3.0, np.float64(4), n=2.0)) == "Integer(-3, 4, n=2)"


@pytest.mark.parametrize(
    ("space", "value", "words"),
    [
        (Permutation(3), [0, 1, 1], "names each of 0 to 2 once"),
        (Permutation(3), [0, 1], r"shape \(3,\), got shape \(2,\)"),
        (Binary(2), [0, 5], "true or false"),
        (Subset(5, 2), [0, 1, 2], "2 to 2 different items"),
        (Categorical("ab"), "c", "one of"),
        (Categorical("ab", n=2), ["a"], "2 entries"),
        (Categorical("ab", n=2), np.array("ab"), "2 entries"),
        (Ordinal([1, 2], n=2), np.array(1), "2 entries"),
        (Permutation(2), np.ma.array([0, 1], mask=[0, 1]), "whole numbers, got"),
        (Integer(1, 3), 7, "between 1 and 3"),
        (Composite(a=Binary(1)), {"b": [0]}, r"keys \['a'\], got \['b'\]"),
        (Composite(a=Binary(1)), {"a": [0], "b": 1}, "there is no 'b'"),
        (Composite(a=Integer(1, 3), b=Integer(1, 3)), {"a": 1, "b": 7}, "^'b': a"),
        (Composite(a=Composite(b=dl.Real(0, 1))), {"a": {"b": 7}}, "^'a': 'b': a"),
    ],
)
def test_errors_say_what_was_expected_and_what_came(space, value, words):
    """A user can put the value right from the message alone."""
    with pytest.raises(dl.InputError, match=words):
        space.encode(value)


@pytest.mark.parametrize(
    "make",
    [
        lambda: dl.Binary(10**9),
        lambda: dl.Subset(10**9, 3),
        lambda: dl.Integer(0, 10**9, n=10**6),
        lambda: dl.Integer(0, 9, n=10**9),
        lambda: dl.Categorical("ab", n=10**9),
    ],
)
def test_a_space_that_no_memory_holds_is_refused_when_it_is_made(make):
    """With its size and what to do, not by a machine that stands still."""
    with pytest.raises(dl.InputError, match="actions over all positions, more than"):
        make()


def test_a_permutation_is_limited_by_its_length_alone():
    """Tables hold what was learned of its pairs, so that not all need room."""
    assert dl.Permutation(100_000).num_positions == 100_000
    with pytest.raises(dl.InputError, match="up to 100,000 items, got 1,000,000,000"):
        dl.Permutation(10**9)


def test_one_decision_is_true_or_false_and_several_are_an_array():
    """As ``type = "binary"`` in TOML, with and without n."""
    assert dl.Binary().decode(np.array([1])) is True
    assert dl.Binary().encode(False).tolist() == [0]
    assert dl.Binary(1).decode(np.array([1])).tolist() == [True]
    assert dl.Binary() != dl.Binary(1)
    with pytest.raises(dl.InputError, match=r"a value of Binary\(\) is true or false"):
        dl.Binary().encode([True])
