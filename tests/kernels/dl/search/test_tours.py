import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from divlearn.methods.dl.kernels.models.additive import find_row
from divlearn.methods.dl.kernels.models.encodings import pair_action
from divlearn.methods.dl.kernels.search.tours import (
    aligned,
    item_at,
    keep,
    known_cost,
    list_near,
    pair_cost,
    pop,
    push,
    restore,
    reverse,
)
from divlearn.methods.dl.kernels.search.two_opt import (
    descend,
    improve,
    kick,
    move_stretch,
)
from tests.kernels.cases import SEEDS, words_of
from tests.kernels.dl.cases import symmetric, tour_of
from tests.reference import tours as reference

SIZES = st.integers(4, 30)


def random_tour(n, seed):
    """A random cycle with random symmetric costs, some of them negative."""
    rng = np.random.default_rng(seed)
    return tour_of(symmetric(rng, n) - 0.5, rng.permutation(n))


def check(tour):
    """The cycle is whole, and places say where the items are."""
    n = len(tour.order)
    assert_array_equal(np.sort(tour.order), np.arange(n))
    assert_array_equal(tour.order[tour.place], np.arange(n))


@given(st.integers(2, 30), SEEDS)
def test_near_items_are_those_of_least_cost(n, seed):
    """Nearest first; against sorting all of them."""
    tour = random_tour(n, seed)
    list_near(tour)
    for a in range(n):
        others = sorted(set(range(n)) - {a}, key=lambda b: tour.cost[a, b])
        assert tour.near[a].tolist() == others[: min(10, n - 1)]


def without_table(n, seed):
    """A cycle whose pairs are points and known rows, and what each pair costs."""
    rng = np.random.default_rng(seed)
    points, weights = rng.random((2, n, 3)), rng.random(2)
    points[1] = 0.0  # what was not fitted
    keys, base = np.full(8 * n * n, -1), 3
    mean = np.zeros((len(keys) + 1, 2))
    cost = weights[0] * np.linalg.norm(points[0][:, None] - points[0], axis=2)
    for a in range(n):
        for b in range(a):
            if rng.random() < 0.5:
                row = find_row(keys, base + pair_action(a, b, n, False), True)
                mean[row] = rng.random(2)
                cost[a, b] += weights[1] * mean[row, 1]
                cost[b, a] = cost[a, b]
    tour = tour_of(cost, rng.permutation(n))
    tour.ends[3] = base
    bare = np.zeros((0, 0))
    known = {"keys": keys, "mean": mean, "points": points, "weights": weights}
    return tour._replace(cost=bare, **known), cost


@given(SIZES, SEEDS)
def test_pairs_without_a_table_cost_what_is_known_of_them(n, seed):
    """Distances of points, rows of the tables, 0 for what has no row."""
    tour, cost = without_table(n, seed)
    found = [[known_cost(tour, a, b) for b in range(n)] for a in range(n)]
    np.fill_diagonal(cost, 0.0)
    assert_allclose(found + np.diag(np.nan * np.ones(n)), cost + np.diag([np.nan] * n))
    assert pair_cost(tour, 0, 1) == found[0][1]


@given(SIZES, SEEDS)
def test_a_search_is_the_same_with_and_without_a_table(n, seed):
    """The same moves in the same order, so the same cycle."""
    tour, cost = without_table(n, seed)
    table = tour_of(cost, tour.order)
    gain, other = (improve(each, 3, words_of(seed)) for each in (tour, table))
    check(tour)
    assert_allclose(gain, other, atol=1e-9)
    assert reference.pairs(tour.order.tolist()) == reference.pairs(table.order.tolist())


@given(SIZES, SEEDS)
def test_places_beyond_an_end_are_those_of_the_other_end(n, seed):
    """Less than a cycle beyond, as items after the last and before the first are."""
    tour = random_tour(n, seed)
    found = [item_at(tour, i) for i in range(-n, 2 * n)]
    assert found == 3 * tour.order.tolist()


@given(SIZES, SEEDS, st.data())
def test_reversing_a_stretch_exchanges_two_pairs(n, seed, data):
    """Whichever side is turned, the cycle is the one with that stretch reversed."""
    tour = random_tour(n, seed)
    i, j = data.draw(st.integers(0, n - 1)), data.draw(st.integers(0, n - 1))
    order = np.roll(tour.order, -i).tolist()
    length = (j - i) % n + 1
    expected = reference.pairs(order[:length][::-1] + order[length:])
    reverse(tour, i, j)
    check(tour)
    assert reference.pairs(tour.order.tolist()) == expected


@given(SIZES, SEEDS, st.data())
def test_a_stretch_is_moved_between_two_neighbours(n, seed, data):
    """Every length, direction, place and side, as cutting and pasting a list does."""
    tour = random_tour(n, seed)
    length = data.draw(st.integers(1, min(3, n - 3)))
    way = data.draw(st.sampled_from([1, -1]))
    here = data.draw(st.integers(0, n - 1))
    order = tour.order.tolist()
    stretch = [order[(here - way * k) % n] for k in range(length)]
    rest = [(here + way * k) % n for k in range(1, n - length + 1)]
    k = data.draw(st.integers(0, len(rest) - 2))
    c, d = order[rest[k]], order[rest[k + 1]]
    if data.draw(st.booleans()):
        c, d = d, c
    a, e = stretch[0], stretch[-1]
    # The list runs along places, the stretch from a on: a comes to lie at c.
    expected = reference.pairs(reference.with_stretch_moved(order, stretch, c, d))
    move_stretch(tour, a, e, length, way, c, d)
    check(tour)
    assert reference.pairs(tour.order.tolist()) == expected


@given(SIZES, SEEDS)
def test_a_kick_gains_what_it_says_and_keeps_the_cycle(n, seed):
    """The gain decides whether a kick is kept, so it must be exact."""
    tour, words = random_tour(n, seed), words_of(seed)
    for _ in range(5):
        before = reference.length(tour.cost, tour.order.tolist())
        pairs = reference.pairs(tour.order.tolist())
        gain = kick(tour, words)
        check(tour)
        after = reference.length(tour.cost, tour.order.tolist())
        assert_allclose(gain, before - after, atol=1e-9)
        changed = pairs - reference.pairs(tour.order.tolist())
        assert len(changed) <= 3
        waiting = {pop(tour) for _ in range(tour.ends[1])}
        assert set().union(*changed) <= waiting  # it is looked at again


@given(SIZES, SEEDS, st.integers(0, 4))
def test_a_search_gains_what_it_says_and_is_never_worse(n, seed, kicks):
    """From any cycle under any costs; what it leaves is a cycle."""
    tour, words = random_tour(n, seed), words_of(seed)
    before = reference.length(tour.cost, tour.order.tolist())
    gain = improve(tour, kicks, words)
    check(tour)
    after = reference.length(tour.cost, tour.order.tolist())
    assert gain >= 0
    assert_allclose(gain, before - after, atol=1e-9)
    assert tour.ends[1] == 0
    assert not tour.queued.any()


@given(SIZES, SEEDS)
def test_a_descent_ends_where_no_exchange_of_two_near_pairs_helps(n, seed):
    """With all items in the lists: no 2-opt move is left that shortens the cycle."""
    n = min(n, 11)  # the lists hold ten
    tour = random_tour(n, seed)
    for a in range(n):
        push(tour, a)
    descend(tour, 10_000)
    order = tour.order.tolist()
    length = reference.length(tour.cost, order)
    for i in range(n):
        for j in range(i + 1, n):
            other = order[:i] + order[i : j + 1][::-1] + order[j + 1 :]
            assert reference.length(tour.cost, other) >= length - 1e-8


@given(SIZES, SEEDS)
def test_a_descent_makes_no_more_moves_than_it_may(n, seed):
    """A limit of zero changes nothing, one of one makes one move."""
    tour = random_tour(n, seed)
    for a in range(n):
        push(tour, a)
    pairs = reference.pairs(tour.order.tolist())
    assert descend(tour, 0) == 0
    assert reference.pairs(tour.order.tolist()) == pairs
    for a in range(n):
        push(tour, a)
    descend(tour, 1)
    assert len(pairs - reference.pairs(tour.order.tolist())) <= 3


@pytest.mark.parametrize("n", [4, 5, 6, 7, 8])
def test_short_cycles_become_shortest(n):
    """By enumeration; up to seven items starts replace kicks."""
    rng = np.random.default_rng(n)
    for seed in range(3):
        cost, words = symmetric(rng, n), words_of(seed)
        found = []
        for _ in range(1 if n == 8 else 6):
            tour = tour_of(cost, rng.permutation(n))
            improve(tour, 100, words)
            found.append(reference.length(cost, tour.order.tolist()))
        assert_allclose(min(found), reference.shortest(cost))


@given(SIZES, SEEDS, st.integers(0, 3))
def test_an_aligned_cycle_begins_and_runs_like_its_source(n, seed, start):
    """Rotated and reflected copies come out as the source itself."""
    rng = np.random.default_rng(seed)
    tour = random_tour(n, seed)
    cycle = tour.order.copy()
    turned = np.roll(cycle if seed % 2 else cycle[::-1], rng.integers(n))
    x = np.r_[np.full(start, 99), turned]
    into = np.full(n + start, -1)
    aligned(tour, x, start, into)
    assert_array_equal(into[start:], turned)
    assert (into[:start] == -1).all()
    reverse(tour, 1, 2)
    aligned(tour, x, start, into)
    assert into[start] == turned[0]
    assert reference.pairs(into[start:].tolist()) == reference.pairs(
        tour.order.tolist()
    )
    # At least the better of the two directions agrees with the source.
    mirrored = np.r_[into[start], into[start + 1 :][::-1]]
    assert (into[start:] == turned).sum() >= (mirrored == turned).sum()


def test_the_queue_is_a_ring_that_holds_an_item_once():
    """First in, first out, around the end of the array."""
    tour = tour_of(np.ones((4, 4)), range(4))
    for a in (2, 0, 2, 3):
        push(tour, a)
    assert tour.ends[1] == 3
    assert [pop(tour), pop(tour)] == [2, 0]
    for a in (1, 3, 0, 2):
        push(tour, a)
    assert [pop(tour) for _ in range(4)] == [3, 1, 0, 2]
    assert tour.ends[1] == 0


@given(SIZES, SEEDS)
def test_a_cycle_comes_back_as_it_was_kept(n, seed):
    """After few writes, which are listed, and after more than the list can hold."""
    tour, rng = random_tour(n, seed), np.random.default_rng(seed)
    for moves in (1, 2, 5 * n):
        kept = tour.order.copy()
        for _ in range(moves):
            reverse(tour, int(rng.integers(n)), int(rng.integers(n)))
        restore(tour)
        check(tour)
        assert_array_equal(tour.order, kept)
        for _ in range(moves):
            reverse(tour, int(rng.integers(n)), int(rng.integers(n)))
        kept = tour.order.copy()
        keep(tour)
        assert_array_equal(tour.best_order, kept)
