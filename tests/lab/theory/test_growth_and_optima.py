"""Exponents, bounds and exact optima."""

import itertools
import math

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from divlearn import InputError
from divlearn.lab.theory.bounds import (
    Constants,
    bound_terms,
    clip_bias_bound,
    first_useful,
)
from divlearn.lab.theory.growth import exponent, marks
from divlearn.lab.theory.optima import least_cost, rings_of, shortest_tour
from divlearn.lab.theory.samples import Scale, costs_of, sampled_scale
from divlearn.lab.theory.toys import random_toy
from divlearn.problems import get

HALF = np.array([0.5, 0.5])


@pytest.mark.parametrize("power", [0.5, 0.9, 1.0])
def test_the_exponent_of_a_power_is_its_power(power):
    """With an interval of no width if all curves are alike."""
    rounds = marks(2_000)
    found = exponent(rounds, np.tile(3.0 * rounds**power, (5, 1)))
    assert_allclose([found.value, found.low, found.high], power, atol=1e-6)


def test_the_beginning_does_not_count_for_an_exponent():
    """A curve that changes its slope before the last nine tenths."""
    rounds = marks(10_000)
    bent = np.where(rounds < 900, rounds, 900.0**0.5 * rounds**0.5)
    assert_allclose(exponent(rounds, bent[None]).value, 0.5, atol=1e-6)


def test_the_interval_of_an_exponent_holds_what_curves_differ_by():
    """Two kinds of curves: the interval reaches from the one to the other."""
    rounds = marks(1_000)
    found = exponent(rounds, np.array([rounds**0.5, rounds**0.5, rounds]))
    assert_allclose(found.low, 0.5, atol=0.01)
    assert_allclose(found.high, 1.0, atol=0.01)


def test_a_sum_that_stays_at_zero_has_the_exponent_zero():
    """No regret at all must not end in an error."""
    assert exponent(marks(100), np.zeros((3, len(marks(100))))).value == 0.0


def test_the_bound_is_the_sum_of_the_papers_three_terms():
    """Put together by hand for T = 100."""
    found = bound_terms(Constants(20, 2, 15, 6, 0.1, 0.2, 105.0), np.array([100]))
    by_hand = [
        15 * math.sqrt(100 * math.log(100)),
        2 * 6 * 0.2 * 10,
        0.1 * 105.0 * math.sqrt(15 * 100 / 2),
    ]
    assert_allclose([found[k][0] for k in ("learning", "overlap", "local")], by_hand)
    assert_allclose(found["sum"], sum(by_hand))


def test_a_bound_is_useful_where_it_falls_below_the_worst_case():
    """With d = K = 1 and nothing else: sqrt(T log T) < T from T = 2 on."""
    assert first_useful(Constants(1, 1, 1, 0, 0.0, 0.0, 0.0)) == 1.0
    late = first_useful(Constants(20, 2, 15, 6, 0.1, 0.2, 105.0))
    terms = bound_terms(Constants(20, 2, 15, 6, 0.1, 0.2, 105.0), np.array([late, 1e9]))
    assert terms["sum"][0] >= late / 2 * 0.99
    assert terms["sum"][1] < 1e9 / 2


def test_the_bound_on_the_bias_of_clipping_is_the_papers():
    """2 n B log d / eta for n = 3, d = 4, eta = 1/2."""
    assert_allclose(clip_bias_bound(3, 4, 0.5), 12 * math.log(4))


def test_the_shortest_tour_is_that_of_all_orders():
    """Two far groups of cities first make two rings."""
    places = np.random.default_rng(1).random((7, 2))
    places[:3] += 10.0
    lengths = np.linalg.norm(places[:, None] - places, axis=2)
    tour = shortest_tour(lengths)
    best = min(
        sum(lengths[a, b] for a, b in itertools.pairwise((0, *rest, 0)))
        for rest in itertools.permutations(range(1, 7))
    )
    assert_allclose(lengths[tour, np.roll(tour, -1)].sum(), best)
    assert_array_equal(np.sort(tour), np.arange(7))


def test_rings_are_told_apart():
    """Two triangles among six cities."""
    first, second = np.array([0, 0, 1, 3, 3, 4]), np.array([1, 2, 2, 4, 5, 5])
    assert [sorted(ring) for ring in rings_of(6, first, second)] == [
        [0, 1, 2],
        [3, 4, 5],
    ]


@pytest.mark.parametrize("name", ["bitsp-6", "bikp-8"])
def test_the_least_cost_is_that_of_all_solutions(name):
    """Under uneven weights and scales, tried one by one."""
    problem = get(name, instance=3)
    scale = Scale(np.array([1.0, 2.0]), np.array([5.0, 3.0]), np.array([0.3, 0.7]))
    n = problem.space.num_positions
    every = (
        itertools.permutations(range(n))
        if name.startswith("bitsp")
        else itertools.product(range(2), repeat=n)
    )
    codes = np.array(list(every), np.int64)
    if name.startswith("bikp"):
        codes = codes[codes @ problem.weights[:, 0] <= problem.capacity[0]]
    assert_allclose(
        least_cost(problem, scale), scale.cost(costs_of(problem, codes)).min()
    )


def test_the_least_cost_of_the_toy_is_that_of_its_best_solution():
    """Its objective is maximised, the cost minimised."""
    toy = random_toy(3, 4)
    scale = sampled_scale(toy, np.ones(1), 50)
    best = [int(a) for a in toy.worths.argmax(axis=1)]
    assert_allclose(least_cost(toy, scale), scale.cost(costs_of(toy, np.array([best]))))


def test_a_problem_without_a_known_optimum_is_refused():
    """The message lists those that have one."""
    problem = get("qap-6")
    with pytest.raises(InputError, match=r"AdditiveToy, Knapsack .* TSP .* 'qap-6'"):
        least_cost(problem, sampled_scale(problem, HALF, 20))
