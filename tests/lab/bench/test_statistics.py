import statistics

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from divlearn.lab.bench.fronts import lattice_for, mean_objective, mean_reward
from divlearn.lab.bench.statistics import marginal_efficiency, over_seeds, spread_of
from divlearn.problems import get


def test_a_spread_agrees_with_the_standard_library():
    """Quartiles, deviation and all that is made of them."""
    values = np.random.default_rng(0).normal(3.0, 1.0, 21)
    spread = spread_of(values)
    low, median, high = statistics.quantiles(values, n=4, method="inclusive")
    assert_allclose(spread.interquartile_range, high - low)
    assert_allclose(spread.median, median)
    assert_allclose(spread.deviation, statistics.stdev(values))
    assert_allclose(spread.stability, spread.mean / spread.deviation)
    assert_allclose(spread.variation, spread.deviation / spread.mean)
    assert (spread.least, spread.greatest) == (values.min(), values.max())


def test_too_few_values_have_no_spread():
    """NaN, not zero, and missing values count as none."""
    assert np.isnan(spread_of([]).mean)
    assert np.isnan(spread_of([1.0]).deviation)
    assert spread_of([1.0, np.nan]).count == 1
    assert np.isnan(spread_of([2.0, 2.0]).stability)


def test_statistics_over_seeds_are_taken_instance_by_instance():
    """Instances differ more than seeds do."""
    values = {(i, s): 100.0 * i + s for i in range(2) for s in range(3)}
    assert_array_equal(over_seeds(values, "least"), [0.0, 100.0])
    assert_array_equal(over_seeds(values, "deviation"), [1.0, 1.0])


def test_marginal_efficiency_is_gain_per_cost_between_neighbours():
    """Negative where quality falls as cost grows."""
    efficiency = marginal_efficiency([0.1, 0.3, 0.2], [1.0, 2.0, 4.0])
    assert_allclose(efficiency, [0.2, -0.05])


@pytest.mark.parametrize("name", ["bitsp-20", "tritsp-20", "bikp-50"])
def test_the_mean_reward_is_that_of_the_best_point_of_each_weight(name):
    """Whatever the senses of the objectives."""
    problem = get(name)
    shares = np.random.default_rng(1).random((5, problem.num_objectives))
    front = problem.ideal + shares * (problem.reference - problem.ideal)
    lattice = lattice_for(problem)
    assert len(lattice) >= 20
    best = [max(-(weight @ share) for share in shares) for weight in lattice]
    assert_allclose(mean_reward(front, [], problem), np.mean(best))


def test_what_has_no_scale_or_no_front_has_no_reward():
    """NaN, as for every measure that is missing."""
    problem = get("bitsp-20")
    assert np.isnan(mean_reward(np.empty((0, 2)), [], problem))
    problem.ideal = None
    assert np.isnan(mean_reward(np.ones((1, 2)), [], problem))
    assert mean_objective(np.array([[1.0, 3.0]]), [], problem) == 2.0
