from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

import divlearn as dl
from divlearn.kernels import layout as kernels
from divlearn.kernels.cells import (
    action_of,
    actions_of,
    code_in,
    draw_in,
    middle_of,
)
from divlearn.kernels.layout import (
    available_actions,
    build_layout,
    distance,
    is_member,
    sample,
)
from divlearn.spaces import base
from tests.kernels.cases import SEEDS, composites, words_of
from tests.reference import layout as reference


def test_a_layout_numbers_positions_actions_and_segments():
    """Tables of actions rely on these offsets."""
    built = build_layout([(0, [3, 3, 3], 0, 0), (1, [2, 2], 0, 1), (3, [4], 0, 0)])
    assert_array_equal(built.places.arity, [3, 3, 3, 2, 2, 4])
    assert_array_equal(built.places.offset, [0, 3, 6, 9, 11, 13])
    assert_array_equal(built.places.segment, [0, 0, 0, 1, 1, 2])
    assert_array_equal(built.segments.start, [0, 3, 5])
    assert_array_equal(built.segments.stop, [3, 5, 6])
    assert_array_equal(built.segments.most, [0, 1, 0])


def test_kinds_have_the_same_numbers_in_spaces_and_kernels():
    """The spaces repeat the numbers so as not to load the compiler."""
    kinds = ("PERMUTATION", "SUBSET", "CATEGORICAL", "ORDINAL")
    assert [getattr(base, name) for name in kinds] == [0, 1, 2, 3]
    assert [getattr(kernels, name) for name in kinds] == [0, 1, 2, 3]
    assert (base.WIDE, base.CELLS) == (kernels.WIDE, kernels.CELLS)


@given(composites(3, 3), SEEDS)
def test_samples_are_members(space, seed):
    """Against the list of all members, for every mixture of kinds."""
    codes = np.empty(space.num_positions, np.int64)
    words = words_of(seed)
    allowed = set(reference.members(space.segments()))
    for _ in range(5):
        sample(space.layout, words, codes)
        assert tuple(codes.tolist()) in allowed
        assert is_member(space.layout, codes)


@pytest.mark.parametrize(
    ("space", "number"),
    [
        (dl.Permutation(4), 24),
        (dl.Binary(4), 16),
        (dl.Subset(5, 2), 10),
        (dl.Categorical("abc", 2), 9),
        (dl.Integer(0, 3), 4),
    ],
    ids=repr,
)
def test_samples_are_uniform(space, number):
    """Every member comes up equally often, give or take five deviations."""
    words, codes = words_of(3), np.empty(space.num_positions, np.int64)
    counts = {}
    for _ in range(100 * number):
        sample(space.layout, words, codes)
        counts[tuple(codes)] = counts.get(tuple(codes), 0) + 1
    assert len(counts) == number
    assert max(abs(count - 100) for count in counts.values()) < 50


def test_a_subset_with_limits_draws_its_size_uniformly():
    """Else sizes near the middle would hide the extremes."""
    words, codes = words_of(4), np.empty(9, np.int64)
    layout = dl.Subset(9, min=2, max=5).layout
    sizes = []
    for _ in range(2_000):
        sample(layout, words, codes)
        sizes.append(codes.sum())
    counts = np.bincount(sizes, minlength=6)
    assert counts[:2].sum() == 0
    assert abs(counts[2:] - 500).max() < 100


@given(composites(3, 3), st.data())
def test_available_actions_are_those_that_can_still_be_completed(space, data):
    """A mask too strict cuts the space, one too loose leads into a dead end."""
    segments, n = space.segments(), space.num_positions
    codes, actions = np.full(n, -9, np.int64), np.empty(10, np.int64)
    for i in range(n):
        count = available_actions(space.layout, codes, i, actions)
        expected = reference.completable(segments, codes[:i].tolist())
        assert actions[:count].tolist() == expected
        codes[i] = data.draw(st.sampled_from(expected))
    assert is_member(space.layout, codes)


@pytest.mark.parametrize(
    "space",
    [
        dl.Permutation(3),
        dl.Subset(4, min=1, max=2),
        dl.Composite(a=dl.Permutation(2), b=dl.Integer(0, 1), c=dl.Subset(2, 1)),
    ],
    ids=repr,
)
def test_members_are_told_from_all_other_vectors(space):
    """Against the list of members, also with codes below and above the actions."""
    allowed = set(reference.members(space.segments()))
    seen = 0
    for codes in product(range(-1, 4), repeat=space.num_positions):
        member = is_member(space.layout, np.array(codes))
        assert member == (codes in allowed), codes
        seen += member
    assert seen == len(allowed)


@given(composites(4, 3), SEEDS)
def test_distances_agree_with_their_definitions(space, seed):
    """Kendall tau, Hamming and steps, summed over the parts."""
    words = words_of(seed)
    a, b = (np.empty(space.num_positions, np.int64) for _ in range(2))
    sample(space.layout, words, a)
    sample(space.layout, words, b)
    expected = reference.distance(space.segments(), a, b)
    assert distance(space.layout, a, b) == expected == distance(space.layout, b, a)


def test_the_largest_kendall_distance_is_that_of_the_reverse_order():
    """All pairs disagree: n (n - 1) / 2, and one adjacent swap is one."""
    layout = dl.Permutation(7).layout
    order = np.arange(7)
    assert distance(layout, order, order[::-1].copy()) == 21
    assert distance(layout, order, np.array([0, 1, 3, 2, 4, 5, 6])) == 1


# --- wide positions: actions are cells of codes

WIDE_SPACES = {
    "just wide": dl.Integer(0, 256),
    "integers": dl.Composite(a=dl.Integer(-5, 10**6, n=2), b=dl.Permutation(3)),
}


@pytest.mark.parametrize("name", WIDE_SPACES)
def test_cells_divide_the_codes_of_a_wide_position(name):
    """Every code has one action, actions are in order, and none is without a code."""
    layout = WIDE_SPACES[name].layout
    levels, edge = int(layout.places[0].levels), int(layout.places[0].edge)
    cells = layout.edges[edge : edge + kernels.CELLS + 1]
    assert layout.places[0].arity == kernels.CELLS
    assert (cells[0], cells[-1]) == (0, levels)
    assert (np.diff(cells) > 0).all()
    for action, (first, end) in enumerate(pairwise(cells)):
        for code in (first, (first + end) // 2, end - 1):
            assert action_of(layout, 0, int(code)) == action
            rows = np.full((1, len(layout.places)), code)
            assert actions_of(layout, rows)[0, 0] == action


def test_positions_of_few_values_have_an_action_per_code():
    """Also on a logarithmic scale; 256 values are not yet wide."""
    layout = dl.Integer(1, 256).layout
    assert layout.places[0].arity == layout.places[0].levels == 256
    assert layout.edges.size == 0
    assert [action_of(layout, 0, code) for code in (0, 99, 255)] == [0, 99, 255]


@given(st.integers(0, 10**6), st.integers(0, 63), SEEDS)
def test_codes_of_an_action_lie_in_its_cell(code, action, seed):
    """Moved there by whole cells, drawn, or from its middle; a code there stays."""
    layout = dl.Integer(0, 10**6).layout
    own = action_of(layout, 0, code)
    assert code_in(layout, 0, own, code) == code
    for found in (
        code_in(layout, 0, action, code),
        draw_in(layout, 0, action, words_of(seed)),
        middle_of(layout, 0, action),
    ):
        assert action_of(layout, 0, found) == action


@given(st.integers(0, 10**6), st.integers(0, 10**6))
def test_distances_of_wide_positions_are_shares_of_their_range(a, b):
    """One real does not outweigh all other parts: its ends are 63 steps apart."""
    space = dl.Integer(0, 10**6)
    assert space.distance(a, b) == pytest.approx(63 * abs(a - b) / 10**6)
    shared = dl.metrics.SpaceDistance(space)(a, b)
    assert shared == pytest.approx(abs(a - b) / 10**6)


def test_a_large_integer_needs_little_memory():
    """Tables have a row per cell, so a million values cost as much as 64."""
    assert dl.Integer(0, 10**6, n=3).layout.places.arity.sum() == 192
