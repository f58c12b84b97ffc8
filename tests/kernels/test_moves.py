import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

import divlearn as dl
from divlearn.kernels.layout import is_member, sample
from divlearn.kernels.moves import MAX_BLOCK, MOVE_NAMES, move_shares, random_move
from divlearn.methods.moves import MOVES
from tests.kernels.cases import SEEDS, composites, words_of
from tests.reference import moves as reference

EVERY_MOVE = sorted({name for names in MOVE_NAMES for name in names})


def moved(space, x, positions, move, words, block=MAX_BLOCK):
    """``x`` after one move, and whether there was one."""
    y = x.copy()
    chosen = np.array(positions, np.int64)
    shares = move_shares(None if move is None else [move])
    scratch = np.empty(space.num_positions, np.int64)
    count = len(chosen)
    layout = space.layout
    done = random_move(layout, y, chosen, count, shares, block, words, scratch)
    return y, done


def test_settings_and_kernels_know_the_same_moves():
    """The settings repeat the names so as not to load the compiler."""
    assert sorted(MOVES) == EVERY_MOVE
    assert dict(enumerate(MOVE_NAMES)) == reference.MOVES


@given(composites(5, 3), SEEDS, st.sampled_from([None, *EVERY_MOVE]), st.data())
def test_a_move_is_one_of_the_neighbours_listed_by_its_definition(
    space, seed, move, data
):
    """Inside any positions, contiguous or not, of any mixture of kinds."""
    words, x = words_of(seed), np.empty(space.num_positions, np.int64)
    sample(space.layout, words, x)
    everywhere = range(space.num_positions)
    positions = sorted(data.draw(st.sets(st.sampled_from(everywhere))))
    listed = reference.neighbours(space.segments(), tuple(x), positions, move)
    for _ in range(10):
        y, done = moved(space, x, positions, move, words)
        assert (tuple(y) in listed) if done else (tuple(y) == tuple(x))
        assert is_member(space.layout, y)
        assert set(np.flatnonzero(x != y)) <= set(positions)
        if not listed:
            assert not done


@pytest.mark.parametrize("move", EVERY_MOVE)
@pytest.mark.parametrize(
    "space",
    [
        dl.Permutation(9),
        dl.Binary(5),
        dl.Subset(6, 3),
        dl.Subset(5, min=1, max=2),
        dl.Categorical("abc", 3),
        dl.Integer(0, 4, n=2),
        dl.Composite(a=dl.Permutation(3), b=dl.Subset(4, 2), c=dl.Ordinal("wxyz")),
    ],
    ids=repr,
)
def test_every_listed_neighbour_is_reached(space, move):
    """A move that can never happen would leave parts of the space unseen."""
    words, x = words_of(5), np.empty(space.num_positions, np.int64)
    sample(space.layout, words, x)
    positions = [i for i in range(space.num_positions) if i != 1]
    listed = reference.neighbours(space.segments(), tuple(x), positions, move)
    reached = {
        tuple(moved(space, x, positions, move, words)[0].tolist()) for _ in range(2_500)
    }
    assert reached == listed


def test_values_step_inwards_at_both_ends():
    """An end has one neighbour only, and a single value has none."""
    space = dl.Integer(0, 3)
    words = words_of(0)
    ends = {0: {1}, 3: {2}, 1: {0, 2}}
    for value, expected in ends.items():
        x = np.array([value])
        seen = {int(moved(space, x, [0], "step", words)[0][0]) for _ in range(40)}
        assert seen == expected
    assert not moved(dl.Integer(5, 5), np.array([0]), [0], None, words)[1]


def test_a_full_subset_can_only_be_left_where_its_limits_allow():
    """With exactly as many ones as bits there is no other member."""
    space, words = dl.Subset(4, 4), words_of(0)
    y, done = moved(space, np.ones(4, np.int64), range(4), None, words)
    assert not done
    assert y.sum() == 4


@pytest.mark.parametrize("block", [1, 2, 3])
def test_an_insertion_moves_so_many_items_at_most(block):
    """A block that jumps over the row ends up behind it, in order."""
    space, words, x = dl.Permutation(12), words_of(8), np.arange(12)
    moved_far = set()
    for _ in range(500):
        y, _ = moved(space, x, range(12), "insertion", words, block)
        left = [[item for item in y if item not in taken] for taken in _blocks(12)]
        kept = [12 - len(rest) for rest in left if rest == sorted(rest)]
        moved_far.add(min(kept))
    assert moved_far == set(range(1, block + 1))


def _blocks(n):
    """All runs of one to three items, shortest first."""
    return [set(range(a, a + k)) for k in (1, 2, 3) for a in range(n - k + 1)]


def test_shares_decide_how_often_a_move_is_made():
    """Three swaps to one reversal, by the number of changed positions of a long row."""
    space, words = dl.Permutation(40), words_of(6)
    x, scratch = np.arange(40), np.empty(40, np.int64)
    shares = move_shares({"adjacent swap": 3.0, "reversal": 1.0})
    wide = 0
    for _ in range(2_000):
        y = x.copy()
        random_move(space.layout, y, x, 40, shares, MAX_BLOCK, words, scratch)
        wide += np.count_nonzero(x != y) > 3
    # Two and three neighbours in reverse are no wider than a swap.
    expected = 2_000 / 4 * (1 - (39 + 38) / (40 * 39 / 2))
    assert abs(wide - expected) < 5 * np.sqrt(2_000 * 0.25 * 0.75)


def test_shares_become_cumulative_rows():
    """Kinds of which no move is named use all of theirs."""
    table = move_shares({"swap": 1, "reversal": 3})
    assert_allclose(table[0], [0, 0.25, 0.25, 1])
    assert_allclose(table[1], [0.5, 1, 1, 1])
    assert_allclose(move_shares(("set",))[3], [0, 1, 1, 1])
    assert_allclose(move_shares()[0], [0.25, 0.5, 0.75, 1])
