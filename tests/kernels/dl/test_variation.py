import itertools

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

import divlearn as dl
from divlearn.kernels.layout import is_member
from divlearn.methods.dl.kernels.variation import crossover, insert_item, is_free
from tests.kernels.cases import SEEDS, composites, words_of
from tests.kernels.dl.models.gp.cases import codes_of
from tests.kernels.dl.models.quadratic.cases import SPACES, spaces
from tests.reference.orders import inserted
from tests.reference.values import all_codes


@given(composites(), SEEDS)
def test_a_position_is_free_if_any_value_of_it_makes_a_member(space, seed):
    """So that it may be changed alone."""
    layout, x = space.layout, codes_of(space, 1, seed % 2**31)[0]
    for i, arity in enumerate(layout.places.arity):
        others = []
        for value in set(range(arity)) - {x[i]}:
            other = x.copy()
            other[i] = value
            others.append(is_member(layout, other))
        if others:
            assert is_free(layout, x, i) == all(others)


@given(st.integers(2, 9), SEEDS, st.data())
def test_an_item_is_inserted_as_in_a_list(n, seed, data):
    """Forward, backward and where it stands."""
    x = np.random.default_rng(seed).permutation(n)
    i, j = data.draw(st.integers(0, n - 1)), data.draw(st.integers(0, n - 1))
    expected = inserted(x.tolist(), i, j)
    insert_item(x, i, j)
    assert_array_equal(x, expected)


@given(spaces, SEEDS)
def test_mixtures_come_from_both_position_by_position(name, seed):
    """Subsets whose size is limited come as a whole, so that they stay members."""
    layout, words = SPACES[name].layout, words_of(seed)
    codes = all_codes(layout)
    a, b = codes[0], codes[-1]
    y = np.zeros_like(a)
    for k in range(6):
        crossover(layout, words, a, b, y, k % 2 == 0)
        assert is_member(layout, y)
        assert ((y == a) | (y == b)).all()


def test_mixtures_are_not_always_one_of_both():
    """All 64 mixtures of six bits come up sooner or later."""
    layout, words = dl.Binary(6).layout, words_of(1)
    a, b, y = np.zeros(6, np.int64), np.ones(6, np.int64), np.zeros(6, np.int64)
    seen = set()
    for _ in range(1000):
        crossover(layout, words, a, b, y, True)
        seen.add(tuple(y.tolist()))
    assert seen == set(itertools.product((0, 1), repeat=6))
    assert_array_equal(a, 0)


def test_a_solution_may_be_crossed_in_place():
    """With the same random numbers the child is the same."""
    layout = dl.Composite(a=dl.Permutation(4), b=dl.Binary(5)).layout
    a, b = np.r_[0:4, [0] * 5], np.r_[3:-1:-1, [1] * 5]
    y = np.zeros_like(a)
    crossover(layout, words_of(3), a, b, y, False)
    crossover(layout, words_of(3), a, b, b, False)
    assert_array_equal(b, y)
