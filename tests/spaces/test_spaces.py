"""What holds for every space."""

import json
from enum import Enum

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

import divlearn as dl
from divlearn.testing import check_space
from tests.kernels.cases import SEEDS, composites, parts
from tests.reference import layout as reference
from tests.reference import moves


class Colour(Enum):
    """Values that are hashable and no more."""

    RED = 1
    BLUE = 2


SPACES = [
    dl.Permutation(1),
    dl.Permutation(7),
    dl.Binary(6),
    dl.Subset(7, 3),
    dl.Subset(5, min=1, max=4),
    dl.Subset(4, 0),
    dl.Subset(4, 4),
    dl.Categorical(["x"]),
    dl.Categorical(["a", "b", ("c", 1)], n=4),
    dl.Categorical(Colour),
    dl.Ordinal([16, 32, 64, 128]),
    dl.Ordinal("xyz", n=3),
    dl.Integer(-3, 3),
    dl.Integer(5, 9, n=4),
    dl.Integer(1, 10**6, n=2, log=True),
    dl.Real(-1, 2.5),
    dl.Real(1e-3, 1, log=True, n=3),
    dl.Real(0, 1, step=0.125),
    dl.Composite(
        order=dl.Permutation(4),
        inner=dl.Composite(bits=dl.Binary(3), level=dl.Ordinal("ab")),
        size=dl.Integer(1, 3),
    ),
]
JUNK = [
    None,
    3.7,
    "text",
    [0] * 99,
    {},
    {1: 2, "a": 3},
    [[1], [2, 3]],
    [np.nan] * 7,
    [np.inf, 1],
    ["a", "b", "q"],
    [None, None],
    [1j] * 6,
    10**30,
    [10**30] * 4,
    np.zeros((3, 3)),
    object(),
]


@pytest.mark.parametrize("space", SPACES, ids=repr)
def test_every_space_passes_the_shared_checks(space):
    """The cases that a user's own space has to pass as well."""
    check_space(space, samples=15)


@given(composites(4, 4))
def test_every_composite_passes_the_shared_checks(space):
    """Any parts side by side are again a space."""
    check_space(space, samples=4)


@pytest.mark.parametrize("space", SPACES, ids=repr)
@pytest.mark.parametrize("value", JUNK, ids=lambda v: repr(v)[:20])
def test_whatever_is_not_a_member_is_refused_in_words(space, value):
    """Nothing but InputError, and never a warning; contains() answers False."""
    assert not space.contains(value)
    with pytest.raises(dl.InputError, match="got"):
        space.encode(value)


@given(parts(4), SEEDS)
def test_values_are_members_exactly_if_their_codes_are_listed(space, seed):
    """Decoding all members and nothing else makes values of the space."""
    listed = reference.members(space.segments())
    for codes in listed[:30]:
        value = space.decode(np.array(codes, np.int64))
        assert_array_equal(space.encode(value), codes)
    assert tuple(space.encode(space.sample(seed)).tolist()) in listed


@given(composites(4, 3), SEEDS, SEEDS)
def test_distances_of_values_are_those_of_their_codes(space, one, other):
    """Kendall tau, Hamming and steps, summed over the parts."""
    a, b = space.sample(one), space.sample(other)
    expected = reference.distance(space.segments(), space.encode(a), space.encode(b))
    assert space.distance(a, b) == expected


@given(composites(4, 3), SEEDS, st.data())
def test_neighbours_are_those_of_the_named_move(space, seed, data):
    """As listed by the slow definition; unnamed means any move."""
    move = data.draw(st.sampled_from([None, *space.move_names]))
    value = space.sample(seed)
    codes = tuple(space.encode(value).tolist())
    positions = range(space.num_positions)
    listed = moves.neighbours(space.segments(), codes, positions, move)
    found = tuple(space.encode(space.neighbour(value, seed, move)).tolist())
    assert found in listed | {codes}
    if len(space.segments()) == 1 and listed:
        assert found != codes


def test_moves_and_masks_refuse_what_kernels_would_not_check():
    """Kernels trust their input; a wrong index there would be a wild write."""
    space = dl.Permutation(4)
    with pytest.raises(dl.InputError, match=r"move .* adjacent swap, .* got 'flip'"):
        space.neighbour(range(4), move="flip")
    for positions in ([-1], [4], [0.5]):
        with pytest.raises(dl.InputError, match="positions"):
            space.neighbour(range(4), positions=positions)
    for earlier in ([0, 1, 2, 3], [4], [-1]):
        with pytest.raises(dl.InputError, match="earlier"):
            space.available(earlier)
    for seed in (-1, 1.5, "0"):
        with pytest.raises(dl.InputError, match="seed"):
            space.sample(seed)


def test_neighbour_leaves_its_input_alone():
    """A caller may go on using the solution that it started from."""
    value = np.arange(6)
    dl.Permutation(6).neighbour(value, seed=3)
    assert_array_equal(value, np.arange(6))


@pytest.mark.parametrize("space", SPACES, ids=repr)
def test_spaces_are_equal_exactly_if_they_mean_the_same(space):
    """State files compare descriptions; sets and dicts need the same hash."""
    for other in SPACES:
        same = repr(space) == repr(other)
        assert (space == other) == same
    assert space != "something else"
    assert space in {space}


def test_numbers_of_other_types_make_the_same_space():
    """1, 1.0 and NumPy's 1 are the same value, so the spaces are equal."""
    plain = dl.Categorical([1, 2])
    for values in (np.array([1, 2]), [1.0, 2.0]):
        assert dl.Categorical(values) == plain
        assert hash(dl.Categorical(values)) == hash(plain)
    assert json.dumps(dl.Categorical(np.array([1, 2])).describe())


def test_a_space_too_large_for_tables_says_so():
    """Before memory runs out, and with what to do about it."""
    with pytest.raises(dl.InputError, match="coarser values"):
        _ = dl.Composite(a=dl.Integer(0, 10**9, 7 * 10**5), b=dl.Binary(10**7)).layout
