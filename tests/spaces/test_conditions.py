"""Parts that exist only sometimes: what users see, and what searches rely on."""

import numpy as np
import pytest
from hypothesis import given, settings
from numpy.testing import assert_array_equal

import divlearn as dl
from divlearn import (
    Binary,
    Categorical,
    Composite,
    If,
    Integer,
    Ordinal,
    Permutation,
    Subset,
)
from divlearn.kernels.layout import is_member
from divlearn.kernels.structure import settle
from divlearn.spaces.counting import count_solutions, list_solutions
from divlearn.spaces.described import space_from
from divlearn.testing import check_space
from tests.kernels.cases import conditionals
from tests.reference.conditions import all_values

KIND = Categorical(["cpu", "gpu", "tpu"])
#: All there is: a chain of conditions, a group, an order, a subset, bits, limits.
RICH = Composite(
    kind=KIND,
    cache=If(kind="cpu", then=Ordinal([16, 32, 64])),
    tuned=If(cache={"min": 32}, then=Binary()),
    size=Integer(1, 3),
    many=If(
        kind=("gpu", "tpu"),
        size=range(2, 4),
        then=Composite(
            on=Binary(2),
            order=Permutation(3),
            deep=Categorical("ab"),
            pick=If(deep="b", then=Subset(3, 2)),
        ),
    ),
)


def plain(value):
    """A value that can be compared and sorted."""
    if isinstance(value, dict):
        return tuple((name, plain(part)) for name, part in value.items())
    return tuple(value.tolist()) if isinstance(value, np.ndarray) else value


def test_a_conditional_space_keeps_all_promises_of_a_space():
    """Samples, codes, constructions, moves, descriptions."""
    check_space(RICH, samples=15)
    assert space_from(RICH.describe()) == RICH


@settings(max_examples=15)
@given(conditionals())
def test_any_mixture_of_conditions_keeps_them_too(space):
    """Chains and groups of all kinds of parts."""
    check_space(space, samples=4)
    assert space_from(space.describe()) == space


def test_solutions_are_exactly_those_that_the_conditions_allow():
    """Counted, listed and drawn, against all values by definition."""
    wanted = {plain(value) for value in all_values(RICH)}
    listed = [np.array(codes) for codes in list_solutions(RICH.segments())]
    assert {plain(RICH.decode(codes)) for codes in listed} == wanted
    assert len(listed) == len(wanted) == count_solutions(RICH.segments(), 10**6)
    assert count_solutions(RICH.segments(), len(wanted) - 1) is None
    for codes in listed:
        assert is_member(RICH.layout, codes)
        assert_array_equal(RICH.encode(RICH.decode(codes)), codes)
    assert {plain(RICH.sample(seed)) for seed in range(50)} <= wanted


def test_codes_of_any_kind_are_settled_and_solutions_stay():
    """Whatever a step leaves behind becomes a solution, and a second time nothing."""
    layout, words = RICH.layout, np.array([1, 2, 3, 4], np.uint64)
    for seed in range(60):
        codes = RICH.encode(RICH.sample(seed))
        for i in np.random.default_rng(seed).integers(len(codes), size=3):
            if layout.segments.kind[layout.places.segment[i]] > 1:
                codes[i] = (codes[i] + 1 + seed) % layout.places.levels[i]
        settle(layout, codes, words)
        assert is_member(layout, codes)
        again = codes.copy()
        settle(layout, again, words)
        assert_array_equal(again, codes)


def test_what_comes_to_be_is_drawn_anew():
    """Also an order, which is kept in one way while it is absent."""
    space = Composite(on=Binary(), order=If(on=True, then=Permutation(4)))
    words = np.array([1, 2, 3, 4], np.uint64)
    seen = set()
    for _ in range(40):
        codes = space.encode({"on": False})
        codes[0] = 1
        settle(space.layout, codes, words)
        seen.add(plain(space.decode(codes)["order"]))
    assert len(seen) > 12


def test_parts_that_do_not_exist_are_no_differences():
    """Only what both designs have is compared."""
    space = Composite(kind=KIND, cache=If(kind="cpu", then=Integer(0, 99)))
    small, large = ({"kind": "cpu", "cache": c} for c in (0, 99))
    assert space.distance(small, large) == 99
    assert space.distance(small, {"kind": "gpu"}) == 1
    assert space.distance({"kind": "tpu"}, {"kind": "gpu"}) == 1


def test_a_value_without_meaning_is_refused_and_none_says_nothing():
    """Files have empty cells; a number there would be a mistake."""
    space = Composite(kind=KIND, cache=If(kind=("cpu", "gpu"), then=Integer(1, 9)))
    assert space.canonical({"kind": "tpu", "cache": None}) == {"kind": "tpu"}
    with pytest.raises(dl.InputError, match="exists only if kind is 'cpu' or 'gpu'"):
        space.encode({"kind": "tpu", "cache": 3})
    with pytest.raises(dl.InputError, match="lacks 'cache'"):
        space.encode({"kind": "cpu"})
    with pytest.raises(dl.InputError, match="'cache' if kind is"):
        space.encode({"kind": "cpu", "cash": 3})


@pytest.mark.parametrize(
    ("wanted", "says"),
    [
        ({"knd": "cpu"}, "Did you mean 'kind'"),
        ({"later": 1}, "declare 'later' first"),
        ({"kind": "npu"}, "which it never is"),
        ({"kind": ()}, "never so"),
        ({"kind": ("cpu", "gpu", "tpu")}, "always so"),
        ({"size": {"min": 1}}, "always so"),
        ({"size": {"min": 9}}, "never so"),
        ({"size": {"least": 2}}, "min and max"),
        ({"size": {"min": "two"}}, "as numbers"),
        ({"kind": {"min": "cpu"}}, "has no order"),
        ({"cache": 16, "kind": "gpu"}, "can never exist"),
        ({"order": 0}, "a single value"),
        ({}, "at least one condition"),
    ],
)
def test_conditions_that_make_no_sense_are_refused(wanted, says):
    """A misspelt name, a value that is not there, always, never, a contradiction."""
    with pytest.raises(dl.InputError, match=says):
        Composite(
            kind=KIND,
            size=Integer(1, 8),
            order=Permutation(3),
            cache=If(kind="cpu", then=Ordinal([16, 32])),
            own=If(**wanted, then=Integer(1, 3)),
            later=Integer(0, 3),
        )


def test_the_same_condition_in_other_words_is_the_same_space():
    """A range, a list and limits; one value and a list of it."""
    spaces = [
        Composite(size=Integer(1, 8), fast=If(size=wanted, then=Binary()))
        for wanted in (range(2, 5), [4, 3, 2], {"min": 2, "max": 4.5})
    ]
    assert spaces[0] == spaces[1] == spaces[2]
    one, list_of_one = (
        Composite(kind=KIND, cache=If(kind=wanted, then=Integer(1, 9)))
        for wanted in ("cpu", ["cpu"])
    )
    assert one == list_of_one
    assert one != Composite(kind=KIND, cache=Integer(1, 9))


def test_only_a_space_can_be_conditional_and_only_in_a_composite():
    """Nested conditions are joined; a space alone has nothing to depend on."""
    with pytest.raises(dl.InputError, match="join the conditions"):
        If(a=1, then=If(b=2, then=Integer(1, 3)))
    with pytest.raises(dl.InputError, match="space must be a space"):
        dl.Problem(If(a=1, then=Integer(1, 3)), len, ["one"])
