import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

import divlearn as dl
from divlearn import InputError
from divlearn.metrics import non_dominated
from divlearn.problems import Satisfiability, Traps
from tests.reference import bits as reference


@given(st.integers(0, 999), st.integers(1, 4), st.integers(2, 6))
def test_values_of_traps_agree_with_the_definition(seed, num_blocks, k):
    """The table of blocks is read row by row, wherever their bits stand."""
    rng = np.random.default_rng(seed)
    blocks = rng.permutation(num_blocks * k).reshape(num_blocks, k)
    bits = rng.integers(0, 2, num_blocks * k) | (rng.random() < 0.3)
    assert_array_equal(Traps(blocks).evaluate(bits), reference.traps(bits, blocks))


@pytest.mark.parametrize("shape", [(1, 5), (2, 4), (3, 3)])
def test_the_exact_front_of_traps_is_that_of_all_solutions(shape):
    """Users judge fronts by it."""
    problem = Traps(np.arange(shape[0] * shape[1]).reshape(shape))
    every = itertools.product([0, 1], repeat=shape[0] * shape[1])
    values = np.array([problem.evaluate(bits) for bits in every])
    front = np.unique(values[non_dominated(-values)], axis=0)
    assert_array_equal(front, problem.exact_values())


def test_blocks_of_numbered_traps_stand_anywhere():
    """What stands side by side says nothing about blocks; sizes must fit."""
    first, second = (dl.problems.get("traps-60", instance=i).blocks for i in (0, 1))
    assert not np.array_equal(first, second)
    neighbours = np.abs(np.diff(np.sort(first, axis=1), axis=1)) == 1
    assert neighbours.mean() < 0.3
    assert dl.problems.get("traps-12", block=4).blocks.shape == (3, 4)
    with pytest.raises(InputError, match=r"multiple .* 5, got 62; use traps-65"):
        dl.problems.get("traps-62")


@pytest.mark.parametrize(
    ("blocks", "message"),
    [
        (
            [[0, 1], [1, 2]],
            r"every number from 0 to 3 once, got \[0.0, 1.0, 1.0, 2.0\]",
        ),
        ([[0], [1]], r"at least 2 bits each, got shape \(2, 1\)"),
        ([0, 1], r"shape \(b, k\).*got shape \(2,\)"),
    ],
)
def test_wrong_blocks_are_refused_with_what_is_wrong(blocks, message):
    """Each message names the argument, what was expected and what came."""
    with pytest.raises(InputError, match=message):
        Traps(blocks)


@given(st.integers(0, 999), st.integers(1, 9), st.integers(1, 3), st.integers(1, 4))
def test_satisfied_clauses_agree_with_the_definition(seed, n, m, length):
    """Lists of one length, clauses that may name a bit twice."""
    rng = np.random.default_rng(seed)
    literals = rng.integers(1, n + 1, (m, 5, length)) * rng.choice(
        [-1, 1], (m, 5, length)
    )
    bits = rng.integers(0, 2, n)
    found = Satisfiability(n, literals).evaluate(bits)
    assert_array_equal(found, reference.satisfied(bits, literals))


@pytest.mark.parametrize("wrong", [0, 4, -4, 0.5])
def test_wrong_literals_are_refused(wrong):
    """A number that names no bit would read beyond the solution."""
    with pytest.raises(InputError, match=r"literals.*got literals\[0, 1, 0\]"):
        Satisfiability(3, [[[1], [wrong]]])
