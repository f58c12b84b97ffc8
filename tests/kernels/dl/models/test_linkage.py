"""Groups of positions from second differences."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import divlearn as dl
from divlearn.kernels.random import seed_words
from divlearn.methods.dl.kernels.models.linkage import (
    ASKING,
    GIVEN_UP,
    IDLE,
    KNOWN,
    MOST_PARTNERS,
    begin_asking,
    choose_question,
    leaf_of,
    linked_places,
    new_linkage,
    node_range,
    take_outputs,
)
from tests.reference import linkage as reference


def all_answers(space, evaluate, seed, least=0):
    """Ask until everything is known; returns the groups, and all codes asked about."""
    words = np.empty(4, np.uint64)
    seed_words(words, np.uint64(seed))
    anchor = space.encode(space.sample(seed))
    linkage, asked = new_linkage(space.layout, len(evaluate(anchor)), True), []
    begin_asking(linkage, space.layout, words, anchor, np.array(evaluate(anchor)))
    while choose_question(linkage):
        asked.append(linkage.question.copy())
        assert len(asked) < 5_000
        take_outputs(linkage, np.array(evaluate(linkage.question), float))
    return linkage, asked


def groups_of(linkage):
    """The groups as lists, the position that was asked about first."""
    count = int(linkage.record[0].groups)
    return [
        linkage.members[linkage.starts[g] : linkage.starts[g + 1]].tolist()
        for g in range(count)
    ]


@pytest.mark.parametrize("size", [1, 2, 5, 8, 13, 100])
def test_halves_of_a_node_make_up_the_node_and_leaves_are_single_ranks(size):
    """Questions read ranks of nodes by their number alone."""
    nodes = [1]
    while nodes:
        node = nodes.pop()
        low, high = node_range(size, node)
        if high - low == 1:
            assert leaf_of(size, low) == node
            assert node < 4 * size
            continue
        left, right = node_range(size, 2 * node), node_range(size, 2 * node + 1)
        assert (left[0], left[1], right[1]) == (low, right[0], high)
        nodes += [2 * node, 2 * node + 1]


@settings(max_examples=25)
@given(st.integers(0, 999), st.sampled_from(["bits", "categories"]))
def test_a_group_is_a_position_with_all_its_partners(seed, kind):
    """Compared with trying every pair, on functions of random overlapping sets."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(8, 16))
    space = dl.Binary(n) if kind == "bits" else dl.Categorical("abc", n)
    sets = [rng.choice(n, int(rng.integers(1, 4)), replace=False) for _ in range(4)]
    tables = [rng.random((2, 3, 3, 3)) for _ in sets]

    def evaluate(x):
        total = np.zeros(2)
        for members, table in zip(sets, tables, strict=True):
            values = [*(x[i] for i in members), 0, 0][:3]
            total += table[:, values[0], values[1], values[2]]
        return total

    linkage, _ = all_answers(space, evaluate, seed)
    alone = set(range(n))
    for first, *others in groups_of(linkage):
        slow = reference.partners(evaluate, linkage.anchor, linkage.other, first)
        assert set(others) == slow
        alone -= {first, *others}
    for i in alone:
        assert not reference.partners(evaluate, linkage.anchor, linkage.other, i)
    expected = KNOWN if len(alone) < n else GIVEN_UP
    assert linkage.record[0].stage == expected


def test_blocks_take_far_fewer_questions_than_pairs():
    """What makes it affordable: logarithms in place of all pairs."""
    problem = dl.problems.get("traps-100")
    best = np.zeros(100, np.int64)
    linkage = new_linkage(problem.space.layout, 2, True)
    words = np.empty(4, np.uint64)
    seed_words(words, np.uint64(1))
    begin_asking(
        linkage, problem.space.layout, words, best, problem.evaluate(best.astype(bool))
    )
    count = 0
    while choose_question(linkage):
        count += 1
        take_outputs(linkage, problem.evaluate(linkage.question.astype(bool)))
    found = {frozenset(group) for group in groups_of(linkage)}
    assert found == {frozenset(map(int, block)) for block in problem.blocks}
    assert count < 1_200  # of 4,950 pairs


def test_where_everything_is_linked_asking_ends_soon():
    """Noise, or a function of all bits, must not cost the budget."""
    rng = np.random.default_rng(0)
    linkage, asked = all_answers(dl.Binary(100), lambda x: rng.random(1), 3)
    assert linkage.record[0].stage == GIVEN_UP
    assert len(asked) < 200
    assert linkage.record[0].groups == 0


def test_sums_have_no_groups():
    """Rounding is no link."""
    weights = np.random.default_rng(1).random((2, 30)) / 3.0
    linkage, _ = all_answers(dl.Binary(30), lambda x: weights @ x, 5)
    assert linkage.record[0].stage == GIVEN_UP
    assert linkage.record[0].groups == 0


def test_only_bits_and_categories_are_grouped():
    """Levels have an order, and orders no values of their own."""
    space = dl.Composite(
        order=dl.Permutation(4),
        level=dl.Integer(1, 9),
        bits=dl.Binary(7),
        kind=dl.Categorical("ab"),
    )
    places = linked_places(space.layout)
    assert len(places) == 8
    assert len(linked_places(dl.Binary(7).layout)) == 0
    empty = new_linkage(space.layout, 2, False)
    assert len(empty.order) == 0
    assert empty.record[0].stage == IDLE
    assert new_linkage(space.layout, 2, True).members.size == 8 * (MOST_PARTNERS + 1)
    assert ASKING not in (IDLE, KNOWN, GIVEN_UP)
