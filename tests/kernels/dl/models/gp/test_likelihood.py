"""Covariances, the evidence and its gradient against numpy."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

import divlearn as dl
from divlearn.kernels.jit import JIT_DISABLED
from divlearn.methods.dl.kernels.models.gp.interactions import PAIR_DEVIATION, PAIR_MEAN
from divlearn.methods.dl.kernels.models.gp.likelihood import (
    NOISE_DEVIATION,
    NOISE_MEAN,
    RATE_DEVIATION,
    RATE_MEAN,
)
from tests.kernels.cases import SEEDS, composites
from tests.kernels.dl.models.gp.cases import (
    MIXED,
    evidence,
    feature_weights,
    memory_of,
    pair_up,
    shares,
)
from tests.reference import gp as reference

SMOOTH = st.integers(0, 1)
PAIRS = [(0, 6, 0.3), (3, 8, 0.1), (7, 8, 0.2)]


def expected_kernel(space, gp, o, pairs=()):
    """Covariances of all points by definition."""
    weights, points = feature_weights(gp, o), gp.points[: gp.control[0].num_rows]
    smooth, mixed = gp.outputs[o].smooth, shares(gp, o)
    segments = space.segments()
    return np.array(
        [
            [
                reference.covariance(segments, weights, pairs, x, y, smooth, mixed)
                for y in points
            ]
            for x in points
        ]
    )


@settings(max_examples=10 if JIT_DISABLED else 40)
@given(composites(), SEEDS, SMOOTH)
def test_covariances_are_those_of_the_definition(space, seed, smooth):
    """For every kind of space, permutations included."""
    gp = memory_of(space, 5, seed=seed % 2**31)
    gp.outputs.smooth = smooth
    evidence(gp, space.layout, 1)
    found = np.tril(gp.kernel[:5, :5])
    assert_allclose(found, np.tril(expected_kernel(space, gp, 1)), rtol=1e-7, atol=1e-9)


def test_pairs_add_products_of_centred_similarities():
    """Of a bit and a category, of two ordered positions, of two subsets' members."""
    gp = memory_of(MIXED, 8)
    pair_up(gp, PAIRS)
    evidence(gp, MIXED.layout, 0)
    expected = np.tril(expected_kernel(MIXED, gp, 0, PAIRS))
    assert_allclose(np.tril(gp.kernel[:8, :8]), expected, rtol=1e-9, atol=1e-12)
    assert not np.allclose(expected, np.tril(expected_kernel(MIXED, gp, 0)))


@pytest.mark.parametrize("pairs", [[], PAIRS], ids=["alone", "pairs"])
def test_the_evidence_is_that_of_the_definition(pairs):
    """The likelihood of the standardised outputs, times the priors."""
    gp = memory_of(MIXED, 12, seed=3)
    pair_up(gp, pairs)
    found = evidence(gp, MIXED.layout, 1)
    output, y = gp.outputs[1], gp.values[:12, 1]
    noise = np.full(12, np.exp(output.log_noise))
    kernel = expected_kernel(MIXED, gp, 1, pairs)
    expected = reference.log_evidence(kernel, noise, (y - y.mean()) / y.std())
    n = len(gp.columns)
    middle = PAIR_MEAN - np.log(n * (n - 1) / 2)
    logs = gp.log_pairs[1, : len(pairs)]
    distances = [
        gp.log_weights[1] / gp.control[0].weight_sd,
        (output.log_rate - RATE_MEAN) / RATE_DEVIATION,
        (output.log_noise - NOISE_MEAN) / NOISE_DEVIATION,
        (logs - middle) / PAIR_DEVIATION,
    ]
    expected -= 0.5 * sum(np.sum(np.square(d)) for d in distances)
    assert_allclose(found, expected, rtol=1e-9)


@pytest.mark.parametrize("smooth", [0, 1, 2])
def test_covariances_fall_as_the_output_is_smooth(smooth):
    """By distances, by squares, and by Matern's of these."""
    space = dl.Composite(
        a=dl.Integer(0, 9, n=2), b=dl.Binary(2), c=dl.Categorical(list("xyz"))
    )
    gp = memory_of(space, 6, seed=3)
    gp.outputs.smooth = smooth
    evidence(gp, space.layout, 1)
    expected = np.tril(expected_kernel(space, gp, 1))
    assert_allclose(np.tril(gp.kernel[:6, :6]), expected, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("smooth", [0, 1])
def test_the_gradient_is_the_slope_of_the_evidence(smooth):
    """By every constant: weights of features, rate, noise, weights of pairs."""
    gp, step = memory_of(MIXED, 12, seed=5), 1e-5
    gp.outputs.smooth = smooth
    pair_up(gp, PAIRS)
    evidence(gp, MIXED.layout, 0)
    gradient, output = gp.gradient.copy(), gp.outputs[0]
    places = [(gp.log_weights[0], f) for f in range(gp.log_weights.shape[1])]
    places += [(output, "log_rate"), (output, "log_noise")]
    places += [(gp.log_pairs[0], k) for k in range(len(PAIRS))]
    for number, (array, place) in enumerate(places):
        middle, values = array[place], []
        for shift in (-step, step):
            array[place] = middle + shift
            values.append(evidence(gp, MIXED.layout, 0))
        array[place] = middle
        slope = (values[1] - values[0]) / (2 * step)
        assert_allclose(gradient[number], slope, rtol=1e-4, atol=1e-6)


REALS = dl.Composite(a=dl.Real(0, 1, n=3), b=dl.Categorical(list("xyz")))
ORDERS = dl.Composite(a=dl.Permutation(5), b=dl.Integer(0, 7))


@pytest.mark.parametrize(
    ("space", "smooth"),
    [(REALS, 1), (REALS, 2), (ORDERS, 1)],
    ids=["hyperbolas", "matern", "orders"],
)
def test_the_gradient_is_the_slope_of_the_evidence_elsewhere(space, smooth):
    """Where reals count, and where orders have shares of their own."""
    gp, step = memory_of(space, 12, seed=5), 1e-5
    gp.outputs.smooth = smooth
    evidence(gp, space.layout, 0)
    gradient, output = gp.gradient.copy(), gp.outputs[0]
    places = [(gp.log_weights[0], f) for f in range(gp.log_weights.shape[1])]
    places += [(output, "log_rate"), (output, "log_noise")]
    for number, (array, place) in enumerate(places):
        middle, values = array[place], []
        for shift in (-step, step):
            array[place] = middle + shift
            values.append(evidence(gp, space.layout, 0))
        array[place] = middle
        slope = (values[1] - values[0]) / (2 * step)
        assert_allclose(gradient[number], slope, rtol=1e-4, atol=1e-6)
