import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

import divlearn as dl
from divlearn.kernels.layout import sample
from divlearn.methods.dl.kernels.memory import (
    Parents,
    enlarged_set,
    find_parent,
    hash_solution,
    is_seen,
    mark_seen,
    remember_difference,
    remember_parent,
)
from tests.kernels.cases import SEEDS, composites, words_of
from tests.kernels.dl.cases import state_for
from tests.reference.differences import NEIGHBOUR, actions


@given(composites(5, 3), SEEDS)
def test_hashes_are_equal_where_solutions_are(space, seed):
    """As they are, and as cycles where only neighbours count."""
    words = words_of(seed)
    x, y = np.empty((2, space.num_positions), np.int64)
    segments = space.segments()
    for _ in range(10):
        sample(space.layout, words, x)
        sample(space.layout, words, y)
        for as_cycle in (False, True):
            one, other = (hash_solution(space.layout, z, as_cycle) for z in (x, y))
            if as_cycle:
                same = actions(segments, NEIGHBOUR, x) == actions(
                    segments, NEIGHBOUR, y
                )
            else:
                same = np.array_equal(x, y)
            assert (one == other) == same
            assert one != 0
        # A solution and its cycle are two entries of one set.
        assert hash_solution(space.layout, x, False) != hash_solution(
            space.layout, x, True
        )


@given(st.integers(4, 20), SEEDS)
def test_rotations_and_reflections_are_one_cycle(n, seed):
    """The same part of another kind beside it; a change there is another solution."""
    rng = np.random.default_rng(seed)
    space = dl.Composite(a=dl.Binary(3), b=dl.Permutation(n))
    bits, order = rng.integers(0, 2, 3), rng.permutation(n)

    def key(bits, order, as_cycle):
        return hash_solution(space.layout, np.r_[bits, order], as_cycle)

    turned = np.roll(order, int(rng.integers(1, n)))
    for other in (turned, order[::-1], turned[::-1]):
        assert key(bits, other, True) == key(bits, order, True)
        assert key(bits, other, False) != key(bits, order, False)
        assert key(1 - bits, other, True) != key(bits, order, True)
    swapped = order.copy()
    swapped[[0, 2]] = swapped[[2, 0]]
    same = n == 4  # of four items, swapping opposite ones is a reflection
    assert (key(bits, swapped, True) == key(bits, order, True)) == same


@given(st.lists(st.integers(1, 2**64 - 1), max_size=40))
def test_the_set_holds_what_was_put_in_and_nothing_else(numbers):
    """As a Python set does; it is enlarged when half of it is full."""
    seen, expected = np.zeros(4, np.uint64), set()
    for number in numbers:
        # The lowest bit is set so that no key is 0, see hash_solution.
        key = np.uint64(number | 1)
        if 2 * (len(expected) + 1) > len(seen):
            seen = enlarged_set(seen)
        assert is_seen(seen, key) == (int(key) in expected)
        assert mark_seen(seen, key) == (int(key) not in expected)
        expected.add(int(key))
        assert is_seen(seen, key)
    assert set(seen[seen != 0].tolist()) == expected


def test_keys_with_the_same_place_are_told_apart():
    """Around the end of the array too."""
    seen = np.zeros(8, np.uint64)
    keys = [np.uint64(15 + 16 * k) for k in range(4)]  # all begin at the last place
    assert all(mark_seen(seen, key) for key in keys)
    assert not any(mark_seen(seen, key) for key in keys)
    assert not is_seen(seen, np.uint64(15 + 16 * 4))
    larger = enlarged_set(seen)
    assert len(larger) == 16
    assert all(is_seen(larger, key) for key in keys)


def test_only_the_latest_parents_are_remembered():
    """Answers to candidates of forgotten parents teach nothing."""
    parents = Parents(
        np.zeros((4, 2), np.int64), np.zeros((4, 1)), np.zeros(4, np.int64)
    )
    assert find_parent(parents, 0) == -1
    assert find_parent(parents, 1) == -1
    for serial in range(1, 11):
        x, y = np.array([serial, -serial]), np.array([serial / 2])
        remember_parent(parents, serial, x, y)
        for other in range(1, 15):
            row = find_parent(parents, other)
            assert (row >= 0) == (serial - 4 < other <= serial)
            if row >= 0:
                assert_array_equal(parents.solutions[row], [other, -other])
                assert parents.outputs[row, 0] == other / 2
    assert find_parent(parents, 0) == -1
    assert find_parent(parents, -2) == -1


def test_a_difference_is_what_the_child_has_more():
    """Both solutions and all outputs, constraints included."""
    ring = state_for(dl.Permutation(3)).ring
    x, y = np.array([0, 1, 2]), np.array([2, 0, 1])
    remember_difference(ring, 5, x, np.array([1.0, 4.0]), y, np.array([3.0, 2.5]))
    assert_array_equal(ring.parents[5], x)
    assert_array_equal(ring.children[5], y)
    assert_array_equal(ring.deltas[5], [2.0, -1.5])
    assert not ring.deltas[:5].any()
