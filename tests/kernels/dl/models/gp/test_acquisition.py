"""The front by the model, and what a candidate would add to it."""

import itertools
import math

import numpy as np
import pytest
from numpy.testing import assert_allclose

import divlearn as dl
from divlearn.methods.dl.kernels.models.gp.state import (
    BETTER_THAN_BOUND,
    usual_kappa,
)
from divlearn.metrics import hypervolume
from tests.kernels.cases import words_of
from tests.kernels.dl.models.gp.cases import (
    codes_of,
    gain_at,
    kappa,
    learn,
    memory_of,
    predict_at,
    see_front,
)

SPACE = dl.Binary(8)


def seen(m, num_constraints=0, seed=0, count=16):
    """A memory whose front was found."""
    gp = memory_of(SPACE, count, m, num_constraints, seed)
    learn(gp, SPACE.layout)
    see_front(gp, words_of(seed))
    return gp


@pytest.mark.parametrize("m", [1, 2, 3])
@pytest.mark.parametrize("num_constraints", [0, 1])
def test_the_front_is_what_is_feasible_and_not_dominated(m, num_constraints):
    """By the values without noise, which is what solutions are believed to be worth."""
    gp = seen(m, num_constraints, seed=m)
    values = gp.fitted[:, :16].T
    feasible = [r for r in range(16) if (values[r, m:] <= 0).all()]
    expected = [
        r
        for r in feasible
        if not any(
            (values[a, :m] <= values[r, :m]).all() and (values[a] != values[r]).any()
            for a in feasible
        )
    ]
    assert sorted(gp.front[: gp.control[0].num_front]) == expected
    assert len(feasible) == 16 or num_constraints


@pytest.mark.parametrize("m", [2, 3])
def test_gains_are_proportional_to_those_of_the_hypervolume(m):
    """Up to the error of a few hundred random directions."""
    gp = seen(m, seed=7)
    corner, unit = gp.outputs.corner[:m], gp.outputs.unit[:m]
    front = gp.fitted[:m, gp.front[: gp.control[0].num_front]].T
    # Volume of the unit ball's part with positive coordinates.
    ball = math.pi ** (m / 2) / math.gamma(m / 2 + 1) / 2**m
    places = np.random.default_rng(0).uniform(0.3, 1.6, (40, m))

    def volume(points):
        return hypervolume(points * unit, corner * unit)

    exact = [volume(np.vstack([front, corner - p / unit])) for p in places]
    exact = np.array(exact) - volume(front)
    found = np.array([gain_at(gp, place) for place in places]) * ball
    assert exact.max() > 0.2
    assert_allclose(found, exact, atol=0.08 * exact.max())


def test_what_is_dominated_or_beyond_the_corner_gains_nothing():
    """And to be better in all objectives gains more."""
    gp = seen(2, seed=3)
    place = (gp.outputs.corner - gp.fitted[:, gp.front[0]]) * gp.outputs.unit
    assert gain_at(gp, place) == 0.0
    assert gain_at(gp, np.array([-0.1, 5.0])) == 0.0
    gains = [gain_at(gp, place + shift) for shift in (0.1, 0.3, 0.9)]
    assert all(a < b for a, b in itertools.pairwise([0.0, *gains]))


def test_the_box_ends_at_the_reference_where_one_is_given():
    """What is beyond it gains nothing, and what reaches it does."""
    gp = seen(2, seed=3)
    value = gp.outputs.corner.copy()
    front = gp.fitted[:2, gp.front[: gp.control[0].num_front]]
    middle = front.mean(axis=1)
    gp.reference[:] = middle
    see_front(gp, words_of(3))
    assert_allclose(gp.outputs.corner, middle)
    assert_allclose(gp.outputs.unit, 1 / (middle - front.min(axis=1)))
    gp.reference[:] = front[0].min() - 1.0, np.nan
    see_front(gp, words_of(3))
    assert_allclose(gp.outputs.corner, value)


def test_the_chance_to_be_feasible_is_near_that_of_the_normal_distribution():
    """The product over all constraints."""
    gp = seen(1, num_constraints=2, seed=5)
    for x in codes_of(SPACE, 20, seed=80):
        chance, expected = math.exp(predict_at(gp, SPACE.layout, x)), 1.0
        for output in gp.outputs[1:]:
            mean = output.centre + output.scale * output.predicted
            z = -mean / (output.scale * output.deviation)
            expected *= 0.5 * (1 + math.erf(z / math.sqrt(2)))
        assert_allclose(chance, expected, atol=0.02)


def test_hopes_vary_around_the_usual_one():
    """A model that is too sure of itself is found out by bold proposals."""
    gp, words = seen(2, seed=1), words_of(4)
    hopes = []
    for _ in range(400):
        kappa(gp, words)
        hopes.append(gp.control[0].kappa)
    usual, kappa_sd = gp.control[0].kappa_median, gp.control[0].kappa_sd
    assert usual == usual_kappa(2)
    assert_allclose(np.median(hopes), usual, rtol=0.1)
    assert_allclose(np.log(hopes).std(), kappa_sd, rtol=0.1)


@pytest.mark.parametrize("m", [1, 2, 3, 4, 6])
def test_the_chance_to_be_better_than_hoped_for_in_all_objectives_is_the_same(m):
    """Whatever their number, as long as less than the mean is hoped for."""
    each = 0.5 * math.erfc(usual_kappa(m) / math.sqrt(2))
    assert_allclose(each**m, BETTER_THAN_BOUND, rtol=1e-6)
