import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from divlearn.kernels.random import below, next_word, shuffle, uniform
from tests.kernels.cases import SEEDS, words_of
from tests.reference.random import splitmix64, xoshiro256pp

# What the authors' C code prints for the words 1, 2, 3, 4.
PUBLISHED = [
    41943041,
    58720359,
    3588806011781223,
    3591011842654386,
    9228616714210784205,
    9973669472204895162,
    14011001112246962877,
    12406186145184390807,
    15849039046786891736,
    10450023813501588000,
]


def test_the_generator_prints_the_published_numbers():
    """Shows that the reference and the kernel are xoshiro256++ and not a likeness."""
    words = np.array([1, 2, 3, 4], np.uint64)
    assert xoshiro256pp([1, 2, 3, 4], 10)[0] == PUBLISHED
    assert [int(next_word(words)) for _ in range(10)] == PUBLISHED


def test_seeds_are_spread_by_splitmix64():
    """The published numbers for the seed 1234567, and the words filled from them."""
    assert splitmix64(1234567, 4) == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
    ]
    assert words_of(1234567).tolist() == splitmix64(1234567, 4)


@given(SEEDS)
def test_numbers_and_words_agree_with_exact_integers(seed):
    """Overflow wraps as it does in C, compiled or not."""
    words = words_of(seed)
    numbers, after = xoshiro256pp(splitmix64(seed, 4), 20)
    assert [int(next_word(words)) for _ in range(20)] == numbers
    assert words.tolist() == after


@given(SEEDS)
def test_uniform_takes_the_upper_53_bits(seed):
    """Every number is a multiple of 2**-53 in [0, 1)."""
    words = words_of(seed)
    numbers, _ = xoshiro256pp(splitmix64(seed, 4), 20)
    drawn = [uniform(words) for _ in range(20)]
    assert drawn == [(number >> 11) / 2**53 for number in numbers]
    assert 0.0 <= min(drawn) <= max(drawn) < 1.0


def test_uniform_stays_below_one_for_the_largest_word():
    """The rounding of the last number must not reach 1, nor a bound."""
    full = 2**64 - 1
    assert uniform(np.array([full, 0, 0, 0], np.uint64)) < 1.0
    for bound in (1, 2, 3, 10, 2**31 - 1, 2**40 + 1):
        words = np.array([full, 0, 0, 0], np.uint64)  # gives 53 leading ones
        assert below(words, bound) == bound - 1


@given(SEEDS, st.integers(1, 2**40))
def test_below_keeps_its_bounds(seed, bound):
    """An index drawn for an array of that length is always inside."""
    words = words_of(seed)
    assert all(0 <= below(words, bound) < bound for _ in range(50))


def test_below_is_uniform():
    """7,000 draws among 7: each 1,000 times, give or take four deviations."""
    words = words_of(1)
    counts = np.bincount([below(words, 7) for _ in range(7_000)], minlength=7)
    assert abs(counts - 1_000).max() < 4 * np.sqrt(7_000 * 6 / 49)


@given(SEEDS, st.integers(0, 5), st.integers(0, 6))
def test_shuffle_permutes_its_stretch_only(seed, start, length):
    """A segment of a longer vector is shuffled in place."""
    x = np.arange(12)
    shuffle(words_of(seed), x, start, start + length)
    assert_array_equal(np.sort(x), np.arange(12))
    assert_array_equal(x[:start], np.arange(start))
    assert_array_equal(x[start + length :], np.arange(start + length, 12))


def test_shuffle_gives_every_order_equally_often():
    """2,400 shuffles of four items: each of 24 orders about a hundred times."""
    words, counts = words_of(2), {}
    for _ in range(2_400):
        x = np.arange(4)
        shuffle(words, x, 0, 4)
        counts[tuple(x)] = counts.get(tuple(x), 0) + 1
    assert len(counts) == 24
    assert 55 < min(counts.values()) <= max(counts.values()) < 150
