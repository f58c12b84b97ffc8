"""Numbers of many traces."""

import numpy as np
from numpy.testing import assert_allclose

from divlearn.lab.paper.traces import band, by_weight, fixed_rewards, growth_exponent


def test_rewards_are_those_of_the_definition():
    """1 - 2 times the weighted sum of scaled objectives, in a loop."""
    rng = np.random.default_rng(0)
    trace = {"objective_a": rng.random(6), "objective_b": rng.random(6)}
    weights, ideal, reference = [[0.3, 0.7], [1.0, 0.0]], [0.0, -1.0], [2.0, 3.0]
    found = fixed_rewards(trace, weights, ideal, reference)
    for row in range(6):
        w, t = divmod(row, 3)
        scaled = trace["objective_a"][row] / 2, (trace["objective_b"][row] + 1) / 4
        cost = weights[w][0] * scaled[0] + weights[w][1] * scaled[1]
        assert_allclose(found[w, t], 1 - 2 * cost)


def test_columns_are_cut_by_weight():
    """One visit after the other."""
    assert by_weight({"t": np.arange(6.0)}, "t", 2).tolist() == [[0, 1, 2], [3, 4, 5]]


def test_the_exponent_tells_roots_from_lines():
    """Also of sqrt(T log T), which is why a verdict leaves some room."""
    t = np.arange(1.0, 301.0)
    assert_allclose(growth_exponent(5 * t), 1.0)
    assert_allclose(growth_exponent(0.1 * t**0.3), 0.3)
    assert 0.5 < growth_exponent(np.sqrt(t * np.log(t + 1))) < 0.65
    assert np.isnan(growth_exponent(np.zeros(100)))


def test_bands_are_those_over_seeds():
    """Instances that differ do not widen them."""
    rows = np.array([[0.0, 0.0], [2.0, 2.0], [100.0, 100.0], [102.0, 102.0]])
    mean, low, high = band(rows, [0, 0, 1, 1])
    assert mean.tolist() == [51.0, 51.0]
    assert_allclose(high - low, 2 * np.sqrt(2.0))
    wide = band(rows)
    assert (wide[2] - wide[1] > 100).all()
