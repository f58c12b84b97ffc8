"""Crossover and mutation over codes: members of the space, and what they inherit."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import divlearn as dl
from divlearn.kernels.layout import is_member
from divlearn.lab.baselines.operators import SpaceOperators, permutations, values
from divlearn.lab.baselines.operators.special import (
    KnapsackOperators,
    RepairedOperators,
    RouteOperators,
    operators_for,
)
from divlearn.problems import Knapsack

SHARES = st.sampled_from([(1, 0, 0), (0, 1, 0), (0, 0, 1), (1 / 3, 1 / 3, 1 / 3)])


@st.composite
def spaces(draw):
    """Any space, composites of several kinds included."""
    sizes = st.integers(1, 7)

    def one():
        kind = draw(st.sampled_from("pbskoi"))
        n = draw(sizes)
        if kind == "p":
            return dl.Permutation(n)
        if kind == "b":
            return dl.Binary(n)
        if kind == "s":
            least, most = sorted(draw(st.tuples(*[st.integers(0, n)] * 2)))
            return dl.Subset(n, min=least, max=most)
        if kind == "k":
            return dl.Categorical(list(range(draw(sizes))), n=n)
        if kind == "o":
            return dl.Ordinal(list(range(draw(sizes))), n=n)
        return dl.Integer(-1, draw(sizes), n=n)

    parts = draw(st.integers(1, 3))
    return dl.Composite(**{f"part_{k}": one() for k in range(parts)})


@settings(max_examples=60, deadline=None)
@given(spaces(), SHARES, st.integers(0, 2**32 - 1))
def test_samples_children_and_mutants_are_members_of_any_space(space, shares, seed):
    """Nothing downstream repairs what the operators make."""
    operators, rng = SpaceOperators(space, shares), np.random.default_rng(seed)
    rows = operators.sample(6, rng)
    for _ in range(3):
        children = operators.cross(rows[:3], rows[3:], rng)
        rows = operators.mutate(np.concatenate(children), rng)
        for row in (*children[0], *children[1], *rows):
            assert is_member(operators.layout, row)


@settings(max_examples=30, deadline=None)
@given(spaces(), st.integers(0, 2**32 - 1))
def test_operators_leave_their_arguments_as_they_are(space, seed):
    """Parents live on in the population."""
    operators, rng = SpaceOperators(space), np.random.default_rng(seed)
    a, b = operators.sample(4, rng), operators.sample(4, rng)
    before = a.copy(), b.copy()
    operators.cross(a, b, rng)
    operators.mutate(a, rng)
    assert (a == before[0]).all()
    assert (b == before[1]).all()


@settings(max_examples=40, deadline=None)
@given(st.integers(2, 9), st.integers(0, 2**32 - 1))
def test_order_crossover_keeps_the_donors_places_and_the_receivers_order(n, seed):
    """That is its definition, checked item by item."""
    rng = np.random.default_rng(seed)
    receiver, donor = rng.permutation(n), rng.permutation(n)
    taken = rng.random(n) < 0.5
    (child,) = permutations.order_crossover(receiver[None], donor[None], taken[None])
    assert (child[taken] == donor[taken]).all()
    rest = [item for item in receiver if item not in donor[taken]]
    assert child[~taken].tolist() == rest


def test_gathered_items_stand_in_front_in_the_donors_order():
    """Whole routes stay together; where they stand does not matter to a decoder."""
    receiver, donor = np.arange(6), np.array([5, 4, 3, 2, 1, 0])
    taken = np.array([False, True, True, False, False, True])
    (child,) = permutations.gather_crossover(receiver[None], donor[None], taken[None])
    assert child.tolist() == [4, 3, 0, 1, 2, 5]


def test_each_mutation_of_a_permutation_does_what_its_name_says():
    """Inversion reverses a stretch, swap moves two items, exchange few blocks."""
    rng = np.random.default_rng(0)
    rows = np.tile(np.arange(12), (200, 1))
    for row in permutations.invert(rows, rng):
        moved = np.flatnonzero(row != np.arange(12))
        stretch = np.arange(moved[0], moved[-1] + 1)
        assert (row[stretch] == stretch[::-1]).all()
    for row in permutations.swap(rows, rng):
        assert (row != np.arange(12)).sum() == 2
    breaks = [(np.diff(row) != 1).sum() for row in permutations.exchange(rows, rng)]
    assert 1 <= max(breaks) <= 4


def test_every_pair_of_places_is_drawn_equally_often():
    """A biased draw would leave some stretches out."""
    pairs = permutations.random_pairs(6_000, 4, np.random.default_rng(1))
    _, counts = np.unique(pairs, axis=0, return_counts=True)
    assert len(counts) == 6
    assert counts.min() > 850  # of 1,000 expected, with a deviation of 29


def test_a_changed_value_differs_and_an_ordered_one_often_moves_by_one_step():
    """A mutation that changes nothing costs an evaluation."""
    rng = np.random.default_rng(0)
    rows = np.full((4_000, 2), 5)
    changed = values.change(rows, np.array([11, 11]), np.array([True, False]), 1.0, rng)
    assert (changed != 5).all()
    near = (np.abs(changed - 5) == 1).mean(axis=0)
    assert near[0] == pytest.approx(0.5 + 0.5 * 0.2, abs=0.04)
    assert near[1] == pytest.approx(0.2, abs=0.04)


def test_limits_flip_no_more_bits_than_they_must_and_firm_ones_last():
    """What both parents agree on stays, as long as anything else can give way."""
    rng = np.random.default_rng(0)
    bits = np.array([[1, 1, 1, 0, 0], [0, 0, 0, 1, 0], [1, 1, 0, 0, 0]])
    firm = np.array([[1, 1, 0, 0, 0], [1, 1, 0, 0, 0], [0, 0, 0, 0, 0]], bool)
    for _ in range(20):
        mended = values.limit_ones(bits, 2, 2, rng, firm)
        assert mended[0].tolist() == [1, 1, 0, 0, 0]
        assert mended[1].sum() == 2
        assert mended[1, :2].sum() == 0
        assert mended[1, 3] == 1
        assert mended[2].tolist() == [1, 1, 0, 0, 0]


def test_children_inherit_whole_routes():
    """Each child holds some routes of one parent unbroken, the rest in order."""
    problem = dl.problems.get("bicvrp-20", instance=3)
    operators = operators_for(problem)
    assert isinstance(operators, RouteOperators)
    rng = np.random.default_rng(0)
    receivers, donors = operators.sample(30, rng), operators.sample(30, rng)
    part = slice(0, 20)
    children = operators.cross_orders(receivers, donors, part, rng)
    for child, donor, receiver in zip(children, donors, receivers, strict=True):
        front = _inherited(problem, child, donor)
        rest = [item for item in receiver[part] if item not in front]
        assert child.tolist() == front + rest


def _inherited(problem, child, donor):
    """The donor's routes that stand in front of the child, as one list."""
    routes = problem.routes(problem.space.decode(donor))
    front: list[int] = []
    for route in routes:
        end = len(front) + len(route)
        if child[len(front) : end].tolist() == route:
            front += route
    return front


def test_a_knapsack_is_repaired_greedily_whatever_its_own_rule_is():
    """Items of least efficiency go first, and what still fits comes in."""
    problem = Knapsack([2, 3, 4, 1], [[5, 1], [1, 5], [3, 3], [0, 1]], capacity=6)
    operators = operators_for(problem)
    assert isinstance(operators, KnapsackOperators)
    assert operators.repair(np.array([[1, 1, 1, 0]])).tolist() == [[1, 1, 0, 1]]
    assert isinstance(operators_for(problem, special=False), RepairedOperators)


def test_without_special_operators_the_problems_own_repair_is_used():
    """Only evaluations and what every method is offered."""
    problem = Knapsack([2, 3, 4], [[5, 1], [1, 5], [3, 3]], 6, repair="efficiency")
    operators = operators_for(problem, special=False)
    assert operators.repair(np.array([[1, 1, 1]])).tolist() == [[1, 1, 0]]
