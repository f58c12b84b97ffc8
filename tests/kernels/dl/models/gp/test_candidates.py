"""Candidates around the front: members of the space, and improved ones unseen."""

import numpy as np
from hypothesis import given, settings

from divlearn.kernels.jit import JIT_DISABLED, lean_kernel
from divlearn.kernels.layout import is_member
from divlearn.methods.dl.kernels.memory import hash_solution, mark_seen
from divlearn.methods.dl.kernels.models.gp.candidates import (
    change,
    draw_candidate,
)
from divlearn.methods.dl.kernels.models.gp.climbing import climb
from divlearn.methods.dl.kernels.models.gp.merit import merit_of
from divlearn.methods.dl.kernels.models.gp.state import HUGE
from tests.kernels.cases import SEEDS, composites, words_of
from tests.kernels.dl.models.gp.cases import (
    MIXED,
    codes_of,
    learn,
    memory_of,
    see_front,
    wait_for,
)
from tests.reference.layout import members

FEW = settings(max_examples=8 if JIT_DISABLED else 40)


@lean_kernel
def vary(gp, layout, words, x):
    """Draw a candidate."""
    draw_candidate(gp, layout, words, x)


@lean_kernel
def improve(gp, layout, seen, words, x):
    """Climb from ``x``; returns the merits before and after, and that of the result."""
    before = merit_of(gp, layout, x, -HUGE)
    after = climb(gp, layout, seen, x, before, 60, words)
    return before, after, merit_of(gp, layout, x, -HUGE)


@given(composites(), SEEDS)
def test_a_change_keeps_membership(space, seed):
    """In every kind of space, limited subsets and permutations included."""
    x, words = codes_of(space, 1, seed % 2**31)[0], words_of(seed)
    for _ in range(10):
        change(space.layout, x, words)
        assert is_member(space.layout, x)


@FEW
@given(composites(3, 2), SEEDS)
def test_changes_reach_every_solution(space, seed):
    """Nothing is out of reach; spaces small enough to be listed whole."""
    x, words, all_members = codes_of(space, 1)[0], words_of(seed), set()
    expected = set(members(space.segments()))
    if len(expected) > 60:
        return
    for _ in range(60 * len(expected)):
        all_members.add(tuple(x.tolist()))
        change(space.layout, x, words)
    assert all_members == expected


@FEW
@given(composites(), SEEDS)
def test_candidates_are_members(space, seed):
    """Made of the front, of points without one, and of what is pending."""
    gp, x = memory_of(space, 8, seed=seed % 2**31), codes_of(space, 1)[0]
    wait_for(gp, space, 3)
    learn(gp, space.layout)
    words = words_of(seed)
    for found in (False, True):
        if found:
            see_front(gp, words)
        for _ in range(10):
            vary(gp, space.layout, words, x)
            assert is_member(space.layout, x)


@FEW
@given(composites(), SEEDS)
def test_climbing_finds_unseen_members_of_no_less_merit(space, seed):
    """The merit returned is that of the solution returned."""
    gp, layout, words = memory_of(space, 8, seed=3), space.layout, words_of(seed)
    seen = np.zeros(256, np.uint64)
    start = codes_of(space, 1, seed % 2**31)[0]
    for x in (*gp.points[:8], *codes_of(space, 8, 500)):
        if not (x == start).all():
            mark_seen(seen, np.uint64(hash_solution(layout, x, False)))
    learn(gp, layout)
    see_front(gp, words)
    x = start.copy()
    before, after, value = improve(gp, layout, seen, words, x)
    assert is_member(layout, x)
    assert mark_seen(seen, np.uint64(hash_solution(layout, x, False)))
    assert after >= before
    assert np.isclose(after, value, rtol=1e-6, atol=1e-9)


def test_climbing_improves_most_random_starts():
    """Else it would not be worth its time."""
    gp, layout, words = memory_of(MIXED, 12, seed=9), MIXED.layout, words_of(0)
    learn(gp, layout)
    see_front(gp, words)
    seen = np.zeros(64, np.uint64)
    pairs = [improve(gp, layout, seen, words, x) for x in codes_of(MIXED, 10, 70)]
    assert sum(after > before for before, after, _ in pairs) >= 7
