"""Distributions over solutions and their gradients, against enumeration."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import divlearn as dl
from divlearn.lab.baselines.bayes.distribution import (
    SolutionDistribution,
    plackett_luce_score,
)

SPACE = dl.Composite(
    order=dl.Permutation(3),
    on=dl.Binary(2),
    colour=dl.Categorical(["r", "g", "b"]),
    size=dl.Integer(1, 2),
)


def log_probability(utilities, order):
    """Choose one item after the other, each by its share of what is left."""
    total, left = 0.0, list(order)
    while left:
        total += utilities[left[0]] - math.log(
            sum(math.exp(utilities[i]) for i in left)
        )
        left.pop(0)
    return total


def log_probability_of(parameters, codes):
    """The same for a solution of SPACE."""
    total = log_probability(parameters[:3], codes[:3])
    for logit, bit in zip(parameters[3:5], codes[3:5], strict=True):
        total -= math.log(1.0 + math.exp(-logit if bit else logit))
    for logits, code in ((parameters[5:8], codes[5]), (parameters[8:10], codes[6])):
        total += logits[code] - math.log(np.exp(logits).sum())
    return total


def all_codes():
    """Every solution of SPACE."""
    for order in itertools.permutations(range(3)):
        for rest in itertools.product(range(2), range(2), range(3), range(2)):
            yield np.array([*order, *rest])


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 2**31), n=st.integers(1, 6))
def test_the_plackett_luce_gradient_equals_finite_differences(seed, n):
    """A wrong sign would lead the ascent away from good solutions."""
    rng = np.random.default_rng(seed)
    utilities, order, step = rng.normal(size=n), rng.permutation(n), 1e-6
    found = plackett_luce_score(utilities, order)
    for i in range(n):
        more, less = utilities.copy(), utilities.copy()
        more[i] += step
        less[i] -= step
        slope = (log_probability(more, order) - log_probability(less, order)) / step / 2
        assert found[i] == pytest.approx(slope, abs=1e-6)


@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 2**31), temperature=st.sampled_from([0.5, 1.0, 2.0]))
def test_the_expected_score_has_the_gradient_of_the_expectation(seed, temperature):
    """Summed over all solutions, REINFORCE is exact; here on every kind of value."""
    rng = np.random.default_rng(seed)
    spread = SolutionDistribution(SPACE.layout, temperature)
    parameters, step = rng.normal(size=spread.size), 1e-5
    codes = np.array(list(all_codes()))
    worth = rng.normal(size=len(codes))

    def expectation(values):
        scaled = values / temperature
        return sum(
            math.exp(log_probability_of(scaled, x)) * w
            for x, w in zip(codes, worth, strict=True)
        )

    scaled = parameters / temperature
    chance = np.exp([log_probability_of(scaled, x) for x in codes])
    assert chance.sum() == pytest.approx(1.0)
    slopes = spread.score(parameters[None], codes[None])[0]
    found = (chance * worth) @ slopes
    for i in rng.choice(spread.size, 4, replace=False):
        more, less = parameters.copy(), parameters.copy()
        more[i] += step
        less[i] -= step
        slope = (expectation(more) - expectation(less)) / step / 2
        assert found[i] == pytest.approx(slope, abs=1e-6)


def test_draws_are_as_frequent_as_their_probability():
    """The Gumbel trick draws from the very distribution that is differentiated."""
    spread, rng = SolutionDistribution(SPACE.layout), np.random.default_rng(0)
    parameters = rng.normal(size=(1, spread.size))
    draws = spread.draw(parameters, 20_000, rng)[0]
    for x in itertools.islice(all_codes(), 0, None, 12):
        share = (draws == x).all(axis=1).mean()
        chance = math.exp(log_probability_of(parameters[0], x))
        assert share == pytest.approx(chance, abs=4 * math.sqrt(chance / 20_000) + 1e-4)


def test_draws_around_a_solution_differ_from_it_at_few_positions():
    """An ascent begins near what is known to be good, and has room to leave."""
    rng = np.random.default_rng(1)
    for space in (dl.Binary(40), dl.Integer(0, 9, n=20), dl.Permutation(20)):
        spread = SolutionDistribution(space.layout)
        codes = space.encode(space.sample(3))
        draws = spread.draw(spread.around(codes)[None], 200, rng)[0]
        changed = (draws != codes).sum(axis=1).mean()
        assert 0.5 < changed < 8.0
