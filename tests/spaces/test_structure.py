"""Orders, subsets and partitions with structure: what they hold, what they refuse."""

import re

import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

import divlearn as dl
from divlearn.spaces.counting import count_solutions, list_solutions
from divlearn.spaces.described import space_from
from divlearn.testing import check_space
from tests.reference import structure

TYPICAL = [
    dl.Permutation(6, before=[(0, 1), (1, 2), (4, 2)]),
    dl.Permutation(6, before=[(3, 0), (0, 5)], fixed={4: 5, 1: 2}),
    dl.Permutation(7, before=[(0, 5)], together=[[0, 1, 2], [5, 6]], fixed={0: 3}),
    dl.Permutation(counts=[2, 1, 3], before=[(1, 0)]),
    dl.Subset(8, min=2, max=5, forced=[1], forbidden=[7], exclusive=[[0, 2], [3, 4]]),
    dl.Subset(6, max=4, exclusive=[[0, 1, 2], [2, 3], [3, 4]]),
    dl.Partition(6, 3, sizes=[2, (1, 4), (0, 3)]),
    dl.Composite(
        order=dl.Permutation(4, before=[(2, 0)]),
        size=dl.Integer(1, 5),
        shifts=dl.Partition(5, 2, sizes=[2, 3]),
    ),
]


@st.composite
def orders(draw):
    """Arguments of a permutation with any demands, such as nothing keeps included."""
    n = draw(st.integers(1, 6))
    item = st.integers(0, n - 1)
    shuffled = draw(st.permutations(range(n)))
    fixed = draw(st.dictionaries(item, item, max_size=draw(st.sampled_from([0, 3, n]))))
    cut = draw(st.sampled_from([0, 0, 2, 3]))
    groups = [shuffled[:cut], shuffled[cut : 2 * cut]]
    pairs = draw(st.lists(st.tuples(item, item), max_size=4))
    return n, {
        "before": [(a, b) for a, b in pairs if a != b],
        "fixed": fixed,
        "together": [group for group in groups if len(group) > 1],
    }


@st.composite
def orders_of_things(draw):
    """Arguments of an order of things."""
    counts = draw(st.lists(st.integers(1, 3), min_size=1, max_size=3))
    thing = st.integers(0, len(counts) - 1)
    ends = st.sampled_from([0, 1, sum(counts) - 1])
    pairs = draw(st.lists(st.tuples(thing, thing), max_size=2))
    return counts, {
        "before": [(a, b) for a, b in pairs if a != b],
        "fixed": {
            place: draw(thing)
            for place in draw(st.sets(ends, max_size=2))
            if place < sum(counts)
        },
        "together": draw(st.sampled_from([[], [[0]], [[len(counts) - 1]]])),
    }


@st.composite
def choices(draw):
    """Arguments of a subset."""
    n = draw(st.integers(1, 7))
    item = st.integers(0, n - 1)
    some = st.lists(item, unique=True, max_size=2)
    least, most = sorted(draw(st.tuples(st.integers(0, n), st.integers(0, n))))
    group = st.lists(item, unique=True, min_size=1, max_size=4)
    groups = draw(st.lists(group, max_size=2))
    return n, least, most, draw(some), draw(some), groups


def made(make):
    """A space and no words, or no space and why not."""
    try:
        return make(), ""
    except dl.InputError as error:
        return None, str(error)


def require_whole_space(space, values):
    """Constructions reach each value once, all are solutions, and stay as they are."""
    codes = sorted(tuple(space.encode(value).tolist()) for value in values)
    listed = sorted(list_solutions(space.segments()))
    assert listed == codes
    assert count_solutions(space.segments(), 10**6) == len(codes)
    for row in codes[:: max(1, len(codes) // 10)]:
        assert tuple(space.settled(np.array(row))) == row
    for seed in range(5):
        assert tuple(space.encode(space.sample(seed)).tolist()) in set(codes)


@given(orders())
@example((4, {"before": [(0, 1), (1, 2)], "fixed": {2: 2, 3: 3}, "together": []}))
def test_an_order_keeps_what_is_demanded_or_is_refused(case):
    """All orders that keep it and no others; an error where there are none."""
    n, demands = case
    members = structure.orders(n, **demands)
    space, refusal = made(lambda: dl.Permutation(n, **demands))
    if space is None:
        assert not members or "packing" in refusal
        return
    require_whole_space(space, members)


@given(orders_of_things())
def test_an_order_of_things_counts_equal_ones_once(case):
    """Exchanging two copies of a thing gives the same value, and the same codes."""
    counts, demands = case
    members = structure.orders_of_things(counts, **demands)
    space, refusal = made(lambda: dl.Permutation(counts=counts, **demands))
    if space is None:
        assert not members or re.search("packing|is open", refusal)
        return
    require_whole_space(space, members)


@given(choices())
def test_a_subset_keeps_what_is_demanded_or_is_refused(case):
    """Also where groups overlap, as long as the least size is in reach."""
    n, least, most, forced, forbidden, exclusive = case
    demands = {"forced": forced, "forbidden": forbidden, "exclusive": exclusive}
    members = structure.subsets(n, least, most, **demands)
    space, refusal = made(lambda: dl.Subset(n, min=least, max=most, **demands))
    if space is None:
        assert not members or "in common" in refusal
        return
    assert members
    codes = {tuple(space.encode(value).tolist()) for value in members}
    listed = set(list_solutions(space.segments()))
    if count_solutions(space.segments(), 10**6) is not None:
        assert listed == codes
    assert listed <= codes
    for seed in range(5):
        assert tuple(space.encode(space.sample(seed)).tolist()) in codes


@given(
    st.integers(1, 6),
    st.lists(st.tuples(st.integers(0, 3), st.integers(0, 6)), min_size=1, max_size=3),
)
def test_a_partition_keeps_the_sizes_of_its_groups_or_is_refused(n, sizes):
    """Every way to put the things into groups of these sizes."""
    assume(all(least <= most for least, most in sizes))
    members = structure.groupings(n, len(sizes), sizes)
    space, _ = made(lambda: dl.Partition(n, len(sizes), sizes))
    if space is None:
        assert not members
        return
    require_whole_space(space, members)


@pytest.mark.parametrize("space", TYPICAL, ids=repr)
def test_spaces_with_structure_keep_all_promises(space):
    """Samples, constructions, moves inside their positions, metric, description."""
    check_space(space, samples=12)
    assert space_from(space.describe()) == space
    names = ("Permutation", "Subset", "Partition", "Composite", "Integer")
    assert eval(repr(space), {name: getattr(dl, name) for name in names}) == space


@pytest.mark.parametrize("space", TYPICAL[:-1], ids=repr)
def test_every_solution_is_drawn_sooner_or_later(space):
    """No member of a space has probability zero."""
    members = set(list_solutions(space.segments()))
    left, seed = set(members), 0
    while left and seed < 60 * len(members):
        left.discard(tuple(space.encode(space.sample(seed)).tolist()))
        seed += 1
    assert not left


@given(st.data())
def test_settling_gives_a_solution_and_leaves_solutions_alone(data):
    """From any codes that fit the kinds of their segments."""
    space = data.draw(st.sampled_from(TYPICAL))
    codes = []
    for segment in space.segments():
        if segment.kind == 0:
            codes += data.draw(st.permutations(range(len(segment.levels))))
        else:
            codes += [data.draw(st.integers(0, k - 1)) for k in segment.levels]
    settled = space.settled(np.array(codes))
    assert space.contains(space.decode(settled))
    assert (space.settled(settled) == settled).all()
    if space.contains(space.decode(np.array(codes))) and "counts" not in repr(space):
        assert (settled == codes).all()


def test_settling_reads_an_order_as_a_priority_list():
    """At each place the first item of the list that may stand there."""
    chain = dl.Permutation(4, before=[(0, 1), (1, 2)])
    assert chain.settled(np.array([2, 3, 1, 0])).tolist() == [3, 0, 1, 2]
    due = dl.Permutation(4, before=[(0, 1), (1, 2)], fixed={2: 2})
    assert due.settled(np.array([3, 2, 1, 0])).tolist() == [0, 1, 2, 3]
    shop = dl.Permutation(counts=[3, 2])  # thing 0 is items 0 to 2
    assert shop.settled(np.array([2, 4, 1, 0, 3])).tolist() == [0, 3, 1, 2, 4]
    group = dl.Permutation(4, together=[[0, 2]])
    assert group.settled(np.array([2, 3, 1, 0])).tolist() == [2, 0, 3, 1]


def test_settling_changes_no_more_than_it_must():
    """One item dropped, one thing moved."""
    few = dl.Subset(6, exclusive=[[0, 1]])
    assert (
        np.abs(few.settled(np.array([1, 1, 0, 1, 0, 1])) - [1, 1, 0, 1, 0, 1]).sum()
        == 1
    )
    even = dl.Partition(4, 2, sizes=[2, 2])
    assert (even.settled(np.array([0, 0, 0, 1])) != [0, 0, 0, 1]).sum() == 1


def test_a_single_copy_is_a_plain_order():
    """Of things that occur once each, all orders are allowed, without any rule."""
    assert dl.Permutation(counts=[1, 1, 1]).segments() == dl.Permutation(3).segments()


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: dl.Permutation(), "either n"),
        (lambda: dl.Permutation(3, counts=[1]), "either n"),
        (
            lambda: dl.Permutation(4, before=[(0, 1), (1, 2), (2, 0)]),
            "contradicts itself: item 1 before item 2 before item 0 before item 1",
        ),
        (lambda: dl.Permutation(3, before=[(0, 3)]), "numbered 0 to 2, got 3"),
        (lambda: dl.Permutation(3, before=[(0, 0)]), "two different items"),
        (lambda: dl.Permutation(3, before=7), "before needs a list of pairs"),
        (lambda: dl.Permutation(3, before=[(0.5, 1)]), "each item in before must"),
        (
            lambda: dl.Permutation(3, before=(0, 1)),
            r"before needs a list of pairs, such as \[\(0, 1\)\], got \(0, 1\)",
        ),
        (lambda: dl.Permutation(3, fixed={0: 1, 2: 1}), "item 1 cannot stand at"),
        (lambda: dl.Permutation(3, fixed={5: 1}), "positions are numbered 0 to 2"),
        (lambda: dl.Permutation(3, fixed=[1]), "a dict of position to item"),
        (lambda: dl.Permutation(3, fixed=1), "a dict of position to item"),
        (
            lambda: dl.Permutation(5, before=[(0, 2), (1, 2)], fixed={1: 2}),
            "item 0, item 1 would have to stand at position 0",
        ),
        (lambda: dl.Permutation(3, together=[[0, 1], [1, 2]]), "nothing in common"),
        (
            lambda: dl.Permutation(
                4, before=[(0, 1), (2, 3)], together=[[0, 3], [1, 2]]
            ),
            r"before and together contradict each other: the group \[1, 2\] before "
            r"the group \[0, 3\] before",
        ),
        (
            lambda: dl.Permutation(4, together=[[0, 1]], fixed={0: 0, 3: 1}),
            r"fixed and together contradict each other: item 2 before the group",
        ),
        (
            lambda: dl.Permutation(3, together=[0, 1]),
            r"list of groups of items, such as \[\[0, 1\]\], got \[0, 1\]",
        ),
        (lambda: dl.Permutation(6, fixed={2: 0}, together=[[1, 2]]), "packing"),
        (lambda: dl.Permutation(counts=[]), "such as"),
        (lambda: dl.Permutation(counts=[0, 2]), r"counts\[0\] must"),
        (lambda: dl.Permutation(counts=[3, 2], fixed={2: 0}), "copies of thing 0"),
        (lambda: dl.Permutation(counts=[1, 2], fixed={0: 0, 1: 0}), "at 2 positions"),
        (
            lambda: dl.Permutation(counts=[1, 2], before=[(0, 1), (1, 0)]),
            "thing 1 before",
        ),
        (lambda: dl.Subset(4, forced=[1], forbidden=[1]), "both forced and forbidden"),
        (lambda: dl.Subset(4, forced=[0, 1], exclusive=[[0, 1]]), "only one can be"),
        (lambda: dl.Subset(4, 1, forced=[0, 1]), "more than the greatest size, 1"),
        (lambda: dl.Subset(4, 3, exclusive=[[0, 1, 2]]), "has 2 at most"),
        (lambda: dl.Subset(4, 3, exclusive=[[0, 1], [1, 2]]), "items in common"),
        (lambda: dl.Subset(4, forced=[1, 1]), "twice"),
        (lambda: dl.Subset(4, forced=1), r"list of items, such as \[0, 2\], got 1"),
        (lambda: dl.Partition(4, 0), "groups must"),
        (lambda: dl.Partition(4, 2, sizes=[1, 2]), "hold 3 things"),
        (lambda: dl.Partition(4, 2, sizes=[4]), "each of the 2 groups"),
        (lambda: dl.Partition(4, 2, sizes=[(3, 1), 1]), "least <= greatest"),
    ],
)
def test_demands_that_nothing_keeps_are_refused_with_their_conflict(make, words):
    """When a space is declared, not when a search finds nothing."""
    with pytest.raises(dl.InputError, match=words):
        make()


@pytest.mark.parametrize(
    ("space", "value", "words"),
    [
        (dl.Permutation(3, before=[(0, 1)]), [1, 0, 2], "has 0 before 1"),
        (dl.Permutation(3, fixed={0: 2}), [1, 0, 2], "has 2 at 0"),
        (dl.Permutation(3, together=[[0, 1]]), [1, 2, 0], r"has \[0, 1\] together"),
        (dl.Permutation(counts=[2, 1]), [0, 1, 1], "thing k counts"),
        (dl.Subset(3, forced=[0]), [1], "item 0 is forced"),
        (dl.Subset(3, forbidden=[0]), [0], "item 0 is forbidden"),
        (dl.Subset(3, exclusive=[[0, 1]]), [0, 1], "only one of"),
        (dl.Partition(3, 2), [0, 1, 2], "groups 0 to 1"),
        (dl.Partition(3, 2, sizes=[1, 2]), [0, 0, 1], "has 1 things in group 0, got 2"),
    ],
)
def test_values_are_refused_with_what_they_break(space, value, words):
    """A user can put the value right from the message alone."""
    with pytest.raises(dl.InputError, match=words):
        space.encode(value)
